package organization

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a document, and where it stands.
type Problem struct {
	// Line and Column count from 1.
	Line, Column int
	// Path leads to the value, such as "customers[2].department".
	Path string
	// Text says what is wrong, in English.
	Text string
}

// String gives the problem as compilers do: line, column, path and text.
func (p Problem) String() string {
	if p.Path == "" {
		return fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Text)
	}
	return fmt.Sprintf("%d:%d: %s: %s", p.Line, p.Column, p.Path, p.Text)
}

// Problems are all that is wrong with a document, in its order.
type Problems []Problem

// Error lists them, one a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].String()
	}
	return strings.Join(lines, "\n")
}

// sorted brings problems into the order of the document.
func (p Problems) sorted() Problems {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return p
}

// place is a position in a text.
type place struct{ line, column int }

// places tell where in the text a value stands.
type places map[string]place

// of finds the place of a path, or of the nearest thing around it when it is
// not written out itself.
func (p places) of(path string) place {
	for {
		if at, ok := p[path]; ok {
			return at
		}
		end := strings.LastIndexAny(path, ".[")
		if end < 0 {
			return place{1, 1}
		}
		path = path[:end]
	}
}

// Problem makes a problem with a value of the document.
func (d *Document) Problem(path, format string, args ...any) Problem {
	at := d.places.of(path)
	return Problem{Line: at.line, Column: at.column, Path: path, Text: fmt.Sprintf(format, args...)}
}
