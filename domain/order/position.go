package order

import (
	"strings"

	"waybill/domain/fault"
	"waybill/domain/place"
)

// The precisions of positions that no register gives (contract, PositionPrecision).
const (
	// GivenPrecision is of coordinates that a caller sent.
	GivenPrecision = "GIVEN"
	// NoPrecision is of an address that was not found.
	NoPrecision = "UNKNOWN"
)

// The sources of positions (contract, PositionSource).
const (
	FromPerson   = "PERSON"
	FromArrivals = "ARRIVALS"
	FromRegister = "REGISTER"
	// FromProvider is a geocoding provider, which was asked because no register has the address.
	FromProvider = "PROVIDER"
)

// Position is where the address of a stop without coordinates is. The store keeps it as JSON
// under these names, which must not change.
type Position struct {
	// Latitude and Longitude are WGS 84 degrees, nil when the address was not found.
	Latitude  *float64 `json:"latitude,omitzero"`
	Longitude *float64 `json:"longitude,omitzero"`
	// Precision is one of package place, or NoPrecision.
	Precision string `json:"precision"`
	// Source is FromPerson, FromArrivals, FromRegister or FromProvider, and Register the
	// register's source or the provider; empty when the address was not found.
	Source   string `json:"source,omitzero"`
	Register string `json:"register,omitzero"`
	// Unknown is the part of the address that the register does not know: number, street or
	// town. Suggestion is the closest entry of the register.
	Unknown    string `json:"unknown,omitzero"`
	Suggestion string `json:"suggestion,omitzero"`
	// Place identifies the address within its organization, as place.Key writes it.
	Place string `json:"place,omitzero"`
}

// CoarsePrecisions are the precisions of positions that a person should check: the coarse ones of
// package place, and NoPrecision. The queries and an index of stops repeat them.
func CoarsePrecisions() (all []string) {
	for p := place.Point; p <= place.City; p++ {
		if p.IsCoarse() {
			all = append(all, p.String())
		}
	}
	return append(all, NoPrecision)
}

// Placed is what is known of an address.
type Placed struct {
	Key place.Key
	// Match is what the register has, nil without a register.
	Match *place.Match
	// Pin is where a person says that the address is, nil when nobody does.
	Pin *place.Position
	// IsLearned is true if the pin is where drivers have arrived, which no person said.
	IsLearned bool
	// Answer is where a geocoding provider has the address, nil if it does not know it or was not
	// asked, and Provider its name.
	Answer   *place.Answer
	Provider string
}

// answer returns the provider's answer if it is better than what the register has. A house, or a
// position between two houses, of the register is better than any answer.
func (p Placed) answer() *place.Answer {
	if p.Answer == nil {
		return nil
	}
	m := p.Match
	if m != nil && m.Precision != 0 && (m.Precision <= place.Interpolated || m.Precision < p.Answer.Precision) {
		return nil
	}
	return p.Answer
}

// Position returns the position of the address, nil for an address that has no key.
func (p Placed) Position() *Position {
	if p.Key == (place.Key{}) {
		return nil
	}
	at := &Position{Precision: NoPrecision, Place: p.Key.String()}
	if p.Pin != nil {
		at.Precision, at.Source = place.Point.String(), FromPerson
		if p.IsLearned {
			at.Source = FromArrivals
		}
		at.Latitude, at.Longitude = &p.Pin.Latitude, &p.Pin.Longitude
		return at
	}
	if a := p.answer(); a != nil {
		at.Precision, at.Source, at.Register = a.Precision.String(), FromProvider, p.Provider
		at.Latitude, at.Longitude = &a.At.Latitude, &a.At.Longitude
		if !a.Precision.IsCoarse() {
			return at
		}
	}
	if m := p.Match; m != nil {
		at.Unknown = string(m.Unknown)
		if len(m.Candidates) > 0 && m.Precision.IsCoarse() {
			at.Suggestion = m.Candidates[0].String()
		}
		if m.Precision != 0 && at.Source == "" {
			at.Precision, at.Source, at.Register = m.Precision.String(), FromRegister, m.Source
			at.Latitude, at.Longitude = &m.At.Latitude, &m.At.Longitude
		}
	}
	return at
}

// sameAs reports whether a stop need not be planned again for another position. What is not
// found is as good as what nobody has looked for.
func (p *Position) sameAs(other *Position) bool {
	if p == nil || p.Latitude == nil || p.Longitude == nil {
		return other == nil || other.Latitude == nil || other.Longitude == nil
	}
	return other != nil && samePoint(p.Latitude, other.Latitude) && samePoint(p.Longitude, other.Longitude) &&
		p.Precision == other.Precision && p.Source == other.Source
}

