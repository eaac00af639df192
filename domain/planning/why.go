package planning

import (
	"cmp"
	"slices"

	"waybill/domain/calendar"
	"waybill/domain/order"
	"waybill/domain/routing"
)

// Why is one reason why an order has no driver, with the drivers whom it
// concerns.
type Why struct {
	Code Reason `json:"code"`
	// Drivers are some of those concerned, those closest to being able first;
	// Count is their total. Both are empty for reasons that apply to any
	// driver.
	Drivers []int64 `json:"drivers,omitempty"`
	Count   int     `json:"count,omitempty"`
	// By is how much the first of them lacks: seconds, kilograms, cubic meters,
	// colli or meters, depending on the code.
	By float64 `json:"by,omitempty"`
	// SkillID is the skill that is missing or prohibited.
	SkillID int64 `json:"skillId,omitempty"`
	// Lacks is what a full route lacks: TIME, ROOM, STOPS or DRIVING.
	Lacks string `json:"lacks,omitempty"`
	// Load is the load dimension in which there is too little room, or nil.
	Load *LoadInWhy `json:"load,omitempty"`
	// Stop is the stop that no road leads to, and Nearest the nearest point of a road; nil if
	// nobody knows one.
	Stop    order.StopKind `json:"stop,omitempty"`
	Nearest *RoadPoint     `json:"nearest,omitempty"`
	// Closed says who has closed that day, nil for other reasons.
	Closed *calendar.Closing `json:"closed,omitempty"`
}

// RoadPoint is the point of a road that is nearest to a stop.
type RoadPoint struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	// Meters is how far it is from the stop.
	Meters int32 `json:"meters"`
}

// The reasons why a driver does not carry out an order. The first that applies
// is reported; those up to DrivingTooLong apply even to a driver without other
// work.
const (
	WithAnotherDriver        Reason = "WITH_ANOTHER_DRIVER"
	LockedToAnotherDriver    Reason = "LOCKED_TO_ANOTHER_DRIVER"
	ProhibitedDriver         Reason = "PROHIBITED_DRIVER"
	RouteHeld                Reason = "ROUTE_HELD"
	WrongVehicleType         Reason = "VEHICLE_TYPE"
	SkillMissing             Reason = "SKILL_MISSING"
	NeedsTwoPeople           Reason = "NEEDS_TWO_PEOPLE"
	SkillProhibited          Reason = "SKILL_PROHIBITED"
	TooHeavy                 Reason = "WEIGHT"
	TooLarge                 Reason = "VOLUME"
	TooMany                  Reason = "COLLI"
	TooMuchOfDimension       Reason = "LOAD_DIMENSION"
	PickupOutsideWorkday     Reason = "PICKUP_WINDOW_OUTSIDE_WORKDAY"
	DeliveryOutsideWorkday   Reason = "DELIVERY_WINDOW_OUTSIDE_WORKDAY"
	CannotReachPickup        Reason = "CANNOT_REACH_PICKUP_IN_TIME"
	CannotReachDelivery      Reason = "CANNOT_REACH_DELIVERY_IN_TIME"
	CannotBeHome             Reason = "CANNOT_BE_HOME_IN_TIME"
	NoTimeForBreak           Reason = "NO_TIME_FOR_BREAK"
	RouteTooLong             Reason = "ROUTE_TOO_LONG"
	RouteTooFar              Reason = "ROUTE_TOO_FAR"
	TooManyStops             Reason = "TOO_MANY_STOPS"
	DrivingTooLong           Reason = "DRIVING_TOO_LONG"
	TooLongOnBoard           Reason = "TOO_LONG_ON_BOARD"
	IncompatibleGoods        Reason = "INCOMPATIBLE_GOODS"
	StartedStopsInTheWay     Reason = "FROZEN_IN_THE_WAY"
	LockedOrdersInTheWay     Reason = "LOCKED_IN_THE_WAY"
	FleetFull                Reason = "FLEET_FULL"
	Unreachable              Reason = "UNREACHABLE"
	lacksTime, lacksRoom            = "TIME", "ROOM"
	lacksStops, lacksDriving        = "STOPS", "DRIVING"
	mostDrivers                     = 20
	gramsOrLitres                   = 1000
	unreachableBy            int64  = 1 << 30
)

