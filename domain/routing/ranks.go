package routing

import (
	"math/bits"
	"slices"
)

// ranks has the visits near each visit, and the requests similar to each one.
// Lists are computed on demand.
type ranks struct {
	m       *model
	near    [][]int32
	around  [][]int32
	related [][]int32
	movable []int32
	keys    []keyed
}

type keyed struct {
	key int64
	id  int32
}

const (
	// nearest and alike bound the lists.
	nearest = 400
	fitting = 30
	alike   = 100
)

func newRanks(m *model) ranks {
	return ranks{
		m: m, near: make([][]int32, len(m.spots)), around: make([][]int32, len(m.spots)),
		related: make([][]int32, len(m.p.Requests)),
	}
}

// incompatible is how far two visits are from one another that no shift can make both.
const incompatible = nowhere / 4

// least returns the smallest distance between two visits over the profiles of the
// shifts that may serve both of their requests.
func (x *ranks) least(a, b int32, distance func(profile int, a, b int32) int64) int64 {
	least := incompatible
	one, other := x.m.profiles.row(int(a>>1)), x.m.profiles.row(int(b>>1))
	for w := range one {
		for both := one[w] & other[w]; both != 0; both &= both - 1 {
			least = min(least, distance(w<<6+bits.TrailingZeros64(both), a, b))
		}
	}
	return least
}

// apart returns the distance between two visits, in the better order.
func (x *ranks) apart(a, b int32) int64 { return x.least(a, b, x.apartBy) }

// apartBy is apart for one profile.
func (x *ranks) apartBy(profile int, a, b int32) int64 {
	from, to := x.m.spots[a].place, x.m.spots[b].place
	o := x.m.p.Objective
	price := func(l Leg) int64 { return o.Second*int64(l.Seconds) + o.Meter*int64(l.Meters) }
	return min(price(x.m.leg(profile, from, to)), price(x.m.leg(profile, to, from)))
}

// visitsNear returns the visits of movable requests, the nearest first.
func (x *ranks) visitsNear(v int32) []int32 {
	if x.near[v] == nil {
		x.keys = x.keys[:0]
		for _, q := range x.movable {
			for _, w := range [2]int32{2 * q, 2*q + 1} {
				if w&1 == 0 && x.m.halved(q) {
					continue
				}
				x.keys = append(x.keys, keyed{x.apart(v, w), w})
			}
		}
		x.near[v] = x.sorted(nearest)
	}
	return x.near[v]
}

// visitsAround returns the visits of movable requests that go well before or
// behind one: with little way and little waiting.
func (x *ranks) visitsAround(v int32) []int32 {
	if x.around[v] == nil {
		x.keys = x.keys[:0]
		for _, q := range x.movable {
			if q != v>>1 {
				x.keys = append(x.keys, keyed{x.gap(v, 2*q), 2 * q}, keyed{x.gap(v, 2*q+1), 2*q + 1})
			}
		}
		x.around[v] = x.sorted(fitting)
	}
	return x.around[v]
}

// requestsLike returns movable requests, those first that are most like one in
// place and time.
func (x *ranks) requestsLike(q int32) []int32 {
	if x.related[q] == nil {
		x.keys = x.keys[:0]
		for _, other := range x.movable {
			if other != q {
				gap := x.gap(2*q+1, 2*other+1)
				if !x.m.halved(q) && !x.m.halved(other) {
					gap += x.gap(2*q, 2*other)
				}
				x.keys = append(x.keys, keyed{gap, other})
			}
		}
		x.related[q] = x.sorted(alike)
	}
	return x.related[q]
}

func (x *ranks) sorted(most int) []int32 {
	slices.SortFunc(x.keys, func(a, b keyed) int {
		if a.key != b.key {
			if a.key < b.key {
				return -1
			}
			return 1
		}
		return int(a.id - b.id)
	})
	ids := make([]int32, min(most, len(x.keys)))
	for i := range ids {
		ids[i] = x.keys[i].id
	}
	return ids
}

// gap returns the way between two visits plus a fifth of the idle time between
// them, in the better order.
func (x *ranks) gap(a, b int32) int64 { return x.least(a, b, x.gapBy) }

// gapBy is gap for one profile.
func (x *ranks) gapBy(profile int, a, b int32) int64 {
	idle := min(x.idle(profile, a, b), x.idle(profile, b, a))
	return x.apartBy(profile, a, b) + x.m.p.Objective.Second*idle/5
}

func (x *ranks) idle(profile int, a, b int32) int64 {
	from, to := &x.m.spots[a], &x.m.spots[b]
	way := int64(from.service) + int64(x.m.leg(profile, from.place, to.place).Seconds)
	waits := int64(to.opens) - int64(from.closes) - way
	late := int64(from.opens) + way - int64(to.closes)
	return max(0, waits) + max(0, late)
}
