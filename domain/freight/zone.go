// Package freight classifies orders by destination and load: zones of
// postal codes, and freight levels. The prices and seats that follow from
// the class belong to pricing and booking.
package freight

import "strings"

// Place is where a stop is, as far as zones care.
type Place struct {
	Country    string
	PostalCode string
}

// Area is a part of a country: the postal codes with prefixes between From and
// To, which have the same length. If both are empty, it is the whole country.
type Area struct {
	Country string `json:"country"`
	From    string `json:"from"`
	To      string `json:"to"`
}

// Covers reports whether a place is in the area.
func (a Area) Covers(p Place) bool {
	if a.Country != strings.ToUpper(strings.TrimSpace(p.Country)) {
		return false
	}
	code := Code(p.PostalCode)
	if len(code) < len(a.From) {
		return false
	}
	head := code[:len(a.From)]
	return a.From <= head && head <= a.To
}

// Code writes a postal code so that the same one is the same text: without
// white space and hyphens, in capitals.
func Code(postal string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "\t", "", "-", "").Replace(postal))
}

// Zone is a named set of areas.
type Zone struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Areas []Area `json:"areas"`
}

// ZonesOf returns the zones that contain a place; zones may overlap. A place
// without a postal code is only in zones that cover its whole country.
func ZonesOf(zones []Zone, p Place) map[int64]bool {
	in := map[int64]bool{}
	for _, z := range zones {
		for _, a := range z.Areas {
			if a.Covers(p) {
				in[z.ID] = true
				break
			}
		}
	}
	return in
}