// reasonOf maps codes of routing to reasons.
var reasonOf = map[routing.Code]Reason{
	routing.NoPlace: NoCoordinates, routing.NoShift: NoWorkday, routing.WindowsContradict: WindowsContradict,
	routing.OnBoardElsewhere: WithAnotherDriver, routing.LockedToAnotherShift: LockedToAnotherDriver,
	routing.ProhibitedShift: ProhibitedDriver, routing.WrongVehicleType: WrongVehicleType,
	routing.SkillMissing: SkillMissing, routing.SkillProhibited: SkillProhibited,
	routing.TooMuchFirst: TooHeavy, routing.TooMuchSecond: TooLarge, routing.TooMuchThird: TooMany,
	routing.PickupOutsideShift: PickupOutsideWorkday, routing.DeliveryOutsideShift: DeliveryOutsideWorkday,
	routing.PickupTooLate: CannotReachPickup, routing.DeliveryTooLate: CannotReachDelivery,
	routing.HomeTooLate: CannotBeHome, routing.NoTimeForBreak: NoTimeForBreak,
	routing.RouteTooLong: RouteTooLong, routing.RouteTooFar: RouteTooFar,
	routing.TooManyStops: TooManyStops, routing.DrivingTooLong: DrivingTooLong,
	routing.FrozenInTheWay: StartedStopsInTheWay, routing.LockedInTheWay: LockedOrdersInTheWay,
	routing.ShiftFull: FleetFull, heldRoute: RouteHeld, routing.TooLongAboard: TooLongOnBoard,
	routing.GoodsApart: IncompatibleGoods,
}

// heldRoute is a route that a person holds.
const heldRoute routing.Code = "ROUTE_HELD"

// whyNever is why an order is not in the problem.
func (d *Draft) whyNever(id int64) Why {
	why := Why{Code: d.Unplannable[id]}
	if o := d.orders[id]; why.Code == ClosedThatDay && o != nil {
		if why.Closed = o.Closed; why.Closed == nil {
			why.Closed = o.NobodyWorks
		}
	}
	return why
}

// explain converts the explanation for a request to reasons.
func (d *Draft) explain(why routing.Why) Unplanned {
	u := Unplanned{OrderID: d.Orders[why.Request], State: Left, Certainty: NotFound}
	if why.Proven {
		u.State, u.Certainty = Unplannable, Proven
	}
	if why.General != "" {
		u.Reasons = append(u.Reasons, Why{Code: reasonOf[why.General]})
	}
	slices.SortStableFunc(why.Shifts, func(a, b routing.Refusal) int {
		return cmp.Or(compare(b.Alone, a.Alone), cmp.Compare(a.By, b.By))
	})
	for _, refusal := range why.Shifts {
		refusal.Code = d.underWay(why.Request, refusal)
		u.tell(d.whyNot(why.Request, refusal))
	}
	d.pointOut(&u, why.Request)
	// Obstacles in the rest of the plan are easiest to fix.
	slices.SortStableFunc(u.Reasons, func(a, b Why) int { return compare(causedByOthers[b.Code], causedByOthers[a.Code]) })
	return u
}

// underWay returns the code of a refusal for a driver who has begun: a window
// that closes before they are free is still within their workday.
func (d *Draft) underWay(request int, refusal routing.Refusal) routing.Code {
	r, shift := &d.Problem.Requests[request], &d.Problem.Shifts[refusal.Shift]
	switch {
	case refusal.Code == routing.ProhibitedShift && d.closed[refusal.Shift] &&
		!d.orders[d.Orders[request]].prohibits(d.drivers[refusal.Shift]),
		refusal.Code == routing.FrozenInTheWay && shift.Held > 0:
		return heldRoute
	case !d.passed[refusal.Shift].begun:
	case refusal.Code == routing.PickupOutsideShift && r.Pickup.Closes < shift.Start:
		return routing.PickupTooLate
	case refusal.Code == routing.DeliveryOutsideShift && r.Delivery.Closes < shift.Start:
		return routing.DeliveryTooLate
	}
	return refusal.Code
}

