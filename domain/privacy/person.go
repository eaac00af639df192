// Package privacy describes where personal data is stored, and how to find a
// person in it to erase their data.
package privacy

import (
	"regexp"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"waybill/domain/email"
	"waybill/domain/notification"
)

// Person is a person identified by an address. Unknown fields are empty.
type Person struct {
	Email, Phone string
	// Names are the person's names, in addition to those in their contacts. If
	// there are any, only contacts with these names are theirs.
	Names []string
	// Others are more addresses of their contacts, as they are written there.
	Others []string
	// Country is the country of numbers without a country code.
	Country string
}

// NewPerson returns a person with normalized addresses, and reports whether
// there are any. Numbers without a country code belong to country.
func NewPerson(address, phone, country string) (p Person, ok bool) {
	ok = address != "" || phone != ""
	p.Country = country
	if address != "" {
		var good bool
		p.Email, good = email.Normalize(address)
		ok = ok && good
	}
	if phone != "" {
		var good bool
		p.Phone, good = notification.NormalizeNumber(phone, country)
		ok = ok && good
	}
	return p, ok
}

// PersonAt returns the person at an address, and reports whether it is one.
func PersonAt(address, country string) (Person, bool) {
	if _, isMail := email.Normalize(address); isMail {
		return NewPerson(address, "", country)
	}
	return NewPerson("", address, country)
}

// AllAddresses are all addresses of the person, email addresses in small letters.
func (p *Person) AllAddresses() []string { return slices.Concat(p.emails(), p.numbers()) }

// HasNumber reports whether a message to this text would reach the person.
func (p *Person) HasNumber(written string) bool {
	number, ok := notification.NormalizeNumber(written, p.Country)
	return ok && number == p.Phone
}

// Called reports whether a contact with this name may be the person: no other
// name is known, or the contact has none.
func (p *Person) Called(name string) bool {
	return len(p.Names) == 0 || strings.TrimSpace(name) == "" || slices.ContainsFunc(p.Names, func(known string) bool {
		return slices.Equal(folded(known), folded(name))
	})
}

// folded returns the words of a name, normalized in order and spelling.
func folded(name string) []string {
	words := wordsOf(strings.ToLower(name))
	for i := range words {
		words[i] = spelled(words[i])
	}
	slices.Sort(words)
	return words
}

// Addresses returns a Postgres regular expression that matches the addresses in any
// spelling, and no longer text that contains them.
func (p *Person) Addresses() string {
	var all []string
	for _, address := range p.emails() {
		all = append(all, `(?<![[:alnum:]._%+-])`+regexp.QuoteMeta(address)+`(?![[:alnum:]_-]|\.[[:alnum:]])`)
	}
	for _, phone := range p.numbers() {
		all = append(all, numberPattern(phone))
	}
	for _, other := range p.Others {
		all = append(all, `(?<![[:alnum:]])`+verbatim(other)+`(?![[:alnum:]])`)
	}
	return strings.Join(all, "|")
}

// Emails are the forms of the person's email addresses, in small letters.
func (p *Person) Emails() []string { return p.emails() }

func (p *Person) emails() (all []string) {
	for _, text := range append([]string{p.Email}, p.Others...) {
		if address, ok := email.Normalize(text); ok {
			all = append(all, strings.ToLower(address))
			if wire, ok := email.Wire(address); ok {
				all = append(all, strings.ToLower(wire))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (p *Person) numbers() (all []string) {
	for _, text := range append([]string{p.Phone}, p.Others...) {
		if number, ok := notification.NormalizeNumber(text, p.Country); ok {
			all = append(all, number)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func numberPattern(phone string) string {
	number, _ := phonenumbers.Parse(phone, "") // it was tidied
	national := phonenumbers.GetNationalSignificantNumber(number)
	code := strings.TrimSuffix(strings.TrimPrefix(phone, "+"), national)
	return `(?<![[:digit:]])((\+|00)?` + spaced(code) + between + `)?0?` + spaced(national) + `(?![[:digit:]])`
}

// between are characters that people write between digits.
const between = `[^[:alnum:]@"]{0,3}`

// spaced matches digits with what people write between them.
func spaced(digits string) string { return strings.Join(strings.Split(digits, ""), between) }

// The minimum length of a name to search for in texts, and of a single word: shorter
// ones are ambiguous.
const (
	shortestName = 5
	shortestWord = 4
)

// FullNames is an expression that matches names of several words, also with the
// last name first and with other spellings of Nordic letters; it may be empty.
func (p *Person) FullNames() string {
	var all []string
	for _, name := range p.Names {
		words := wordsOf(name)
		if len(words) < 2 || len(name) < shortestName {
			continue
		}
		last := len(words) - 1
		turned := append([]string{words[last]}, words[:last]...)
		all = append(all, namePattern(words), namePattern(turned))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "|")
}

// Everywhere is the expression that finds the person in all that is kept.
func (p *Person) Everywhere() string { return joined(p.Addresses(), p.FullNames()) }

// InOrders is the expression that finds the person in their own orders, where
// single words count as names, too, and so do the person's texts.
func (p *Person) InOrders(theirs []string) string {
	all := []string{p.Everywhere()}
	for _, name := range p.Names {
		if words := wordsOf(name); len(words) == 1 && len([]rune(words[0])) >= shortestWord {
			all = append(all, namePattern(words))
		}
	}
	for _, text := range theirs {
		if len(text) >= shortestName {
			all = append(all, `(?<![[:alnum:]])`+verbatim(text)+`(?![[:alnum:]])`)
		}
	}
	slices.Sort(all[1:])
	return joined(slices.Compact(all)...)
}

func joined(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), "|")
}

func wordsOf(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == ',' || r == '\u00a0' || r == '\t' })
}

func namePattern(words []string) string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = spelled(word)
	}
	return `(?<![[:alnum:]])` + strings.Join(all, `([[:space:],.]|\\[nrt])+`) + `(?![[:alnum:]])`
}

// verbatim matches a text with any white space.
func verbatim(text string) string {
	words := strings.Fields(text)
	for i := range words {
		words[i] = regexp.QuoteMeta(words[i])
	}
	return strings.Join(words, `([[:space:]]|\\[nrt])+`)
}

// alike are interchangeable spellings of letters. Those of two letters come
// first.
var alike = [][]string{{"oe", "ø", "ö"}, {"aa", "å"}, {"ae", "æ", "ä"}, {"e", "é", "è"}, {"u", "ü"}}

// spelled matches a word in other spellings.
func spelled(word string) string {
	var b strings.Builder
	for rest := strings.ToLower(word); rest != ""; {
		letter, pattern := one(rest)
		b.WriteString(pattern)
		rest = rest[len(letter):]
	}
	return b.String()
}

// one returns the first letter of a text, and a pattern for it.
func one(text string) (letter, pattern string) {
	for _, group := range alike {
		for _, letter := range group {
			if strings.HasPrefix(text, letter) {
				return letter, "(" + strings.Join(group, "|") + ")"
			}
		}
	}
	first := string([]rune(text)[:1])
	return first, regexp.QuoteMeta(first)
}

// IsNamedIn reports whether a location has the person's name, or none.
func (p *Person) IsNamedIn(place string) bool {
	words := folded(place)
	return len(words) == 0 || slices.ContainsFunc(p.Names, func(name string) bool {
		mine := folded(name)
		if len(mine) == 1 {
			return slices.Equal(mine, words)
		}
		return len(mine) > 0 && !slices.ContainsFunc(mine, func(word string) bool { return !slices.Contains(words, word) })
	})
}
