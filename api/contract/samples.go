package contract

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"waybill/api/contract/naming"
)

// Sample shows how an operation is called in one language.
type Sample struct {
	Language string `json:"lang"`
	Label    string `json:"label"`
	Source   string `json:"source"`
}

// samplesOf shows how an operation is called with curl, and with the clients in Go,
// TypeScript and Python. body is the name of the type of its body, if it has one.
func samplesOf(method, path string, op tried, body string, hasResult bool) []Sample {
	c := call{
		tried: op, method: method, path: path,
		name: naming.Of(op.Tags[0], op.ID), bodyType: body, hasResult: hasResult,
	}
	return []Sample{
		{"Shell", "curl", c.curl()},
		{"Go", "Go", c.inGo()},
		{"TypeScript", "TypeScript", c.inTypeScript()},
		{"Python", "Python", c.inPython()},
	}
}

// call is a request of an operation with the examples of the contract: its path, the
// required parameters of its query, and its body.
type call struct {
	tried

	method, path string
	name         naming.Name
	bodyType     string
	hasResult    bool
}

// in returns the parameters of a place that must be there.
func (c *call) in(place string) (found []asked) {
	for _, p := range c.Parameters {
		if p.In == place && p.Required {
			found = append(found, p)
		}
	}
	return found
}

// filled is the path with the examples of its parameters.
func (c *call) filled() string {
	path := c.path
	for _, p := range c.in("path") {
		path = strings.Replace(path, "{"+p.Name+"}", url.PathEscape(fmt.Sprint(p.value())), 1)
	}
	return path
}

// value is the example of a parameter; numbers are whole.
func (p *asked) value() any {
	switch {
	case p.Example != nil:
		return p.Example
	case p.Schema.Type == "integer":
		return 1
	}
	return p.Name
}

func (c *call) curl() string {
	var b strings.Builder
	b.WriteString("curl")
	if c.method != "GET" && (c.method != "POST" || c.example() == "") {
		b.WriteString(" -X " + c.method)
	}
	query := url.Values{}
	for _, p := range c.in("query") {
		query.Set(p.Name, fmt.Sprint(p.value()))
	}
	address := c.filled()
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	fmt.Fprintf(&b, " \"$WAYBILL_URL%s\" \\\n  -H \"Authorization: apikey $WAYBILL_API_KEY\"", address)
	if body := c.example(); body != "" {
		fmt.Fprintf(&b, " \\\n  -H \"Content-Type: application/json\" \\\n  -d '%s'", strings.ReplaceAll(body, "'", `'\''`))
	}
	return b.String()
}

func (c *call) inGo() string {
	var b strings.Builder
	b.WriteString(`client, err := waybill.New(os.Getenv("WAYBILL_URL"), os.Getenv("WAYBILL_API_KEY"))
if err != nil {
	return err
}
`)
	arguments := []string{"ctx"}
	for _, p := range c.in("path") {
		arguments = append(arguments, p.inGo())
	}
	if c.bodyType != "" {
		fmt.Fprintf(&b, `body := &waybill.%s{}
if err := json.Unmarshal([]byte(%s), body); err != nil {
	return err
}
`,
			naming.Pascal(c.bodyType), "`"+cmp.Or(c.example(), "{}")+"`")
		arguments = append(arguments, map[bool]string{true: "*"}[c.Body.Required]+"body")
	} else if c.hasQuery() {
		arguments = append(arguments, c.paramsInGo())
	}
	called := fmt.Sprintf("client.%s.%s(%s)", c.name.Resource, c.name.Method, strings.Join(arguments, ", "))
	if !c.hasResult {
		return b.String() + "return " + called
	}
	return b.String() + "result, err := " + called + "\nif err != nil {\n\treturn err\n}\nfmt.Println(result)\nreturn nil"
}

// hasQuery reports whether the operation has parameters of a query.
func (c *call) hasQuery() bool {
	return slices.ContainsFunc(c.Parameters, func(p asked) bool { return p.In == "query" })
}

