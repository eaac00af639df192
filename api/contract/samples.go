package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Sample shows how an operation is called in one language.
type Sample struct {
	Language string `json:"lang"`
	Label    string `json:"label"`
	Source   string `json:"source"`
}

// samplesOf shows how an operation is called with curl, and with the clients in Go,
// TypeScript and Python.
func samplesOf(method, path string, op tried) []Sample {
	c := call{tried: op, method: method, path: path}
	return []Sample{
		{"Shell", "curl", c.curl()},
		{"Go", "Go", c.inGo()},
		{"TypeScript", "TypeScript", c.inTypeScript()},
		{"Python", "Python", c.inPython()},
	}
}

// call is a request of an operation with the examples of the contract: its path, the
// parameters of the query that must be there, and its body.
type call struct {
	tried

	method, path string
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
	arguments := []string{"ctx"}
	for _, p := range c.in("path") {
		arguments = append(arguments, p.inGo())
	}
	if c.hasParams() {
		arguments = append(arguments, c.paramsInGo())
	}
	name := nameInGo(c.ID)
	if body := c.example(); body != "" {
		name += "WithBody"
		arguments = append(arguments, `"application/json"`, "strings.NewReader(`"+body+"`)")
	}
	return fmt.Sprintf(`c, err := client.NewClientWithResponses(os.Getenv("WAYBILL_URL"),
	client.WithKey(os.Getenv("WAYBILL_API_KEY")), client.WithRetries(client.Retries{}))
if err != nil {
	return err
}
answer, err := c.%sWithResponse(%s)
if err != nil {
	return err
}
fmt.Println(answer.Status(), string(answer.Body))`, name, strings.Join(arguments, ", "))
}

// hasParams reports whether the client in Go takes parameters besides those of the path.
// It leaves out those that every operation has.
func (c *call) hasParams() bool {
	return slices.ContainsFunc(c.Parameters, func(p asked) bool {
		return p.In == "query" || p.In == "header" &&
			!slices.Contains([]string{"Accept-Language", "X-Request-ID", "If-None-Match"}, p.Name)
	})
}

func (c *call) paramsInGo() string {
	var fields []string
	for _, p := range c.in("query") {
		fields = append(fields, nameInGo(p.Name)+": "+p.inGo())
	}
	if len(fields) == 0 {
		return "nil"
	}
	return fmt.Sprintf("&client.%sParams{%s}", nameInGo(c.ID), strings.Join(fields, ", "))
}

// nameInGo returns the Go client's name of an operation or a parameter.
func nameInGo(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	if whole, isID := strings.CutSuffix(b.String(), "Id"); isID {
		return whole + "ID"
	}
	return b.String()
}

func (p *asked) inGo() string {
	switch {
	case p.Schema.Type == "integer":
		return fmt.Sprint(p.value())
	case p.Schema.Format == "date":
		return fmt.Sprintf("types.Date{Time: day(%q)}", fmt.Sprint(p.value()))
	}
	return fmt.Sprintf("%q", fmt.Sprint(p.value()))
}

func (c *call) inTypeScript() string {
	var params, options []string
	for _, place := range []string{"path", "query"} {
		if values := c.values(place); len(values) > 0 {
			params = append(params, place+": "+inline(values))
		}
	}
	if len(params) > 0 {
		options = append(options, "params: { "+strings.Join(params, ", ")+" }")
	}
	if body := c.example(); body != "" {
		options = append(options, "body: "+strings.ReplaceAll(body, "\n", "\n  "))
	}
	arguments := fmt.Sprintf("%q", c.path)
	if len(options) > 0 {
		arguments += ", {\n  " + strings.Join(options, ",\n  ") + ",\n}"
	}
	return fmt.Sprintf(`import { connect } from "@waybill/client";

const client = connect({ baseUrl: process.env.WAYBILL_URL!, key: process.env.WAYBILL_API_KEY! });
const { data, error } = await client.%s(%s);`, c.method, arguments)
}

// values are the examples of the parameters of a place.
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
	arguments := []string{fmt.Sprintf("%q", c.method), fmt.Sprintf("%q", c.filled())}
	if values := c.values("query"); len(values) > 0 {
		arguments = append(arguments, "query="+inPython(values, ""))
	}
	if body := c.body(); body != nil {
		arguments = append(arguments, "body="+inPython(body, ""))
	}
	return fmt.Sprintf(`import os

from waybill import Client

client = Client(os.environ["WAYBILL_URL"], os.environ["WAYBILL_API_KEY"])
answer = client.call(%s)`, strings.Join(arguments, ", "))
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
