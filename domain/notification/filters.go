package notification

import (
	"errors"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/osteele/liquid"
	"github.com/osteele/tuesday"
)

// allowedFilters are the filters of templates, which take any text and return text.
// Filters for lists, and those that show the inside of values, are not allowed.
var allowedFilters = []string{
	"abs", "append", "capitalize", "ceil", "date", "default", "divided_by", "downcase", "escape", "escape_once", "floor",
	"lstrip", "minus", "modulo", "newline_to_br", "plus", "prepend", "remove", "remove_first", "replace", "replace_first",
	"round", "rstrip", "size", "slice", "strip", "strip_html", "strip_newlines", "times", "truncate", "truncatewords",
	"upcase", "url_encode",
}

// refusedFilters are those of the library that the parser could still meet.
var refusedFilters = []string{
	"compact", "concat", "first", "inspect", "join", "json", "last", "map", "reverse", "sort", "sort_natural", "split",
	"type", "uniq", "url_decode",
}

// maxMade is how much text the filters of one template produce together, in bytes:
// without a limit, a template could feed results back through variables and grow
// them.
const maxMade = 512 << 10

var errTooMuch = errors.New("the template produces too much text")

// meter counts the text that filters make while a template is filled in.
type meter struct{ made int }

// add counts text that is about to be produced.
func (m *meter) add(bytes int) error {
	if m.made += bytes; bytes < 0 || m.made > maxMade {
		return errTooMuch
	}
	return nil
}

// text is a text that was made.
func (m *meter) text(made string) (string, error) { return made, m.add(len(made)) }

// register gives an engine filters with bounded results: those of the library
// sometimes count bytes, panic, or produce unlimited text.
func (m *meter) register(e *liquid.Engine) {
	for _, name := range refusedFilters {
		e.RegisterFilter(name, func(any) (any, error) { return nil, fmt.Errorf("%s is not allowed in messages", name) })
	}
	e.RegisterFilter("append", func(text, more string) (string, error) { return m.text(text + more) })
	e.RegisterFilter("prepend", func(text, more string) (string, error) { return m.text(more + text) })
	e.RegisterFilter("replace", func(text, old, by string) (string, error) { return m.replace(text, old, by, -1) })
	e.RegisterFilter("replace_first", func(text, old, by string) (string, error) { return m.replace(text, old, by, 1) })
	e.RegisterFilter("newline_to_br", func(text string) (string, error) { return m.replace(text, "\n", "<br />", -1) })
	e.RegisterFilter("escape", func(text string) (string, error) { return m.text(html.EscapeString(text)) })
	e.RegisterFilter("escape_once", func(text string) (string, error) {
		return m.text(html.EscapeString(html.UnescapeString(text)))
	})
	e.RegisterFilter("url_encode", func(text string) (string, error) { return m.text(url.QueryEscape(text)) })
	e.RegisterFilter("upcase", func(text string) (string, error) { return m.text(strings.ToUpper(text)) })
	e.RegisterFilter("downcase", func(text string) (string, error) { return m.text(strings.ToLower(text)) })
	e.RegisterFilter("capitalize", func(text string) (string, error) { return m.text(capitalize(text)) })
	e.RegisterFilter("slice", slice)
	e.RegisterFilter("truncate", func(text string, length func(int) int, ellipsis func(string) string) (string, error) {
		return m.text(truncate(text, length, ellipsis))
	})
	e.RegisterFilter("truncatewords",
		func(text string, length func(int) int, ellipsis func(string) string) (string, error) {
			return m.text(truncateWords(text, length, ellipsis))
		})
	e.RegisterFilter("date", m.date)
}

// replace replaces one text with another. It computes the length of the result
// beforehand.
func (m *meter) replace(text, old, by string, most int) (string, error) {
	times := strings.Count(text, old)
	if most >= 0 {
		times = min(times, most)
	}
	if err := m.add(len(text) + times*len(by)); err != nil {
		return "", err
	}
	return strings.Replace(text, old, by, most), nil
}

// wideField is a field of a format that is filled up to very many characters.
var wideField = regexp.MustCompile(`%[^a-zA-Z%]*\d{3}`)

// date formats a time.
func (m *meter) date(at time.Time, format func(string) string) (string, error) {
	layout := format("%a, %b %d, %y")
	if wideField.MatchString(layout) {
		return "", errTooMuch
	}
	if err := m.add(len(layout)); err != nil {
		return "", err
	}
	written, err := tuesday.Strftime(layout, at)
	if err != nil {
		return "", err
	}
	return m.text(written)
}

// capitalize capitalizes the first character.
func capitalize(text string) string {
	first, width := utf8.DecodeRuneInString(text)
	if first == utf8.RuneError {
		return text
	}
	return string(unicode.ToUpper(first)) + text[width:]
}

// slice returns some characters, one by default. A negative start counts from
// the end; positions outside the text are ignored.
func slice(text string, start int, length func(int) int) string {
	all := []rune(text)
	if start < 0 {
		start += len(all)
	}
	if start < 0 || start > len(all) {
		return ""
	}
	rest := all[start:]
	return string(rest[:between(0, length(1), len(rest))])
}

// truncate shortens a text to some characters, 50 by default, of which the last
// are the ellipsis.
func truncate(text string, length func(int) int, ellipsis func(string) string) string {
	all, end := []rune(text), ellipsis("...")
	most := length(50)
	if len(all) <= most {
		return text
	}
	return string(all[:between(0, most-utf8.RuneCountInString(end), len(all))]) + end
}

// truncateWords shortens a text to some words, 15 by default, and an ellipsis.
func truncateWords(text string, length func(int) int, ellipsis func(string) string) string {
	words, most := strings.Fields(text), max(length(15), 1)
	if len(words) <= most {
		return text
	}
	return strings.Join(words[:most], " ") + ellipsis("...")
}

// between returns n, limited to the bounds.
func between(low, n, high int) int { return min(max(n, low), high) }
