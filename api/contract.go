package api

import (
	_ "embed"
	"fmt"
	"net/http"
	"slices"

	"go.yaml.in/yaml/v3"
)

//go:embed openapi.yaml
var contractYAML []byte

// Contract gives the OpenAPI document that this package serves and obeys.
func Contract() []byte { return slices.Clone(contractYAML) }

// administration tags the operations for people, which have no handler yet.
const administration = "Administration"

// contract is what the edge itself takes from the OpenAPI document: who may
// call what, and what parameters look like.
type contract struct {
	operations []*operation
	byRoute    map[route]*operation
}

type route struct{ method, pattern string }

// operation is one operation of the contract.
type operation struct {
	ID         string      `yaml:"operationId"`
	Callers    []string    `yaml:"x-callers"`
	Tags       []string    `yaml:"tags"`
	Parameters []parameter `yaml:"parameters"`

	route      route
	allowsKeys bool
	formats    map[string]string // of parameters, by name
}

type parameter struct {
	Ref    string `yaml:"$ref"`
	Name   string `yaml:"name"`
	Schema struct {
		Type   string `yaml:"type"`
		Format string `yaml:"format"`
	} `yaml:"schema"`
}

type pathItem struct {
	Parameters []parameter `yaml:"parameters"`
	Get        *operation  `yaml:"get"`
	Post       *operation  `yaml:"post"`
	Put        *operation  `yaml:"put"`
	Patch      *operation  `yaml:"patch"`
	Delete     *operation  `yaml:"delete"`
}

func readContract(document []byte) (*contract, error) {
	var doc struct {
		Paths      map[string]pathItem `yaml:"paths"`
		Components struct {
			Parameters map[string]parameter `yaml:"parameters"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal(document, &doc); err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	c := &contract{byRoute: make(map[route]*operation)}
	for path, item := range doc.Paths {
		for method, op := range item.operations() {
			op.Parameters = append(op.Parameters, item.Parameters...)
			op.settle(route{method, path}, doc.Components.Parameters)
			c.operations = append(c.operations, op)
			c.byRoute[op.route] = op
		}
	}
	return c, nil
}

func (p pathItem) operations() map[string]*operation {
	all := map[string]*operation{
		http.MethodGet: p.Get, http.MethodPost: p.Post, http.MethodPut: p.Put,
		http.MethodPatch: p.Patch, http.MethodDelete: p.Delete,
	}
	for method, op := range all {
		if op == nil {
			delete(all, method)
		}
	}
	return all
}

// settle works out what requests need of an operation.
func (o *operation) settle(at route, shared map[string]parameter) {
	o.route = at
	o.allowsKeys = slices.Contains(o.Callers, "key")
	o.formats = make(map[string]string, len(o.Parameters))
	for _, p := range o.Parameters {
		if name, ok := cutRef(p.Ref); ok {
			p = shared[name]
		}
		o.formats[p.Name] = p.format()
	}
}

func cutRef(ref string) (string, bool) {
	const shared = "#/components/parameters/"
	if len(ref) <= len(shared) || ref[:len(shared)] != shared {
		return "", false
	}
	return ref[len(shared):], true
}

// format is what a value has to look like: "date", "date-time", or else the
// type.
func (p parameter) format() string {
	switch p.Schema.Format {
	case "date", "date-time":
		return p.Schema.Format
	}
	return p.Schema.Type
}

// forPeople reports whether the operation waits for people's roles.
func (o *operation) forPeople() bool { return slices.Contains(o.Tags, administration) }
