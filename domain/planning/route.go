package planning

import (
	"slices"
	"time"

	"waybill/domain/driving"
	"waybill/domain/order"
)

// Placed is a stop of an order that has its place in a route.
type Placed struct {
	OrderID int64
	Kind    order.StopKind
	// Arrives, Starts and Leaves are whole seconds in UTC, as all times of routes.
	Arrives, Starts, Leaves time.Time
	// Slack is how much later it may begin before something breaks.
	Slack time.Duration
	// Late is by how much service begins after the window, when the stop stays
	// anyway.
	Late time.Duration
	// ETA is the announced start of service.
	ETA time.Time
	// Driving and Meters are the way there. Setup is the time to set up between the arrival and
	// the start, for a stop that begins a visit.
	Driving, Setup time.Duration
	Meters         int64
	// Joined stops belong to the visit of the stop before them.
	Joined  bool
	Point   Point
	Guessed bool
	// MetersFromRoad is how far the stop is from any road, if that is more than FarFromRoad;
	// otherwise 0.
	MetersFromRoad int64
}

// Way is how long it takes from the stop before until service can begin.
func (p *Placed) Way() time.Duration { return p.Driving + p.Setup }

// Service is how long the stop takes, without its setup.
func (p *Placed) Service() time.Duration { return p.Leaves.Sub(p.Starts) }

// Route is one driver's route on the day.
type Route struct {
	DriverID  int64
	VehicleID int64
	// CoDriverID is who rides along, or 0, and SharesDriving is true if that person drives, too.
	CoDriverID    int64
	SharesDriving bool
	// Starts is when the driver leaves, and Ends when they are back.
	Starts, Ends time.Time
	// Driving and Meters include the whole way, also back.
	Driving, Waiting time.Duration
	Meters           int64
	// WeightKg and VolumeM3 are the maximum load on board.
	WeightKg, VolumeM3 float64
	// Loads are the maximum loads in the load dimensions of the organization.
	Loads []RouteLoad
	// BreakStarts and BreakEnds are zero without a break.
	BreakStarts, BreakEnds time.Time
	// Breaks are all breaks of a driver with a rule for driving time; the one above is the next. DrivingLeft
	// is how long the driver may still drive after the route, nil without a rule.
	Breaks      []Rest
	DrivingLeft *time.Duration
	// Costs are what the route costs, nil for one that an earlier release planned.
	Costs *Costs
	Stops []Placed
	// Heading is the stop that the driver appears to be heading for; zero when
	// unknown.
	Heading Heading
	// Seen is the last position of a device of the driver; its time is zero when
	// unknown.
	Seen driving.Where
	// Ended is when the driver ended the route; zero before that.
	Ended time.Time
	// Hold is the sequence that a person holds, or nil.
	Hold *Hold
}

// Heading is a stop that a driver is going to, and when service will begin there.
type Heading struct {
	OrderID int64
	Kind    order.StopKind
	At      time.Time
}

// Unplanned is an order that no route has, and why.
type Unplanned struct {
	OrderID   int64
	State     State
	Certainty Certainty
	// Reasons are sorted by relevance.
	Reasons []Why
	// Searched is for how long a place was looked for.
	Searched time.Duration
	// Helped is true if its counterfactuals are stored.
	Helped bool
}

// State is the state of an order without a route.
type State string

// The states.
const (
	// Unplannable applies to any driver.
	Unplannable State = "UNPLANNABLE"
	// Left depends on the drivers and on their other orders.
	Left State = "UNPLANNED"
)

// Certainty is how sure it is that an order has no place.
type Certainty string

// The certainties.
const (
	// Proven is true if no plan at all is possible.
	Proven Certainty = "PROVEN"
	// NotFound was not found by the search.
	NotFound Certainty = "NOT_FOUND"
)

// place returns the index of an order's stop in a route, or -1.
func (r *Route) place(orderID int64, kind order.StopKind) int {
	return slices.IndexFunc(r.Stops, func(s Placed) bool { return s.OrderID == orderID && s.Kind == kind })
}

// unminded is by how much the times of a route may be off.
const unminded = 30 * time.Second

// near reports whether two routes are equal except for irrelevant differences
// of times.
func (r *Route) near(as *Route) bool {
	close := func(a, b time.Time) bool { return a.IsZero() == b.IsZero() && a.Sub(b).Abs() <= unminded }
	a, b := *r, *as
	b.Starts, b.Ends, b.BreakStarts, b.BreakEnds, b.Waiting = a.Starts, a.Ends, a.BreakStarts, a.BreakEnds, a.Waiting
	b.Breaks, b.DrivingLeft, b.Costs = a.Breaks, a.DrivingLeft, a.Costs
	return r.alike(as) && close(r.Starts, as.Starts) && close(r.Ends, as.Ends) && close(r.BreakStarts, as.BreakStarts) &&
		close(r.BreakEnds, as.BreakEnds) && (r.Waiting-as.Waiting).Abs() <= unminded && a.same(&b) &&
		slices.EqualFunc(r.Stops, as.Stops, func(a, b Placed) bool { return a.near(&b) })
}

// near reports whether two stops are equal except for irrelevant differences
// of times.
func (p *Placed) near(as *Placed) bool {
	a, b := *p, *as
	for _, of := range [][2]*time.Time{{&a.Arrives, &b.Arrives}, {&a.Starts, &b.Starts}, {&a.Leaves, &b.Leaves}} {
		if of[0].Sub(*of[1]).Abs() > unminded {
			return false
		}
		*of[1] = *of[0]
	}
	for _, of := range [][2]*time.Duration{{&a.Slack, &b.Slack}, {&a.Late, &b.Late}} {
		if (*of[0] > 0) != (*of[1] > 0) || (*of[0]-*of[1]).Abs() > unminded {
			return false
		}
		*of[1] = *of[0]
	}
	return a == b
}
