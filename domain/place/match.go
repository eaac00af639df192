package place

import (
	"cmp"
	"slices"
)

// Evidence against a candidate, for comparing candidates.
const (
	costOfKind         = 0.3 // another form of the kind of street: veg for vei
	costOfWrongLetter  = 2.0
	costOfPostalCode   = 1.2
	costOfTown         = 0.6 // the postal code is right
	costOfOtherTown    = 1.4
	costOfOtherLetter  = 0.5
	costOfInterpolated = 0.8
	costOfNoNumber     = 1.6
	costOfReading      = 0.4 // a less likely way to read the address
	// margin is by how much the best one must be better than another place.
	margin = 1.0
	// shortName is the length from which one wrong letter is tolerated, and
	// longName that for two.
	shortName, longName = 4, 8
	// mostCandidates bounds the list of candidates.
	mostCandidates = 5
)

// guess is a house in a street, and the evidence against it.
type guess struct {
	spot
	reading *Reading
	cost    float64
	wrong   int
	// doubtful is true if the name is more likely another street's than a
	// misspelling.
	doubtful bool
}

// Match decides what the address means, regardless of the sequence of what was
// found.
func (q *Query) Match(found *Found) Match {
	guesses := q.guesses(found)
	if len(guesses) == 0 {
		return q.townOnly(found)
	}
	best := guesses[0]
	rivals := rivalsOf(&best, guesses[1:])
	m := q.matchOf(&best)
	if best.neighbor != nil {
		m.Candidates = append(m.Candidates, entryOf(&guess{spot: *best.neighbor, reading: best.reading}))
	}
	for _, g := range guesses[1:] {
		m.Candidates = append(m.Candidates, entryOf(&g))
	}
	isAmbiguous := rivals || best.far != nil
	if best.doubtful || isAmbiguous {
		far := m.Candidates
		m = q.townOnly(found)
		m.Candidates = append([]Entry{entryOf(&best)}, far...)
		m.IsAmbiguous = isAmbiguous && !best.doubtful
		if best.far != nil {
			m.Candidates = slices.Insert(m.Candidates, 1, entryOf(&guess{spot: *best.far, reading: best.reading}))
		}
	}
	m.Candidates = m.Candidates[:min(len(m.Candidates), mostCandidates)]
	return m
}

// guesses are the streets that the address may mean, the likeliest first.
func (q *Query) guesses(found *Found) (all []guess) {
	for _, parts := range streetsOf(found.Streets) {
		if g, ok := q.guess(parts, found.Elsewhere); ok {
			all = append(all, g)
		}
	}
	slices.SortFunc(all, func(a, b guess) int {
		// A street with the exact name precedes any misspelling.
		return cmp.Or(compareFlags(a.wrong > 0, b.wrong > 0), cmp.Compare(a.cost, b.cost), cmp.Compare(a.of.Rank, b.of.Rank),
			cmp.Compare(a.of.Name, b.of.Name), cmp.Compare(a.of.PostalCode, b.of.PostalCode))
	})
	return slices.CompactFunc(all, func(a, b guess) bool { return entryOf(&a) == entryOf(&b) })
}

// streetsOf puts together the parts of a street: those with one name in one town, or with one
// postal code, whatever their source.
func streetsOf(candidates []Candidate) (streets [][]*Candidate) {
	for i := range candidates {
		c := &candidates[i]
		at := slices.IndexFunc(streets, func(parts []*Candidate) bool {
			return slices.ContainsFunc(parts, func(p *Candidate) bool {
				return p.Reading == c.Reading && p.Key.Plain == c.Key.Plain &&
					(p.Town == c.Town || p.PostalCode != "" && p.PostalCode == c.PostalCode)
			})
		})
		if at < 0 {
			streets = append(streets, []*Candidate{c})
		} else {
			streets[at] = append(streets[at], c)
		}
	}
	return streets
}

// guess weighs one street.
func (q *Query) guess(parts []*Candidate, elsewhere map[int]bool) (guess, bool) {
	reading := &q.Readings[parts[0].Reading]
	g := guess{reading: reading, cost: costOfReading * float64(parts[0].Reading)}
	g.wrong = wrongIn(reading.Street, parts[0].Key)
	if g.wrong > reading.WrongLetters() {
		return g, false
	}
	if g.cost += costOfWrongLetter * float64(g.wrong); reading.Street.Plain != parts[0].Key.Plain && g.wrong == 0 {
		g.cost += costOfKind
	}
	g.spot = locate(reading.House, parts, q.PostalCode)
	g.cost += q.costOfSpot(&g)
	g.doubtful = g.wrong > 0 && (elsewhere[parts[0].Reading] || q.PostalCode != "" && g.of.PostalCode != q.PostalCode)
	return g, true
}

// wrongIn is the number of wrong letters in a name, in full or with its kind reduced. The kinds
// must then be the same: Holbergs vei is no misspelling of Holbergs gate.
func wrongIn(asked, known StreetKey) int {
	if asked.Key == known.Key {
		return 0
	}
	wrong := wrongLetters(asked.Plain, known.Plain)
	askedKind, knownKind := kindOf(asked), kindOf(known)
	switch {
	case askedKind == knownKind:
		wrong = min(wrong, wrongLetters(asked.Key, known.Key))
	case askedKind != "" && knownKind != "":
		return mostWrong + 1
	}
	return wrong
}

// WrongLetters is how many wrong letters the name may have: the shorter it is, the more other
// names are near it.
func (r *Reading) WrongLetters() int {
	switch n := len(r.Street.Plain); {
	case r.Strict || n < shortName:
		return 0
	case n < longName:
		return 1
	}
	return mostWrong
}

func (q *Query) costOfSpot(g *guess) (cost float64) {
	if q.PostalCode != "" && g.of.PostalCode != q.PostalCode {
		cost += costOfPostalCode
	}
	switch {
	case q.Town == "" || g.of.Town == q.Town:
	case q.PostalCode != "" && g.of.PostalCode == q.PostalCode:
		cost += costOfTown
	default:
		cost += costOfOtherTown
	}
	switch {
	case g.reading.House.Number == 0 || g.precision == Point:
	case g.otherLetter:
		cost += costOfOtherLetter
	case g.precision == Interpolated:
		cost += costOfInterpolated
	default:
		cost += costOfNoNumber
	}
	return cost
}

// rivalsOf reports whether another place is nearly as likely.
func rivalsOf(best *guess, others []guess) bool {
	return slices.ContainsFunc(others, func(g guess) bool {
		return g.cost-best.cost < margin && g.precision <= best.precision && g.known.At.Meters(best.known.At) > sameHouse
	})
}
