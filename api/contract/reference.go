package contract

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Reference is the contract as people read it: everything in the order of the document.
type Reference struct {
	Version string
	// Description is what the contract says of all operations, in Markdown.
	Description string
	Tags        []*Tag
}

// Tag is a group of operations. It has at least one.
type Tag struct {
	Name, Description string
	// Slug names the tag in addresses.
	Slug       string
	Operations []*Described
}

// IsForKeys reports whether API keys may call an operation of the tag.
func (t *Tag) IsForKeys() bool { return slices.ContainsFunc(t.Operations, (*Described).IsForKeys) }

// Described is an operation as people read it. Descriptions are Markdown.
type Described struct {
	ID, Method, Path     string
	Tag                  string
	Summary, Description string
	// Callers are who may call it, as x-callers names them. Nobody is named where the service
	// does not ask.
	Callers []string
	// IsEvent is set where Waybill calls and the reader answers.
	IsEvent bool
	// MaxBodyMiB is how large the body may be, empty where the usual limit holds.
	MaxBodyMiB string
	Personal   string // which personal data answers hold
	Heavy      bool   // few at a time are answered
	Fresh      bool   // for people who signed in a moment ago
	Deprecated bool
	Sunset     string // when it goes

	Parameters []Parameter
	Body       *Body
	Answers    []Answer
}

// IsForKeys reports whether API keys may call the operation, or their owner gets it.
func (d *Described) IsForKeys() bool { return d.IsEvent || slices.Contains(d.Callers, "key") }

// Parameter is a parameter of an operation, or a header of an answer.
type Parameter struct {
	Name, In, Description string
	Required              bool
	Schema                *Schema
	Example               any // nil where there is none
}

// Body is what a request carries.
type Body struct {
	Description string
	Required    bool
	Contents    []Content
}

// Answer is what a status means, and what comes with it.
type Answer struct {
	Status, Description string
	Headers             []Parameter
	Contents            []Content
}

// IsError reports whether the status says that something went wrong.
func (a Answer) IsError() bool { return a.Status >= "400" || a.Status == "default" }

// Content is a body in one media type.
type Content struct {
	Type     string
	Schema   *Schema
	Examples []Example
}

// Example is a body as it may look: JSON where the media type is, else text.
type Example struct {
	Name, Summary, Text string

	value any
}

// Described returns the operation with an id, nil where there is none.
func (r *Reference) Described(id string) *Described {
	for _, tag := range r.Tags {
		for _, op := range tag.Operations {
			if op.ID == id {
				return op
			}
		}
	}
	return nil
}

// ReadReference returns the contract as people read it. It is read once, when somebody first
// asks, and must not be changed.
func ReadReference() (*Reference, error) { return referenceOnce() }

var referenceOnce = sync.OnceValues(readReference)

func readReference() (*Reference, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(published, &doc); err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	root := node{doc.Content[0]}
	r := &reader{components: root.at("components"), schemas: make(map[string]*Schema)}
	ref := &Reference{
		Version: root.at("info").text("version"), Description: strings.TrimSpace(root.at("info").text("description")),
	}
	for _, tag := range root.at("tags").items() {
		ref.Tags = append(ref.Tags, &Tag{
			Name: tag.text("name"), Description: strings.TrimSpace(tag.text("description")), Slug: slug(tag.text("name")),
		})
	}
	for path, item := range root.at("paths").members() {
		for _, op := range r.operations(path, item) {
			ref.add(op.Tag, op)
		}
	}
	for _, list := range []string{"webhooks", "x-webhooks"} {
		for _, item := range root.at(list).members() {
			for _, op := range r.operations("", item) {
				op.IsEvent = true
				ref.add("Webhook endpoints", op)
			}
		}
	}
	ref.Tags = slices.DeleteFunc(ref.Tags, func(t *Tag) bool { return len(t.Operations) == 0 })
	return ref, nil
}

// add puts an operation to a tag, which is made where the contract has none of the name.
func (r *Reference) add(name string, op *Described) {
	op.Tag = name
	for _, tag := range r.Tags {
		if tag.Name == name {
			tag.Operations = append(tag.Operations, op)
			return
		}
	}
	r.Tags = append(r.Tags, &Tag{Name: name, Slug: slug(name), Operations: []*Described{op}})
}

// slug is a name as it looks in addresses.
func slug(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }
