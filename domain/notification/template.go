package notification

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/osteele/liquid"
	"github.com/osteele/liquid/parser"
)

// allowedTags are the tags of templates. Loops and files are excluded, so the
// cost of a template is bounded by its length.
var allowedTags = []string{
	"if", "elsif", "else", "endif", "unless", "endunless", "case", "when", "endcase", "assign", "comment", "endcomment",
}

// maxFilled is the size limit for the text of one template, in bytes.
const maxFilled = 256 << 10

var (
	quoted = regexp.MustCompile(`'[^']*'|"[^"]*"`)
	filter = regexp.MustCompile(`\|\s*([^\s|:]*)`)
)

// checkWords refuses a template with disallowed elements, parsed as the engine
// does.
func checkWords(template string) error {
	for _, token := range parser.Scan(template, parser.SourceLoc{}, nil) {
		switch {
		case token.Type == parser.TagTokenType && !slices.Contains(allowedTags, token.Name):
			return fmt.Errorf("the tag %q is not allowed in messages; use if, unless, case, assign or comment", token.Name)
		case token.Type != parser.TagTokenType && token.Type != parser.ObjTokenType:
			continue
		}
		if err := checkFilters(quoted.ReplaceAllString(token.Args, "''")); err != nil {
			return err
		}
	}
	if strings.Count(template, "{{") != strings.Count(template, "}}") ||
		strings.Count(template, "{%") != strings.Count(template, "%}") {
		return errors.New("a {{ or {% is not closed")
	}
	if strings.Contains(template, "\x00") {
		return errors.New("must not contain the NUL character")
	}
	return nil
}

func checkFilters(expression string) error {
	if strings.Contains(expression, "..") {
		return errors.New("ranges are not for messages")
	}
	for _, found := range filter.FindAllStringSubmatch(expression, -1) {
		if !slices.Contains(allowedFilters, found[1]) {
			return fmt.Errorf("the filter %q is not allowed in messages; use one of %s",
				found[1], strings.Join(allowedFilters, ", "))
		}
	}
	return nil
}

// filler is an engine with the output of its filters.
type filler struct {
	engine *liquid.Engine
	meter  meter
}

// fillers are kept for the next template: making an engine is dear.
var fillers = sync.Pool{New: func() any {
	f := &filler{engine: liquid.NewEngine()}
	f.meter.register(f.engine)
	return f
}}

// fill renders a template with facts. All failures of the engine are
// returned as errors, and so are texts that the log cannot store.
func fill(template string, f Facts, escape func(string) string) (out string, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			out, err = "", fmt.Errorf("fill in the template: %v", cause)
		}
	}()
	if err := checkWords(template); err != nil {
		return "", fmt.Errorf("fill in the template: %w", err)
	}
	engine := fillers.Get().(*filler)
	engine.meter.made = 0
	var said boundedText
	if err := engine.engine.ParseAndFRender(&said, []byte(template), bindings(f, escape)); err != nil {
		return "", fmt.Errorf("fill in the template: %w", err)
	}
	fillers.Put(engine)
	out = said.String()
	if !utf8.ValidString(out) || strings.Contains(out, "\x00") {
		return "", errors.New("fill in the template: the result is not valid text")
	}
	return out, nil
}

// boundedText is a writer with a size limit.
type boundedText struct{ strings.Builder }

var _ io.Writer = (*boundedText)(nil)

// Write returns an error above the limit.
func (t *boundedText) Write(b []byte) (int, error) {
	if t.Len()+len(b) > maxFilled {
		return 0, errTooMuch
	}
	return t.Builder.Write(b)
}

// WriteString returns an error above the limit.
func (t *boundedText) WriteString(s string) (int, error) {
	if t.Len()+len(s) > maxFilled {
		return 0, errTooMuch
	}
	return t.Builder.WriteString(s)
}
