package planning

import (
	"cmp"
	"slices"
)

// Districts returns a day in the districts of a map: each has its routes with their drivers and orders, and its share
// of the orders and the drivers without a route. An order that no driver of its district may have is in the nearest
// one with such a driver.
func (m *Map) Districts(d *Day) []Day {
	s := &sharing{
		m: m, d: d, orders: d.ordersByID(), routed: seatsOf(d.Routes), districts: make([]sharedDistrict, m.Count()),
		of: map[int64]int{}, home: map[int64]int{},
	}
	s.routes()
	s.free()
	s.follow()
	s.waiting()
	whole := d.only(func(int64) bool { return true }, func(int64) bool { return true })
	all := make([]Day, m.Count())
	for n := range all {
		all[n] = whole.only(s.inDistrict(n))
	}
	return all
}

// sharing shares a day out among districts.
type sharing struct {
	m         *Map
	d         *Day
	orders    map[int64]*Order
	routed    map[int64]int64
	districts []sharedDistrict
	// of are the districts of drivers, and home those of orders without a route.
	of, home map[int64]int
}

// sharedDistrict is what a district has to do, and whom it has for that.
type sharedDistrict struct {
	routed, waiting int
	drivers         []*Driver
}

// weight is how much a district asks for drivers without a route: for orders that have none rather than for those that
// have one.
func (s *sharedDistrict) weight() float64 { return float64(s.routed + 4*s.waiting) }

// routes puts drivers with a route where their orders are, and orders without one where they are delivered.
func (s *sharing) routes() {
	for i := range s.d.Routes {
		r := &s.d.Routes[i]
		n := 0
		if middle := s.m.middle(r); middle.orders > 0 {
			n = s.m.find(middle.spot)
		} else if len(r.Stops) > 0 {
			n = s.m.find(s.m.on(r.Stops[0].Point))
		}
		s.of[r.DriverID] = n
		s.districts[n].routed += r.Orders()
	}
	for i := range s.d.Orders {
		o := &s.d.Orders[i]
		if s.routed[o.ID] != 0 {
			continue
		}
		n := 0
		if o.anchor() != nil {
			n = s.m.find(s.m.of(o))
		}
		s.home[o.ID] = n
		if o.Standing() == Open {
			s.districts[n].waiting++
		}
	}
}

// free shares out the drivers without a route: each district gets as many as its share of the work asks for, those
// first who begin nearby.
func (s *sharing) free() {
	var free []*Driver
	for i := range s.d.Drivers {
		if of := &s.d.Drivers[i]; !s.has(of.ID) && of.Rides == nil {
			free = append(free, of)
		}
	}
	left := s.shares(len(free))
	for _, of := range free {
		near := 0
		if from := or(of.Start, of.Vehicle.Home); from != nil {
			for _, n := range s.m.nearest(s.m.on(*from)) {
				if near = n; left[n] > 0 {
					break
				}
			}
		} else {
			near = slices.IndexFunc(left, func(n int) bool { return n > 0 })
		}
		left[near]--
		s.of[of.ID] = near
	}
}

func (s *sharing) has(driver int64) bool {
	_, has := s.of[driver]
	return has
}

// shares divides a number among the districts by their weights, the largest remainders first.
func (s *sharing) shares(number int) []int {
	sum := 0.0
	for n := range s.districts {
		sum += s.districts[n].weight()
	}
	shares, rest := make([]int, len(s.districts)), make([]float64, len(s.districts))
	order, left := make([]int, len(s.districts)), number
	for n := range s.districts {
		part := float64(number) / float64(len(s.districts))
		if sum > 0 {
			part = float64(number) * s.districts[n].weight() / sum
		}
		shares[n], order[n] = int(part), n
		rest[n] = part - float64(shares[n])
		left -= shares[n]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rest[b], rest[a]) })
	for n := 0; left > 0; n, left = n+1, left-1 {
		shares[order[n%len(order)]]++
	}
	return shares
}

// follow puts drivers who ride along with others where those are, and notes whom each district has.
func (s *sharing) follow() {
	for i := range s.d.Drivers {
		of := &s.d.Drivers[i]
		if with := of.Rides; with != nil && !s.has(of.ID) {
			s.of[of.ID] = s.of[with.DriverID]
		}
		n := s.of[of.ID]
		s.districts[n].drivers = append(s.districts[n].drivers, of)
	}
}

// waiting puts orders without a route where somebody may have them: with the driver who has begun them or to whom
// they are locked, or in the nearest district with a driver whom nothing prohibits.
func (s *sharing) waiting() {
	for id, n := range s.home {
		o := s.orders[id]
		for _, driver := range []int64{o.LockedTo, o.DriverID} {
			if at, known := s.of[driver]; known {
				s.home[id] = at
				break
			}
		}
		if at := o.anchor(); s.home[id] == n && at != nil && o.Standing() == Open && !s.mayHave(n, o) {
			s.home[id] = s.elsewhere(n, o)
		}
	}
}

func (s *sharing) mayHave(n int, o *Order) bool {
	return slices.ContainsFunc(s.districts[n].drivers, func(of *Driver) bool { return o.forbids(of) == "" })
}

// elsewhere returns the nearest district with a driver who may have an order, or the order's own.
func (s *sharing) elsewhere(own int, o *Order) int {
	for _, n := range s.m.nearest(s.m.on(*o.anchor())) {
		if s.mayHave(n, o) {
			return n
		}
	}
	return own
}

// inDistrict tells whose routes a district has, and which orders without one.
func (s *sharing) inDistrict(n int) (driver, order func(int64) bool) {
	driver = func(id int64) bool { return s.has(id) && s.of[id] == n }
	return driver, func(id int64) bool {
		if with := s.routed[id]; with != 0 {
			return driver(with)
		}
		at, known := s.home[id]
		return known && at == n
	}
}

// only returns the part of a day with some drivers and orders.
func (d *Day) only(driver, order func(int64) bool) Day {
	out := *d
	if !d.district {
		out.district, out.double, out.beyond = true, d.Twice(), d.tooMany()
	}
	out.Drivers = some(d.Drivers, func(of *Driver) bool { return driver(of.ID) })
	out.Routes = some(d.Routes, func(r *Route) bool { return driver(r.DriverID) })
	out.Orders = some(d.Orders, func(o *Order) bool { return order(o.ID) })
	out.Unplanned = some(d.Unplanned, func(u *Unplanned) bool { return order(u.OrderID) })
	out.Missed = some(d.Missed, func(m *NotedMiss) bool { return driver(m.DriverID) })
	return out
}

func some[T any](all []T, which func(*T) bool) (kept []T) {
	for i := range all {
		if which(&all[i]) {
			kept = append(kept, all[i])
		}
	}
	return kept
}
