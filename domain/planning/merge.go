package planning

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"waybill/domain/driving"
	"waybill/domain/order"
)

// Merged is the rest of a solution on a day that changed during the search.
type Merged struct {
	// Solution is the whole plan: the routes of the solution where it still holds, and
	// those of the day everywhere else.
	Solution Solution
	// Difference is what Solution changes in the day.
	Difference Difference
	// Dropped are the drivers whose routes stay as they are on the day, because
	// something changed that the solution depends on.
	Dropped []int64
	// Redo reports whether more than times was dropped.
	Redo bool
}

// Merge applies a solution of this day to the present day. A route is dropped
// if its driver, its sequence or one of its orders changed in a way that
// contradicts the solution, together with the routes that exchange orders with
// it. Reports of a driver who follows the solution do not contradict it. Diff
// is the difference that the solution makes on this day; its orders must be
// locked.
func (d *Day) Merge(s Solution, diff *Difference, now *Day) Merged {
	m := newMerger(d, &s, diff, now)
	m.drop()
	var merged Merged
	merged.Dropped = slices.Sorted(maps.Keys(m.dropped))
	merged.Solution.Routes = m.routes()
	seats := seatsOf(merged.Solution.Routes)
	merged.Solution.Unplanned = m.unplanned(s.Unplanned, seats)
	part := *now
	part.Orders = m.settled()
	merged.Difference = part.Difference(merged.Solution)
	merged.Redo = m.redo(diff, part.Orders)
	return merged
}

// merger compares a day that was planned with the same day now.
type merger struct {
	day, now *Day
	// were and are hold the orders then and now.
	were, are map[int64]*Order
	// before, planned and kept hold the routes by driver: of the day then, of the
	// solution, and of the day now.
	before, planned, kept map[int64]*Route
	// wasWith, goesTo and isWith map orders to routes: on the planned day, in the
	// solution, and now.
	wasWith, goesTo, isWith map[int64]int64
	rewritten, dropped      map[int64]bool
	held                    map[int64]bool
}

func newMerger(d *Day, s *Solution, diff *Difference, now *Day) *merger {
	return &merger{
		day: d, now: now, were: d.ordersByID(), are: now.ordersByID(),
		before: byDriver(d.Routes), planned: byDriver(s.Routes), kept: byDriver(now.Routes),
		wasWith: seatsOf(d.Routes), goesTo: seatsOf(s.Routes), isWith: seatsOf(now.Routes),
		rewritten: set(diff.Rewritten()), dropped: map[int64]bool{}, held: set(diff.Held()),
	}
}

func byDriver(routes []Route) map[int64]*Route {
	by := make(map[int64]*Route, len(routes))
	for i := range routes {
		by[routes[i].DriverID] = &routes[i]
	}
	return by
}

// seatsOf returns which driver's route has an order.
func seatsOf(routes []Route) map[int64]int64 {
	seats := map[int64]int64{}
	for i := range routes {
		for j := range routes[i].Stops {
			seats[routes[i].Stops[j].OrderID] = routes[i].DriverID
		}
	}
	return seats
}

func set(ids []int64) map[int64]bool {
	all := make(map[int64]bool, len(ids))
	for _, id := range ids {
		all[id] = true
	}
	return all
}

// drop finds the routes that are no longer valid, and those that depend on
// them.
func (m *merger) drop() {
	linked := map[int64][]int64{}
	for id, from := range m.wasWith {
		if to, planned := m.goesTo[id]; planned && to != from {
			linked[from], linked[to] = append(linked[from], to), append(linked[to], from)
		}
	}
	var lost []int64
	for driver := range m.rewritten {
		if m.conflicts(driver) {
			lost = append(lost, driver)
		}
	}
	for len(lost) > 0 {
		driver := lost[len(lost)-1]
		lost = lost[:len(lost)-1]
		if !m.dropped[driver] {
			m.dropped[driver] = true
			lost = append(lost, linked[driver]...)
		}
	}
}

