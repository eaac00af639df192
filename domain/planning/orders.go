package planning

import (
	"math"
	"slices"
	"time"

	"waybill/domain/calendar"
	"waybill/domain/driving"
	"waybill/domain/freight"
	"waybill/domain/load"
	"waybill/domain/order"
	"waybill/domain/routing"
)

// Order is the part of an order that planning needs: its stops, its windows,
// and its requirements.
type Order struct {
	ID     int64
	Number string
	Status order.Status
	// DriverID is the assigned driver, or 0.
	DriverID int64
	// Exported is an order that an external carrier has.
	Exported bool
	// Away is an order of another day or area, or a cancelled one, of which the
	// plan still has stops.
	Away             bool
	VehicleTypeID    int64
	CustomerID       int64
	Pickup, Delivery Stop
	Load             routing.Load
	// MaxOnBoard is how long the goods may be on board, 0 for any time, and GoodsKinds are
	// their kinds.
	MaxOnBoard time.Duration
	GoodsKinds []string
	// Loads are how much it needs in load dimensions, with its products.
	Loads load.Amounts
	// Days are the days on which it may be carried out, nil if only on its date.
	Days *order.PossibleDays
	// Priority is that of the order's type: the higher, the more it matters.
	Priority int32
	// PlannedSeconds is the order's share of the previous plan, 0 when unknown.
	PlannedSeconds int32
	// Needs and Refuses are skills.
	Needs, Refuses []int64
	// LockedTo is the only driver who may have it, or 0.
	LockedTo int64
	// Prohibited are the drivers who must not have it, because of the order,
	// its customer or a stop.
	Prohibited []int64
	// Closed says that its customer or one of its stops has closed on the day, and NobodyWorks that its department
	// has; nil if not.
	Closed, NobodyWorks *calendar.Closing
	// Asks are its own requirements if a person accepted violations of some
	// with the driver to whom it is locked, or nil.
	Asks *Asks
}

// Stop is where and when an order is picked up or delivered.
type Stop struct {
	// Point is nil if unknown. An estimated one is the center of the known
	// stops of its postal code.
	Point   *Point
	Guessed bool
	Window  order.Window
	// Windows are the parts of the window in which service may begin; empty means all of it.
	Windows []order.Span
	// MayBeLate is how long after the window service may begin, at a price per minute in
	// minutes of driving.
	MayBeLate time.Duration
	LatePrice float64
	// Setup is how long the driver sets up at the place, once in a visit, and Service how
	// long the order takes then.
	Setup, Service time.Duration
	// LocationID is 0 for a stop without a location, and Address is the same for the same
	// address, however it is spelled. Both tell which stops are at one place.
	LocationID int64
	Address    string
	// Postal is its country and its postal code, as far as they are known.
	Postal   freight.Place
	Priority order.LocationPriority
	// Standing is the progress of the stop; without a status it follows from the
	// order's status.
	Standing driving.StopStanding
}

// Standing is the role of an order in a plan.
type Standing string

// The standings of orders.
const (
	// Open orders can be planned.
	Open Standing = "OPEN"
	// Started orders have been begun by their driver, so they stay.
	Started Standing = "STARTED"
	// Elsewhere is an order with an external carrier, or in another plan. Work that
	// its driver has begun stays, even when the order is moved to another day or
	// area.
	Elsewhere Standing = "ELSEWHERE"
	// Ended is delivered, failed or cancelled.
	Ended Standing = "ENDED"
)

// Standing returns the order's role in a plan.
func (o *Order) Standing() Standing {
	switch {
	case !o.Status.Active():
		return Ended
	case o.Exported:
		return Elsewhere
	case o.Status >= order.AtPickup:
		return Started
	case o.Away:
		return Elsewhere
	}
	return Open
}

// Reason is why an order cannot be planned with any driver.
type Reason string

