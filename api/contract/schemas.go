package contract

import (
	"regexp"
	"slices"
	"strings"
)

// Schema is what a value looks like. Schemas may contain themselves.
type Schema struct {
	// Name is what the contract calls it, empty where it stands in its place alone.
	Name        string
	Type        string // empty where the variants say it
	Format      string
	Description string
	IsNullable  bool
	Enum        []string
	IsOpen      bool     // whether values may come that Enum lacks
	Limits      []string // in words, such as "at most 100"
	Properties  []Property
	Items       *Schema   // of a list
	Values      *Schema   // of an object whose members have any name
	Variants    []*Schema // of which one holds
}

// knownValues are the last lines of a description, in which tools/published.mjs names the values
// for readers of generated code.
var knownValues = regexp.MustCompile(`(?s)(^|\n\n)Known values: .*`)

// Property is a member of an object.
type Property struct {
	Name     string
	Required bool
	Schema   *Schema
}

// schema reads a schema, or finds the one that it refers to.
func (r *reader) schema(n node) *Schema {
	if n.isMissing() {
		return &Schema{}
	}
	name, isRef := strings.CutPrefix(n.text("$ref"), "#/components/schemas/")
	if !isRef {
		s := &Schema{}
		r.fill(s, n)
		return s
	}
	if s, had := r.schemas[name]; had {
		return s
	}
	s := &Schema{Name: name}
	r.schemas[name] = s // before it is read, because it may contain itself
	r.fill(s, r.components.at("schemas").at(name))
	s.Name = name
	return s
}

func (r *reader) fill(s *Schema, n node) {
	for _, part := range n.at("allOf").items() {
		s.merge(r.schema(part), len(n.at("allOf").items()) == 1)
	}
	for _, kind := range n.at("type").texts() {
		if kind == "null" {
			s.IsNullable = true
		} else {
			s.Type = kind
		}
	}
	if text := strings.TrimSpace(n.text("description")); text != "" {
		s.Description = text
	}
	if format := n.text("format"); format != "" {
		s.Format = format
	}
	s.IsNullable = s.IsNullable || n.is("nullable")
	for _, list := range []string{"enum", "x-extensible-enum"} {
		if values := n.at(list).texts(); len(values) > 0 {
			s.Enum, s.IsOpen = values, list != "enum"
		}
	}
	if s.IsOpen {
		// They are in Enum, from where they are shown.
		s.Description = strings.TrimSpace(knownValues.ReplaceAllString(s.Description, ""))
	}
	s.Limits = append(s.Limits, limits(n)...)
	r.fillParts(s, n)
}

// fillParts reads what the schema is made of.
func (r *reader) fillParts(s *Schema, n node) {
	required := n.at("required").texts()
	for i, p := range s.Properties {
		s.Properties[i].Required = p.Required || slices.Contains(required, p.Name)
	}
	for name, property := range n.at("properties").members() {
		s.Properties = append(s.Properties, Property{name, slices.Contains(required, name), r.schema(property)})
	}
	if len(s.Properties) > 0 && s.Type == "" {
		s.Type = "object"
	}
	if items := n.at("items"); !items.isMissing() {
		s.Items = r.schema(items)
	}
	if values := n.at("additionalProperties"); len(values.texts()) == 0 && !values.isMissing() {
		s.Values = r.schema(values)
	}
	for _, list := range []string{"oneOf", "anyOf"} {
		for _, variant := range n.at(list).items() {
			s.Variants = append(s.Variants, r.schema(variant))
		}
	}
}

// merge takes over what a part of allOf says. The only part gives its name, too.
func (s *Schema) merge(part *Schema, isOnly bool) {
	if isOnly {
		s.Name = part.Name
	}
	if s.Type == "" {
		s.Type, s.Format = part.Type, part.Format
	}
	if s.Description == "" {
		s.Description = part.Description
	}
	if len(part.Enum) > 0 {
		s.Enum, s.IsOpen = part.Enum, part.IsOpen
	}
	s.IsNullable = s.IsNullable || part.IsNullable
	s.Limits = append(s.Limits, part.Limits...)
	s.Properties = append(s.Properties, part.Properties...)
	s.Variants = append(s.Variants, part.Variants...)
	if part.Items != nil {
		s.Items = part.Items
	}
	if part.Values != nil {
		s.Values = part.Values
	}
}

// limits says in words what a value must keep to.
func limits(n node) (found []string) {
	for _, l := range []struct{ name, before, after string }{
		{"minimum", "at least ", ""},
		{"maximum", "at most ", ""},
		{"minLength", "at least ", " characters"},
		{"maxLength", "at most ", " characters"},
		{"minItems", "at least ", " items"},
		{"maxItems", "at most ", " items"},
		{"pattern", "matches ", ""},
		{"default", "default ", ""},
	} {
		if value := n.text(l.name); value != "" {
			found = append(found, l.before+value+l.after)
		}
	}
	return found
}

// IsPlain reports whether there is nothing inside the schema to show.
func (s *Schema) IsPlain() bool {
	return len(s.Properties) == 0 && len(s.Variants) == 0 && (s.Items == nil || s.Items.IsPlain()) &&
		(s.Values == nil || s.Values.IsPlain())
}
