package paper

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// joined returns a text with combined accents, and with Arabic letters in their
// contextual shapes.
func joined(text string) string {
	text = norm.NFC.String(text)
	if !strings.ContainsFunc(text, isArabic) {
		return text
	}
	letters := []rune(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1 // vowels, which are omitted in names
		}
		return r
	}, text))
	var out strings.Builder
	for i := 0; i < len(letters); i++ {
		before, after := i > 0 && reaches(letters[i-1]), i+1 < len(letters) && shapes()[letters[i+1]] != nil
		if letters[i] == lam && after {
			if both := ligatures()[letters[i+1]]; both != nil {
				out.WriteRune(both.shape(before, false))
				i++
				continue
			}
		}
		out.WriteRune(shapes()[letters[i]].of(letters[i], before, after))
	}
	return out.String()
}

// seen is a line in visual sequence, from left to right.
func seen(line string) string {
	line = joined(line)
	if !strings.ContainsFunc(line, isFromTheRight) {
		return line
	}
	var paragraph bidi.Paragraph
	if _, err := paragraph.SetString(line); err != nil {
		return line
	}
	order, err := paragraph.Order()
	if err != nil {
		return line
	}
	runs := make([]string, order.NumRuns())
	for i := range runs {
		run := order.Run(i)
		runs[i] = run.String()
		if run.Direction() == bidi.RightToLeft {
			runs[i] = bidi.ReverseString(runs[i])
		}
	}
	if beginsFromTheRight(line) {
		slices.Reverse(runs)
	}
	return strings.Join(runs, "")
}

func isFromTheRight(r rune) bool {
	properties, _ := bidi.LookupRune(r)
	return properties.Class() == bidi.R || properties.Class() == bidi.AL
}

// beginsFromTheRight reports whether the first letter that has a direction is read
// from the right.
func beginsFromTheRight(line string) bool {
	for _, r := range line {
		if properties, _ := bidi.LookupRune(r); properties.Class() == bidi.L {
			return false
		}
		if isFromTheRight(r) {
			return true
		}
	}
	return false
}

func isArabic(r rune) bool { return unicode.Is(unicode.Arabic, r) }

// forms are the shapes of an Arabic letter: alone, after a letter, before one
// and between two. Letters that never join the next one have two, or only the
// first.
type forms []rune

const lam = 'ل'

// shape is the form of a letter given whether it joins its neighbors.
func (f forms) shape(before, after bool) rune {
	i := 0
	if before {
		i++
	}
	if after {
		i += 2
	}
	switch {
	case i < len(f):
		return f[i]
	case before && len(f) > 1:
		return f[1]
	}
	return f[0]
}

// of is the shape of a letter, or the letter itself without shapes.
func (f forms) of(letter rune, before, after bool) rune {
	if f == nil {
		return letter
	}
	return f.shape(before, after)
}

// reaches reports whether a letter joins the next one.
func reaches(r rune) bool { return r == 'ـ' || len(shapes()[r]) == 4 }

// presented maps letters to the characters that Unicode has for their contextual
// shapes, in the sequence of forms. Each such character names its letter as its
// compatible form.
var presented = sync.OnceValue(func() map[string]forms {
	all := map[string]forms{}
	for _, span := range [][2]rune{{0xfb50, 0xfbb1}, {0xfbd3, 0xfbe9}, {0xfbfc, 0xfbff}, {0xfe80, 0xfefc}} {
		for r := span[0]; r <= span[1]; r++ {
			letters := norm.NFKC.String(string(r))
			all[letters] = append(all[letters], r)
		}
	}
	return all
})

// shapes are the forms of single letters.
var shapes = sync.OnceValue(func() map[rune]forms {
	all := map[rune]forms{}
	for letters, f := range presented() {
		if r := []rune(letters); len(r) == 1 {
			all[r[0]] = f
		}
	}
	return all
})

// ligatures are those of lam with an alef, by the alef.
var ligatures = sync.OnceValue(func() map[rune]forms {
	all := map[rune]forms{}
	for letters, f := range presented() {
		if r := []rune(letters); len(r) == 2 && r[0] == lam && r[1] != lam {
			all[r[1]] = f
		}
	}
	return all
})
