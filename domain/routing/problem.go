package routing

import (
	"math"
	"slices"
)

const (
	// Anywhere is the place of a shift that begins where its first visit is, or
	// ends where its last one is; a stop there has no known place.
	Anywhere = -1
	// Unreachable is the duration of an impossible leg.
	Unreachable = math.MaxInt32
	// MaxTime is the latest moment that a window or a shift may name.
	MaxTime = 1 << 30
	// Dimensions is how many quantities a vehicle's capacity limits.
	Dimensions = 3
)

const (
	// FewestShifts is the price of a shift that no saved way outweighs. All shifts of
	// a problem together are worth less than Planned.
	FewestShifts int64 = 1 << 33
	// Planned is the penalty of an unplanned request that no saved shifts
	// outweigh. Multiples of it, up to 128, make one request matter more than
	// another.
	Planned int64 = 1 << 44
)

// Problem is all that a plan is made from. Times are in seconds (or any other
// whole unit) since a moment that the caller chooses.
type Problem struct {
	// Travel has a matrix for each profile of vehicles.
	Travel    []Travel
	Requests  []Request
	Shifts    []Shift
	Objective Objective
	// Before is the announced plan. Giving a request another shift than in
	// that plan costs its Change.
	Before Plan
	// Setups has how many seconds it takes most vehicles to set up at each site. Sites count
	// from 1, so the first entry is not used.
	Setups []int64
	// Apart are kinds of goods that must not travel together.
	Apart []Apart
	// More is how many dimensions of loads there are in addition to those of Load.
	More int
}

// Leg is the way from one place to another.
type Leg struct{ Seconds, Meters int32 }

// Travel is a matrix of legs. It may be asymmetric, and a detour may be shorter
// than the direct way.
type Travel struct {
	Places int
	// Legs has the leg from a to b at a × Places + b. Rows of Roads are longer.
	Legs []Leg
	// side is the length of a row, and back has the legs by where they lead to; both are
	// empty unless Roads laid them out.
	side int
	back []Leg
	// Traffic is that of each area, and Areas has the area of each place; places without an entry are in the first one.
	// A matrix without traffic has legs that always take as long; nil is an area in which they do.
	Traffic []*Traffic
	Areas   []uint8
}

// Leg returns the way between two places; from and to Anywhere it is none.
func (t Travel) Leg(from, to int) Leg {
	if from == Anywhere || to == Anywhere {
		return Leg{}
	}
	return t.Legs[from*t.row()+to]
}

// Load is an amount in each dimension.
type Load [Dimensions]int32

// Stop is where and when something is picked up or delivered. Service begins
// between Opens and Closes, and after the setup when the stop begins a visit.
type Stop struct {
	Place          int
	Opens, Closes  int64
	ServiceSeconds int64
	// Closed are spans of the window in which no service begins, in their order.
	Closed []Span
	// LatePrice is what each second costs by which service begins after Due; 0 means nothing.
	LatePrice, Due int64
	// Site makes consecutive stops one visit of a vehicle: the vehicle sets up once, when
	// it comes from elsewhere. All stops of a site have the same place. A stop without a
	// site, 0, is a visit of its own, without a setup.
	Site int
}

// Request is a load that one vehicle picks up and delivers, or already has on
// board.
type Request struct {
	Pickup, Delivery Stop
	Load             Load
	// More is the load in further dimensions, as many as the problem has.
	More []int32
	// Goods are their kinds.
	Goods []int
	// MaxAboard is how many seconds may pass at most from the end of its pickup until its
	// delivery begins; 0 means any number. It does not count for what a shift has begun.
	MaxAboard int64
	// VehicleType must be one that the shift serves; 0 is any.
	VehicleType int
	// Needs are skills that the shift must have, Refuses those that it must not.
	Needs, Refuses []int
	// Only are the shifts that it is locked to; none is any.
	Only []int
	// Never are the shifts that must not have it.
	Never []int
	// Penalty is the price of leaving it unplanned.
	Penalty int64
	// Change is the price of another shift than in the plan before.
	Change int64
	// Surcharges are what it costs with each shift, by its number; none is nothing.
	Surcharges []Surcharge
}

