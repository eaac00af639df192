package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"waybill/conformance"
)

// errBroken ends the program after a rule was broken, which the table shows.
var errBroken = errors.New("some rules are broken")

func newConformanceCommand() *cobra.Command {
	var site conformance.Site
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "conformance --url URL --key KEY",
		Short: "Check a running server against the API contract",
		Long: `Check over the API whether a Waybill server keeps the rules of its contract, and report
the result of each rule. The command needs no database.

Some rules import orders, whose numbers start with CONF- and the time. These rules run
only if the organization of the key is a sandbox. Otherwise they are skipped.

The exit code is 1 if a rule is broken.`,
		Example: "  waybill conformance --url http://localhost:8080 --key \"$WAYBILL_API_KEY\"",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			site.URL = strings.TrimRight(site.URL, "/")
			results, err := conformance.Run(cmd.Context(), site)
			if err != nil {
				return err
			}
			return tellConformance(cmd.OutOrStdout(), results, asJSON)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&site.URL, "url", "", "URL of the server, such as https://waybill.example")
	flags.StringVar(&site.Key, "key", "", "API key")
	flags.BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	for _, name := range []string{"url", "key"} {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // both are flags of this command
		}
	}
	return cmd
}

func tellConformance(out io.Writer, results []conformance.Result, asJSON bool) error {
	broken := false
	for _, r := range results {
		broken = broken || r.Outcome == conformance.Broken
	}
	if err := printConformance(out, results, asJSON); err != nil {
		return err
	}
	if broken {
		return errBroken
	}
	return nil
}

func printConformance(out io.Writer, results []conformance.Result, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(results)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, r := range results {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", r.Outcome, r.Rule, r.Promise)
		if r.Detail != "" {
			_, _ = fmt.Fprintf(table, "\t\t  %s\n", r.Detail)
		}
	}
	return table.Flush()
}
