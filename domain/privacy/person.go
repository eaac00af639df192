// Package privacy says how a person is found in what is kept, so that what names them
// can be erased.
package privacy

import (
	"regexp"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"waybill/domain/notification"
)

// Person is somebody who is known by an address. What is not known of them is empty.
type Person struct {
	Email, Phone string
}

// NewPerson returns a person with tidy addresses, and reports whether there is any. A
// number without its country's is one of country.
func NewPerson(email, phone, country string) (p Person, ok bool) {
	ok = email != "" || phone != ""
	if email != "" {
		var good bool
		p.Email, good = notification.NormalizeEmail(email)
		ok = ok && good
	}
	if phone != "" {
		var good bool
		p.Phone, good = notification.NormalizeNumber(phone, country)
		ok = ok && good
	}
	return p, ok
}

// Addresses is a regular expression of Postgres that matches the addresses, however
// people write them, and nothing that only contains them.
func (p Person) Addresses() string {
	var all []string
	if p.Email != "" {
		all = append(all, `(?<![[:alnum:]._%+-])`+regexp.QuoteMeta(p.Email)+`(?![[:alnum:]_-]|\.[[:alnum:]])`)
	}
	if number, err := phonenumbers.Parse(p.Phone, ""); err == nil {
		national := phonenumbers.GetNationalSignificantNumber(number)
		code := strings.TrimSuffix(strings.TrimPrefix(p.Phone, "+"), national)
		all = append(all, `(?<![[:digit:]])((\+|00)`+spaced(code)+`[ .()-]*0?)?`+spaced(national)+`(?![[:digit:]])`)
	}
	return strings.Join(all, "|")
}

// spaced matches digits with what people write between them.
func spaced(digits string) string { return strings.Join(strings.Split(digits, ""), `[ .()-]*`) }

// shortestName is how long a name is that is looked for in texts: a shorter one may be
// anything.
const shortestName = 5

// With is the expression that also matches what a person is called.
func (p Person) With(names []string) string {
	all := []string{p.Addresses()}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if words := strings.Fields(name); len(name) >= shortestName && len(words) > 1 {
			for i := range words {
				words[i] = regexp.QuoteMeta(words[i])
			}
			all = append(all, `(?<![[:alnum:]])`+strings.Join(words, `[[:space:]]+`)+`(?![[:alnum:]])`)
		}
	}
	return strings.Join(all, "|")
}