// Shift is a driver with a vehicle for the rest of a day: finished visits
// are not part of it.
type Shift struct {
	// Profile is the matrix of its vehicle.
	Profile int
	// From and To are where it begins and ends, or Anywhere.
	From, To int
	// Start is when the driver is free at From; End is when the last leg must be over.
	Start, End int64
	Capacity   Load
	// More is what it holds in further dimensions; nothing in those that it leaves out.
	More []int32
	// Serves are the vehicle types that it can serve.
	Serves []int
	Skills []int
	Break  Break
	// Breaks are further breaks, later than Break; their times do not overlap.
	Breaks []Break
	// Rule is how long the driver may drive between breaks, and Rested how it stands at the start. Each break
	// counts, whatever it is for. The breaks of the rule are neither within a visit nor in its setup.
	Rule   DrivingRule
	Rested Rested
	// MaxSeconds and MaxMeters limit the route from leaving to arriving; 0 means
	// unlimited.
	MaxSeconds, MaxMeters int64
	// MaxStops limits to how many places the route goes, where visits of one site in a row are
	// one stop, and MaxDriving the seconds of its legs, without setups; 0 means unlimited, and
	// NoStops none.
	MaxStops   int
	MaxDriving int64
	// OnBoard are the requests that were picked up before.
	OnBoard []int
	// Rates are the prices of its route, nil for those of the objective. Fee is what it costs to use the
	// shift, in addition to the price of any shift.
	Rates *Rates
	Fee   int64
	// Balance is what its hours and orders cost in addition, so that shifts have equally much to do.
	Balance Balance
	// Overtime is how much later than End it may end, at a price.
	Overtime Overtime
	// Site is where the shift is in the middle of a visit at the start, or 0.
	Site int
	// ExtraSetup is how many seconds longer than others its vehicle takes to set up at any site.
	ExtraSetup int64
	// VisitPercent is how long its driver sets up and serves, in percent of what is usual; 0 is 100. What is loaded before
	// the shift takes as long as ever.
	VisitPercent int64
	// Loading is the visit that loads the vehicle before the shift, or none.
	Loading Loading
	// Frozen are the visits that come first, in this order, even if they are late.
	Frozen []Visit
	// Held is how many of the last frozen visits are ahead, and only stay because
	// somebody holds them. The windows of these give way as those of owed
	// visits do, and the shift can leave later in order to wait less.
	Held int
	// Owed are visits that the shift makes in any case, after the frozen ones.
	// A plan may change their sequence, but must make them: their windows and
	// the limits of the shift give way as far as necessary. No leg between them
	// may be Unreachable.
	Owed []Visit
}

// Fixed returns how many of the frozen visits nobody holds.
func (s *Shift) Fixed() int { return len(s.Frozen) - s.Held }

// Begun returns the requests that the shift has on board, or certainly picks up.
func (s *Shift) Begun() []int {
	begun := slices.Clone(s.OnBoard)
	for _, v := range s.Frozen {
		if !v.Delivers() {
			begun = append(begun, v.Request())
		}
	}
	return begun
}

// Loading is how a vehicle is loaded before it leaves: the pickups at a site with which
// a route begins take Seconds together, instead of the setup and their service.
type Loading struct {
	// Site is 0 for a vehicle that is loaded during the shift.
	Site    int
	Seconds int64
}

// Break is a pause that begins between Earliest and Latest, anywhere on the way but
// neither during a visit nor during its setup. A route that is over by Latest needs none.
type Break struct {
	Earliest, Latest int64
	Seconds          int64
	// At is the place of the break, counted from 1 on; 0 is anywhere. The driver goes there on the way
	// from one visit to the next, and waits there until Earliest.
	At int
}

// AtPlace returns the At of a break at a place of the problem.
func AtPlace(place int) int { return place + 1 }

// placed reports whether the driver has to go somewhere to have the break.
func (b Break) placed() bool { return b.At > 0 }

// Place returns where that is, or Anywhere.
func (b Break) Place() int { return b.At - 1 }

// Objective ranks plans: the sum of the penalties of unplanned requests, of
// Shift for each used shift, of the cost of the legs, and of the price of
// change. Shifts may have prices of their own. Lower is better.
type Objective struct {
	// Shift from FewestShifts on lets the search look for fewer shifts first.
	Shift int64
	// Second and Meter are the prices of driving, where a setup costs as much as
	// driving for as long, and Waiting is that of a second in which the driver is idle
	// despite leaving as late as possible.
	Second, Meter, Waiting int64
}

func (o Objective) fewestFirst() bool { return o.Shift >= FewestShifts }
