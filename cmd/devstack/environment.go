package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"waybill/testing/stack"
)

// variable is an environment variable.
type variable struct{ name, value string }

// The roles and the database of the product.
const (
	database  = "waybill"
	ownerRole = "waybill_owner"
	appRole   = "waybill_app"
)

const apiKeyVariable = "WAYBILL_API_KEY"

// demoCarrierSecret signs the updates of the demo's carrier. It is valid
// nowhere else.
const demoCarrierSecret = "LocalCarrierSecret"

// environmentFile is the file that people and scripts source to find the
// running servers.
type environmentFile struct {
	path     string
	previous map[string]string
}

// readEnvironmentFile also reads the values of the last run.
func readEnvironmentFile(path string) environmentFile {
	f := environmentFile{path, map[string]string{}}
	text, err := os.ReadFile(path)
	if err != nil {
		return f // there is none before the first run
	}
	for line := range strings.Lines(string(text)) {
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if ok {
			f.previous[name] = unquote(value)
		}
	}
	return f
}

// write writes the variables to a file that only their owner can read.
func (f environmentFile) write(variables []variable) error {
	var text strings.Builder
	for _, v := range variables {
		fmt.Fprintf(&text, "export %s=%s\n", v.name, quote(v.value))
	}
	if err := os.WriteFile(f.path+".part", []byte(text.String()), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	if err := os.Rename(f.path+".part", f.path); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	return nil
}

// chosen is the value that a user has set for a variable, or the default. A
// value sourced from the file of an earlier run is not a user's choice.
func (f environmentFile) chosen(name, own string) variable {
	if value := os.Getenv(name); value != "" && value != f.previous[name] {
		return variable{name, value}
	}
	return variable{name, own}
}

// quote quotes a word for the shell.
func quote(value string) string { return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'" }

func unquote(word string) string {
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(word, "'"), "'"), `'\''`, "'")
}

// describe lists the addresses. The servers that devstack starts are always
// those that the product uses; the rest is configurable.
func (r *run) describe() ([]variable, error) {
	waybill, err := filepath.Abs(r.options.waybill)
	if err != nil {
		return nil, fmt.Errorf("find waybill: %w", err)
	}
	blobs := url.URL{Scheme: "file", Path: r.state.path("blobs"), RawQuery: "create_dir=true"}
	api := r.settings.apiURL()
	sends := "" // a user's own settings may be exposed to others
	mail, sms := r.file.chosen("WAYBILL_SMTP_URL", r.mailbox.SMTPURL()), r.file.chosen("WAYBILL_SMS_URL", r.sms.URL())
	if mail.value == r.mailbox.SMTPURL() && sms.value == r.sms.URL() {
		sends = "true"
	}
	return append(r.describeRegion(), []variable{
		{"WAYBILL_URL", api},
		{"WAYBILL_BIN", waybill},
		{"WAYBILL_MAILBOX", r.mailbox.Dir()},
		{"WAYBILL_TEMPORAL_UI", r.temporal.UIURL()},
		{"DATABASE_URL", r.postgres.URL(appRole, database)},
		{"DATABASE_MIGRATE_URL", r.postgres.URL(ownerRole, database)},
		{"TEMPORAL_ADDRESS", r.temporal.Address()},
		{"TEMPORAL_NAMESPACE", r.temporal.Namespace()},
		mail, sms,
		r.file.chosen("WAYBILL_SANDBOX_SENDS", sends),
		r.file.chosen("WAYBILL_WEBHOOK_ALLOW_PRIVATE", "true"), // receivers are on this machine
		r.file.chosen("WAYBILL_SMS_ACCOUNT", stack.SMSAccount),
		r.file.chosen("WAYBILL_SMS_TOKEN", stack.SMSToken),
		r.file.chosen("WAYBILL_CARRIER_POSTNORD", demoCarrierSecret),
		r.file.chosen("WAYBILL_BLOB_URL", blobs.String()),
		r.file.chosen("WAYBILL_PUBLIC_URL", api),
	}...), nil
}

// environment is the caller's environment with our variables.
func environment(variables []variable) []string {
	all := os.Environ()
	for _, v := range variables {
		all = append(all, v.name+"="+v.value)
	}
	return all
}
