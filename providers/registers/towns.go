package registers

import (
	"math"

	"waybill/domain/place"
)

const (
	// cellsPerDegree divides the map for the search of the nearest address.
	cellsPerDegree = 100
	// nearTown is how far the next address with a town may be, in meters.
	nearTown = 2000
)

// townFiller gives addresses without a town or postal code those of the nearest
// address. They are passed on last.
type townFiller struct {
	take    func(place.Record) error
	cells   map[cell][]place.Record
	cities  map[string]string
	waiting []place.Record
}

type cell struct{ lat, lon int }

func cellOf(at place.Position) cell {
	return cell{int(math.Floor(at.Latitude * cellsPerDegree)), int(math.Floor(at.Longitude * cellsPerDegree))}
}

func (t *townFiller) add(r place.Record) error {
	if t.cells == nil {
		t.cells, t.cities = map[cell][]place.Record{}, map[string]string{}
	}
	if r.PostalCode == "" || r.City == "" {
		t.waiting = append(t.waiting, r)
		return nil
	}
	c := cellOf(r.At)
	if isNew := t.cities[r.Country+r.PostalCode] == ""; isNew || len(t.cells[c]) < 16 {
		t.cells[c] = append(t.cells[c], r)
		t.cities[r.Country+r.PostalCode] = r.City
	}
	return t.take(r)
}

// finish passes on the addresses that waited. One without any town near is left out.
func (t *townFiller) finish() error {
	for _, r := range t.waiting {
		if !t.complete(&r) {
			continue
		}
		if err := t.take(r); err != nil {
			return err
		}
	}
	return nil
}

// complete fills in what is missing, and reports whether the address has a town or postal code.
func (t *townFiller) complete(r *place.Record) bool {
	if city := t.cities[r.Country+r.PostalCode]; r.PostalCode != "" && city != "" {
		r.City = city
	} else if near, ok := t.nearest(r.At); ok && r.City == "" && near.Country == r.Country {
		r.City = near.City
		if r.PostalCode == "" {
			r.PostalCode = near.PostalCode
		}
	}
	return r.City != "" || r.PostalCode != ""
}

// nearest is the nearest address with a town.
func (t *townFiller) nearest(at place.Position) (found place.Record, ok bool) {
	best, c := float64(nearTown), cellOf(at)
	for lat := c.lat - 1; lat <= c.lat+1; lat++ {
		for lon := c.lon - 2; lon <= c.lon+2; lon++ {
			for _, r := range t.cells[cell{lat, lon}] {
				if d := r.At.Meters(at); d < best {
					best, found, ok = d, r, true
				}
			}
		}
	}
	return found, ok
}
