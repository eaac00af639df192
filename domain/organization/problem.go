package organization

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one problem of a document and its position.
type Problem struct {
	// Line and Column count from 1.
	Line, Column int
	// Path is the path of the value, such as "customers[2].department".
	Path string
	// Text describes the problem in English.
	Text string
}

// String writes the problem as compilers do: line, column, path and text.
func (p Problem) String() string {
	if p.Path == "" {
		return fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Text)
	}
	return fmt.Sprintf("%d:%d: %s: %s", p.Line, p.Column, p.Path, p.Text)
}

// Problems are all that is wrong with a document, in its order.
type Problems []Problem

// Error lists them, one per line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].String()
	}
	return strings.Join(lines, "\n")
}

// Sort brings problems into the order of the document.
func (p Problems) Sort() {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// Place is a position in a text. Both count from 1.
type Place struct{ Line, Column int }

// Places maps paths to their positions in a text.
type Places map[string]Place

// Of returns the position of a path, or of the nearest parent if it is not
// written out itself.
func (p Places) Of(path string) Place {
	for {
		if at, ok := p[path]; ok {
			return at
		}
		end := strings.LastIndexAny(path, ".[")
		if end < 0 {
			return Place{1, 1}
		}
		path = path[:end]
	}
}

// Problem makes a problem with a value of the document.
func (d *Document) Problem(path, format string, args ...any) Problem {
	at := d.Places.Of(path)
	return Problem{Line: at.Line, Column: at.Column, Path: path, Text: fmt.Sprintf(format, args...)}
}
