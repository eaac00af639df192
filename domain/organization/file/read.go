// Package file reads the document of an organization from YAML. Package
// organization validates it.
package file

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"waybill/domain/order"
	"waybill/domain/organization"
)

// Read parses and checks a document. For an invalid one the error is
// organization.Problems, which lists all problems. It guesses nothing: an
// unknown key is a problem, and so is a number in place of a text.
func Read(text []byte) (*organization.Document, error) {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, organization.Problems{syntaxProblem(err)}
	}
	r := reader{places: organization.Places{}, anchors: map[string]ast.Node{}}
	document := &organization.Document{Places: r.places}
	root, problem := rootOf(file)
	if root == nil {
		return nil, organization.Problems{problem}
	}
	r.read(root, "", reflect.ValueOf(document).Elem())
	// An unreadable value is empty, and must not be reported as missing as
	// well.
	problems := r.problems
	for _, p := range document.Check() {
		if !r.unreadable(p.Path) {
			problems = append(problems, p)
		}
	}
	if len(problems) > 0 {
		problems.Sort()
		return nil, problems
	}
	return document, nil
}

// bodiless are the node types of empty documents.
var bodiless = []ast.NodeType{ast.NullType, ast.CommentType, ast.DirectiveType}

// rootOf returns the node of the only document in a file.
func rootOf(file *ast.File) (ast.Node, organization.Problem) {
	var root ast.Node
	for _, document := range file.Docs {
		switch body := document.Body; {
		case body == nil || slices.Contains(bodiless, body.Type()):
		case root != nil:
			return nil, organization.Problem{
				Line: line(body).Line, Column: 1, Text: "a second document begins here; a file has one",
			}
		default:
			root = body
		}
	}
	return root, organization.Problem{Line: 1, Column: 1, Text: "the document is empty"}
}

func syntaxProblem(err error) organization.Problem {
	var located yaml.Error
	if !errors.As(err, &located) || located.GetToken() == nil {
		return organization.Problem{Line: 1, Column: 1, Text: err.Error()}
	}
	at := located.GetToken().Position
	return organization.Problem{Line: at.Line, Column: at.Column, Text: located.GetMessage()}
}

// reader fills values from the nodes of a text. It is stricter than the
// library's own decoder, which takes 0668 for the text "440", and it does not
// stop at the first problem.
type reader struct {
	problems organization.Problems
	places   organization.Places
	anchors  map[string]ast.Node
	depth    int
}

// maxDepth bounds aliases that lead into themselves.
const maxDepth = 32

func (r *reader) complain(node ast.Node, path, format string, args ...any) {
	at := line(node)
	r.problems = append(r.problems, organization.Problem{
		Line: at.Line, Column: at.Column, Path: path, Text: fmt.Sprintf(format, args...),
	})
}

// unreadable reports whether there is a problem at a path, above or below it.
func (r *reader) unreadable(path string) bool {
	for _, p := range r.problems {
		if within(path, p.Path) || within(p.Path, path) {
			return true
		}
	}
	return false
}

func within(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (rest == "" || outer == "" || rest[0] == '.' || rest[0] == '[')
}

func (r *reader) read(node ast.Node, path string, into reflect.Value) {
	r.depth++
	defer func() { r.depth-- }()
	if node == nil {
		return
	}
	if _, known := r.places[path]; !known {
		r.places[path] = line(node)
	}
	node, ok := r.resolve(node, path)
	if !ok || node.Type() == ast.NullType {
		return
	}
	if clock, ok := into.Addr().Interface().(*order.Clock); ok {
		r.readClock(node, path, clock)
		return
	}
	if decimal, ok := into.Addr().Interface().(*organization.Decimal); ok {
		r.readDecimal(node, path, decimal)
		return
	}
	switch into.Kind() {
	case reflect.Pointer:
		value := reflect.New(into.Type().Elem())
		r.read(node, path, value.Elem())
		into.Set(value)
	case reflect.Struct:
		r.readStruct(node, path, into)
	case reflect.Slice:
		r.readSlice(node, path, into)
	default:
		r.readScalar(node, path, into)
	}
}

// resolve follows anchors and aliases to their values.
func (r *reader) resolve(node ast.Node, path string) (ast.Node, bool) {
	if r.depth > maxDepth {
		r.complain(node, path, "refers to itself or is nested too deeply")
		return nil, false
	}
	switch n := node.(type) {
	case *ast.AnchorNode:
		r.anchors[n.Name.GetToken().Value] = n.Value
		return r.resolve(n.Value, path)
	case *ast.AliasNode:
		target, ok := r.anchors[n.Value.GetToken().Value]
		if !ok {
			r.complain(node, path, "anchor %q is not defined above", n.Value.GetToken().Value)
			return nil, false
		}
		return r.resolve(target, path)
	case *ast.TagNode:
		r.complain(node, path, "tags are not supported")
		return nil, false
	}
	return node, true
}

