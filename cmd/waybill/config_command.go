package main

import (
	"fmt"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func newConfigCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Print every setting with its value, meaning and default",
		Long:  "Print every setting with its value, meaning and default. Secrets are hidden.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := readConfig()
			if err != nil {
				return err
			}
			if amiss := c.unsealed(); amiss != "" {
				fmt.Fprintln(cmd.ErrOrStderr(), "waybill: "+amiss)
			}
			return printConfig(cmd.OutOrStdout(), c)
		},
	}
}

func printConfig(out io.Writer, c config) error {
	var text strings.Builder
	for _, s := range settings() {
		value := shown(s, written(reflect.ValueOf(c).Field(s.field).Interface()))
		fmt.Fprintf(&text, "%s=%s\n    %s\n    default: %s\n\n", s.name, value, s.meaning, orNone(s.fallback))
	}
	_, err := io.WriteString(out, strings.TrimSuffix(text.String(), "\n"))
	return err
}

// written is a value as the variable would have it.
func written(value any) string {
	if list, ok := value.([]string); ok {
		return strings.Join(list, ",")
	}
	return fmt.Sprint(value)
}

func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return value
}

// shown hides the secret in a value.
func shown(s setting, value string) string {
	if s.secret == "" || value == "" {
		return value
	}
	if s.secret == "text" {
		return "***"
	}
	u, err := url.Parse(value)
	if err != nil || u.Scheme == "" {
		return "***" // a connection string of another form
	}
	query, hidden := u.Query(), false
	for name := range query {
		if isSecret(name) {
			query.Set(name, "***")
			hidden = true
		}
	}
	if hidden {
		u.RawQuery = query.Encode()
	}
	if _, has := u.User.Password(); has {
		u.User = url.UserPassword(u.User.Username(), "***")
	}
	return strings.ReplaceAll(u.String(), "%2A%2A%2A", "***")
}

// isSecret reports whether a parameter of an address is called like a secret.
func isSecret(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"pass", "secret", "key", "token", "sig", "credential"}, func(part string) bool {
		return strings.Contains(name, part)
	})
}

// withoutSecrets is an error about a setting whose text may repeat the setting.
func withoutSecrets(name, value string, err error) error {
	hidden := shown(setting{secret: "url"}, value)
	text := strings.ReplaceAll(err.Error(), value, hidden)
	if u, malformed := url.Parse(value); malformed == nil {
		password, _ := u.User.Password()
		for part, values := range u.Query() {
			if isSecret(part) {
				password = strings.Join(append(values, password), "\n")
			}
		}
		for part := range strings.SplitSeq(password, "\n") {
			if part != "" {
				text = strings.ReplaceAll(text, part, "***")
			}
		}
	} else {
		text = "not a URL"
	}
	return fmt.Errorf("%s: %s", name, text)
}
