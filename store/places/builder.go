// Package places stores the address register. It loads registers as the owner
// of the tables, and finds the streets, houses and towns of addresses for
// everyone.
package places

import (
	"cmp"
	"slices"

	"waybill/domain/place"
)

// idsOfLoad is the number of ids that a load has for its streets, as a power of two.
const idsOfLoad = 32

// builder gathers the streets and towns of a load while its points go to the database. A country
// has few enough of them to be kept in memory.
type builder struct {
	load    int64
	streets map[streetName]*street
	ordered []*street
	towns   map[townName]*town
	skipped int64
}

// streetName identifies a street within a source.
type streetName struct{ country, postalCode, city, name string }

// street is a street, with the sum of its points to find its middle.
type street struct {
	streetName
	id         int64
	secondName string
	middle
}

type townName struct{ country, postalCode, key string }

type town struct {
	townName
	city string
	middle
}

// middle is the sum of positions.
type middle struct {
	count     int64
	lat, long float64
}

func (m *middle) add(at place.Position) {
	m.count++
	m.lat += at.Latitude
	m.long += at.Longitude
}

func (m *middle) latitude() float64  { return m.lat / float64(m.count) }
func (m *middle) longitude() float64 { return m.long / float64(m.count) }

func newBuilder(load int64) *builder {
	return &builder{load: load, streets: map[streetName]*street{}, towns: map[townName]*town{}}
}

// add adds a record. It returns the id of its street, or zero for a town or a
// skipped record.
func (b *builder) add(r *place.Record) int64 {
	if !r.At.IsValid() || r.Country == "" || r.PostalCode == "" && r.City == "" {
		b.skipped++
		return 0
	}
	if r.Street == "" {
		b.addTown(r)
		return 0
	}
	if r.House.Number == 0 {
		b.skipped++
		return 0
	}
	name := streetName{r.Country, r.PostalCode, r.City, r.Street}
	s, ok := b.streets[name]
	if !ok {
		if place.NewStreetKey(r.Street).IsEmpty() {
			b.skipped++
			return 0
		}
		// Two ids for each street: the second is that of its name in another language.
		s = &street{streetName: name, id: b.load<<idsOfLoad + int64(2*len(b.ordered))}
		b.streets[name] = s
		b.ordered = append(b.ordered, s)
	}
	s.secondName = cmp.Or(s.secondName, r.SecondName)
	s.add(r.At)
	return s.id
}

// addTown adds a town that a register lists by itself.
func (b *builder) addTown(r *place.Record) {
	b.townOf(r.Country, r.PostalCode, r.City).add(r.At)
	if r.PostalCode != "" && r.City != "" {
		b.townOf(r.Country, "", r.City).add(r.At)
	}
}

func (b *builder) townOf(country, postalCode, city string) *town {
	name := townName{country, postalCode, place.TownKey(city)}
	t, ok := b.towns[name]
	if !ok {
		t = &town{townName: name, city: city}
		b.towns[name] = t
	}
	return t
}

// sumTowns adds the streets to their towns.
func (b *builder) sumTowns() []*town {
	for _, s := range b.ordered {
		for _, code := range slices.Compact([]string{s.postalCode, ""}) {
			if code == "" && s.city == "" {
				continue
			}
			t := b.townOf(s.country, code, s.city)
			t.count += s.count
			t.lat += s.lat
			t.long += s.long
		}
	}
	all := make([]*town, 0, len(b.towns))
	for _, t := range b.towns {
		all = append(all, t)
	}
	return all
}