// conflicts reports whether the route that a driver is to have does not hold now.
func (m *merger) conflicts(driver int64) bool {
	if !reflect.DeepEqual(m.day.driver(driver), m.now.driver(driver)) ||
		!slices.Equal(m.before[driver].sequence(), m.kept[driver].sequence()) ||
		!m.before[driver].hold().equal(m.kept[driver].hold()) {
		return true
	}
	advanced := false
	for _, route := range []*Route{m.before[driver], m.planned[driver]} {
		for _, key := range route.sequence() {
			switch m.change(key.order) {
			case unchanged:
			case advancedBy(driver):
				advanced = true
			default:
				return true
			}
		}
	}
	return advanced && !m.follows(driver)
}

// Changes of an order since it was planned, other than its driver's progress.
const (
	unchanged int64 = 0
	another   int64 = -1
)

func advancedBy(driver int64) int64 { return driver }

// change returns whether an order is unchanged, advanced by the driver whose
// route has it then and in the solution, or otherwise changed.
func (m *merger) change(id int64) int64 {
	was, is := m.were[id], m.are[id]
	switch {
	case was == nil || is == nil || !was.asks(is):
		if was == is {
			return unchanged
		}
		return another
	case was.Status == is.Status && was.Pickup.Standing == is.Pickup.Standing &&
		was.Delivery.Standing == is.Delivery.Standing:
		return unchanged
	case was.DriverID == 0 || m.wasWith[id] != was.DriverID || m.goesTo[id] != was.DriverID:
		return another
	}
	return advancedBy(was.DriverID)
}

// asks reports whether two orders are equal for planning, regardless of their
// progress.
func (o *Order) asks(as *Order) bool {
	a, b := *o, *as
	a.Status, b.Status, a.PlannedSeconds, b.PlannedSeconds = 0, 0, 0, 0
	for _, s := range []*Stop{&a.Pickup, &a.Delivery, &b.Pickup, &b.Delivery} {
		s.Standing = driving.StopStanding{}
	}
	return reflect.DeepEqual(&a, &b)
}

// follows reports whether a driver's progress fits the solution: finished stops
// come first, none is skipped, and no stop that the driver has begun is
// missing.
func (m *merger) follows(driver int64) bool {
	goes, ahead := map[stopKey]bool{}, false
	for _, key := range m.planned[driver].sequence() {
		goes[key] = true
		is := m.are[key.order]
		done := is.did(key.kind)
		if done && ahead || !is.stays(key.kind, driver) && m.change(key.order) == advancedBy(driver) {
			return false
		}
		ahead = ahead || !done
	}
	return !slices.ContainsFunc(m.before[driver].sequence(), func(key stopKey) bool {
		return !goes[key] && m.change(key.order) == advancedBy(driver) && m.are[key.order].stays(key.kind, driver)
	})
}

// driver returns a driver of the day, or nil.
func (d *Day) driver(id int64) *Driver {
	at := slices.IndexFunc(d.Drivers, func(of Driver) bool { return of.ID == id })
	if at < 0 {
		return nil
	}
	return &d.Drivers[at]
}

// sequence returns the stops of a route in order, or none.
func (r *Route) sequence() []stopKey {
	if r == nil {
		return nil
	}
	stops := make([]stopKey, len(r.Stops))
	for i := range r.Stops {
		stops[i] = stopKey{r.Stops[i].OrderID, r.Stops[i].Kind}
	}
	return stops
}

// routes returns all resulting routes.
func (m *merger) routes() []Route {
	var all []Route
	for driver, route := range m.kept {
		if !m.rewritten[driver] || m.dropped[driver] {
			all = append(all, *route)
		}
	}
	for driver, route := range m.planned {
		if m.rewritten[driver] && !m.dropped[driver] {
			all = append(all, m.told(route))
		}
	}
	slices.SortFunc(all, func(a, b Route) int { return int(a.DriverID - b.DriverID) })
	return all
}

