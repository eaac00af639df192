package wire

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/fault"
)

// The most that one answer names.
const (
	maxProblems = 100
	maxUnknown  = 100
)

// findings are the problems in a body: members of the wrong type, and
// unknown members.
type findings struct {
	problems []fault.Violation
	unknown  []string
}

// err returns a fault that names every problem, or nil.
func (f *findings) err() error {
	if len(f.problems) == 0 {
		return nil
	}
	first := fault.Field(f.problems[0].Field, f.problems[0].Text)
	first.Violations = f.problems
	return first
}

// full reports whether enough problems were found.
func (f *findings) full() bool { return len(f.problems) >= maxProblems }

func (f *findings) complain(field string, text fault.Text) {
	if !f.full() {
		f.problems = append(f.problems, fault.Violation{Field: field, Text: text})
	}
}

// read parses a value into to, and records its problems. A valid value is
// parsed once; an invalid one is parsed again in parts.
func (f *findings) read(raw jsontext.Value, at string, to any) error {
	err := readValue(raw, at, to, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	f.note(strings.TrimPrefix(at, "."), raw, reflect.TypeOf(to))
	// Each round reads the value again, so of a very large one fewer are named.
	for budget := MaxBodyBytes; budget > 0 && !f.full(); budget -= len(raw) {
		var known *fault.Error
		err = readValue(raw, at, to)
		if err == nil {
			return nil
		}
		if !errors.As(err, &known) || len(known.Violations) == 0 {
			return err
		}
		f.problems = append(f.problems, known.Violations...)
		var mended bool
		if raw, mended = without(raw, wrongAt(raw, to)); !mended {
			return nil
		}
	}
	return nil
}

// wrongAt returns where a value is first of the wrong type.
func wrongAt(raw jsontext.Value, to any) jsontext.Pointer {
	var semantic *json.SemanticError
	if errors.As(json.Unmarshal(raw, to), &semantic) {
		return semantic.JSONPointer
	}
	return ""
}

// without returns a value with null in place of the value at a pointer.
func without(raw jsontext.Value, pointer jsontext.Pointer) (jsontext.Value, bool) {
	if pointer == "" {
		return nil, false
	}
	in := jsontext.NewDecoder(strings.NewReader(string(raw)))
	for token := range pointer.Tokens() {
		if !descend(in, token) {
			return nil, false
		}
	}
	value, err := in.ReadValue()
	if err != nil {
		return nil, false
	}
	end := int(in.InputOffset())
	start := end - len(value)
	return slices.Concat(raw[:start], jsontext.Value("null"), raw[end:]), true
}

// descend moves a decoder to the next member or element.
func descend(in *jsontext.Decoder, token string) bool {
	kind := in.PeekKind()
	if _, err := in.ReadToken(); err != nil {
		return false
	}
	index, _ := strconv.Atoi(token)
	for i := 0; ; i++ {
		if next := in.PeekKind(); next == '}' || next == ']' || next == 0 {
			return false
		}
		if kind == '{' {
			name, err := in.ReadToken()
			if err != nil {
				return false
			}
			if name.String() == token {
				return true
			}
		} else if i == index {
			return true
		}
		if in.SkipValue() != nil {
			return false
		}
	}
}

// note names the members of a value that its Go type does not have.
func (f *findings) note(at string, raw jsontext.Value, typ reflect.Type) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	var members map[string]jsontext.Value
	var elements []jsontext.Value
	switch {
	case len(f.unknown) >= maxUnknown:
	case typ.Kind() == reflect.Struct && raw.Kind() == '{' && json.Unmarshal(raw, &members) == nil:
		known := membersOf(typ)
		for _, name := range sortedKeys(members) {
			field := strings.TrimPrefix(at+"."+fault.Clip(name), ".")
			if member, ok := known[name]; ok {
				f.note(field, members[name], member)
			} else {
				f.keep(field)
			}
		}
	case typ.Kind() == reflect.Slice && raw.Kind() == '[' && json.Unmarshal(raw, &elements) == nil:
		for i, element := range elements {
			f.note(at+"["+strconv.Itoa(i)+"]", element, typ.Elem())
		}
	}
}

// keep remembers the name of an unknown member.
func (f *findings) keep(field string) {
	if len(f.unknown) < maxUnknown {
		f.unknown = append(f.unknown, field)
	}
}

func sortedKeys(members map[string]jsontext.Value) []string {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// membersOf are the JSON members of a struct, by name.
func membersOf(typ reflect.Type) map[string]reflect.Type {
	known := make(map[string]reflect.Type, typ.NumField())
	for i := range typ.NumField() {
		if embedded := typ.Field(i); embedded.Anonymous {
			maps.Copy(known, membersOf(embedded.Type))
		}
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		if name != "" && name != "-" {
			known[name] = typ.Field(i).Type
		}
	}
	return known
}
