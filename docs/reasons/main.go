// The program reasons writes the catalogue of the reasons that errors give to
// programs: the enum ErrorReason of the contract, and docs/reasons.md. Both come
// from the messages that callers read in English; those that have a description
// are no errors. `make generate` runs it.
package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"waybill/domain/fault"
)

const (
	messagesFile = "api/edge/messages/active.en.toml"
	contractFile = "api/contract/openapi/reasons.yaml"
	pageFile     = "docs/reasons.md"
)

func main() {
	if err := writeAll("."); err != nil {
		fmt.Fprintln(os.Stderr, "reasons:", err)
		os.Exit(1)
	}
}

// writeAll rewrites the catalogue in each of its places in the repository.
func writeAll(root string) error {
	reasons, err := readReasons(root + "/" + messagesFile)
	if err != nil {
		return err
	}
	contract, err := os.ReadFile(root + "/" + contractFile)
	if err != nil {
		return err
	}
	if contract, err = withReasons(contract, reasons); err != nil {
		return err
	}
	if err := os.WriteFile(root+"/"+contractFile, contract, 0o644); err != nil {
		return err
	}
	return os.WriteFile(root+"/"+pageFile, page(reasons), 0o644)
}

// reason is one reason and its message in English.
type reason struct{ name, text string }

// readReasons returns the reasons that a file of messages makes, by name.
func readReasons(file string) ([]reason, error) {
	var messages map[string]struct{ Description, Other string }
	if _, err := toml.DecodeFile(file, &messages); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	byName := make(map[string]string, len(messages))
	for id, message := range messages {
		if message.Description != "" {
			continue
		}
		name := fault.Say(id).Reason()
		if _, twice := byName[name]; twice {
			return nil, fmt.Errorf("two messages make the reason %s", name)
		}
		byName[name] = message.Other
	}
	reasons := make([]reason, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		reasons = append(reasons, reason{name, byName[name]})
	}
	return reasons, nil
}

// withReasons returns the contract with the values of ErrorReason replaced, which
// end the schema.
func withReasons(contract []byte, reasons []reason) ([]byte, error) {
	start := bytes.Index(contract, []byte("\n  ErrorReason:\n"))
	if start < 0 {
		return nil, fmt.Errorf("%s has no schema ErrorReason", contractFile)
	}
	enum := bytes.Index(contract[start:], []byte("\n    enum:"))
	if enum < 0 {
		return nil, fmt.Errorf("%s has no values of ErrorReason", contractFile)
	}
	head, tail := contract[:start+enum+1], contract[start+enum+1:]
	for first := true; first || bytes.HasPrefix(tail, []byte("    ")); first = false {
		_, tail, _ = bytes.Cut(tail, []byte("\n"))
	}
	out := bytes.NewBuffer(slices.Clone(head))
	out.WriteString("    enum:\n")
	for _, r := range reasons {
		out.WriteString("      - " + r.name + "\n")
	}
	out.WriteString("    x-enum-varnames:\n")
	for _, r := range reasons {
		out.WriteString("      - " + r.camelCase() + "\n")
	}
	out.Write(tail)
	return out.Bytes(), nil
}

// camelCase returns the reason's name as programs in Go write it.
func (r reason) camelCase() string {
	var name strings.Builder
	for word := range strings.SplitSeq(r.name, "_") {
		name.WriteString(word[:1] + strings.ToLower(word[1:]))
	}
	return name.String()
}

const pageHead = `# Reasons

What errors say to programs. Every error has a reason (` + "`ErrorInfo.reason`" + ` in its ` + "`details`" + `), and so has every field that must
change and everything that is wrong with an order of an import. Reasons are the same in every language; the
[guide](integrating.md#7-errors-and-retrying) says how to use them. Names in braces stand for values, which ` + "`metadata`" + ` has
by the same names.

This page is written by ` + "`make generate`" + `.

| reason | in English |
|---|---|
`

// page returns docs/reasons.md.
func page(reasons []reason) []byte {
	out := bytes.NewBufferString(pageHead)
	words := strings.NewReplacer("{{.", "{", "}}", "}", "|", `\|`, "<", `\<`, "\n", " ")
	for _, r := range reasons {
		fmt.Fprintf(out, "| `%s` | %s |\n", r.name, words.Replace(r.text))
	}
	return out.Bytes()
}
