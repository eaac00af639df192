package notification

import (
	"net/mail"
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"
)

// maxAddress is the longest address that mail servers take.
const maxAddress = 254

// NormalizeEmail checks an address and returns it as it is sent to.
func NormalizeEmail(text string) (string, bool) {
	text = strings.TrimSpace(text)
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text || len(text) > maxAddress {
		return "", false
	}
	name, domain, _ := strings.Cut(text, "@")
	if len(name) > 64 || strings.ContainsAny(text, " \t\r\n\x00") || !isDomain(domain) {
		return "", false
	}
	return text, true
}

// isDomain reports whether a text is the name of a domain, and not an address of
// numbers. Letters of other alphabets are left to the mail server.
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

// NormalizeNumber returns a telephone number as E.164. Country, two letters, is
// meant by a number without its own.
func NormalizeNumber(text, country string) (string, bool) {
	number, err := phonenumbers.Parse(text, country)
	if err != nil || !phonenumbers.IsValidNumber(number) {
		return "", false
	}
	return phonenumbers.Format(number, phonenumbers.E164), true
}

// CountryOf guesses an organization's country from its time zone, for those
// who have not named one.
func CountryOf(zone string) string {
	switch zone {
	case "Europe/Oslo":
		return "NO"
	case "Europe/Copenhagen":
		return "DK"
	case "Europe/Stockholm":
		return "SE"
	}
	return ""
}

// Sender checks who an SMS is from: a number, or a name of 1 to 11 letters and
// digits.
func Sender(text string) bool {
	if _, ok := NormalizeNumber(text, ""); ok {
		return true
	}
	letters := 0
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			letters++
		case r >= '0' && r <= '9', r == ' ':
		default:
			return false
		}
	}
	return letters > 0 && len(text) <= 11
}
