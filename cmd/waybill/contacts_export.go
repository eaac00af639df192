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

	"waybill/operations"
)

func newContactsExportCommand() *cobra.Command {
	var org, format string
	var sought soughtPerson
	cmd := &cobra.Command{
		Use:   "export --org SLUG (--email ADDRESS | --phone NUMBER | --stdin)",
		Short: "Writes what is kept of a person",
		Long: `Writes all that an organization keeps of a person, by the data map of docs/privacy.md, as
a page to read or as JSON. The person is found as "waybill contacts erase" finds them. What
the same row says of others is not left out: read it before you hand it on. Archives and
pictures are not in it.`,
		Example: "  waybill contacts export --org nordfrakt --email kari@example.com > kari.html\n" +
			"  waybill contacts export --org nordfrakt --stdin --format json < person.txt",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains([]string{"html", "json"}, format) {
				return errors.New("--format is html or json")
			}
			return forOrganization(cmd, org, func(of tenant) error {
				person, err := sought.find(cmd, of)
				if err != nil {
					return err
				}
				export, err := of.operations.ExportPerson(cmd.Context(), of.by, person, nil)
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
<html lang="en"><head><meta charset="utf-8"><title>What is kept of a person</title>
<style>body{font:16px/1.5 sans-serif;max-width:50em;margin:2em auto;padding:0 1em}
pre{white-space:pre-wrap;background:#f4f4f4;padding:.5em}</style></head><body>
<h1>What is kept of a person</h1>
<p>Looked for: {{join .Person ", "}}</p>
{{range .Places}}<h2>{{.What}}</h2>
<p>Why: {{.Why}}. How long: {{.Period}}. Table: <code>{{.Table}}</code></p>
{{range .Rows}}<pre>{{lines .}}</pre>
{{end}}{{else}}<p>Nothing was found.</p>
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

func writeExport(out io.Writer, export *operations.PersonExport, format string) error {
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