// pointOut names the stop of a request that no road leads to, and the nearest road.
func (d *Draft) pointOut(u *Unplanned, request int) {
	at := slices.IndexFunc(u.Reasons, func(w Why) bool { return w.Code == Unreachable })
	if at < 0 {
		return
	}
	for _, stop := range []struct {
		kind  order.StopKind
		visit routing.Visit
	}{{order.Pickup, routing.PickupOf(request)}, {order.Delivery, routing.DeliveryOf(request)}} {
		nearest, is := d.lost[d.placeOf(stop.visit)]
		if !is {
			continue
		}
		u.Reasons[at].Stop = stop.kind
		if nearest.Meters > 0 {
			u.Reasons[at].Nearest = &RoadPoint{nearest.Latitude, nearest.Longitude, nearest.Meters}
		}
		return
	}
}

// causedByOthers are the reasons that apply only because of other orders.
var causedByOthers = map[Reason]bool{
	StartedStopsInTheWay: true, LockedOrdersInTheWay: true, FleetFull: true, RouteHeld: true, IncompatibleGoods: true,
}

func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// lacksOf returns what a full route lacks.
func lacksOf(full routing.Code) string {
	switch full {
	case routing.Overloaded:
		return lacksRoom
	case routing.TooManyStops:
		return lacksStops
	case routing.DrivingTooLong:
		return lacksDriving
	}
	return lacksTime
}

// tell adds the reason of one driver to that of others for whom it is the same.
func (u *Unplanned) tell(said Why) {
	at := slices.IndexFunc(u.Reasons, func(w Why) bool {
		return w.Code == said.Code && w.SkillID == said.SkillID && w.Lacks == said.Lacks && w.Load.same(said.Load)
	})
	if at < 0 {
		u.Reasons = append(u.Reasons, said)
		return
	}
	why := &u.Reasons[at]
	if why.Load != nil {
		why.Load.Holds = max(why.Load.Holds, said.Load.Holds)
	}
	if why.Count++; len(why.Drivers) < mostDrivers {
		why.Drivers = append(why.Drivers, said.Drivers...)
	}
}

// whyNot is why the driver of a refusal cannot have a request.
func (d *Draft) whyNot(request int, refusal routing.Refusal) Why {
	said := d.whyOf(refusal, d.lackedLoad(request, &refusal))
	said.Drivers, said.Count = []int64{d.Drivers[refusal.Shift]}, 1
	return said
}

// reason maps a code of routing, of a skill if it is about one. Who lacks a skill that takes two people is alone.
func (d *Draft) reason(code routing.Code, skill int64) Reason {
	if code == routing.SkillMissing && slices.Contains(d.day.ForTwo, skill) {
		return NeedsTwoPeople
	}
	return reasonOf[code]
}

// whyOf is the reason of one driver, without the driver. lacked is the load dimension of which there is too little
// room, or nil.
func (d *Draft) whyOf(refusal routing.Refusal, lacked *LoadInWhy) Why {
	if refusal.Full == routing.GoodsApart && refusal.Code != heldRoute {
		refusal.Code = routing.GoodsApart
	}
	if _, is := routing.MoreTooMuch(refusal.Code); is {
		return Why{Code: TooMuchOfDimension, By: float64(refusal.By) / inThousandths, Load: lacked}
	}
	said := Why{Code: d.reason(refusal.Code, refusal.By)}
	switch refusal.Code {
	case routing.SkillMissing, routing.SkillProhibited:
		said.SkillID = refusal.By
	case routing.TooMuchFirst, routing.TooMuchSecond:
		said.By = float64(refusal.By) / gramsOrLitres
	case heldRoute, routing.GoodsApart:
	case routing.ShiftFull, routing.FrozenInTheWay, routing.LockedInTheWay:
		said.Lacks, said.Load = lacksOf(refusal.Full), lacked
	default:
		if said.By = float64(refusal.By); refusal.By >= unreachableBy {
			said.Code, said.By = Unreachable, 0
		}
	}
	return said
}
