package planning

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"waybill/domain/driver"
	"waybill/domain/order"
	"waybill/domain/routing"
)

// Scenario is what somebody would like to see changed about a day.
type Scenario struct {
	// Off are drivers who do not work.
	Off []int64
	// Hours are other working hours, by driver; their break stays.
	Hours map[int64]driver.Hours
	// More is how many drivers work in addition who are like one, vehicle included or with another one.
	More map[Like]int
	// Vehicles are the types of other vehicles, by driver.
	Vehicles map[int64]int64
	// Equipment has what the drivers have with vehicles of other types.
	Equipment map[Like]Equipment
	// Windows are other windows of stops; a zero end stays.
	Windows map[StopRef]order.Window
}

// Like is a driver with a vehicle of a type; 0 is the vehicle that the driver has.
type Like struct{ DriverID, VehicleTypeID int64 }

// Equipment is what depends on the type of a vehicle.
type Equipment struct {
	// Vehicle has no id, skills and home: those stay.
	Vehicle Vehicle
	Rule    *driver.DrivingRule
	Limits  driver.Limits
}

// Empty reports whether nothing is changed.
func (s *Scenario) Empty() bool {
	return len(s.Off)+len(s.Hours)+len(s.More)+len(s.Vehicles)+len(s.Windows) == 0
}

// Tries returns the drivers with vehicles of other types.
func (s *Scenario) Tries() []Like {
	var all []Like
	for id, vehicleType := range s.Vehicles {
		all = append(all, Like{id, vehicleType})
	}
	for like := range s.More {
		if like.VehicleTypeID != 0 {
			all = append(all, like)
		}
	}
	slices.SortFunc(all, Like.compare)
	return slices.Compact(all)
}

func (l Like) compare(other Like) int {
	return cmp.Or(cmp.Compare(l.DriverID, other.DriverID), cmp.Compare(l.VehicleTypeID, other.VehicleTypeID))
}

// Unknown returns the drivers who do not work on the day, and the orders that are not part of
// it, among those of a scenario.
func (s *Scenario) Unknown(d *Day) (drivers, orders []int64) {
	named := slices.Concat(s.Off, slices.Collect(maps.Keys(s.Hours)), slices.Collect(maps.Keys(s.Vehicles)))
	for like := range s.More {
		named = append(named, like.DriverID)
	}
	for _, id := range named {
		if d.driver(id) == nil {
			drivers = append(drivers, id)
		}
	}
	known := d.ordersByID()
	for stop := range s.Windows {
		if known[stop.OrderID] == nil {
			orders = append(orders, stop.OrderID)
		}
	}
	slices.Sort(drivers)
	slices.Sort(orders)
	return slices.Compact(drivers), slices.Compact(orders)
}

// In returns the day with a scenario. Additional drivers have negative ids, and vehicles of
// their own.
func (d Day) In(s *Scenario) Day {
	if s.Empty() {
		return d
	}
	drivers := s.extra(&d)
	for i := range d.Drivers {
		of := d.Drivers[i]
		if hours, other := s.Hours[of.ID]; other {
			hours.Break, hours.More = of.Hours.Break, of.Hours.More
			of.Hours = hours
		}
		if vehicleType, other := s.Vehicles[of.ID]; other {
			of.equip(s.Equipment[Like{of.ID, vehicleType}])
		}
		if !slices.Contains(s.Off, of.ID) {
			drivers = append(drivers, of)
		}
	}
	slices.SortFunc(drivers, func(a, b Driver) int { return int(a.ID - b.ID) })
	d.Drivers, d.Orders = drivers, slices.Clone(d.Orders)
	for i := range d.Orders {
		o := &d.Orders[i]
		for _, kind := range []order.StopKind{order.Pickup, order.Delivery} {
			window, other := s.Windows[StopRef{o.ID, kind}]
			if !other {
				continue
			}
			stop := o.stop(kind)
			stop.Window.Earliest = orTime(window.Earliest, stop.Window.Earliest)
			stop.Window.Latest = orTime(window.Latest, stop.Window.Latest)
		}
	}
	return d
}

