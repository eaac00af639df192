package main

import (
	"slices"
	"strings"

	"waybill/api/contract/naming"
)

var scalars = map[string]kind{
	"string": text, "string/date": date, "string/date-time": moment, "boolean": boolean, "number": number, "number/double": number,
	"integer": whole, "integer/int32": whole, "integer/int64": large,
}

// typeOf returns the type of a schema. What has no name of its own is named hint.
func (b *builder) typeOf(s *schema, hint string) *typ {
	t := b.bareType(s, hint)
	t.Nullable = s.Nullable || b.schema(s).Nullable
	return t
}

func (b *builder) bareType(s *schema, hint string) *typ {
	if s.Ref != "" {
		hint = last(s.Ref)
		s = b.Components.Schemas[hint]
		if s.Ref != "" {
			return b.typeOf(s, hint)
		}
	}
	values := slices.Concat(s.Extensible, present(s.Enum))
	switch {
	case len(s.AllOf) == 1 && len(s.Properties) == 0:
		return b.typeOf(s.AllOf[0], hint)
	case len(s.AllOf) > 0 || len(s.OneOf) > 0 || len(s.Properties) > 0:
		return &typ{Kind: reference, Model: b.object(s, hint)}
	case s.Type == "array":
		return &typ{Kind: list, Of: b.typeOf(s.Items, hint)}
	case s.Type == "object":
		return &typ{Kind: mapping, Of: b.additional(s, hint)}
	case s.Type == "string" && len(values) > 1:
		return &typ{Kind: reference, Model: b.enum(s, hint, values)}
	}
	if k, ok := scalars[strings.TrimSuffix(s.Type+"/"+s.Format, "/")]; ok {
		return &typ{Kind: k}
	}
	return &typ{Kind: scalars[s.Type]} // anything, without a type
}

func (b *builder) additional(s *schema, hint string) *typ {
	of := &schema{}
	if s.Additional.Kind != 0 && s.Additional.Decode(of) == nil {
		return b.typeOf(of, hint)
	}
	return &typ{Kind: anything}
}

// present are the values that are not null.
func present(values []*string) (found []string) {
	for _, v := range values {
		if v != nil {
			found = append(found, *v)
		}
	}
	return found
}

// isNull reports whether a schema allows null only.
func (b *builder) isNull(s *schema) bool {
	s = b.schema(s)
	return len(s.Enum) > 0 && len(present(s.Enum)) == 0
}

func (b *builder) enum(s *schema, name string, values []string) *model {
	if m := b.models[name]; m != nil {
		return m
	}
	m := &model{Name: name, Description: strings.TrimSpace(s.Description), Values: values}
	b.keep(m)
	return m
}

func (b *builder) keep(m *model) {
	b.models[m.Name] = m
	b.api.Models = append(b.api.Models, m)
}

// object returns the model of an object. Several schemas make one model: with allOf it has all
// their fields, and with oneOf their fields are optional.
func (b *builder) object(s *schema, name string) *model {
	if m := b.models[name]; m != nil {
		return m
	}
	m := &model{Name: name, Description: strings.TrimSpace(s.Description)}
	b.keep(m)
	b.addFields(m, s)
	return m
}

func (b *builder) addFields(m *model, s *schema) {
	for _, part := range s.AllOf {
		b.addFields(m, b.schema(part))
	}
	for _, p := range s.Properties {
		if b.isNull(p.Value) || m.field(p.Name) != nil {
			continue
		}
		m.Fields = append(m.Fields, &field{
			Name: p.Name, Description: strings.TrimSpace(p.Value.Description), Required: slices.Contains(s.Required, p.Name),
			Type: b.typeOf(p.Value, m.Name+naming.Pascal(p.Name)),
		})
	}
	for _, part := range s.OneOf {
		b.addFields(m, b.schema(part))
	}
	for _, f := range m.Fields {
		if len(s.OneOf) > 0 && !slices.ContainsFunc(s.OneOf, func(part *schema) bool {
			return !slices.Contains(b.schema(part).Required, f.Name)
		}) {
			continue
		}
		if len(s.OneOf) > 0 {
			f.Required = false
		}
	}
}

// place finds for each model the resource that alone uses it.
func (b *builder) place() {
	b.errorModels()
	users := map[*model]map[*resource]bool{}
	for _, r := range b.api.Resources {
		for _, m := range r.Methods {
			for _, t := range m.types() {
				reach(t, r, users)
			}
		}
	}
	for _, name := range []string{"ErrorReason", "StatusDetail"} { // every operation has errors
		reach(&typ{Kind: reference, Model: b.models[name]}, nil, users)
	}
	event := b.models["WebhookEvent"]
	reach(&typ{Kind: reference, Model: event}, b.resource("WebhookEndpoints", ""), users)
	for m, by := range users {
		if len(by) == 1 {
			for r := range by {
				m.Resource = r
			}
		}
	}
}

// errorModels adds what no operation for keys returns by itself: errors, and the body of a webhook.
func (b *builder) errorModels() {
	for _, name := range []string{"ErrorReason", "StatusDetail", "WebhookEvent"} {
		b.typeOf(&schema{Ref: "#/components/schemas/" + name}, name)
	}
}

// types are those that a method mentions.
func (m *method) types() (all []*typ) {
	for _, p := range slices.Concat(m.InPath, m.Query) {
		all = append(all, p.Type)
	}
	if m.Body != nil {
		all = append(all, m.Body)
	}
	for _, a := range m.Answers {
		if a.Type != nil {
			all = append(all, a.Type)
		}
	}
	return all
}

func reach(t *typ, r *resource, users map[*model]map[*resource]bool) {
	if t.Of != nil {
		reach(t.Of, r, users)
	}
	if t.Model == nil || users[t.Model][r] {
		return
	}
	if users[t.Model] == nil {
		users[t.Model] = map[*resource]bool{}
	}
	users[t.Model][r] = true
	for _, f := range t.Model.Fields {
		reach(f.Type, r, users)
	}
}
