package place

import (
	"regexp"
	"strings"
)

// Address is an order's address.
type Address struct {
	Address1, Address2, PostalCode, City, Country string
}

// Query is an address as a register looks it up.
type Query struct {
	// Country is an ISO code, or empty if the address and the caller name none.
	Country string
	// PostalCode is in the register's form, or empty.
	PostalCode string
	// Town is the key of the town's name, or empty.
	Town string
	// City is the town as written.
	City string
	// Readings are the streets and numbers that the address may mean, the likeliest first.
	Readings []Reading
	// Lines is the key of the whole text if it has no readings: a post box, or signs. It is empty
	// for a blank text.
	Lines string
}

// Reading is one way to read a line of an address.
type Reading struct {
	// Name is the street as written.
	Name   string
	Street StreetKey
	House  House
	// Strict is true if the reading is a guess, so that only the exact name
	// counts.
	Strict bool
}

// mostReadings bounds the ways to read an address.
const mostReadings = 6

// Read parses an address. home is the country of addresses without one.
func Read(a Address, home string) Query {
	q := Query{Country: CountryCode(a.Country)}
	city := plainSpaces(a.City)
	if at := strings.LastIndexByte(city, ','); at > 0 {
		if code := CountryCode(strings.TrimSpace(city[at+1:])); code != "" {
			city = city[:at]
			q.Country = orElse(q.Country, code)
		}
	}
	q.Country = orElse(q.Country, home)
	code, town := splitTown(q.Country, plainSpaces(a.PostalCode), city)
	lines := segments(plainSpaces(a.Address1), plainSpaces(a.Address2))
	lines, behindCode, behindTown := takeTown(q.Country, lines)
	q.PostalCode = orElse(code, behindCode)
	q.City = orElse(town, behindTown)
	q.Town = TownKey(q.City)
	if q.Readings = readings(lines); len(q.Readings) == 0 {
		q.Lines = linesKey(lines)
	}
	return q
}

func orElse(first, second string) string {
	if first != "" {
		return first
	}
	return second
}

// linesKey identifies lines without a street, such as a post box.
func linesKey(lines []string) string {
	text := fold(strings.Join(lines, " "))
	if key := compact(words(text)); key != "" {
		return key
	}
	return text
}

// segments are the parts of address lines that commas and line breaks divide.
func segments(lines ...string) (all []string) {
	for _, line := range lines {
		for _, part := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(",;\n\r|", r) }) {
			if part = strings.TrimSpace(part); part != "" {
				all = append(all, part)
			}
		}
	}
	return all
}

// townLine is a postal code followed by a town, like the last line of a letter.
var townLine = regexp.MustCompile(`(?i)^(?:[a-z]{1,3}-)?(\d{3} \d{2}|\d{4,5})\s+(\pL[\pL .'-]+)$`)

// takeTown takes the line with postal code and town from address lines that have one.
func takeTown(country string, lines []string) (rest []string, code, town string) {
	for _, line := range lines {
		if m := townLine.FindStringSubmatch(line); m != nil && code == "" && len(lines) > 1 {
			if found := CleanPostalCode(country, m[1]); found != "" {
				code, town = found, m[2]
				continue
			}
		}
		rest = append(rest, line)
	}
	return rest, code, town
}
