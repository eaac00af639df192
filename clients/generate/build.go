package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"waybill/api/contract/naming"
)

// builder makes an api of a contract.
type builder struct {
	*contract
	api    *api
	models map[string]*model
}

// build returns what a key may call.
func build(c *contract) (*api, error) {
	b := &builder{contract: c, api: &api{Version: c.Info.Version}, models: map[string]*model{}}
	for _, p := range c.Paths {
		for _, op := range p.Value.Operations {
			if slices.Contains(op.Value.Callers, "key") {
				b.add(p.Name, p.Value, op.Name, op.Value)
			}
		}
	}
	b.place()
	slices.SortFunc(b.api.Resources, func(x, y *resource) int { return cmp.Compare(x.Name, y.Name) })
	slices.SortFunc(b.api.Models, func(x, y *model) int { return cmp.Compare(x.Name, y.Name) })
	return b.api, b.check()
}

// check finds names that two operations have.
func (b *builder) check() error {
	for _, r := range b.api.Resources {
		seen := map[string]string{}
		for _, m := range r.Methods {
			if other := seen[m.Name]; other != "" {
				return fmt.Errorf("%s and %s are both %s.%s: name one in api/contract/naming", other, m.ID, r.Name, m.Name)
			}
			seen[m.Name] = m.ID
		}
	}
	return nil
}

func (b *builder) resource(name, tag string) *resource {
	for _, r := range b.api.Resources {
		if r.Name == name {
			return r
		}
	}
	r := &resource{Name: name}
	for _, t := range b.Tags {
		if t.Name == tag {
			r.Description = strings.TrimSpace(t.Description)
		}
	}
	b.api.Resources = append(b.api.Resources, r)
	return r
}

func (b *builder) add(address string, p path, verb string, op *operation) {
	name := naming.Of(op.Tags[0], op.ID)
	m := &method{
		Name: name.Method, ID: op.ID, Verb: strings.ToUpper(verb), Path: address, Resource: b.resource(name.Resource, op.Tags[0]),
		Summary: op.Summary, Description: strings.TrimSpace(op.Description), Deprecated: op.Deprecated,
	}
	hint := name.Resource + name.Method
	for _, p := range slices.Concat(p.Parameters, op.Parameters) {
		p = b.parameter(p)
		made := &param{Name: p.Name, Description: strings.TrimSpace(p.Description), Required: p.Required}
		switch p.In {
		case "path":
			made.Type = b.typeOf(p.Schema, hint+naming.Pascal(p.Name))
			m.InPath = append(m.InPath, made)
		case "query":
			made.Type = b.typeOf(p.Schema, hint+naming.Pascal(p.Name))
			m.Query = append(m.Query, made)
		}
	}
	slices.SortFunc(m.InPath, func(x, y *param) int {
		return cmp.Compare(strings.Index(address, "{"+x.Name+"}"), strings.Index(address, "{"+y.Name+"}"))
	})
	b.addBody(m, op, hint)
	b.addAnswers(m, op, hint)
	m.Paging = pagingOf(m)
	m.Resource.Methods = append(m.Resource.Methods, m)
}

func (b *builder) addBody(m *method, op *operation, hint string) {
	if op.Body == nil {
		return
	}
	body := b.typeOf(op.Body.Content[0].Value.Schema, hint+"Body")
	if body.Kind == mapping && !op.Body.Required { // an empty object that you can leave out
		return
	}
	m.Body, m.BodyRequired = body, op.Body.Required
	request(body)
}

// request marks what is sent.
func request(t *typ) {
	switch {
	case t.Of != nil:
		request(t.Of)
	case t.Model != nil && !t.Model.InRequest:
		t.Model.InRequest = true
		for _, f := range t.Model.Fields {
			request(f.Type)
		}
	}
}

func (b *builder) addAnswers(m *method, op *operation, hint string) {
	for _, r := range op.Responses {
		answered := b.response(r.Value)
		if r.Name[0] != '2' || len(answered.Content) == 0 {
			continue
		}
		a := answer{Status: r.Name, Media: answered.Content[0].Name}
		if a.Media == "application/json" {
			a.Type = b.typeOf(answered.Content[0].Value.Schema, hint+"Answer")
			if a.Type.Kind == mapping { // an empty object says nothing
				continue
			}
		}
		if len(m.Answers) > 0 && sameModel(m.Answers[0].Type, a.Type) {
			continue
		}
		m.Answers = append(m.Answers, a)
	}
}

func sameModel(a, b *typ) bool {
	return a != nil && b != nil && a.Model != nil && a.Model == b.Model
}
