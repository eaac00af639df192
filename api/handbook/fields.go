package handbook

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"waybill/api/contract"
)

// field is a line about a value: a parameter, a member of an object, or one of several forms.
type field struct {
	Name, Type  string
	Required    bool
	Description template.HTML
	Values      []string // permitted values
	IsOpen      bool     // whether others are possible
	Limits      []string
	Example     string
	Fields      []field // its members
	// Above is the schema that contains itself here, and is shown further out.
	Above string
	// Elsewhere is the page that shows the members.
	Elsewhere string

	source string // the description in Markdown
}

// ManyValues reports whether the values are too many for a line.
func (f field) ManyValues() bool { return len(f.Values) > 12 }

// Count is the number of values.
func (f field) Count() int { return len(f.Values) }

func parameterField(p contract.Parameter) field {
	f := newField(p.Name, p.Required, p.Schema, nil)
	if p.Description != "" {
		f.source, f.Description = p.Description, inline(p.Description)
	}
	if p.Example != nil {
		f.Example = ofTomorrow(fmt.Sprint(p.Example))
	}
	return f
}

// newField describes a value. Outer are the schemas around it.
func newField(name string, required bool, s *contract.Schema, outer []*contract.Schema) field {
	f := field{
		Name: name, Type: typeOf(s), Required: required, Limits: s.Limits, Values: s.Enum, IsOpen: s.IsOpen,
		source: s.Description, Description: inline(s.Description),
	}
	if s.Items != nil && len(f.Values) == 0 {
		f.Values, f.IsOpen = s.Items.Enum, s.Items.IsOpen
	}
	inner := innermost(s)
	isAround := func(o *contract.Schema) bool { return o == inner || o.Name != "" && o.Name == inner.Name }
	if slices.ContainsFunc(outer, isAround) {
		f.Above = inner.Name
		return f
	}
	f.Fields = fieldsOf(s, outer)
	return f
}

// innermost is the element type of a list, or of a list of lists.
func innermost(s *contract.Schema) *contract.Schema {
	for s.Items != nil || s.Values != nil && len(s.Properties) == 0 {
		if s.Items != nil {
			s = s.Items
		} else {
			s = s.Values
		}
	}
	return s
}

// fieldsOf are the values inside a schema.
func fieldsOf(s *contract.Schema, outer []*contract.Schema) (fields []field) {
	s = innermost(s)
	outer = append(outer[:len(outer):len(outer)], s)
	for _, p := range s.Properties {
		fields = append(fields, newField(p.Name, p.Required, p.Schema, outer))
	}
	for _, variant := range s.Variants {
		if !variant.IsPlain() {
			// The members of a schema without a name are shown in place.
			fields = append(fields, newField("", false, variant, outer))
		}
	}
	return fields
}

// typeOf describes the type of a value in words.
func typeOf(s *contract.Schema) string {
	var words string
	switch {
	case s.Items != nil:
		words = "list of " + typeOf(s.Items)
	case s.Values != nil && len(s.Properties) == 0:
		words = "object with values of " + typeOf(s.Values)
	case len(s.Variants) > 0:
		words = variantsOf(s)
	case s.Type == "" && s.Name == "":
		words = "any value"
	case s.Name != "" && (s.Type == "object" || s.Type == ""):
		words = s.Name
	case s.Format != "":
		words = s.Type + " (" + s.Format + ")"
	default:
		words = s.Type
	}
	if s.IsNullable {
		words += " or null"
	}
	return words
}

func variantsOf(s *contract.Schema) string {
	names := make([]string, len(s.Variants))
	for i, variant := range s.Variants {
		names[i] = typeOf(variant)
	}
	return strings.Join(names, " or ")
}
