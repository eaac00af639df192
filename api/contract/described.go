package contract

import (
	"slices"
	"strings"

	"waybill/api/contract/naming"
)

// reader reads operations and schemas, and follows their references.
type reader struct {
	components node
	schemas    map[string]*Schema
}

// methods are those that operations have, in the order in which they are shown.
var methods = []string{"get", "post", "put", "patch", "delete"}

func (r *reader) operations(path string, item node) (found []*Described) {
	for method, op := range item.members() {
		if !slices.Contains(methods, method) {
			continue
		}
		d := &Described{
			ID: op.text("operationId"), Method: strings.ToUpper(method), Path: path,
			Summary: op.text("summary"), Description: strings.TrimSpace(op.text("description")),
			Callers: op.at("x-callers").texts(), MaxBodyMiB: op.text("x-max-body-mib"), Personal: op.text("x-personal-data"),
			Heavy: op.is("x-heavy"), Fresh: op.is("x-fresh-sign-in"),
			Deprecated: op.is("deprecated"), Sunset: op.text("x-sunset"),
		}
		if tags := op.at("tags").texts(); len(tags) > 0 {
			d.Tag = tags[0]
		}
		d.Parameters = r.parameters(slices.Concat(item.at("parameters").items(), op.at("parameters").items()))
		if body := r.follow(op.at("requestBody")); !body.isMissing() {
			d.Body = &Body{
				Description: strings.TrimSpace(body.text("description")), Required: body.is("required"),
				Contents: r.contents(body.at("content")),
			}
		}
		for status, answer := range op.at("responses").members() {
			d.Answers = append(d.Answers, r.answer(status, r.follow(answer)))
		}
		slices.SortStableFunc(d.Answers, func(a, b Answer) int { return strings.Compare(a.Status, b.Status) })
		found = append(found, d)
	}
	return found
}

// follow returns what a part refers to, or the part itself.
func (r *reader) follow(n node) node {
	ref := n.text("$ref")
	if ref == "" {
		return n
	}
	found := r.components
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/components/"), "/") {
		found = found.at(name)
	}
	return found
}

// parameters are those of an operation: where they stand, and those that must be there first.
func (r *reader) parameters(nodes []node) []Parameter {
	var found []Parameter
	for _, n := range nodes {
		p := r.parameter(r.follow(n))
		// What an operation says goes before what its path says.
		found = slices.DeleteFunc(found, func(had Parameter) bool { return had.Name == p.Name && had.In == p.In })
		found = append(found, p)
	}
	places := []string{"path", "query", "header", "cookie"}
	slices.SortStableFunc(found, func(a, b Parameter) int {
		if a.In != b.In {
			return slices.Index(places, a.In) - slices.Index(places, b.In)
		}
		return order(b.Required) - order(a.Required)
	})
	return found
}

func order(first bool) int {
	if first {
		return 1
	}
	return 0
}

func (r *reader) parameter(n node) Parameter {
	p := Parameter{
		Name: n.text("name"), In: n.text("in"), Description: strings.TrimSpace(n.text("description")),
		Required: n.is("required"), Schema: r.schema(n.at("schema")), Example: n.at("example").value(),
	}
	if p.Example == nil {
		p.Example = n.at("schema").at("example").value()
	}
	return p
}

func (r *reader) answer(status string, n node) Answer {
	a := Answer{
		Status: status, Description: strings.TrimSpace(n.text("description")), Contents: r.contents(n.at("content")),
	}
	for name, header := range n.at("headers").members() {
		p := r.parameter(r.follow(header))
		p.Name, p.In = name, "header"
		a.Headers = append(a.Headers, p)
	}
	return a
}

func (r *reader) contents(n node) (contents []Content) {
	for media, content := range n.members() {
		c := Content{Type: media, Schema: r.schema(content.at("schema"))}
		for name, example := range content.at("examples").members() {
			example = r.follow(example)
			c.Examples = append(c.Examples, newExample(name, example.text("summary"), media, example.at("value")))
		}
		if example := content.at("example"); !example.isMissing() {
			c.Examples = append(c.Examples, newExample("example", "", media, example))
		}
		contents = append(contents, c)
	}
	return contents
}

func newExample(name, summary, media string, value node) Example {
	e := Example{Name: name, Summary: summary, value: value.value()}
	if text, isText := e.value.(string); isText && !strings.Contains(media, "json") {
		e.Text = text
	} else if !value.isMissing() {
		e.Text = value.json()
	}
	return e
}

// Samples is code that calls the operation with curl and with each client.
func (d *Described) Samples() []Sample {
	if d.IsEvent || !d.IsForKeys() {
		return nil
	}
	op := tried{ID: d.ID, Callers: d.Callers, Tags: []string{d.Tag}, Summary: d.Summary, Description: d.Description}
	for _, p := range d.Parameters {
		a := asked{Name: p.Name, In: p.In, Required: p.Required, Description: p.Description, Example: p.Example}
		a.Schema.Type, a.Schema.Format = p.Schema.Type, p.Schema.Format
		op.Parameters = append(op.Parameters, a)
	}
	op.Body.Content = d.triedBody()
	op.Body.Required = d.Body != nil && d.Body.Required
	return samplesOf(d.Method, d.Path, op, d.bodyName(), d.hasResult())
}

// ClientName is the method of the clients that calls the operation, such as orders.import. It is
// empty for operations that keys may not call.
func (d *Described) ClientName() string {
	if d.IsEvent || !d.IsForKeys() {
		return ""
	}
	name := naming.Of(d.Tag, d.ID)
	return naming.Camel(name.Resource) + "." + naming.Camel(name.Method)
}

// bodyName is the name of the schema of the request's body. It is empty without a body, and for one that
// is always empty.
func (d *Described) bodyName() string {
	if d.Body == nil || len(d.Body.Contents) == 0 || len(d.Body.Contents[0].Schema.Properties) == 0 {
		return ""
	}
	return d.Body.Contents[0].Schema.Name
}

// hasResult reports whether the operation returns something when it succeeds.
func (d *Described) hasResult() bool {
	return slices.ContainsFunc(d.Answers, func(a Answer) bool {
		if a.Status >= "300" || len(a.Contents) == 0 {
			return false
		}
		s := a.Contents[0].Schema
		return s.Type != "object" || len(s.Properties) > 0 || len(s.Variants) > 0
	})
}