func (c *call) paramsInGo() string {
	var fields []string
	for _, p := range c.in("query") {
		fields = append(fields, naming.Pascal(p.Name)+": "+p.inGo())
	}
	if len(fields) == 0 {
		return "nil"
	}
	return fmt.Sprintf("&waybill.%s%sParams{%s}", c.name.Resource, c.name.Method, strings.Join(fields, ", "))
}

func (p *asked) inGo() string {
	if p.Schema.Type == "integer" {
		return fmt.Sprint(p.value())
	}
	return fmt.Sprintf("%q", fmt.Sprint(p.value()))
}

func (c *call) inTypeScript() string {
	var arguments []string
	for _, p := range c.in("path") {
		arguments = append(arguments, p.inJSON())
	}
	if c.bodyType != "" {
		arguments = append(arguments, cmp.Or(c.example(), "{}"))
	} else if values := c.values("query"); len(values) > 0 {
		arguments = append(arguments, inline(values))
	}
	called := fmt.Sprintf("await client.%s.%s(%s);",
		naming.Camel(c.name.Resource), naming.Camel(c.name.Method), strings.Join(arguments, ", "))
	if c.hasResult {
		called = "const result = " + called
	}
	return `import { Waybill } from "@waybill/client";

const client = new Waybill({ baseUrl: process.env.WAYBILL_URL!, key: process.env.WAYBILL_API_KEY! });
` + called
}

// inJSON is the example of a parameter as TypeScript and Python write it.
func (p *asked) inJSON() string {
	text, _ := json.Marshal(p.value()) // an example of the contract: a text or a number
	return string(text)
}

// values are the examples of the required parameters of a place.
func (c *call) values(place string) map[string]any {
	values := map[string]any{}
	for _, p := range c.in(place) {
		values[p.Name] = p.value()
	}
	return values
}

// inline writes values as an object of one line.
func inline(values map[string]any) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		text, _ := json.Marshal(values[name]) // an example of the contract: a text or a number
		parts = append(parts, name+": "+string(text))
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

func (c *call) inPython() string {
	var arguments []string
	for _, p := range c.in("path") {
		arguments = append(arguments, p.inJSON())
	}
	if body := c.body(); body != nil && c.bodyType != "" {
		arguments = append(arguments, inPython(body, ""))
	} else if c.bodyType != "" {
		arguments = append(arguments, "{}")
	}
	for _, p := range c.in("query") {
		arguments = append(arguments, naming.Snake(p.Name)+"="+p.inJSON())
	}
	called := fmt.Sprintf("client.%s.%s(%s)",
		naming.Snake(c.name.Resource), naming.Snake(c.name.Method), strings.Join(arguments, ", "))
	if c.hasResult {
		called = "result = " + called
	}
	return `import os

from waybill_client import Waybill

client = Waybill(os.environ["WAYBILL_URL"], os.environ["WAYBILL_API_KEY"])
` + called
}

// inPython writes a value of JSON as Python does.
func inPython(value any, indent string) string {
	deeper := indent + "    "
	switch v := value.(type) {
	case nil:
		return "None"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case map[string]any:
		return bracketed("{", "}", indent, slices.Sorted(maps.Keys(v)), func(name string) string {
			return fmt.Sprintf("%s: %s", inPython(name, ""), inPython(v[name], deeper))
		})
	case []any:
		return bracketed("[", "]", indent, v, func(part any) string { return inPython(part, deeper) })
	}
	text, _ := json.Marshal(value) // a text or a number, which Python writes alike
	return string(text)
}

func bracketed[T any](begin, end, indent string, parts []T, write func(T) string) string {
	if len(parts) == 0 {
		return begin + end
	}
	lines := make([]string, len(parts))
	for i, part := range parts {
		lines[i] = indent + "    " + write(part) + ",\n"
	}
	return begin + "\n" + strings.Join(lines, "") + indent + end
}
