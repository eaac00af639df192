package notification

import "github.com/nyaruka/phonenumbers"

// NormalizeNumber returns a phone number as E.164. Country, two letters, is
// meant by a number without its own.
func NormalizeNumber(text, country string) (string, bool) {
	number, err := phonenumbers.Parse(text, country)
	if err != nil || !phonenumbers.IsValidNumber(number) {
		return "", false
	}
	return phonenumbers.Format(number, phonenumbers.E164), true
}

// CountryOf guesses the country of an organization without one from its time
// zone.
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

// Country is the default country of an organization's numbers: the one that it
// sets, or else that of its time zone.
func Country(named, zone string) string {
	if named != "" {
		return named
	}
	return CountryOf(zone)
}

// Sender checks the sender of an SMS: a number, or a name of 1 to 11 letters
// and digits.
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
