package main

import (
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// contract is the part of the bundled contract that the clients depend on.
type contract struct {
	Info       struct{ Version string }
	Tags       []tag
	Paths      ordered[path]
	Components struct {
		Schemas    map[string]*schema
		Parameters map[string]*parameter
		Responses  map[string]*response
	}
}

type tag struct{ Name, Description string }

// path has the operations of an address, by their method.
type path struct {
	Parameters []*parameter
	Operations ordered[*operation]
}

// operation is one operation.
type operation struct {
	ID          string `yaml:"operationId"`
	Tags        []string
	Summary     string
	Description string
	Deprecated  bool
	Callers     []string `yaml:"x-callers"`
	Parameters  []*parameter
	Body        *body `yaml:"requestBody"`
	Responses   ordered[*response]
}

type body struct {
	Required bool
	Content  ordered[media]
}

type response struct {
	Ref     string `yaml:"$ref"`
	Content ordered[media]
}

type media struct{ Schema *schema }

// parameter is a parameter of a path, a query or a header.
type parameter struct {
	Ref         string `yaml:"$ref"`
	Name, In    string
	Description string
	Required    bool
	Schema      *schema
}

// schema is a type of the contract.
type schema struct {
	Ref         string `yaml:"$ref"`
	Type        string
	Format      string
	Description string
	Nullable    bool
	Enum        []*string
	Extensible  []string `yaml:"x-extensible-enum"`
	Required    []string
	Properties  ordered[*schema]
	Items       *schema
	AllOf       []*schema `yaml:"allOf"`
	OneOf       []*schema `yaml:"oneOf"`
	AnyOf       []*schema `yaml:"anyOf"`
	Additional  yaml.Node `yaml:"additionalProperties"`
}

// named is a member of an object, in the sequence of the document.
type named[T any] struct {
	Name  string
	Value T
}

// ordered are the members of an object in their sequence.
type ordered[T any] []named[T]

func (o *ordered[T]) UnmarshalYAML(node *yaml.Node) error {
	for i := 0; i+1 < len(node.Content); i += 2 {
		member := named[T]{Name: node.Content[i].Value}
		if err := node.Content[i+1].Decode(&member.Value); err != nil {
			return err
		}
		*o = append(*o, member)
	}
	return nil
}

var methods = []string{"get", "put", "post", "delete", "patch"}

func (p *path) UnmarshalYAML(node *yaml.Node) error {
	var all struct{ Parameters []*parameter }
	if err := node.Decode(&all); err != nil {
		return err
	}
	p.Parameters = all.Parameters
	for i := 0; i+1 < len(node.Content); i += 2 {
		if !slices.Contains(methods, node.Content[i].Value) {
			continue
		}
		op := &operation{}
		if err := node.Content[i+1].Decode(op); err != nil {
			return err
		}
		p.Operations = append(p.Operations, named[*operation]{node.Content[i].Value, op})
	}
	return nil
}

func readContract(file string) (*contract, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := &contract{}
	return c, yaml.Unmarshal(text, c)
}

// last is the name that a reference ends in.
func last(ref string) string { return ref[strings.LastIndex(ref, "/")+1:] }

func (c *contract) parameter(p *parameter) *parameter {
	if p.Ref != "" {
		return c.Components.Parameters[last(p.Ref)]
	}
	return p
}

func (c *contract) response(r *response) *response {
	if r.Ref != "" {
		return c.Components.Responses[last(r.Ref)]
	}
	return r
}

// schema follows a reference, and an allOf that only describes one.
func (c *contract) schema(s *schema) *schema {
	for {
		switch {
		case s.Ref != "":
			s = c.Components.Schemas[last(s.Ref)]
		case len(s.AllOf) == 1 && len(s.Properties) == 0:
			s = s.AllOf[0]
		default:
			return s
		}
	}
}
