package place

import (
	"cmp"
	"slices"
)

const (
	// sameHouse is how far apart two sources may have one house.
	sameHouse = 150
	// widestGap is the longest distance between two known houses for placing
	// one between them.
	widestGap = 1000
)

// spot is where a house is in a street.
type spot struct {
	known     Known
	of        *Candidate
	precision Precision
	// otherLetter means that the number is known, but not its letter.
	otherLetter bool
	// far is not nil if the street has the house twice, at different positions.
	far *spot
	// neighbor is the known house that is nearest to a number beyond all known ones, or between
	// two that are far from each other.
	neighbor *spot
}

// locate finds a house in a street, of which the candidates are the parts: each
// has a postal code and a source. Parts with the wanted postal code precede
// others, then better sources.
func locate(house House, parts []*Candidate, postalCode string) spot {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b *Candidate) int {
		return cmp.Or(compareFlags(b.PostalCode == postalCode, a.PostalCode == postalCode), cmp.Compare(a.Rank, b.Rank))
	})
	if house.Number == 0 {
		return spot{known: Known{At: parts[0].At}, of: parts[0], precision: Street}
	}
	if s, ok := exactly(house, parts, postalCode); ok {
		return s
	}
	if s, ok := otherLetter(house, parts); ok {
		return s
	}
	return between(house, parts)
}

func compareFlags(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// exactly finds the very house.
func exactly(house House, parts []*Candidate, postalCode string) (found spot, ok bool) {
	for _, part := range parts {
		for _, known := range part.Houses {
			if known.House != house {
				continue
			}
			s := spot{known: known, of: part, precision: Point}
			if known.Guessed {
				s.precision = Interpolated
			}
			switch {
			case !ok:
				found, ok = s, true
			case found.precision > s.precision:
				s.far, found = found.far, s
			case known.At.Meters(found.known.At) > sameHouse && found.far == nil &&
				(found.of.PostalCode == postalCode) == (part.PostalCode == postalCode):
				found.far = &s
			}
		}
	}
	return found, ok
}

// otherLetter finds the number with another letter, or without one.
func otherLetter(house House, parts []*Candidate) (found spot, ok bool) {
	for _, part := range parts {
		for _, known := range part.Houses {
			if known.House.Number == house.Number && (!ok || known.House.Letter < found.known.House.Letter) {
				found, ok = spot{known: known, of: part, precision: Interpolated, otherLetter: true}, true
			}
		}
		if ok {
			return found, true
		}
	}
	return found, ok
}

// between places a number between its neighbors on the same side of the street.
// A number beyond the last known one is only somewhere in the street, near that
// one.
func between(house House, parts []*Candidate) spot {
	below, above := neighbors(house, parts)
	switch {
	case below != nil && above != nil && below.known.At.Meters(above.known.At) <= widestGap:
		span := above.known.House.Number - below.known.House.Number
		share := float64(house.Number-below.known.House.Number) / float64(span)
		at := below.known.At.Between(above.known.At, share)
		return spot{known: Known{House: house, At: at, Guessed: true}, of: below.of, precision: Interpolated}
	case below != nil && (above == nil ||
		house.Number-below.known.House.Number <= above.known.House.Number-house.Number):
		return spot{known: Known{At: below.known.At}, of: below.of, precision: Street, neighbor: below}
	case above != nil:
		return spot{known: Known{At: above.known.At}, of: above.of, precision: Street, neighbor: above}
	}
	return spot{known: Known{At: parts[0].At}, of: parts[0], precision: Street}
}

// neighbors are the nearest known numbers below and above, preferring the first
// parts.
func neighbors(house House, parts []*Candidate) (below, above *spot) {
	for _, part := range parts {
		for _, known := range part.Houses {
			n := known.House.Number
			if (n-house.Number)%2 != 0 {
				continue
			}
			if n < house.Number && (below == nil || n > below.known.House.Number) {
				below = &spot{known: known, of: part, precision: Point}
			}
			if n > house.Number && (above == nil || n < above.known.House.Number) {
				above = &spot{known: known, of: part, precision: Point}
			}
		}
	}
	return below, above
}
