package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-yaml"
)

// collection is what Postman imports (Collection Format 2.1).
type collection struct {
	Info struct {
		Name   string `json:"name"`
		Schema string `json:"schema"`
	} `json:"info"`
	Auth      map[string]any    `json:"auth"`
	Events    []postmanEvent    `json:"event"`
	Items     []*postmanFolder  `json:"item"`
	Variables []postmanVariable `json:"variable"`
}

// postmanEvent is a script that runs before each request.
type postmanEvent struct {
	Listen string `json:"listen"`
	Script struct {
		Type string   `json:"type"`
		Exec []string `json:"exec"`
	} `json:"script"`
}

type postmanFolder struct {
	Name  string        `json:"name"`
	Items []postmanItem `json:"item"`
}

type postmanItem struct {
	Name    string         `json:"name"`
	Request postmanRequest `json:"request"`
}

type postmanRequest struct {
	Method      string            `json:"method"`
	Description string            `json:"description,omitempty"`
	Headers     []postmanVariable `json:"header"`
	URL         postmanURL        `json:"url"`
	Body        map[string]any    `json:"body,omitempty"`
}

type postmanURL struct {
	Raw       string            `json:"raw"`
	Host      []string          `json:"host"`
	Path      []string          `json:"path"`
	Query     []postmanVariable `json:"query,omitempty"`
	Variables []postmanVariable `json:"variable,omitempty"`
}

