package main

import (
	"fmt"
	"strings"

	"waybill/api/contract/naming"
)

func goModels(models []*model) string {
	var w writer
	for _, m := range models {
		if m.isEnum() {
			goEnum(&w, m)
		} else {
			goStruct(&w, m)
		}
	}
	return w.String()
}

func goEnum(w *writer, m *model) {
	name := goName(m)
	w.WriteString(comment("//", paragraphs(name+" is one of the constants with this prefix, or a value that is newer than this client.", m.Description)))
	w.p("type %s string\n\n// Known values of %[1]s.\nconst (", name)
	seen := map[string]bool{}
	for _, value := range m.Values {
		constant := name + naming.Pascal(value)
		for seen[constant] || constant == name {
			constant += "X"
		}
		seen[constant] = true
		w.p("%s %s = %q", constant, name, value)
	}
	w.p(")\n")
}

func goStruct(w *writer, m *model) {
	name := goName(m)
	w.WriteString(comment("//", described(name, m.Description)))
	w.p("type %s struct {", name)
	for _, f := range m.Fields {
		w.WriteString(comment("//", f.Description))
		w.p("%s %s `json:%q`", naming.Pascal(f.Name), goFieldType(m, f), goTag(f))
	}
	w.p("}\n")
}

// described begins a description with the name that it describes.
func described(name, description string) string {
	if description == "" {
		return name + " is a type of the contract."
	}
	return name + ": " + strings.ToLower(description[:1]) + description[1:]
}

func goTag(f *field) string {
	if f.Required {
		return f.Name
	}
	return f.Name + ",omitzero"
}

// goFieldType is the type of a field: a pointer when it can be absent, and a Nullable when
// null means something else than absent.
func goFieldType(m *model, f *field) string {
	t := goType(f.Type)
	switch {
	case f.Type.Kind == anything:
		return t
	case f.Type.Nullable && !f.Required && m.InRequest:
		return fmt.Sprintf("Nullable[%s]", t)
	case f.Type.Kind == list || f.Type.Kind == mapping:
		return t
	case f.Type.Nullable || !f.Required && (partial(m) || !f.Type.emptyIsAbsent()):
		return "*" + t
	}
	return t
}

// emptyIsAbsent reports whether an empty value of a type says as much as none.
func (t *typ) emptyIsAbsent() bool {
	return t.Kind == text || t.Kind == date || t.Kind == moment || t.Model != nil && t.Model.isEnum()
}

// partial reports whether a request changes the fields that it has, so that an empty text
// means something else than none.
func partial(m *model) bool {
	return m.InRequest && (strings.HasPrefix(m.Name, "Update") && m.Name != "UpdateSettings" ||
		strings.HasSuffix(m.Name, "Update") || strings.HasSuffix(m.Name, "Change"))
}

func goIterator(w *writer, m *method) {
	p := m.Paging
	if p == nil {
		return
	}
	declared, _ := goSignature(m)
	item := "*" + goName(p.Page)
	kinds, suffix := "pages", "Pages"
	if p.Items != nil {
		item, kinds, suffix = goElement(p.Items.Type.Of), "entries", "All"
	}
	name := m.Name + suffix
	w.p("// %s returns the %s of [%sService.%s] from the given page on. It reads the next page when you get there.",
		name, kinds, m.Resource.Name, m.Name)
	w.p("func (s *%sService) %s(%s) iter.Seq2[%s, error] {", m.Resource.Name, name, strings.Join(declared, ", "), item)
	w.p("return func(yield func(%s, error) bool) {", item)
	asked := "at"
	if p.InBody {
		w.p("at := body")
	} else {
		w.p("at := valueOf(params)")
		asked = "&at"
	}
	at := goPosition{p, m}
	w.WriteString(at.begin())
	w.p("eachPage(yield, func() ([]%s, bool, error) {", item)
	w.p("page, err := s.%s(%s)\nif err != nil {\nreturn nil, false, err\n}", m.Name, strings.Join(goPassed(m, asked), ", "))
	w.WriteString(at.next())
	w.p("})\n}\n}\n")
}

// goPassed are the arguments of a call for a page.
func goPassed(m *method, asked string) []string {
	_, passed := goSignature(m)
	for i, argument := range passed {
		if argument == "params" || argument == "body" && m.Paging.InBody {
			passed[i] = asked
		}
	}
	return passed
}

// goPosition writes how a request goes on to the next page.
type goPosition struct {
	*paging
	m *method
}

func (g goPosition) begin() string {
	if g.Style != byPage {
		return ""
	}
	if g.InBody {
		return g.orOne()
	}
	return "at.Page = max(at.Page, 1)\n"
}

// pointer reports whether a field of the request's body is optional.
func (g goPosition) pointer(name string) bool {
	return g.InBody && strings.HasPrefix(goFieldType(g.m.Body.Model, g.m.Body.Model.field(name)), "*")
}

func (g goPosition) orOne() string {
	if g.pointer("page") {
		return "if at.Page == nil {\nat.Page = Ptr(1)\n}\n"
	}
	return "at.Page = max(at.Page, 1)\n"
}

func (g goPosition) next() string {
	items := "[]*" + goName(g.Page) + "{page}"
	if g.Items != nil {
		items = "page." + naming.Pascal(g.Items.Name)
	}
	switch g.Style {
	case byToken:
		token := "page.NextToken"
		if g.pointer("token") {
			token = "&page.NextToken"
		}
		return fmt.Sprintf("at.Token = %s\nreturn %s, page.HasMore, nil\n", token, items)
	case byPage:
		if g.pointer("page") {
			return fmt.Sprintf("at.Page = Ptr(*at.Page + 1)\nreturn %s, *at.Page <= page.%s, nil\n", items, naming.Pascal(g.Pages))
		}
		return fmt.Sprintf("at.Page++\nreturn %s, at.Page <= page.%s, nil\n", items, naming.Pascal(g.Pages))
	}
	return fmt.Sprintf("at.Offset += len(%[1]s)\nreturn %[1]s, len(%[1]s) > 0 && int64(at.Offset) < int64(page.Total), nil\n", items)
}
