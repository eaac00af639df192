package place

import (
	"cmp"
	"slices"
)

func (q *Query) matchOf(g *guess) Match {
	m := Match{
		Precision: g.precision, At: g.known.At, Source: g.of.Source, Entry: entryOf(g),
		PostalCodeDisagrees: q.PostalCode != "" && g.of.PostalCode != "" && g.of.PostalCode != q.PostalCode,
	}
	if g.reading.House.Number != 0 && g.precision != Point {
		m.Unknown = NumberPart
	}
	return m
}

func entryOf(g *guess) Entry {
	e := Entry{
		Street: g.of.Name, PostalCode: g.of.PostalCode, City: g.of.City, Precision: g.precision,
		At: g.known.At, Source: g.of.Source,
	}
	if g.precision <= Interpolated {
		e.House = g.known.House
	}
	return e
}

// townOnly is the match of an address with an unknown street: its postal code,
// or its town.
func (q *Query) townOnly(found *Found) Match {
	m := Match{Unknown: StreetPart}
	if len(q.Readings) == 0 && q.Lines == "" {
		m.Unknown = NoPart
	}
	best := slices.MinFunc(append(slices.Clone(found.Towns), Town{}), func(a, b Town) int {
		return cmp.Or(
			cmp.Compare(b.worth(), a.worth()), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.PostalCode, b.PostalCode),
			cmp.Compare(a.City, b.City),
		)
	})
	switch {
	case best.ByPostal:
		m.Precision = PostalCode
	case best.ByName:
		m.Precision, best.PostalCode = City, ""
	default:
		m.Unknown = TownPart
		return m
	}
	m.At, m.Source = best.At, best.Source
	m.Entry = Entry{PostalCode: best.PostalCode, City: best.City, Precision: m.Precision, At: best.At, Source: best.Source}
	return m
}

// worth orders towns by how much of the address is theirs.
func (t *Town) worth() int {
	worth := 0
	if t.ByPostal {
		worth += 2
	}
	if t.ByName {
		worth++
	}
	return worth
}
