package order

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"waybill/domain/fault"
)

// Location is a known location.
type Location struct {
	ID              int64
	ExternalID      string
	Key             LocationKey
	Name            string
	Address         Address
	Hours           *Hours
	HoursAreDefault bool
	Windows         []RecurringHours
	// Pauses are when it is closed within its hours.
	Pauses []Pause
	// EstimatedTimeOnLocation is the default service time in minutes.
	EstimatedTimeOnLocation *int32
	// CalendarID is the calendar that it keeps, 0 for none.
	CalendarID int64
}

// LocationKey is the fingerprint of a normalized name and address, which
// identifies a location without an external id.
type LocationKey [16]byte

// KeyOf returns the key of a place. Case and white space do not count, and the
// name of a country is its code;
// coordinates count only without a street address.
func KeyOf(name string, a Address) LocationKey {
	parts := []string{name, a.Address1, a.PostalCode, a.City, Country(a.Country)}
	for i, part := range parts {
		parts[i] = squeezed(part)
	}
	if a.Address1 == "" && a.Latitude != nil && a.Longitude != nil {
		parts = append(parts, fmt.Sprintf("%.5f %.5f", *a.Latitude, *a.Longitude))
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x1f")))
	return LocationKey(sum[:16])
}

// NewLocation is a place that an import is to create.
type NewLocation struct {
	ExternalID      string
	Key             LocationKey
	Name            string
	Address         Address
	Hours           *Hours
	HoursAreDefault bool
}

// LocationRefs are identities of places, each once.
type LocationRefs struct {
	IDs         []int64
	ExternalIDs []string
	Keys        []LocationKey
}

// RefsOf are the identities of the places that entries speak of.
func RefsOf(entries []Request) LocationRefs {
	var r LocationRefs
	for i := range entries {
		for _, stop := range []*LocationRequest{entries[i].Pickup, entries[i].Delivery} {
			switch {
			case stop == nil:
			case stop.LocationID != 0:
				r.IDs = append(r.IDs, stop.LocationID)
			case stop.ExternalID != "":
				r.ExternalIDs = append(r.ExternalIDs, stop.ExternalID)
			case stop.Address != nil:
				r.Keys = append(r.Keys, KeyOf(stop.Name, *stop.Address))
			}
		}
	}
	slices.Sort(r.IDs)
	slices.Sort(r.ExternalIDs)
	slices.SortFunc(r.Keys, func(a, b LocationKey) int { return slices.Compare(a[:], b[:]) })
	r.IDs, r.ExternalIDs, r.Keys = slices.Compact(r.IDs), slices.Compact(r.ExternalIDs), slices.Compact(r.Keys)
	return r
}

// NewLocations returns the places with a usable address that entries mention
// and the snapshot does not have, each once and as first described. They are
// created before any entry is judged, regardless of its result, so that the
// outcome does not depend on how an import is divided into chunks.
func NewLocations(known *Snapshot, entries []Request) []NewLocation {
	var found []NewLocation
	seen := map[any]bool{}
	for i := range entries {
		for _, stop := range []*LocationRequest{entries[i].Pickup, entries[i].Delivery} {
			if stop == nil || stop.Address == nil || stop.LocationID != 0 || known.location(stop) != nil {
				continue
			}
			if _, ok := stop.checkPlace(); !ok {
				continue
			}
			if id := stop.identity(); !seen[id] {
				// Once it exists, its key leads to it as well.
				seen[id], seen[KeyOf(stop.Name, *stop.Address)] = true, true
				found = append(found, stop.newLocation())
			}
		}
	}
	return found
}

// identity is what distinguishes this location from others: the external id, or
// else the key.
func (r *LocationRequest) identity() any {
	if r.ExternalID != "" {
		return r.ExternalID
	}
	return KeyOf(r.Name, *r.Address)
}

func (r *LocationRequest) newLocation() NewLocation {
	n := NewLocation{ExternalID: r.ExternalID, Key: KeyOf(r.Name, *r.Address), Name: r.Name, Address: r.Address.folded()}
	if hours, given, valid := r.hours(); given && valid {
		n.Hours, n.HoursAreDefault = &hours, *r.OpeningHoursIsDefault
	}
	return n
}

// checkPlace returns the reasons why the request does not name a valid
// location: texts that are too long, or an unusable address.
func (r *LocationRequest) checkPlace() (violation, bool) {
	if v, ok := r.checkNames(); !ok {
		return v, false
	}
	if r.Address == nil {
		return violation{"address", fault.Say("address.missing")}, false
	}
	address := r.Address.folded()
	v, ok := address.check()
	v.field = strings.TrimSuffix("address."+v.field, ".")
	return v, ok
}

func (r *LocationRequest) checkNames() (violation, bool) {
	for _, text := range []struct{ field, value string }{{"name", r.Name}, {"externalId", r.ExternalID}} {
		if tooLong(text.value, maxName) {
			return violation{text.field, fault.Say("field.too_long", "max", fmt.Sprint(maxName))}, false
		}
	}
	return violation{}, true
}

// Check reports whether the address can be driven to, and otherwise which of
// its fields is wrong and why; no field is named if the address as a whole is
// wrong.
func (a *Address) Check() (field string, text fault.Text, ok bool) {
	v, ok := a.check()
	return v.field, v.text, ok
}

// check reports whether the address can be driven to: it has coordinates in
// range, or a street address, a country and a city or postal code.
func (a *Address) check() (violation, bool) {
	for _, text := range []struct{ field, value string }{
		{"address1", a.Address1},
		{"address2", a.Address2},
		{"postalCode", a.PostalCode},
		{"city", a.City},
		{"state", a.State},
		{"country", a.Country},
	} {
		if tooLong(text.value, maxName) {
			return violation{text.field, fault.Say("field.too_long", "max", fmt.Sprint(maxName))}, false
		}
	}
	if a.Country != "" && !IsCountry(a.Country) {
		return violation{"country", fault.Say("address.bad_country")}, false
	}
	if a.Latitude != nil || a.Longitude != nil {
		return a.checkPoint()
	}
	if isBlank(a.Address1) || a.Country == "" || isBlank(a.City) && isBlank(a.PostalCode) {
		return violation{"", fault.Say("address.incomplete")}, false
	}
	return violation{}, true
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// folded returns the address of a request in its stored form: with the
// code of the country.
func (a *Address) folded() Address {
	kept := *a
	kept.Country = Country(a.Country)
	return kept
}

func (a *Address) checkPoint() (violation, bool) {
	if a.Latitude == nil || *a.Latitude < -90 || *a.Latitude > 90 {
		return violation{"latitude", fault.Say("address.bad_latitude")}, false
	}
	if a.Longitude == nil || *a.Longitude < -180 || *a.Longitude > 180 {
		return violation{"longitude", fault.Say("address.bad_longitude")}, false
	}
	return violation{}, true
}

// violation is an invalid field and the reason.
type violation struct {
	field string
	text  fault.Text
}

// The longest texts that are kept, in bytes.
const (
	maxName = 255
	maxText = 10_000
)

func tooLong(text string, limit int) bool { return len(text) > limit }
