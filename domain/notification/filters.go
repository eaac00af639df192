package notification

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/osteele/liquid"
)

// newEngine returns an engine whose filters take whatever people write: those
// of the library count bytes in places, or panic.
func newEngine() *liquid.Engine {
	e := liquid.NewEngine()
	e.RegisterFilter("capitalize", capitalize)
	e.RegisterFilter("slice", slice)
	e.RegisterFilter("truncate", truncate)
	e.RegisterFilter("truncatewords", truncateWords)
	return e
}

// capitalize makes the first character a capital letter.
func capitalize(text string) string {
	first, width := utf8.DecodeRuneInString(text)
	if first == utf8.RuneError {
		return text
	}
	return string(unicode.ToUpper(first)) + text[width:]
}

// slice returns some characters, one by default. A negative start counts from
// the end; what lies outside of the text is left out.
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

// between is n, or the bound that it lies beyond.
func between(low, n, high int) int { return min(max(n, low), high) }
