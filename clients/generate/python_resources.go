package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"waybill/api/contract/naming"
)

func pyResources(a *api) string {
	var w writer
	w.WriteString(pyHeader + pyDoc("", "The operations that a key may call, by resource.") + "\n" + pyFuture + "from .._core import AsyncCore, Core\n")
	for _, r := range a.Resources {
		w.p("from .%s import Async%[2]sService, %[2]sService", naming.Snake(r.Name), r.Name)
	}
	for _, prefix := range []string{"", "Async"} {
		w.p("\n\nclass %sResources:", prefix)
		w.WriteString(pyDoc("    ", "The operations that a key may call, by resource."))
		w.p("\n    def __init__(self, core: %sCore) -> None:", prefix)
		for _, r := range a.Resources {
			w.p("        self.%s = %s%sService(core)", naming.Snake(r.Name), prefix, r.Name)
			w.WriteString(pyDoc("        ", r.Description))
		}
	}
	w.p("\n\n__all__ = [")
	for _, r := range a.Resources {
		w.p("    \"Async%[1]sService\",\n    \"%[1]sService\",", r.Name)
	}
	w.p("    \"AsyncResources\",\n    \"Resources\",\n]")
	return w.String()
}

func pyResource(r *resource) string {
	var body writer
	var types []*typ
	for _, m := range r.Methods {
		types = append(types, m.types()...)
		if m.Paging != nil && m.Paging.Items != nil {
			types = append(types, m.Paging.Items.Type)
		}
	}
	for _, prefix := range []string{"", "Async"} {
		body.p("\n\nclass %s%sService:", prefix, r.Name)
		body.WriteString(pyDoc("    ", r.Description))
		body.p("\n    def __init__(self, core: %sCore) -> None:\n        self._core = core", prefix)
		for _, m := range r.Methods {
			pyMethod(&body, m, prefix != "")
			pyIterator(&body, m, prefix != "")
		}
	}
	return pyImports(body.String(), types) + body.String()
}

// pyImports is the head of the module of a resource, with what its classes use.
func pyImports(used string, types []*typ) string {
	var w writer
	w.WriteString(pyHeader + pyFuture)
	var names []string
	for _, name := range []string{"AsyncIterator", "Iterator", "Sequence"} {
		if strings.Contains(used, name+"[") {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		w.p("from collections.abc import %s", strings.Join(names, ", "))
	}
	typing := "Unpack"
	if strings.Contains(used, "List[") {
		typing = "List, Unpack"
	}
	w.p("from typing import %s\n", typing)
	core := "AsyncCore, Call, Core, Options"
	for _, name := range []string{"Paging", "segment"} {
		if strings.Contains(used, name+"(") {
			core += ", " + name
		}
	}
	w.p("from .._core import %s", core)
	others := elsewhere("", mentioned(types...), goName)
	for _, other := range slices.Sorted(maps.Keys(others)) {
		w.p("from ..models.%s import %s", pyModelFile(other), strings.Join(others[other], ", "))
	}
	return w.String()
}

// pySignature are the arguments of a method.
func pySignature(m *method) string {
	declared := []string{"self"}
	for _, p := range m.InPath {
		declared = append(declared, naming.Snake(p.Name)+": "+pyType(p.Type, "List"))
	}
	switch {
	case m.BodyRequired:
		declared = append(declared, "body: "+pyType(m.Body, "List"))
	case m.Body != nil:
		declared = append(declared, "body: "+pyType(m.Body, "List")+" | None = None")
	}
	if len(m.Query) > 0 {
		declared = append(declared, "*")
	}
	for _, required := range []bool{true, false} {
		for _, q := range m.Query {
			switch {
			case q.Required != required:
			case required:
				declared = append(declared, naming.Snake(q.Name)+": "+pyArgument(q.Type))
			default:
				declared = append(declared, naming.Snake(q.Name)+": "+pyArgument(q.Type)+" | None = None")
			}
		}
	}
	return strings.Join(append(declared, "**options: Unpack[Options]"), ", ")
}

// pyArgument is the type of a parameter of the query.
func pyArgument(t *typ) string { return pyType(t, "Sequence") }

func pyResult(m *method) string {
	var types []string
	for _, a := range m.Answers {
		if a.Type == nil {
			return "bytes"
		}
		types = append(types, pyType(a.Type, "List"))
	}
	if len(types) == 0 {
		return "None"
	}
	return strings.Join(types, " | ")
}

func pyMethod(w *writer, m *method, async bool) {
	prefix, wait := "", ""
	if async {
		prefix, wait = "async ", "await "
	}
	result := pyResult(m)
	w.p("\n    %sdef %s(%s) -> %s:", prefix, naming.Snake(m.Name), pySignature(m), result)
	doc := third(m.Summary) + "."
	w.WriteString(pyDoc("        ", paragraphs(strings.ToUpper(doc[:1])+doc[1:], m.Description, pyArguments(m), m.Verb+" "+m.Path)))
	if result == "None" {
		w.p("        %sself._core.send(%s, options)", wait, pyCall(m))
		return
	}
	w.p("        answer: %s = %sself._core.send(%s, options)\n        return answer", result, wait, pyCall(m))
}

// pyArguments describes the parameters of the query.
func pyArguments(m *method) string {
	if len(m.Query) == 0 {
		return ""
	}
	var w writer
	w.p("Args:")
	for _, q := range m.Query {
		w.p("    %s: %s", naming.Snake(q.Name), strings.ReplaceAll(q.Description, "\n", "\n        "))
	}
	return w.String()
}

func pyCall(m *method) string {
	parts := []string{fmt.Sprintf("%q", m.Verb), pyPath(m)}
	if len(m.Query) > 0 {
		var query []string
		for _, q := range m.Query {
			query = append(query, fmt.Sprintf("%q: %s", q.Name, naming.Snake(q.Name)))
		}
		parts = append(parts, "query={"+strings.Join(query, ", ")+"}")
	}
	if m.Body != nil {
		parts = append(parts, "body=body")
	}
	if len(m.Answers) == 0 {
		parts = append(parts, `reads="nothing"`)
	} else if m.Answers[0].Type == nil {
		parts = append(parts, `reads="file"`)
	}
	return "Call(" + strings.Join(parts, ", ") + ")"
}

func pyPath(m *method) string {
	path := m.Path
	for _, p := range m.InPath {
		path = strings.Replace(path, "{"+p.Name+"}", "{segment("+naming.Snake(p.Name)+")}", 1)
	}
	if len(m.InPath) == 0 {
		return fmt.Sprintf("%q", path)
	}
	return "f\"" + path + "\""
}

func pyIterator(w *writer, m *method, async bool) {
	p := m.Paging
	if p == nil {
		return
	}
	item, kinds, suffix, items := goName(p.Page), "pages", "Pages", "None"
	if p.Items != nil {
		item, kinds, suffix, items = pyType(p.Items.Type.Of, "List"), "entries", "All", fmt.Sprintf("%q", p.Items.Name)
	}
	iterator := "Iterator"
	if async {
		iterator = "AsyncIterator"
	}
	w.p("\n    def %s(%s) -> %s[%s]:", naming.Snake(m.Name+suffix), pySignature(m), iterator, item)
	w.WriteString(pyDoc("        ", fmt.Sprintf("Returns the %s of `%s` from the given page on. It reads the next page when you get there.",
		kinds, naming.Snake(m.Name))))
	style := map[pagingStyle]string{byToken: "token", byPage: "page", byOffset: "offset"}[p.Style]
	w.p("        return self._core.pages(%s, Paging(%q, %s, %q), options)", pyCall(m), style, items, p.Pages)
}