type postmanVariable struct {
	Key         string `json:"key"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Disabled    bool   `json:"disabled,omitempty"`
}

// tried is an operation in the collection.
type tried struct {
	ID          string   `yaml:"operationId"`
	Callers     []string `yaml:"x-callers"`
	Tags        []string `yaml:"tags"`
	Summary     string   `yaml:"summary"`
	Description string   `yaml:"description"`
	Parameters  []asked  `yaml:"parameters"`
	Body        struct {
		Required bool                    `yaml:"required"`
		Content  map[string]triedContent `yaml:"content"`
	} `yaml:"requestBody"`
}

type triedContent struct {
	Examples yaml.MapSlice `yaml:"examples"`
}

type asked struct {
	Ref         string `yaml:"$ref"`
	Name        string `yaml:"name"`
	In          string `yaml:"in"`
	Required    bool   `yaml:"required"`
	Description string `yaml:"description"`
	Example     any    `yaml:"example"`
	Schema      struct {
		Type   string `yaml:"type"`
		Format string `yaml:"format"`
	} `yaml:"schema"`
}

// triedDocument is the contract as far as requests are made from it.
type triedDocument struct {
	Paths      map[string]yaml.MapSlice `yaml:"paths"`
	Components struct {
		Parameters map[string]asked `yaml:"parameters"`
	} `yaml:"components"`
	Tags []struct {
		Name string `yaml:"name"`
	} `yaml:"tags"`
}

func readTried() (doc triedDocument, err error) {
	if err := yaml.UnmarshalWithOptions(published, &doc, yaml.UseOrderedMap()); err != nil {
		return doc, fmt.Errorf("read the contract: %w", err)
	}
	return doc, nil
}

// forKeys calls visit with each operation for API keys, with all its parameters.
func (d *triedDocument) forKeys(visit func(method, path string, op tried)) error {
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		operations, shared, err := operationsOf(d.Paths[path])
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			op := operations[method]
			if !slices.Contains(op.Callers, "key") {
				continue
			}
			op.Parameters = slices.Concat(shared, op.Parameters)
			for i, p := range op.Parameters {
				if name, ok := cutRef(p.Ref); ok {
					op.Parameters[i] = d.Components.Parameters[name]
				}
			}
			visit(method, path, op)
		}
	}
	return nil
}

// Postman returns the operations for API keys as a Postman collection. The reader
// sets its variables baseUrl and apiKey. It is generated on first use.
func Postman() ([]byte, error) { return postmanOnce() }

var postmanOnce = sync.OnceValues(newPostman)

func newPostman() ([]byte, error) {
	doc, err := readTried()
	if err != nil {
		return nil, err
	}
	c, days := newCollection(), make(postmanDays)
	folders := make(map[string]*postmanFolder, len(doc.Tags))
	for _, tag := range doc.Tags {
		folders[tag.Name] = &postmanFolder{Name: tag.Name}
	}
	err = doc.forKeys(func(method, path string, op tried) {
		folder := folders[op.Tags[0]]
		folder.Items = append(folder.Items, op.item(method, path, days))
	})
	if err != nil {
		return nil, err
	}
	for _, tag := range doc.Tags {
		if folder := folders[tag.Name]; len(folder.Items) > 0 {
			c.Items = append(c.Items, folder)
		}
	}
	c.Events = []postmanEvent{days.script()}
	return json.MarshalIndent(c, "", " ")
}

// postmanDays are the days of a collection, counted from tomorrow.
type postmanDays map[int]bool

// moved replaces the days of an example by variables.
func (d postmanDays) moved(example string) string {
	return movedBy(example, func(date time.Time) string {
		days := daysFromStage(date)
		d[days] = true
		return "{{" + dayVariable(days) + "}}"
	})
}

// script sets the variables before each request, so that a collection can be kept. Days are those
// of the reader's clock.
func (d postmanDays) script() (e postmanEvent) {
	days, _ := json.Marshal(slices.Sorted(maps.Keys(d))) // numbers can always be encoded
	e.Listen, e.Script.Type = "prerequest", "text/javascript"
	e.Script.Exec = []string{
		"// The examples are of tomorrow (day0), and of days before and after it.",
		"const today = new Date();",
		"for (const day of " + string(days) + ") {",
		"  const at = new Date(Date.UTC(today.getFullYear(), today.getMonth(), today.getDate() + 1 + day));",
		"  pm.variables.set('day' + day, at.toISOString().slice(0, 10));",
		"}",
	}
	return e
}

func newCollection() *collection {
	c := &collection{
		Auth: map[string]any{"type": "apikey", "apikey": []map[string]string{
			{"key": "key", "value": "Authorization"},
			{"key": "value", "value": "apikey {{apiKey}}"},
			{"key": "in", "value": "header"},
		}},
		Variables: []postmanVariable{
			{Key: "baseUrl", Value: "http://localhost:8080"}, {Key: "apiKey", Value: ""},
		},
	}
	c.Info.Name = "Waybill"
	c.Info.Schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
	return c
}

// operationsOf reads the operations of a path by their methods, and the parameters
// that all of them have.
func operationsOf(path yaml.MapSlice) (map[string]tried, []asked, error) {
	operations, shared := make(map[string]tried), []asked(nil)
	for _, part := range path {
		name := fmt.Sprint(part.Key)
		text, err := yaml.Marshal(part.Value)
		if err != nil {
			return nil, nil, err
		}
		if name == "parameters" {
			err = yaml.Unmarshal(text, &shared)
		} else {
			var op tried
			err = yaml.UnmarshalWithOptions(text, &op, yaml.UseOrderedMap())
			operations[strings.ToUpper(name)] = op
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return operations, shared, nil
}

func (t tried) item(method, path string, days postmanDays) postmanItem {
	r := postmanRequest{Method: method, Description: t.Description, Headers: []postmanVariable{}}
	for _, p := range t.Parameters {
		v := postmanVariable{Key: p.Name, Description: p.Description}
		if p.Example != nil {
			v.Value = days.moved(fmt.Sprint(p.Example))
		}
		switch p.In {
		case "path":
			r.URL.Variables = append(r.URL.Variables, v)
		case "query":
			v.Disabled = !p.Required
			r.URL.Query = append(r.URL.Query, v)
		case "header":
			v.Disabled = !p.Required
			r.Headers = append(r.Headers, v)
		}
	}
	path = strings.NewReplacer("{", ":", "}", "").Replace(path)
	r.URL.Raw, r.URL.Host = "{{baseUrl}}"+path, []string{"{{baseUrl}}"}
	r.URL.Path = strings.Split(strings.TrimPrefix(path, "/"), "/")
	if body := t.example(); body != "" {
		r.Headers = append(r.Headers, postmanVariable{Key: "Content-Type", Value: "application/json"})
		r.Body = map[string]any{
			"mode": "raw", "raw": days.moved(body), "options": map[string]any{"raw": map[string]string{"language": "json"}},
		}
	}
	return postmanItem{Name: t.Summary, Request: r}
}

// body returns the first example of the body, or nil.
func (t tried) body() any {
	examples := t.Body.Content["application/json"].Examples
	if len(examples) == 0 {
		return nil
	}
	text, err := yaml.Marshal(examples[0].Value)
	if err != nil {
		return nil
	}
	var shown struct {
		Value any `yaml:"value"`
	}
	if yaml.Unmarshal(text, &shown) != nil {
		return nil
	}
	return shown.Value
}

// triedBody returns the body of the operation in the form that requests are built from.
func (d *Described) triedBody() map[string]triedContent {
	contents := make(map[string]triedContent)
	if d.Body == nil {
		return contents
	}
	for _, c := range d.Body.Contents {
		var examples yaml.MapSlice
		for _, e := range c.Examples {
			examples = append(examples, yaml.MapItem{Key: e.Name, Value: map[string]any{"value": e.value}})
		}
		contents[c.Type] = triedContent{examples}
	}
	return contents
}

// example returns the first example of the body as JSON, or "".
func (t tried) example() string {
	body := t.body()
	if body == nil {
		return ""
	}
	indented, err := json.MarshalIndent(body, "", "  ")
	if err != nil {
		return ""
	}
	return string(indented)
}
