// Package contract is the agreement between callers and the service:
// openapi.yaml, which `make contract` bundles from the files in openapi/, the
// types and the router code generated from it, and what the edge needs to know
// of each operation, such as its permitted callers. It has no behavior. The folder
// published has what callers read: a contract whose responses may gain values.
package contract

import (
	_ "embed"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/goccy/go-yaml"

	"waybill/domain/caller"
)

//go:embed openapi.yaml
var document []byte

// Document returns the OpenAPI document that the service keeps to: each enum has the values of
// this release, and no others.
func Document() []byte { return slices.Clone(document) }

//go:embed published/openapi.yaml
var published []byte

// Published returns the document for callers: OpenAPI 3.0, in which enums of responses are open.
// Their known values are in x-extensible-enum.
func Published() []byte { return slices.Clone(published) }

//go:embed published/openapi-3.1.yaml
var published31 []byte

// Published31 returns what Published does as OpenAPI 3.1, with webhooks.
func Published31() []byte { return slices.Clone(published31) }

// onTheRoad tags the operations of drivers' telephones.
const onTheRoad = "Driving"

// ownAccount tags the operations with which people see to their own account.
const ownAccount = "Account"

// Operations are the operations of the contract, by their routes.
type Operations map[Route]*Operation

// Route is a method and the pattern of a path.
type Route struct{ Method, Pattern string }

// Operation is what the edge needs to know of one operation: its permitted
// callers and its parameters.
type Operation struct {
	ID string `yaml:"operationId"`
	// Callers are the permitted callers: this is the whole policy. It is empty
	// for operations without authentication.
	Callers caller.Set `yaml:"x-callers"`
	// MaxBodyMiB is the size limit of the body, 0 for the default: everything that
	// the contract allows in a body must fit.
	MaxBodyMiB int64 `yaml:"x-max-body-mib"`
	// Personal is the kind of personal data that an answer holds, empty for none: keys may be
	// kept from it.
	Personal caller.Personal `yaml:"x-personal-data"`
	// Heavy is set where an answer may take much work: few of an organization are
	// made at a time.
	Heavy bool `yaml:"x-heavy"`
	// Secret is set where an answer holds what opens something, such as a key or a
	// signed address: it is never kept.
	Secret bool `yaml:"x-secret"`
	// WhileSuspended is set where a suspended organization is still answered.
	WhileSuspended bool `yaml:"x-while-suspended"`
	// Fresh is set where people must have signed in a moment ago.
	Fresh bool `yaml:"x-fresh-sign-in"`
	// Deprecated is set when a better operation exists: since DeprecatedAt, a date,
	// and until Sunset, the date on which the operation is removed.
	Deprecated   bool   `yaml:"deprecated"`
	DeprecatedAt string `yaml:"x-deprecated-at"`
	Sunset       string `yaml:"x-sunset"`

	Tags       []string    `yaml:"tags"`
	Parameters []parameter `yaml:"parameters"`
	Responses  map[string]struct {
		Headers map[string]any `yaml:"headers"`
	} `yaml:"responses"`

	// Tagged is set where answers have entity tags.
	Tagged bool
	// Notice are the headers that announce the removal, if any.
	Notice  map[string]string
	Route   Route
	Formats map[string]string // what parameters look like, by name
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
	Get        *Operation  `yaml:"get"`
	Post       *Operation  `yaml:"post"`
	Put        *Operation  `yaml:"put"`
	Patch      *Operation  `yaml:"patch"`
	Delete     *Operation  `yaml:"delete"`
}

// Read returns the operations of the contract. They are read once, because that
// takes a moment, and must not be changed.
func Read() (Operations, error) { return readOnce() }

var readOnce = sync.OnceValues(read)

func read() (Operations, error) {
	var doc struct {
		Paths      map[string]pathItem `yaml:"paths"`
		Components struct {
			Parameters map[string]parameter `yaml:"parameters"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal(document, &doc); err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	all := make(Operations)
	for path, item := range doc.Paths {
		for method, op := range item.operations() {
			op.Parameters = append(op.Parameters, item.Parameters...)
			if err := op.resolve(Route{method, path}, doc.Components.Parameters); err != nil {
				return nil, err
			}
			all[op.Route] = op
		}
	}
	return all, nil
}

func (p pathItem) operations() map[string]*Operation {
	all := map[string]*Operation{
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

// resolve works out what requests need of an operation.
func (o *Operation) resolve(at Route, shared map[string]parameter) (err error) {
	o.Route = at
	for _, answer := range o.Responses {
		if _, tagged := answer.Headers["ETag"]; tagged {
			o.Tagged = true
		}
	}
	o.Responses = nil
	o.Formats = make(map[string]string, len(o.Parameters))
	for _, p := range o.Parameters {
		if name, ok := cutRef(p.Ref); ok {
			p = shared[name]
		}
		o.Formats[p.Name] = p.format()
	}
	o.Notice, err = o.notice()
	return err
}

func cutRef(ref string) (string, bool) {
	const shared = "#/components/parameters/"
	if len(ref) <= len(shared) || ref[:len(shared)] != shared {
		return "", false
	}
	return ref[len(shared):], true
}

// format is the form of a value: "date", "date-time", or else the type.
func (p parameter) format() string {
	switch p.Schema.Format {
	case "date", "date-time":
		return p.Schema.Format
	}
	return p.Schema.Type
}

// IsForTelephones reports whether the operation is about the driver whose telephone
// calls it.
func (o *Operation) IsForTelephones() bool { return slices.Contains(o.Tags, onTheRoad) }

// IsOwnAccount reports whether the operation is about the caller's own account,
// which no role is narrowed out of.
func (o *Operation) IsOwnAccount() bool { return slices.Contains(o.Tags, ownAccount) }

// TakesHeader reports whether the operation declares a header.
func (o *Operation) TakesHeader(name string) bool {
	_, declared := o.Formats[name]
	return declared
}
