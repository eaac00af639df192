package planning

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/routing"
)

// Stops are at one place up to these distances in meters: those of one location, and those
// with one address. A location's stop farther away has a position of its own.
const (
	withinLocation = 100
	withinAddress  = 15
)

// sites are the places of a day's stops. Consecutive stops of a route at one place are one
// visit. They are numbered from 1 on, by their order.
type sites struct {
	numbers map[stopKey]int
	points  []Point
	setups  []int64
	// ofLocation and ofAddress have those of a location, and those near a position with an
	// address.
	ofLocation map[int64][]int
	ofAddress  map[addressCell][]int
}

// addressCell is an address in a cell of some thirty meters, so that stops at one place are in
// the same or in neighboring cells.
type addressCell struct {
	address             string
	latitude, longitude int32
}

// addressRows and addressColumns are so many to a degree. Columns are closer together in the north.
const (
	addressRows    = 3600
	addressColumns = 1200
)

// AddressKey returns the same text for an address however its letters, spaces and signs are
// written. It is empty for an unknown address.
func AddressKey(parts ...string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, strings.Join(parts, ""))
}

// sitesOf finds out which stops are at one place. The setup of a place is the longest of its
// stops, and it is curbside if one of them is: the vehicle stands there once for all.
func sitesOf(orders []Order) sites {
	s := sites{
		numbers: make(map[stopKey]int, 2*len(orders)), points: []Point{{}}, setups: []int64{0},
		ofLocation: map[int64][]int{}, ofAddress: map[addressCell][]int{},
	}
	for i := range orders {
		for _, kind := range []order.StopKind{order.Pickup, order.Delivery} {
			s.add(stopKey{orders[i].ID, kind}, orders[i].stop(kind))
		}
	}
	return s
}

func (s *sites) add(key stopKey, stop *Stop) {
	if stop.Point == nil {
		return
	}
	n := s.find(stop)
	if n == 0 {
		n = len(s.points)
		s.points, s.setups = append(s.points, *stop.Point), append(s.setups, 0)
		cell := cellOfAddress(stop)
		s.ofAddress[cell] = append(s.ofAddress[cell], n)
	}
	if of := s.ofLocation[stop.LocationID]; stop.LocationID != 0 && !slices.Contains(of, n) {
		s.ofLocation[stop.LocationID] = append(of, n)
	}
	s.setups[n] = max(s.setups[n], int64(stop.Setup/time.Second))
	s.points[n].Curbside = s.points[n].Curbside || stop.Point.Curbside
	s.numbers[key] = n
}

// find returns the place of a stop, or 0 for a new one.
func (s *sites) find(stop *Stop) int {
	if stop.LocationID != 0 {
		if n := s.nearest(stop, s.ofLocation[stop.LocationID], withinLocation); n > 0 {
			return n
		}
	}
	var near []int
	cell := cellOfAddress(stop)
	for dy := int32(-1); dy <= 1; dy++ {
		for dx := int32(-1); dx <= 1; dx++ {
			near = append(near, s.ofAddress[addressCell{cell.address, cell.latitude + dy, cell.longitude + dx}]...)
		}
	}
	return s.nearest(stop, near, withinAddress)
}

// nearest returns the nearest of some places within a distance, the first of several, or 0.
func (s *sites) nearest(stop *Stop, among []int, within float64) int {
	best, at := within, 0
	slices.SortFunc(among, cmp.Compare[int])
	for _, n := range among {
		p := &s.points[n]
		away := driving.Distance(p.Latitude, p.Longitude, stop.Point.Latitude, stop.Point.Longitude)
		if away < best || at == 0 && away == best {
			best, at = away, n
		}
	}
	return at
}

func cellOfAddress(stop *Stop) addressCell {
	return addressCell{
		stop.Address,
		int32(math.Floor(stop.Point.Latitude * addressRows)), int32(math.Floor(stop.Point.Longitude * addressColumns)),
	}
}

// of returns the place of a stop, or 0 when its position is unknown.
func (s *sites) of(orderID int64, kind order.StopKind) int { return s.numbers[stopKey{orderID, kind}] }

// pointOf returns where a place is, nil for none.
func (s *sites) pointOf(site int) *Point {
	if site == 0 {
		return nil
	}
	return &s.points[site]
}

// visitEnds is how long after its last stop a visit is over: a driver who waits longer for the
// next order sets up again, and may take a break before.
const visitEnds = 10 * time.Minute

// siteOf returns the place where the driver is in the middle of a visit, or 0.
func (d *Draft) siteOf(p *progress) int {
	last := len(p.over) - 1
	if last < 0 || p.left || p.from == nil || *p.from != p.over[last].Point {
		return 0
	}
	s := &p.over[last]
	o, ended := d.orders[s.OrderID], s.Leaves
	if at := o.stop(s.Kind).Standing.Last(); p.reports && !at.IsZero() {
		ended = at
	}
	if d.day.Now.Sub(ended) > visitEnds && (!p.reports || !o.at(s.Kind)) {
		return 0
	}
	return d.sites.of(s.OrderID, s.Kind)
}

// loading returns the visit that loads a driver's vehicle before the shift: at the place where the
// shift begins, as long as the driver has done nothing else.
func (d *Draft) loading(of *Driver, passed *progress) routing.Loading {
	if d.day.Loading == nil || d.day.outBefore(of) {
		return routing.Loading{}
	}
	site := d.sites.at(or(of.Start, of.Vehicle.Home))
	loads := func(s Placed) bool { return s.Kind == order.Pickup && d.sites.of(s.OrderID, s.Kind) == site }
	switch {
	case site == 0 || slices.ContainsFunc(passed.over, func(s Placed) bool { return !loads(s) }) || passed.left:
		return routing.Loading{}
	case len(passed.over) > 0: // the rest of it
		return routing.Loading{Site: site}
	}
	return routing.Loading{Site: site, Seconds: int64(*d.day.Loading / time.Second)}
}

// at returns the place at a position where most orders are picked up, or 0.
func (s *sites) at(p *Point) int {
	if p == nil {
		return 0
	}
	counts := map[int]int{}
	for key, n := range s.numbers {
		at := &s.points[n]
		away := driving.Distance(at.Latitude, at.Longitude, p.Latitude, p.Longitude)
		if key.kind == order.Pickup && away <= withinLocation {
			counts[n]++
		}
	}
	best := 0
	for n, count := range counts {
		if best == 0 || count > counts[best] || count == counts[best] && n < best {
			best = n
		}
	}
	return best
}