// The reasons that hold without a look at drivers.
const (
	NoCoordinates     Reason = "NO_COORDINATES"
	WindowInThePast   Reason = "WINDOW_IN_THE_PAST"
	WindowsContradict Reason = "WINDOWS_CONTRADICT"
	NoWorkday         Reason = "NO_WORKDAY"
	// LockedDriverOff is a lock to a driver who does not work that day.
	LockedDriverOff Reason = "LOCKED_TO_ANOTHER_DRIVER"
	// DayTooLarge is an area with more orders than a plan takes in.
	DayTooLarge Reason = "DAY_TOO_LARGE"
	// BegunElsewhere is an order begun by a driver who does not work here that day, and
	// NoDriver one begun by an unknown driver.
	BegunElsewhere Reason = "BEGUN_ELSEWHERE"
	NoDriver       Reason = "NO_DRIVER"
	// VehicleTwice is a day without drivers, because several have the same vehicle at
	// the same time.
	VehicleTwice Reason = "VEHICLE_TWICE"
	// LoadOutOfRange is more than any vehicle carries, so a number must be
	// wrong.
	LoadOutOfRange Reason = "LOAD_OUT_OF_RANGE"
	// ClosedThatDay is an order whose customer or stop has closed that day, or whose department has, so that nobody
	// works.
	ClosedThatDay Reason = "CLOSED_THAT_DAY"
)

// Impossible returns why no driver can carry out the order from now on; empty
// when one might. The leg from its pickup to its delivery takes at least way.
func (o *Order) Impossible(now time.Time, way time.Duration) Reason {
	p, d := &o.Pickup, &o.Delivery
	switch {
	case o.Closed != nil:
		return ClosedThatDay
	case p.Point == nil || d.Point == nil:
		return NoCoordinates
	case p.closes().Before(now) || d.closes().Before(now):
		return WindowInThePast
	case p.Window.Earliest.Add(p.Service + way).After(d.closes()):
		return WindowsContradict
	}
	return ""
}

// unlimited is the largest amount that a problem may have. No vehicle carries it.
const unlimited = 1 << 30

// absurd reports whether an order is more than any vehicle carries.
func (o *Order) absurd() bool {
	return slices.ContainsFunc(o.Load[:], func(amount int32) bool { return amount >= unlimited }) || o.absurdly()
}

// LoadOf counts a load in grams, litres and colli, rounded up, so that what
// fits in a plan fits in the vehicle.
func LoadOf(weightKg, volumeM3 float64, colli int) routing.Load {
	return routing.Load{whole(weightKg * 1000), whole(volumeM3 * 1000), whole(float64(colli))}
}

// whole rounds up, but for the noise of decimals.
func whole(v float64) int32 {
	return int32(min(max(math.Ceil(v-1e-6), 0), unlimited))
}

// penalties are how much it matters that an order is planned.
var penalties = map[order.LocationPriority]int64{
	order.PriorityLow:      routing.Planned,
	order.PriorityHigh:     8 * routing.Planned,
	order.PriorityCritical: 64 * routing.Planned,
}

// mostOfType is the highest priority of an order type; every so many steps
// double an order's weight.
const (
	mostOfType  = 7
	twiceOfType = 8
)

// penalty is that of the more important stop, and up to twice as much by the
// order's type.
func (o *Order) penalty() int64 {
	most := int64(0)
	for _, s := range []*Stop{&o.Pickup, &o.Delivery} {
		p, known := penalties[s.Priority]
		if !known {
			p = 2 * routing.Planned
		}
		most = max(most, p)
	}
	return most + most/twiceOfType*int64(min(max(o.Priority, 0), mostOfType))
}

// Uncertain reports whether the position of a stop is estimated or unknown. It
// may become known without a change of the order.
func (o *Order) Uncertain() bool {
	return o.Pickup.Guessed || o.Delivery.Guessed || o.Pickup.Point == nil || o.Delivery.Point == nil
}

// ordersByID finds the orders of the day by their identifiers.
func (d *Day) ordersByID() map[int64]*Order {
	orders := make(map[int64]*Order, len(d.Orders))
	for i := range d.Orders {
		orders[d.Orders[i].ID] = &d.Orders[i]
	}
	return orders
}
