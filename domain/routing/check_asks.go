package routing

import "slices"

// drive goes from one visit to the next, with the break on one leg or on none. When goods
// would be on board for too long, the driver waits with their pickup, as long as that
// shortens it.
func (c *clock) drive(start int64, breakLeg int) trip {
	c.hold = make(map[int]int64)
	for first := (trip{}); ; {
		t := c.driveOnce(start, breakLeg)
		i, by := c.longAboard(&t)
		switch {
		case t.code != "" && first.code == "":
			return t
		case t.code != "":
			return first
		case by <= 0:
			return t
		case first.code == "":
			first = t
			first.fail(TooLongAboard, i, by)
		}
		c.hold[i] = t.starts[i] + by
	}
}

// longAboard returns the first pickup whose goods are on board for too long, and by how much.
func (c *clock) longAboard(t *trip) (pickup int, by int64) {
	for i, v := range c.visits[:len(t.left)] {
		most := c.mostAboard(i)
		for j := i + 1; j < len(t.starts); j++ {
			if c.visits[j] == DeliveryOf(v.Request()) && t.starts[j]-t.left[i] > most {
				return i, t.starts[j] - t.left[i] - most
			}
		}
	}
	return 0, 0
}

// mostAboard returns for how long the goods of a pickup may be on board, or anyTime.
func (c *clock) mostAboard(i int) int64 {
	v := c.visits[i]
	most := c.p.Requests[v.Request()].MaxAboard
	if v.Delivers() || most == 0 || i < len(c.shift.Frozen) || slices.Contains(c.shift.Owed, v) {
		return anyTime
	}
	return most
}

// holdsStill returns when the goods with a limit were picked up that are delivered later than the visits so far.
func (c *clock) holdsStill(left []int64) (held []int64) {
	for i := range left {
		if c.mostAboard(i) < anyTime && slices.Contains(c.visits[len(left):], DeliveryOf(c.visits[i].Request())) {
			held = append(held, left[i])
		}
	}
	return held
}

// stale reports whether goods were on board for too long when visit i began.
func (c *clock) stale(i int, g *tachograph) bool {
	for n := range i {
		if c.visits[i] == DeliveryOf(c.visits[n].Request()) && !c.visits[n].Delivers() {
			return g.starts[i]-g.left[n] > c.mostAboard(n)
		}
	}
	return false
}

// fresher reports whether no goods are on board for longer than with another tachograph.
func (g *tachograph) fresher(other *tachograph) bool {
	for n := range g.held {
		if g.held[n] < other.held[n] {
			return false
		}
	}
	return true
}

// goods looks for requests on one route that must not be there together. What the shift has
// begun, and what it makes in any case, is a fact.
func (c *checker) goods(k int, route []Visit) {
	shift := &c.p.Shifts[k]
	fact := func(r int) bool {
		return slices.Contains(shift.OnBoard, r) || slices.Contains(shift.Frozen, PickupOf(r)) ||
			slices.Contains(shift.Owed, PickupOf(r))
	}
	met := slices.Clone(shift.OnBoard)
	aboard := slices.Clone(shift.OnBoard)
	for _, v := range route {
		r := v.Request()
		if v.Delivers() {
			aboard = slices.DeleteFunc(aboard, func(other int) bool { return other == r })
			continue
		}
		for _, other := range met {
			if fact(r) && fact(other) {
				continue
			}
			for _, x := range c.p.Apart {
				if x.parts(&c.p.Requests[r], &c.p.Requests[other]) && (!x.Aboard || slices.Contains(aboard, other)) {
					c.add(GoodsApart, k, r, int64(other))
				}
			}
		}
		met, aboard = append(met, r), append(aboard, r)
	}
}

// parts reports whether two requests have the two kinds of goods.
func (x Apart) parts(a, b *Request) bool {
	has := func(r *Request, kind int) bool { return slices.Contains(r.Goods, kind) }
	return has(a, x.One) && has(b, x.Other) || has(a, x.Other) && has(b, x.One)
}

// more checks the load on board in the dimensions that the problem names.
func (c *checker) more(k int, route []Visit) {
	shift := &c.p.Shifts[k]
	for d := range c.p.More {
		sum := int64(0)
		for _, r := range shift.OnBoard {
			sum += moreOf(c.p.Requests[r].More, d)
		}
		for i, v := range route {
			amount := moreOf(c.p.Requests[v.Request()].More, d)
			if v.Delivers() {
				sum -= amount
				continue
			}
			sum += amount
			over := sum - moreOf(shift.More, d)
			if amount > 0 && over > 0 && i >= len(shift.Frozen) {
				c.add(MoreOverloaded, k, v.Request(), over)
			}
		}
	}
}

// moreOf returns an amount in a dimension; where none is said, it is none.
func moreOf(amounts []int32, d int) int64 {
	if d < len(amounts) {
		return int64(amounts[d])
	}
	return 0
}
