package recipient

import "strings"

// Code returns the code of a tracking link as it was made, from how people copy
// it: in small letters, or with a slash, a full stop or a bracket of the sentence
// around it. A text that is no code stays what it is, in capital letters.
func Code(copied string) string {
	isLetter := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return strings.ToUpper(strings.TrimFunc(copied, func(r rune) bool { return !isLetter(r) }))
}
