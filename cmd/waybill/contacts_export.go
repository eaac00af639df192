package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"waybill/operations/privacy"
)

func newContactsExportCommand() *cobra.Command {
	var org, format string
	var sought soughtPerson
	cmd := &cobra.Command{
		Use:   "export --org SLUG (--email ADDRESS | --phone NUMBER | --stdin)",
		Short: "Export all data about a person",
		Long: `Export all data that an organization stores about a person, following the data map in
docs/privacy.md, as a web page or as JSON. The person is found in the same way as by
"waybill contacts erase". The export may contain data about other people in the same
rows, so read it before you pass it on. It does not include archives and pictures.`,
		Example: "  waybill contacts export --org nordfrakt --email kari@example.com > kari.html\n" +
			"  waybill contacts export --org nordfrakt --stdin --format json < person.txt",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains([]string{"html", "json"}, format) {
				return errors.New("--format must be html or json")
			}
			return forOrganization(cmd, org, func(of tenant) error {
				person, err := sought.find(cmd, of)
				if err != nil {
					return err
				}
				export, err := of.operations.Privacy.ExportPerson(cmd.Context(), of.by, person, nil)
				if err != nil {
					return err
				}
				return writeExport(cmd.OutOrStdout(), &export, format)
			})
		},
	}
	orgFlags(cmd, &org, nil)
	sought.flags(cmd)
	cmd.Flags().StringVar(&format, "format", "html", "html or json")
	cmd.MarkFlagsOneRequired("email", "phone", "stdin")
	return cmd
}

// exportPage is the page to read.
var exportPage = template.Must(template.New("export").Funcs(template.FuncMap{
	"lines": linesOf, "join": strings.Join,
}).Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Personal data</title>
<style>body{font:16px/1.5 sans-serif;max-width:50em;margin:2em auto;padding:0 1em}
pre{white-space:pre-wrap;background:#f4f4f4;padding:.5em}</style></head><body>
<h1>Personal data</h1>
<p>Searched for: {{join .Person ", "}}</p>
{{range .Places}}<h2>{{.What}}</h2>
<p>Purpose: {{.Why}}. Kept: {{.Period}}. Table: <code>{{.Table}}</code></p>
{{range .Rows}}<pre>{{lines .}}</pre>
{{end}}{{else}}<p>No data found.</p>
{{end}}</body></html>
`))

// linesOf are the columns of a row, one a line.
func linesOf(row json.RawMessage) (string, error) {
	var columns map[string]json.RawMessage
	if err := json.Unmarshal(row, &columns); err != nil {
		return "", err
	}
	var lines []string
	for name, value := range columns {
		text := string(value)
		var plain string
		if json.Unmarshal(value, &plain) == nil {
			text = plain
		}
		lines = append(lines, name+": "+text)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), nil
}

func writeExport(out io.Writer, export *privacy.PersonExport, format string) error {
	if format == "html" {
		return exportPage.Execute(out, export)
	}
	body, err := json.MarshalIndent(export, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, string(body))
	return err
}
