package planning

import (
	"slices"
	"time"

	"waybill/domain/routing"
)

// The limits of the search for the best sequence of a route: steps for each
// order, and in total. Improvements smaller than leastGain are ignored.
const (
	stepsOfJoined = 20
	mostSteps     = 400
	leastGain     = 60 // seconds
)

// together are orders that go to one driver at once.
type together struct {
	*mover

	k      int
	orders []*Order
	// requests are those of the orders, and closes until when their pickups and
	// deliveries should begin.
	requests []int
	closes   map[int][2]int64
	// stays are the other visits of the driver.
	stays []routing.Visit
	ended func() bool
}

// joined is a sequence of a route that serves all of them, and how late.
type joined struct {
	visits []routing.Visit
	late   map[int][2]int64
	// most is the largest delay, and price the cost of the route and of the
	// delays.
	most, price int64
}

// batches are moves grouped by driver, in the order of their first.
func batches(moves []Move) (all [][]Move) {
	for _, m := range moves {
		at := slices.IndexFunc(all, func(b []Move) bool { return b[0].DriverID == m.DriverID })
		if at < 0 {
			all = append(all, []Move{m})
			continue
		}
		all[at] = append(all[at], m)
	}
	return all
}

// moveTogether gives a driver several orders at once, in the best sequence
// found for the whole route. If not all can be on time, it minimizes their
// delays.
func (m *mover) moveTogether(moves []Move, ended func() bool) *Refusal {
	t := together{mover: m, closes: map[int][2]int64{}, ended: ended}
	for _, move := range moves {
		o, k, r, reason, why := m.find(move)
		if reason != "" {
			return &Refusal{Move: move, Reason: reason, Why: why}
		}
		strict := m.strict(o, k, r)
		t.k, t.orders, t.requests = k, append(t.orders, o), append(t.requests, r)
		t.closes[r] = [2]int64{strict.Pickup.Closes, strict.Delivery.Closes}
	}
	for _, r := range t.requests {
		m.drop(r)
	}
	t.stays = m.Plan.Routes[t.k]
	best, left := t.best()
	switch {
	case ended():
		return &Refusal{Move: moves[0], Reason: TooLong}
	case best == nil || !m.keeps(t.k, best.visits):
		refusal := &Refusal{Move: moves[0], Reason: NoRoomTogether}
		for n, r := range t.requests {
			if len(left) == 0 || slices.Contains(left, r) {
				refusal.Orders = append(refusal.Orders, t.orders[n].ID)
			}
		}
		return refusal
	}
	t.accept(best)
	return nil
}

// best returns the best sequence of the route with all orders. Without one, left
// are the requests that fit nowhere, however late.
func (t *together) best() (best *joined, left []int) {
	inTime, late := t.join(t.stays, t.requests, 0)
	if len(late) == 0 {
		return t.judge(inTime), nil
	}
	// Either those that can be on time are, or all of them may be a little
	// late.
	best, left = t.late(inTime, t.requests)
	if len(late) < len(t.requests) {
		if others, _ := t.late(inTime, late); others != nil && (best == nil || others.price < best.price) {
			best = others
		}
	}
	return best, left
}

// late returns the best sequence in which some of the requests may be late, and
// the others are on time. Without one, left are those that fit nowhere.
func (t *together) late(from []routing.Visit, some []int) (best *joined, left []int) {
	visits, left := t.join(from, some, endless)
	if len(left) > 0 {
		return nil, left
	}
	return t.tighten(t.judge(visits), some), nil
}

// endless is a lateness that ends with the plan.
const endless = routing.MaxTime

// join looks for a sequence in which some requests are late by at most a limit,
// and the others on time.
func (t *together) join(from []routing.Visit, some []int, late int64) (visits []routing.Visit, left []int) {
	p := t.p
	p.Requests = slices.Clone(t.p.Requests)
	for _, r := range t.requests {
		by := int64(0)
		if slices.Contains(some, r) {
			by = late
		}
		relaxed := &t.p.Requests[r]
		p.Requests[r].Pickup.Closes = max(min(t.closes[r][0]+by, relaxed.Pickup.Closes), 0)
		p.Requests[r].Delivery.Closes = max(min(t.closes[r][1]+by, relaxed.Delivery.Closes), 0)
	}
	steps := min(stepsOfJoined*(len(t.requests)+len(from)/2), mostSteps)
	spent := func(iterations int) float64 {
		if t.ended() {
			return 1
		}
		return float64(iterations) / float64(steps)
	}
	visits, left, err := routing.Join(&p, t.k, from, t.requests, routing.Options{Seed: 1, Spent: spent})
	if err != nil {
		return nil, t.requests
	}
	return visits, left
}

// judge returns the delays and the cost of a sequence.
func (t *together) judge(visits []routing.Visit) *joined {
	j := &joined{visits: visits, late: map[int][2]int64{}}
	stops, _ := t.p.Soonest(t.k, visits)
	for _, at := range stops {
		r := at.Visit.Request()
		closes, moves := t.closes[r]
		if !moves {
			continue
		}
		late := j.late[r]
		n := int(at.Visit) & 1
		late[n] = max(0, at.Starts-closes[n])
		j.late[r], j.most = late, max(j.most, late[n])
		j.price += late[n] * t.p.Objective.Second
	}
	alone := routing.Frozen(&t.p)
	alone.Routes[t.k] = visits
	cost := routing.Price(&t.p, alone)
	j.price += cost.Routes
	return j
}

// tighten allows some requests to be less and less late, as long as all have a place, and
// returns the cheapest sequence on the way.
func (t *together) tighten(found *joined, some []int) (best *joined) {
	best = found
	low, high := int64(0), found.most
	for high-low > leastGain && !t.ended() {
		middle := (low + high) / 2
		visits, left := t.join(found.visits, some, middle)
		if len(left) > 0 {
			low = middle
			continue
		}
		found = t.judge(visits)
		high = min(middle, found.most)
		if found.price < best.price {
			best = found
		}
	}
	return best
}

// accept adopts a sequence, and records what must be accepted for it.
func (t *together) accept(j *joined) {
	for _, r := range t.requests {
		late := j.late[r]
		t.p.Requests[r].Pickup.Closes = t.closes[r][0] + late[0]
		t.p.Requests[r].Delivery.Closes = t.closes[r][1] + late[1]
	}
	for n, r := range t.requests {
		t.note(t.orders[n], t.k, r, j.late[r], j.visits)
	}
	t.Plan.Routes[t.k] = j.visits
}

// note records the violations of an order with a driver, and what must be accepted for
// them.
func (m *mover) note(o *Order, k, r int, late [2]int64, visits []routing.Visit) {
	strict := m.strict(o, k, r)
	var a Accepted
	for n, stop := range []struct {
		until  *time.Time
		closes int64
	}{{&a.PickupUntil, strict.Pickup.Closes}, {&a.DeliveryUntil, strict.Delivery.Closes}} {
		if late[n] > 0 {
			*stop.until = m.d.moment(stop.closes + late[n])
		}
	}
	if by := max(late[0], late[1]); by > 0 {
		m.Breaks = append(m.Breaks, Break{OrderID: o.ID, DriverID: m.d.Drivers[k], Code: Late, By: float64(by)})
	}
	if a.Anyhow = m.refused(o, k, r, strict, visits); a != (Accepted{}) {
		m.Accepted[o.ID] = a
	}
}