func (r *reader) readStruct(node ast.Node, path string, into reflect.Value) {
	mapping, ok := node.(ast.MapNode)
	if !ok {
		r.complain(node, path, "must be a mapping of keys and values, not %s", kind(node))
		return
	}
	fields := fieldsOf(into.Type())
	for entries := mapping.MapRange(); entries.Next(); {
		key := entries.Key()
		name := key.GetToken().Value
		inner := strings.TrimPrefix(path+"."+name, ".")
		field, ok := fields[name]
		if !ok {
			r.complain(key, inner, "unknown key; must be one of: %s", strings.Join(namesOf(into.Type()), ", "))
			continue
		}
		r.places[inner] = line(entries.Value())
		r.read(entries.Value(), inner, into.FieldByIndex(field))
	}
}

func (r *reader) readSlice(node ast.Node, path string, into reflect.Value) {
	sequence, ok := node.(*ast.SequenceNode)
	if !ok {
		r.complain(node, path, "must be a list, not %s", kind(node))
		return
	}
	items := reflect.MakeSlice(into.Type(), len(sequence.Values), len(sequence.Values))
	for i, value := range sequence.Values {
		inner := fmt.Sprintf("%s[%d]", path, i)
		if value == nil || value.Type() == ast.NullType {
			r.complain(node, inner, "is empty")
			continue
		}
		r.read(value, inner, items.Index(i))
	}
	into.Set(items)
}

func (r *reader) readScalar(node ast.Node, path string, into reflect.Value) {
	switch into.Kind() {
	case reflect.String:
		if text, ok := textOf(node); ok {
			into.SetString(text)
			return
		}
		r.complain(node, path, "must be a text, not %s%s", kind(node), hint(node))
	case reflect.Bool:
		if flag, ok := node.(*ast.BoolNode); ok {
			into.SetBool(flag.Value)
			return
		}
		r.complain(node, path, "must be true or false, not %s", kind(node))
	case reflect.Int:
		if number, ok := numberOf(node); ok && number == math.Trunc(number) && math.Abs(number) <= math.MaxInt32 {
			into.SetInt(int64(number))
			return
		}
		r.complain(node, path, "must be a whole number between -%d and %[1]d", math.MaxInt32)
	case reflect.Float64:
		if number, ok := numberOf(node); ok {
			into.SetFloat(number)
			return
		}
		r.complain(node, path, "must be a number, not %s", kind(node))
	default:
		panic("file: a document has no field of kind " + into.Kind().String())
	}
}

func (r *reader) readClock(node ast.Node, path string, into *order.Clock) {
	if text, ok := textOf(node); ok {
		if clock, ok := order.ParseClock(text); ok {
			*into = clock
			return
		}
	}
	r.complain(node, path, "must be a time of day such as \"08:30\"")
}

// readDecimal takes the digits as they are written, in quotes or without.
func (r *reader) readDecimal(node ast.Node, path string, into *organization.Decimal) {
	digits, ok := textOf(node)
	switch node.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		digits, ok = node.GetToken().Value, true
	}
	decimal, usable := organization.ParseDecimal(digits)
	if !ok || !usable {
		r.complain(node, path, "must be a number such as 149.50, with at most 12 digits before the decimal point "+
			"and 6 after it")
		return
	}
	*into = decimal
}

func textOf(node ast.Node) (string, bool) {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	}
	return "", false
}

func numberOf(node ast.Node) (float64, bool) {
	switch n := node.(type) {
	case *ast.FloatNode:
		return n.Value, !math.IsNaN(n.Value) && !math.IsInf(n.Value, 0)
	case *ast.IntegerNode:
		switch v := n.Value.(type) {
		case int64:
			return float64(v), true
		case uint64:
			return float64(v), true
		}
	}
	return 0, false
}

// kind returns a readable name for the type of a node.
func kind(node ast.Node) string {
	switch node.(type) {
	case *ast.StringNode, *ast.LiteralNode:
		return "a text"
	case *ast.IntegerNode, *ast.FloatNode:
		return "a number"
	case *ast.InfinityNode, *ast.NanNode:
		return "one without a value"
	case *ast.BoolNode:
		return "true or false"
	case *ast.SequenceNode:
		return "a list"
	case ast.MapNode:
		return "a mapping"
	}
	return "this"
}

func hint(node ast.Node) string {
	switch node.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return fmt.Sprintf(": write it in quotes, %q", node.GetToken().Value)
	}
	return ""
}

// line is where a node begins.
func line(node ast.Node) organization.Place {
	token := node.GetToken()
	if mapping, ok := node.(*ast.MappingNode); ok && !mapping.IsFlowStyle && len(mapping.Values) > 0 {
		token = mapping.Values[0].Key.GetToken()
	}
	if token == nil {
		return organization.Place{Line: 1, Column: 1}
	}
	return organization.Place{Line: token.Position.Line, Column: token.Position.Column}
}

// fieldsOf returns where the fields of a struct are, those of embedded structs included.
func fieldsOf(t reflect.Type) map[string][]int {
	fields := make(map[string][]int, t.NumField())
	for _, field := range reflect.VisibleFields(t) {
		if name := field.Tag.Get("yaml"); name != "" {
			fields[name] = field.Index
		}
	}
	return fields
}

func namesOf(t reflect.Type) []string {
	var names []string
	for _, field := range reflect.VisibleFields(t) {
		if name := field.Tag.Get("yaml"); name != "" {
			names = append(names, name)
		}
	}
	return names
}
