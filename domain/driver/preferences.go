package driver

import (
	"slices"

	"waybill/domain/fault"
	"waybill/domain/freight"
)

// Preferences are whom a driver should serve, and where. Others may, at a price.
type Preferences struct {
	// Customers and Locations are those whose orders the driver should have, by their ids.
	Customers []int64 `json:"customers,omitempty"`
	Locations []int64 `json:"locations,omitempty"`
	// Territory is where the driver's stops should be; empty is anywhere.
	Territory []freight.Area `json:"territory,omitempty"`
}

// MaxTerritory is how many areas a territory may have, and MaxPreferred how many customers, and how many locations,
// may prefer one driver.
const (
	MaxTerritory = 100
	MaxPreferred = 1000
)

// None reports whether there are none.
func (p *Preferences) None() bool { return len(p.Customers)+len(p.Locations)+len(p.Territory) == 0 }

// Same reports whether the preferences are equal.
func (p *Preferences) Same(as *Preferences) bool {
	return slices.Equal(p.Customers, as.Customers) && slices.Equal(p.Locations, as.Locations) &&
		slices.Equal(p.Territory, as.Territory)
}

// Normalize sorts the ids and removes those that are named twice, and returns which lists are too long.
func (p *Preferences) Normalize() []fault.Violation {
	var problems []fault.Violation
	for _, list := range []struct {
		field string
		ids   *[]int64
	}{{"preferences.customer_ids", &p.Customers}, {"preferences.location_ids", &p.Locations}} {
		sorted := slices.Clone(*list.ids)
		slices.Sort(sorted)
		*list.ids = slices.Compact(sorted)
		problems = append(problems, tooMany(list.field, len(sorted), MaxPreferred)...)
	}
	return append(problems, tooMany("preferences.territory", len(p.Territory), MaxTerritory)...)
}