// extra returns the drivers who work in addition.
func (s *Scenario) extra(d *Day) (drivers []Driver) {
	for _, like := range slices.SortedFunc(maps.Keys(s.More), Like.compare) {
		for range s.More[like] {
			one := *d.driver(like.DriverID)
			one.ID, one.Pace = -int64(len(drivers)+1), driver.Pace{} // nobody knows how such a driver drives
			if one.Vehicle.ID = one.ID; like.VehicleTypeID != 0 {
				one.equip(s.Equipment[like])
			}
			drivers = append(drivers, one)
		}
	}
	return drivers
}

// equip gives a driver a vehicle of another type.
func (d *Driver) equip(e Equipment) {
	e.Vehicle.ID, e.Vehicle.Skills, e.Vehicle.Home = d.Vehicle.ID, d.Vehicle.Skills, d.Vehicle.Home
	d.Vehicle, d.Rule, d.Limits = e.Vehicle, e.Rule, e.Limits
}

func orTime(t, otherwise time.Time) time.Time {
	if t.IsZero() {
		return otherwise
	}
	return t
}

// PlanFigures are the key figures of a plan.
type PlanFigures struct {
	// Drivers have a route. Orders are on routes, and Unplanned are not.
	Drivers, Orders, Unplanned int
	LateStops                  int
	Driving, Waiting           time.Duration
	Meters                     int64
}

// Sum returns the key figures of routes for the day.
func (d *Day) Sum(routes []Route) PlanFigures {
	var f PlanFigures
	orders, seats := d.ordersByID(), seatsOf(routes)
	for i := range routes {
		of := figures(&routes[i], orders)
		f.Drivers, f.Orders, f.LateStops = f.Drivers+1, f.Orders+of.Orders, f.LateStops+of.LateStops
		f.Driving, f.Waiting, f.Meters = f.Driving+of.Driving, f.Waiting+of.Waiting, f.Meters+of.Meters
	}
	for i := range d.Orders {
		o := &d.Orders[i]
		if _, seated := seats[o.ID]; !seated && o.Standing() == Open {
			f.Unplanned++
		}
	}
	return f
}

// Refs are the stops of a route, in sequence.
func (r *Route) Refs() []StopRef {
	if r == nil {
		return nil
	}
	refs := make([]StopRef, len(r.Stops))
	for i := range r.Stops {
		refs[i] = StopRef{r.Stops[i].OrderID, r.Stops[i].Kind}
	}
	return refs
}

// Becoming is a route of a driver as it was, and as it becomes.
type Becoming struct {
	DriverID int64
	Was, Is  []StopRef
}

// Becomes returns the routes that have other stops than on the day, or another sequence.
func (d *Day) Becomes(routes []Route) []Becoming {
	before, after := byDriver(d.Routes), byDriver(routes)
	var all []Becoming
	for _, changed := range d.Changed(routes) {
		all = append(all, Becoming{
			DriverID: changed.DriverID, Was: before[changed.DriverID].Refs(), Is: after[changed.DriverID].Refs(),
		})
	}
	return all
}

// Still reports whether the routes are as they were.
func (d *Day) Still(routes []Becoming) bool {
	now := byDriver(d.Routes)
	return !slices.ContainsFunc(routes, func(b Becoming) bool { return !slices.Equal(now[b.DriverID].Refs(), b.Was) })
}

// Become returns the present plan with other sequences of some routes. Stops that are over, or
// that stay first, are where they are.
func (d *Draft) Become(routes []Becoming) routing.Plan {
	plan := d.Present.Clone()
	for _, b := range routes {
		k := slices.Index(d.Drivers, b.DriverID)
		if k < 0 {
			continue
		}
		route := slices.Clone(d.Problem.Shifts[k].Frozen)
		for _, s := range b.Is {
			for _, v := range d.visits([]Placed{{OrderID: s.OrderID, Kind: s.Kind}}) {
				isOnBoard := s.Kind == order.Pickup && slices.Contains(d.Problem.Shifts[k].OnBoard, v.Request())
				if !isOnBoard && !slices.Contains(route, v) {
					route = append(route, v)
				}
			}
		}
		plan.Routes[k] = route
	}
	return plan
}
