package account

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold normalizes an address for storage: variants of letters, such as
// full-width ones, become the usual ones.
func Fold(address string) string { return norm.NFKC.String(strings.TrimSpace(address)) }

// IsHidden reports whether a character is invisible, or changes the direction
// of the text around it. Names that differ only in such characters look the
// same.
func IsHidden(r rune) bool { return unicode.Is(unicode.Cf, r) || unicode.IsControl(r) }
