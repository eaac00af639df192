// Package email holds the rules for email addresses.
package email

import (
	"net/mail"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// maxAddress and maxLocal are the longest address and local part that mail servers take.
const (
	maxAddress = 254
	maxLocal   = 64
)

// Normalize checks an address and returns it in its shortest spelling: a local
// part is quoted only where it must be. The domain stays as people write it; see
// Wire.
func Normalize(text string) (string, bool) {
	text = strings.TrimSpace(text)
	parsed, err := mail.ParseAddress(text)
	if err != nil {
		return "", false
	}
	local, domain := cut(parsed.Address)
	shortest := strings.Trim((&mail.Address{Address: parsed.Address}).String(), "<>")
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(local) + `"@` + domain
	if text != parsed.Address && text != shortest && text != quoted { // a name, a comment or a group
		return "", false
	}
	wire, ok := Wire(shortest)
	if !ok || len(wire) > maxAddress || len(local) > maxLocal || !isDomain(domain) ||
		strings.ContainsFunc(local, unicode.IsControl) {
		return "", false
	}
	return shortest, true
}

// Wire returns an address in the form that mail servers use, with the domain
// in ASCII.
func Wire(address string) (wire string, ok bool) {
	local, domain := cut(address)
	if !isASCII(domain) {
		var err error
		if domain, err = idna.Lookup.ToASCII(domain); err != nil {
			return "", false
		}
	}
	return local + "@" + domain, true
}

// NeedsUTF8 reports whether an address, in the form that mail servers use, needs
// a server with SMTPUTF8.
func NeedsUTF8(wire string) bool { return !isASCII(wire) }

// cut parts an address at its last @: a quoted local part may have others.
func cut(address string) (local, domain string) {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return address, ""
	}
	return address[:at], address[at+1:]
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

// isDomain reports whether a text is a domain name, in any script, and not an IP
// address.
func isDomain(text string) bool {
	labels := strings.Split(text, ".")
	for _, label := range labels {
		if label == "" || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") ||
			strings.ContainsFunc(label, func(r rune) bool { return !partOfDomain(r) }) {
			return false
		}
	}
	last := labels[len(labels)-1]
	return len(labels) > 1 && strings.Trim(last, "0123456789") != ""
}

func partOfDomain(r rune) bool {
	return r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