// told returns a route with the ETAs announced since it was planned, unless
// they differ too much. Orders that are not locked keep theirs.
func (m *merger) told(route *Route) Route {
	was, is := m.before[route.DriverID].etas(), m.kept[route.DriverID].etas()
	out := *route
	out.Stops = slices.Clone(route.Stops)
	for i := range out.Stops {
		s := &out.Stops[i]
		key := stopKey{s.OrderID, s.Kind}
		at, known := is[key]
		switch {
		case !known:
		case !m.held[s.OrderID]:
			s.ETA = at
		case !at.Equal(was[key]):
			if s.ETA = s.Starts; s.Starts.Sub(at).Abs() <= told || m.are[s.OrderID].did(s.Kind) {
				s.ETA = at
			}
		}
	}
	return out
}

func (r *Route) etas() map[stopKey]time.Time {
	etas := map[stopKey]time.Time{}
	if r != nil {
		for i := range r.Stops {
			etas[stopKey{r.Stops[i].OrderID, r.Stops[i].Kind}] = r.Stops[i].ETA
		}
	}
	return etas
}

// settled returns the present orders that the solution may change: those that
// are locked, are as they were planned, and are in no dropped route.
func (m *merger) settled() []Order {
	var all []Order
	for i := range m.now.Orders {
		o := &m.now.Orders[i]
		if m.held[o.ID] && m.were[o.ID] != nil && m.change(o.ID) != another && !m.loses(o.ID) {
			all = append(all, *o)
		}
	}
	return all
}

// loses reports whether an order belongs to a dropped route.
func (m *merger) loses(id int64) bool {
	return m.dropped[m.wasWith[id]] || m.dropped[m.goesTo[id]] || m.dropped[m.isWith[id]]
}

// unplanned returns why orders are unplanned: the solution's reasons where its
// orders are unchanged, and the stored ones elsewhere. Orders with a route are
// excluded.
func (m *merger) unplanned(found []Unplanned, seats map[int64]int64) []Unplanned {
	all := map[int64]Unplanned{}
	for _, u := range m.now.Unplanned {
		_, known := m.were[u.OrderID]
		_, open := m.are[u.OrderID]
		if m.loses(u.OrderID) || open && (!known || m.change(u.OrderID) == another) {
			all[u.OrderID] = u
		}
	}
	for _, u := range found {
		if m.change(u.OrderID) == unchanged && !m.loses(u.OrderID) {
			all[u.OrderID] = u
		}
	}
	for id := range seats {
		delete(all, id)
	}
	return slices.SortedFunc(maps.Values(all), func(a, b Unplanned) int { return int(a.OrderID - b.OrderID) })
}

// redo reports whether the solution wanted another sequence for a dropped route,
// or a change of an order that is no longer possible.
func (m *merger) redo(diff *Difference, settled []Order) bool {
	for driver := range m.dropped {
		if !slices.Equal(m.planned[driver].sequence(), m.kept[driver].sequence()) {
			return true
		}
	}
	may := make(map[int64]bool, len(settled))
	for i := range settled {
		may[settled[i].ID] = true
	}
	return slices.ContainsFunc(diff.Orders, func(c OrderChange) bool {
		return !may[c.OrderID] && !m.loses(c.OrderID) && (c.Restated || c.Told == Assigned || c.Told == TakenOff)
	})
}

// Makes reports whether the plan gives the orders of moves to their drivers.
// The orders must be in the same state as when the plan was drawn.
func (m *Merged) Makes(moves []Move, was, now *Day) bool {
	routes, were, are := byDriver(m.Solution.Routes), was.ordersByID(), now.ordersByID()
	last := make(map[int64]int64, len(moves))
	for _, move := range moves {
		last[move.OrderID] = move.DriverID
	}
	for id, driver := range last {
		route, o, is := routes[driver], were[id], are[id]
		if route == nil || route.place(id, order.Delivery) < 0 || o == nil || is == nil || !o.asks(is) ||
			o.Status != is.Status {
			return false
		}
	}
	return true
}

// MovedSince returns which orders of moves got another driver since a version
// of the plan. An order without a driver did not.
func (d *Day) MovedSince(version int64, moves []Move) (orders []int64) {
	for _, m := range moves {
		if d.Joined[m.OrderID] > version {
			orders = append(orders, m.OrderID)
		}
	}
	return orders
}
