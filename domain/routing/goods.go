package routing

import (
	"errors"
	"fmt"
	"slices"
)

// Apart are two kinds of goods that must not be on one route, or not on board at the same time.
// They may be the same kind: then only one request of it can.
type Apart struct {
	One, Other int
	// Aboard forbids only the same time on board.
	Aboard bool
}

// MostKinds is how many kinds of goods a problem may have; they are numbered from 0 on.
const MostKinds = 64

// mostApart is the most pairs of kinds that a problem may have.
const mostApart = MostKinds * MostKinds

func (p *Problem) validateGoods() error {
	if len(p.Apart) > mostApart {
		return errors.New("too many goods are to be apart")
	}
	known := func(kind int) bool { return kind >= 0 && kind < MostKinds }
	for _, x := range p.Apart {
		if !known(x.One) || !known(x.Other) {
			return fmt.Errorf("goods of kind %d or %d do not exist", x.One, x.Other)
		}
	}
	for r := range p.Requests {
		if slices.ContainsFunc(p.Requests[r].Goods, func(kind int) bool { return !known(kind) }) {
			return fmt.Errorf("request %d: a kind of goods does not exist", r)
		}
	}
	return nil
}

// goods are which requests must not travel together, as sets of kinds.
type goods struct {
	// kinds are those of each request, route and aboard the kinds that must not be on its
	// route, and not on board with it. conflicts are both.
	kinds, route, aboard, conflicts []uint64
}

// goods returns which requests must not travel together, or nil if all may.
func (p *Problem) goods() *goods {
	if len(p.Apart) == 0 {
		return nil
	}
	sets := make([]uint64, 4*len(p.Requests))
	n := len(p.Requests)
	g := &goods{kinds: sets[:n], route: sets[n : 2*n], aboard: sets[2*n : 3*n], conflicts: sets[3*n:]}
	some := false
	for r := range p.Requests {
		for _, kind := range p.Requests[r].Goods {
			g.kinds[r] |= 1 << kind
			for _, x := range p.Apart {
				set := &g.route[r]
				if x.Aboard {
					set = &g.aboard[r]
				}
				if x.One == kind {
					*set |= 1 << x.Other
				}
				if x.Other == kind {
					*set |= 1 << x.One
				}
			}
		}
		g.conflicts[r] = g.route[r] | g.aboard[r]
		some = some || g.conflicts[r] != 0
	}
	if !some {
		return nil
	}
	return g
}

// allow reports whether no two requests of a route must be apart. Those that the shift has
// begun, or makes in any case, may be: they are facts.
func (g *goods) allow(m *model, k int, r *route) bool {
	var facts, others, factsAboard, othersAboard uint64
	for _, q := range m.p.Shifts[k].OnBoard {
		facts |= g.kinds[q]
	}
	aboard := slices.Clone(m.p.Shifts[k].OnBoard)
	for i := 1; i < len(r.spots)-1; i++ {
		q := int(r.spots[i].visit >> 1)
		if r.spots[i].visit&1 == 1 {
			aboard = slices.DeleteFunc(aboard, func(other int) bool { return other == q })
			continue
		}
		factsAboard, othersAboard = 0, 0
		for _, other := range aboard {
			if m.fact(other) {
				factsAboard |= g.kinds[other]
			} else {
				othersAboard |= g.kinds[other]
			}
		}
		met, with := others, othersAboard
		fact := m.fact(q)
		if !fact {
			met, with = met|facts, with|factsAboard
		}
		if g.route[q]&met != 0 || g.aboard[q]&with != 0 {
			return false
		}
		if aboard = append(aboard, q); fact {
			facts |= g.kinds[q]
		} else {
			others |= g.kinds[q]
		}
	}
	return true
}

// fact reports whether a shift has begun a request, or makes its visits in any case.
func (m *model) fact(q int) bool { return m.begun.shift[q] >= 0 || m.begun.owed[q] >= 0 }
