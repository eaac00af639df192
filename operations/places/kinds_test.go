package places_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"waybill/domain/place"
)

// drawn is an address of the register, and an order's spelling of it.
type drawn struct {
	record place.Record
	asked  place.Address
}

// written is an address as in the register.
func written(r *place.Record) place.Address {
	return place.Address{
		Address1: r.Street + " " + r.House.String(), PostalCode: r.PostalCode, City: r.City, Country: r.Country,
	}
}

// kind is a kind of error that people make, with the share that must be found within meters.
type kind struct {
	name   string
	target float64
	meters float64
	spell  func(*rand.Rand, *place.Record, place.Address) place.Address
}

// street changes the name of the street.
func street(change func(*rand.Rand, string) string) func(*rand.Rand, *place.Record, place.Address) place.Address {
	return func(random *rand.Rand, r *place.Record, a place.Address) place.Address {
		a.Address1 = change(random, r.Street) + " " + r.House.String()
		return a
	}
}

func whole(change func(a *place.Address)) func(*rand.Rand, *place.Record, place.Address) place.Address {
	return func(_ *rand.Rand, _ *place.Record, a place.Address) place.Address {
		change(&a)
		return a
	}
}

var kinds = []kind{
	{"as written", 99.5, 50, whole(func(*place.Address) {})},
	{"upper case", 99, 50, whole(func(a *place.Address) { a.Address1, a.City = strings.ToUpper(a.Address1), strings.ToUpper(a.City) })},
	{"abbreviated", 99, 50, street(abbreviated)},
	{"number and letter apart", 98, 50, func(_ *rand.Rand, r *place.Record, a place.Address) place.Address {
		a.Address1 = strings.TrimSpace(r.Street + " " + place.House{Number: r.House.Number}.String() + " " + strings.ToLower(r.House.Letter))
		return a
	}},
	{"one wrong letter", 97, 50, street(func(random *rand.Rand, s string) string { return wrong(random, s, 1, false) })},
	{"first letter wrong", 93, 50, street(func(random *rand.Rand, s string) string { return wrong(random, s, 1, true) })},
	{"two wrong letters", 85, 50, street(func(random *rand.Rand, s string) string { return wrong(random, s, 2, false) })},
	{"no ø, å, ä, ö", 98, 50, whole(func(a *place.Address) { a.Address1, a.City = foreign.Replace(a.Address1), foreign.Replace(a.City) })},
	{"vei/veg, gate/gata", 97, 50, street(func(_ *rand.Rand, s string) string { return otherForm(s) })},
	{"no space before the number", 95, 50, func(_ *rand.Rand, r *place.Record, a place.Address) place.Address {
		a.Address1 = r.Street + r.House.String()
		return a
	}},
	{"no postal code", 97, 50, whole(func(a *place.Address) { a.PostalCode = "" })},
	{"postal code and city swapped", 97, 50, whole(func(a *place.Address) { a.PostalCode, a.City = a.City, a.PostalCode })},
	{"both in the city field", 97, 50, whole(func(a *place.Address) { a.PostalCode, a.City = "", a.PostalCode+" "+a.City })},
	{"floor behind", 97, 50, func(random *rand.Rand, _ *place.Record, a place.Address) place.Address {
		floors := []string{", 3. etg", " 2. etasje", " H0201", ", leil. 12", " 4 etg.", ", 1 tv"}
		a.Address1 += floors[random.IntN(len(floors))]
		return a
	}},
	{"c/o in front", 97, 50, func(random *rand.Rand, _ *place.Record, a place.Address) place.Address {
		names := []string{"c/o Hansen, ", "c/o Kari Nordmann, ", "C/O Hansen ", "c/o Kari Nordmann "}
		a.Address1 = names[random.IntN(len(names))] + a.Address1
		return a
	}},
}

var foreign = strings.NewReplacer("ø", "o", "å", "a", "ä", "a", "ö", "o", "æ", "ae", "é", "e", "ü", "u", "Ø", "O", "Å", "A", "Æ", "AE")

var (
	endOfStreet  = regexp.MustCompile(`(?i)(gaten|gata|gate|veien|vegen|vei|veg|plass)$`)
	shortEndings = map[string]string{"gate": "gt.", "gata": "gt.", "gaten": "gt.", "vei": "v.", "veg": "v.", "veien": "v.", "vegen": "v.", "plass": "pl."}
	otherEndings = map[string]string{"gate": "gata", "gata": "gate", "gaten": "gata", "vei": "veg", "veg": "vei", "veien": "vegen", "vegen": "veien", "plass": "plassen"}
)

func abbreviated(_ *rand.Rand, street string) string {
	return endOfStreet.ReplaceAllStringFunc(street, func(end string) string { return shortEndings[strings.ToLower(end)] })
}

func otherForm(street string) string {
	return endOfStreet.ReplaceAllStringFunc(street, func(end string) string { return otherEndings[strings.ToLower(end)] })
}

// wrong replaces, drops, doubles or swaps letters, each at a different place.
func wrong(random *rand.Rand, street string, count int, first bool) string {
	letters := []rune(street)
	for done := 0; done < count; {
		at := slices.IndexFunc(letters, unicode.IsLetter) // "7. juni-plassen" begins with a number
		if !first {
			at = 1 + random.IntN(len(letters)-1)
		}
		if !unicode.IsLetter(letters[at]) {
			continue
		}
		before := string(letters)
		letters = mistyped(random, letters, at, first)
		if !strings.EqualFold(string(letters), before) {
			done++
		}
	}
	return string(letters)
}

func mistyped(random *rand.Rand, letters []rune, at int, first bool) []rune {
	other := rune("abcdefghijklmnoprstuvyøå"[random.IntN(22)])
	how := random.IntN(4)
	if first {
		how = 0
	}
	switch {
	case how == 1 && len(letters) > 4:
		return append(letters[:at:at], letters[at+1:]...)
	case how == 2:
		return append(append(letters[:at:at], other), letters[at:]...)
	case how == 3 && at+1 < len(letters) && unicode.IsLetter(letters[at+1]):
		swapped := append([]rune{}, letters...)
		swapped[at], swapped[at+1] = swapped[at+1], swapped[at]
		return swapped
	}
	replaced := append([]rune{}, letters...)
	replaced[at] = other
	return replaced
}
