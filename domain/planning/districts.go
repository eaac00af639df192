package planning

import (
	"cmp"
	"math"
	"slices"

	"waybill/domain/order"
)

// A day with more orders than LargeDay is planned in districts of about DistrictOrders each: travel times grow with the
// square of the places of a plan, and what one search finds in a second with the number of its orders.
const (
	LargeDay       = 1_000
	DistrictOrders = 400
)

// Map divides a region into districts by lines, each with about as many orders on one side as on the other.
type Map struct {
	lines []line
	// centers are the middles of the districts.
	centers []spot
	// stretch is how many degrees of longitude are as long as one of latitude, inverted.
	stretch float64
}

// spot is a place on the plane of a map.
type spot struct{ x, y float64 }

// line divides: a spot whose way along the line's normal is less than at is on the low side, where there is another
// line, or a district if the number is negative.
type line struct {
	normal    spot
	at        float64
	low, high int
}

func (l *line) along(s spot) float64 { return s.x*l.normal.x + s.y*l.normal.y }

// weighed is a place with the orders that come with it.
type weighed struct {
	spot

	orders int
}

// Large reports whether a day is planned in districts.
func (d *Day) Large() bool { return !d.district && len(d.Orders) > LargeDay }

// MapOf divides the region of a day. Turns of one day have different lines: what one turn has on two sides of a
// line, another one has in one district.
func MapOf(d *Day, turn int) *Map {
	m := &Map{stretch: 1}
	routed := seatsOf(d.Routes)
	if at := slices.IndexFunc(d.Orders, func(o Order) bool { return o.anchor() != nil }); at >= 0 {
		m.stretch = math.Cos(d.Orders[at].anchor().Latitude * math.Pi / 180)
	}
	var all []weighed
	for i := range d.Routes {
		if middle := m.middle(&d.Routes[i]); middle.orders > 0 {
			all = append(all, middle)
		}
	}
	for i := range d.Orders {
		if o := &d.Orders[i]; routed[o.ID] == 0 && o.anchor() != nil {
			all = append(all, weighed{m.of(o), 1})
		}
	}
	m.divide(all, float64(turn)*math.Phi*math.Pi)
	return m
}

// anchor is where an order is delivered, or else picked up; nil if neither is known.
func (o *Order) anchor() *Point { return or(o.Delivery.Point, o.Pickup.Point) }

func (m *Map) on(p Point) spot { return spot{p.Longitude * m.stretch, p.Latitude} }

// of is where an order is on the map. Orders of one place are a hand's breadth apart, so that a line can divide
// any number of them.
func (m *Map) of(o *Order) spot {
	s := m.on(*o.anchor())
	s.x += float64(o.ID%1024) * 1e-9
	s.y += float64(o.ID/1024%1024) * 1e-9
	return s
}

// middle is the middle of what a route delivers.
func (m *Map) middle(r *Route) (of weighed) {
	for i := range r.Stops {
		if r.Stops[i].Kind == order.Delivery {
			at := m.on(r.Stops[i].Point)
			of.x, of.y, of.orders = of.x+at.x, of.y+at.y, of.orders+1
		}
	}
	if of.orders > 0 {
		of.x, of.y = of.x/float64(of.orders), of.y/float64(of.orders)
	}
	return of
}

// divide draws a line between two halves of the places, across the direction in which they extend farther: the one
// with an angle, or the one at right angles to it.
func (m *Map) divide(all []weighed, angle float64) int {
	orders := 0
	for i := range all {
		orders += all[i].orders
	}
	if orders <= DistrictOrders || len(all) < 2 {
		m.centers = append(m.centers, center(all))
		return -len(m.centers)
	}
	l := line{normal: widest(all, angle)}
	slices.SortFunc(all, func(a, b weighed) int { return cmp.Compare(l.along(a.spot), l.along(b.spot)) })
	half, at := 0, 0
	for ; at < len(all)-1 && 2*half < orders; at++ {
		half += all[at].orders
	}
	l.at = (l.along(all[at-1].spot) + l.along(all[at].spot)) / 2
	n := len(m.lines)
	m.lines = append(m.lines, l)
	low, high := m.divide(all[:at:at], angle), m.divide(all[at:], angle)
	m.lines[n].low, m.lines[n].high = low, high
	return n
}

// widest returns the direction in which places extend farther.
func widest(all []weighed, angle float64) spot {
	one := spot{math.Cos(angle), math.Sin(angle)}
	other := spot{-one.y, one.x}
	extent := func(normal spot) float64 {
		l, low, high := line{normal: normal}, math.Inf(1), math.Inf(-1)
		for i := range all {
			low, high = min(low, l.along(all[i].spot)), max(high, l.along(all[i].spot))
		}
		return high - low
	}
	if extent(one) < extent(other) {
		return other
	}
	return one
}

func center(all []weighed) (of spot) {
	for i := range all {
		of.x, of.y = of.x+all[i].x/float64(len(all)), of.y+all[i].y/float64(len(all))
	}
	return of
}

// Count is the number of districts.
func (m *Map) Count() int { return len(m.centers) }

// find returns the district of a spot.
func (m *Map) find(s spot) int {
	if len(m.lines) == 0 {
		return 0
	}
	for n := 0; ; {
		l := &m.lines[n]
		if n = l.high; l.along(s) < l.at {
			n = l.low
		}
		if n < 0 {
			return -n - 1
		}
	}
}

// nearest returns the districts from a spot on, the nearest first.
func (m *Map) nearest(s spot) []int {
	all := make([]int, len(m.centers))
	for n := range all {
		all[n] = n
	}
	away := func(n int) float64 { return math.Hypot(m.centers[n].x-s.x, m.centers[n].y-s.y) }
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(away(a), away(b)) })
	return all
}
