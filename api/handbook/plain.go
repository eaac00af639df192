package handbook

import (
	"fmt"
	"strings"

	"waybill/api/contract"
)

// list is the list of all pages in Markdown, in the format of llms.txt
// (https://llmstxt.org).
func (l *library) list() string {
	var b strings.Builder
	b.WriteString("# Waybill\n\n> Waybill is a transport management service. Systems import transport orders, " +
		"follow their status, and fetch proofs of delivery.\n\n" +
		"Each page is Markdown. The contract is at [/openapi.yaml](/openapi.yaml) (OpenAPI 3.0) and" +
		" [/openapi-3.1.yaml](/openapi-3.1.yaml) (OpenAPI 3.1, with webhooks).\n")
	for _, g := range l.groups {
		fmt.Fprintf(&b, "\n## %s\n\n", g.Name)
		for _, p := range g.Pages {
			writeLine(&b, p)
		}
	}
	b.WriteString("\n## API reference\n\n")
	writeLine(&b, l.pages[referenceName])
	for _, tag := range l.reference.Tags {
		writeLine(&b, l.pages[referenceName+"/"+tag.Slug])
	}
	b.WriteString("\n## Optional\n\n")
	writeLine(&b, l.pages[changelogName])
	return b.String()
}

func writeLine(b *strings.Builder, p *page) {
	fmt.Fprintf(b, "- [%s](%s.md)", p.title, p.URL())
	if p.summary != "" {
		b.WriteString(": " + p.summary)
	}
	b.WriteString("\n")
}

// plainReference describes what all operations share, and lists them.
func (l *library) plainReference() string {
	var b strings.Builder
	b.WriteString("# API reference\n\n" + l.reference.Description + "\n\n## Operations\n")
	for _, tag := range l.reference.Tags {
		fmt.Fprintf(&b, "\n### [%s](/docs/%s/%s.md)\n\n%s\n\n", tag.Name, referenceName, tag.Slug, tag.Description)
		for _, op := range tag.Operations {
			fmt.Fprintf(&b, "- [`%s %s`](/docs/%s/%s/%s.md): %s\n",
				op.Method, op.Path, referenceName, tag.Slug, op.ID, op.Summary)
		}
	}
	return b.String()
}

// plainTag is a tag with all its operations.
func plainTag(tag *contract.Tag) string {
	var b strings.Builder
	b.WriteString("# " + tag.Name + "\n\n" + tag.Description + "\n")
	for _, op := range tag.Operations {
		b.WriteString("\n" + plainOperation(op, 2))
	}
	return b.String()
}

// plainOperation is an operation under a heading of a level.
func plainOperation(d *contract.Described, level int) string {
	o, marks := &operation{Described: d}, strings.Repeat("#", level)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n\n`%s %s` (`%s`)\n\n%s\n\nWho may call it: %s\n", marks, d.Summary, d.Method, o.Where(), d.ID,
		d.Description, o.WhoMay())
	for _, note := range o.Notes() {
		b.WriteString("\n" + note + "\n")
	}
	for _, place := range o.Places() {
		fmt.Fprintf(&b, "\n%s# %s\n\n", marks, place.Title)
		writeFields(&b, place.Parameters, "")
	}
	if d.Body != nil {
		fmt.Fprintf(&b, "\n%s# Request body\n\n%s\n", marks, d.Body.Description)
		writeContents(&b, o.BodyContents())
	}
	for _, a := range o.Successes() {
		fmt.Fprintf(&b, "\n%s# Response %s\n\n%s\n", marks, a.Status, a.source)
		writeContents(&b, a.Contents)
	}
	if errors := o.Errors(); len(errors) > 0 {
		fmt.Fprintf(&b, "\n%s# Errors\n\n", marks)
		for _, a := range errors {
			fmt.Fprintf(&b, "- %s: %s\n", a.Status, a.source)
		}
	}
	for _, s := range o.Samples() {
		fmt.Fprintf(&b, "\n%s# With %s\n\n```\n%s\n```\n", marks, s.Label, s.Source)
	}
	return b.String()
}

func writeContents(b *strings.Builder, contents []content) {
	for _, c := range contents {
		fmt.Fprintf(b, "\n`%s`: %s\n\n", c.Type, c.Shape)
		writeFields(b, c.Fields, "")
		for _, example := range c.Examples {
			fmt.Fprintf(b, "\nExample: %s\n\n```\n%s\n```\n", example.Summary, example.Text)
		}
	}
}

func writeFields(b *strings.Builder, fields []field, indent string) {
	for _, f := range fields {
		b.WriteString(indent + "- ")
		if f.Name != "" {
			b.WriteString("`" + f.Name + "` ")
		}
		b.WriteString("(" + f.Type)
		if f.Required {
			b.WriteString(", required")
		}
		b.WriteString(strings.Join(append([]string{""}, f.Limits...), ", ") + ")")
		if f.source != "" {
			b.WriteString(": " + strings.Join(strings.Fields(f.source), " "))
		}
		if len(f.Values) > 0 {
			b.WriteString(" One of `" + strings.Join(f.Values, "`, `") + "`.")
			if f.IsOpen {
				b.WriteString(" More values may be added.")
			}
		}
		if f.Above != "" {
			b.WriteString(" See `" + f.Above + "` above.")
		}
		b.WriteString("\n")
		writeFields(b, f.Fields, indent+"  ")
	}
}
