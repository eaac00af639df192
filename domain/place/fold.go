package place

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// longestKey bounds keys; no street has a longer name.
const longestKey = 80

// letters that do not decompose into a Latin letter and a mark.
var letters = strings.NewReplacer(
	"ø", "o", "æ", "ae", "œ", "oe", "ß", "ss", "ð", "d", "đ", "d", "þ", "th", "ł", "l", "ı", "i", "ŋ", "n",
)

// digraphs are how keyboards without ø, å, ä, ö and ü write them.
var digraphs = strings.NewReplacer("aa", "a", "ae", "a", "oe", "o", "ue", "u")

// fold writes text in small letters without accents. It keeps spaces and punctuation.
func fold(text string) string {
	text = strings.ToLower(text)
	if isASCII(text) {
		return text
	}
	var plain strings.Builder
	for _, r := range norm.NFD.String(letters.Replace(text)) {
		if !unicode.Is(unicode.Mn, r) {
			plain.WriteRune(r)
		}
	}
	return plain.String()
}

// plainSpaces writes pasted text as a keyboard would: with plain spaces, digits of normal width, and
// without signs that nobody sees, such as soft hyphens.
func plainSpaces(text string) string {
	if isASCII(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x80 && unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, width.Fold.String(text))
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// words are the runs of letters and digits of a folded text. A word keeps one
// dot after it, which marks an abbreviation.
func words(folded string) (all []string) {
	start := -1
	for i, r := range folded + " " {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if start < 0 {
				start = i
			}
		case start >= 0 && r == '.':
			all, start = append(all, folded[start:i+1]), -1
		case start >= 0 && !isApostrophe(r):
			all, start = append(all, withoutApostrophes(folded[start:i])), -1
		}
	}
	return all
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == '´' || r == '`' }

func withoutApostrophes(word string) string {
	if !strings.ContainsFunc(word, isApostrophe) {
		return word
	}
	return strings.Map(func(r rune) rune {
		if isApostrophe(r) {
			return -1
		}
		return r
	}, word)
}

// compact joins words to a key without spaces, in which å is a, ä is a and ø is
// o, in any spelling.
func compact(all []string) string {
	joined := strings.ReplaceAll(strings.Join(all, ""), ".", "")
	joined = digraphs.Replace(joined)
	if len(joined) > longestKey {
		joined = strings.ToValidUTF8(joined[:longestKey], "")
	}
	return joined
}