// ToPlace returns the address as a register is asked for it.
func (a *Address) ToPlace() place.Address {
	return place.Address{
		Address1: a.Address1, Address2: a.Address2, PostalCode: a.PostalCode, City: a.City, Country: a.Country,
	}
}

// hasPoint reports whether a caller sent coordinates.
func (a *Address) hasPoint() bool { return a.Latitude != nil && a.Longitude != nil }

// AddressesToPlace are the addresses of the stops of entries, each once: those without
// coordinates, and those whose coordinates can be compared with the address. The snapshot's
// locations must be known.
func AddressesToPlace(s *Snapshot, entries []Request) (all []place.Address) {
	seen := map[place.Address]bool{}
	for i := range entries {
		for _, stop := range []*LocationRequest{entries[i].Pickup, entries[i].Delivery} {
			if stop == nil {
				continue
			}
			a := stop.Address
			if loc := s.location(stop); a == nil && loc != nil {
				a = &loc.Address
			}
			if a == nil || a.Address1 == "" {
				continue
			}
			folded := a.folded()
			if asked := folded.ToPlace(); !seen[asked] {
				seen[asked] = true
				all = append(all, asked)
			}
		}
	}
	return all
}

// placed is what is known of an address of an entry.
func (s *Snapshot) placed(a *Address) Placed { return s.Places[a.ToPlace()] }

// position is where a stop is when nobody sent coordinates: where a person says, and else where
// the register says. The coordinates of its location are better than the register's, and the
// planner finds them there.
func (d *decider) position(stop *Stop, loc *Location) *Position {
	if stop.Address.hasPoint() {
		return nil
	}
	p := d.snapshot.placed(&stop.Address)
	if (p.Pin == nil || p.IsLearned) && loc.Address.hasPoint() {
		return nil
	}
	return p.Position()
}

// warnOfAddress warns of an address that is not found well enough, or of coordinates that are
// far from it.
func (d *decider) warnOfAddress(field string, stop *Stop, j *judged) {
	p := d.snapshot.placed(&stop.Address)
	if p.Match == nil {
		return
	}
	if stop.Address.hasPoint() {
		j.warnOfDistance(field, stop, p.Match)
		return
	}
	if stop.Position == nil || stop.Position.Source == FromPerson || stop.Position.Source == FromArrivals ||
		stop.Position.Source == FromProvider && p.Answer.IsFine() {
		return // a person, the location, the drivers or a provider know better
	}
	m := p.Match
	switch {
	case m.IsAmbiguous:
		j.note(AddressAmbiguous, field+".address", fault.Say("import.address_ambiguous", "candidates", candidates(m)))
	case m.Unknown == place.TownPart:
		j.note(AddressNotFound, field+".address.city", notFoundText("town", stop.Address.town(), m))
	case m.Unknown == place.StreetPart:
		j.note(AddressNotFound, field+".address.address1", notFoundText("street", stop.Address.Address1, m))
	case m.Unknown == place.NumberPart && m.Precision > place.Interpolated:
		j.note(AddressNotFound, field+".address.address1", notFoundText("number", stop.Address.Address1, m))
	case m.PostalCodeDisagrees:
		j.note(PostalCodeDisagrees, field+".address.postalCode",
			fault.Say("import.postal_code_disagrees", "postal_code", m.Entry.PostalCode))
	}
}

// keepPositions leaves the stops where they are: what a register has learned since does not
// count.
func (j *judged) keepPositions(o *Order) {
	if j.pickup != nil {
		j.pickup.Position = o.Pickup.Position
	}
	if j.delivery != nil {
		j.delivery.Position = o.Delivery.Position
	}
}

// notFoundText names the part of an address that is not known, and the closest entry.
func notFoundText(part, text string, m *place.Match) fault.Text {
	text = fault.Clip(text)
	if len(m.Candidates) > 0 {
		return fault.Say("import.address_"+part+"_suggested", "name", text, "suggestion", m.Candidates[0].String())
	}
	return fault.Say("import.address_"+part+"_unknown", "name", text)
}

func (a *Address) town() string { return strings.TrimSpace(a.PostalCode + " " + a.City) }

// candidates are the places that an address may mean, in one line.
func candidates(m *place.Match) string {
	all := make([]string, len(m.Candidates))
	for i := range m.Candidates {
		all[i] = m.Candidates[i].String()
	}
	return strings.Join(all, "; ")
}

// warnOfDistance warns of coordinates that are far from where the register has the address.
func (j *judged) warnOfDistance(field string, stop *Stop, m *place.Match) {
	at := place.Position{Latitude: *stop.Address.Latitude, Longitude: *stop.Address.Longitude}
	if m.Precision != 0 && at.Meters(m.At) > m.Precision.Farthest() {
		j.note(PositionFarFromAddress, field+".address.latitude",
			fault.Say("import.position_far_from_address", "suggestion", m.Entry.String()))
	}
}
