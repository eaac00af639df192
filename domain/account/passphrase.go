package account

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"waybill/domain/fault"
)

// The minimum lengths of passphrases, in characters, without and with a second
// factor, and the maximum. Longer ones are rejected, never truncated.
const (
	minAlone            = 15
	minWithSecondFactor = 8
	maxLength           = 1024
)

// Normal returns a passphrase in the form in which it is hashed, independent of
// how a keyboard composed its characters.
func Normal(passphrase string) string { return norm.NFKC.String(passphrase) }

// Context are the words that attackers would try first for an account: its
// owner's name and address, and the organization.
type Context struct{ Organization, Slug, Name, Email string }

// CheckPassphrase rejects a new passphrase that is too short or easy to guess.
// There are no other rules: spaces and all characters are allowed. second
// reports that the account has a second factor.
func CheckPassphrase(passphrase string, second bool, about Context) *fault.Text {
	passphrase = Normal(passphrase)
	length, shortest := utf8.RuneCountInString(passphrase), minAlone
	if second {
		shortest = minWithSecondFactor
	}
	var text fault.Text
	switch {
	case !utf8.ValidString(passphrase):
		text = fault.Say("passphrase.not_text")
	case length < shortest && second:
		text = fault.Say("passphrase.short_second")
	case length < shortest:
		text = fault.Say("passphrase.short")
	case length > maxLength:
		text = fault.Say("passphrase.long")
	case isCommon(passphrase):
		text = fault.Say("passphrase.common")
	case isContext(passphrase, about):
		text = fault.Say("passphrase.context")
	default:
		return nil
	}
	return &text
}

// commonText has one passphrase per line, in lower case: the most frequently
// leaked ones that are long enough to pass otherwise.
//
//go:embed common.txt
var commonText string

var common = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(commonText) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all[line] = true
		}
	}
	return all
})

// isCommon reports whether a passphrase is on the list, repeats one on the list,
// or consists of few distinct characters.
func isCommon(passphrase string) bool {
	folded := strings.ToLower(passphrase)
	if common()[folded] {
		return true
	}
	different := map[rune]bool{}
	for _, r := range folded {
		different[r] = true
	}
	return len(different) < 4 || common()[period(folded)] || isSequence(folded)
}

// period returns the shortest part that a text is a repetition of.
func period(text string) string {
	if at := strings.Index((text + text)[1:], text); at >= 0 {
		return text[:at+1]
	}
	return text
}

// isSequence reports whether each character follows the one before it, as in
// abcdefghijklmno or 987654321098765.
func isSequence(text string) bool {
	runes := []rune(text)
	for _, step := range []rune{1, -1} {
		breaks := 0
		for i := 1; i < len(runes); i++ {
			if runes[i]-runes[i-1] != step {
				breaks++
			}
		}
		if breaks <= len(runes)/10 {
			return true
		}
	}
	return false
}

// product are the words of the service itself.
var product = []string{"waybill", "password", "passphrase", "passord", "adgangskode"}

// isContext reports whether a passphrase is little more than words of its context.
func isContext(passphrase string, about Context) bool {
	rest := squeezed(passphrase)
	words := append([]string{about.Organization, about.Slug, about.Email, about.Name}, product...)
	user, domain, _ := strings.Cut(about.Email, "@")
	words = append(words, user, domain)
	words = append(words, strings.Fields(about.Name)...)
	words = append(words, strings.Fields(about.Organization)...)
	// Longest first, so that removing one word does not leave parts of another.
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	before := utf8.RuneCountInString(rest)
	for _, word := range words {
		if word = squeezed(word); utf8.RuneCountInString(word) >= 4 {
			rest = strings.ReplaceAll(rest, word, "")
		}
	}
	left := utf8.RuneCountInString(rest)
	return left < before && left < minWithSecondFactor
}

// squeezed returns a text in lower case, reduced to letters and digits.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, Normal(text))
}
