package planning

import (
	"slices"
	"time"

	"waybill/domain/routing"
)

// Move assigns an order to a driver, even against the rules of planning.
type Move struct{ OrderID, DriverID int64 }

// Accepted lists the violations that a user accepts for an order with the
// driver to whom it is locked. A vehicle's capacity, a driver's hours and the
// windows of other orders cannot be overridden.
type Accepted struct {
	// Anyhow ignores vehicle type, skills and prohibitions.
	Anyhow bool
	// PickupUntil and DeliveryUntil are the latest accepted start of service; zero
	// means the window's end.
	PickupUntil, DeliveryUntil time.Time
}

// Asks are an order's own requirements, regardless of accepted violations.
type Asks struct {
	VehicleTypeID                int64
	Needs, Refuses, Prohibited   []int64
	PickupLatest, DeliveryLatest time.Time
}

// Accept relaxes an order's requirements by the accepted violations, and keeps the
// original ones.
func (o *Order) Accept(a Accepted) {
	if !a.Anyhow && a.PickupUntil.IsZero() && a.DeliveryUntil.IsZero() {
		return
	}
	if o.Asks == nil {
		o.Asks = &Asks{
			VehicleTypeID: o.VehicleTypeID, Needs: o.Needs, Refuses: o.Refuses, Prohibited: o.Prohibited,
			PickupLatest: o.Pickup.Window.Latest, DeliveryLatest: o.Delivery.Window.Latest,
		}
	}
	if a.Anyhow {
		o.VehicleTypeID, o.Needs, o.Refuses, o.Prohibited = 0, nil, nil, nil
	}
	o.Pickup.Window.Latest = later(o.Pickup.Window.Latest, a.PickupUntil)
	o.Delivery.Window.Latest = later(o.Delivery.Window.Latest, a.DeliveryUntil)
}

// strict returns the order with its own requirements. Violations accepted for one
// driver are not accepted for another.
func (o *Order) strict() Order {
	s := *o
	if asks := o.Asks; asks != nil {
		s.VehicleTypeID, s.Needs, s.Refuses, s.Prohibited = asks.VehicleTypeID, asks.Needs, asks.Refuses, asks.Prohibited
		s.Pickup.Window.Latest, s.Delivery.Window.Latest = asks.PickupLatest, asks.DeliveryLatest
		s.Asks = nil
	}
	return s
}

// Break is something that a move breaks.
type Break struct {
	OrderID, DriverID int64
	Code              Reason
	// By is how much, as with reasons, and SkillID the skill.
	By      float64
	SkillID int64
}

// Late is an order that is served after its window.
const Late Reason = "LATE"

// Refusal is why a move cannot be made.
type Refusal struct {
	Move   Move
	Reason RefusalReason
	// Why is the reason for Impossible.
	Why Reason
	// Orders are those without a place, for NoRoomTogether.
	Orders []int64
}

// RefusalReason is why a move is refused.
type RefusalReason string

// The reasons for a refusal.
const (
	// NotHere is an order outside the plan.
	NotHere RefusalReason = "NOT_HERE"
	// DriverOff is a driver who does not work any more, or not there.
	DriverOff RefusalReason = "DRIVER_OFF"
	// Begun is an order that a driver has begun with.
	Begun RefusalReason = "BEGUN"
	// Impossible is an order that no driver can carry out.
	Impossible RefusalReason = "IMPOSSIBLE"
	// NoRoom means that the driver can't have the order without violations that
	// can't be overridden.
	NoRoom RefusalReason = "NO_ROOM"
	// NoRoomTogether means that the driver can't have some of several orders.
	NoRoomTogether RefusalReason = "NO_ROOM_TOGETHER"
	// Closed is a driver whose route a person holds as it is.
	Closed RefusalReason = "CLOSED"
	// TooLong is a move that was not checked, for lack of time.
	TooLong RefusalReason = "TOO_LONG"
)

// Rearranged is the plan with the moves.
type Rearranged struct {
	Plan routing.Plan
	// Breaks are the violations of the moved orders, and Accepted the ones that
	// must be accepted.
	Breaks   []Break
	Accepted map[int64]Accepted
}

// Locked returns the day with the orders of moves locked to their drivers. Their
// requirements are relaxed by accepted only, regardless of earlier overrides; with
// nil, not at all.
func (d Day) Locked(moves []Move, accepted map[int64]Accepted) Day {
	to := make(map[int64]int64, len(moves))
	for _, m := range moves {
		to[m.OrderID] = m.DriverID
	}
	d.Orders = slices.Clone(d.Orders)
	d.Routes = d.loosened(func(id int64) bool { _, moves := to[id]; return moves })
	ends := d.At(48*60, 0)
	for i := range d.Orders {
		o := &d.Orders[i]
		driver, moves := to[o.ID]
		if !moves {
			continue
		}
		*o = o.strict()
		o.LockedTo = driver
		if accepted == nil {
			o.Accept(Accepted{Anyhow: true, PickupUntil: ends, DeliveryUntil: ends})
		} else {
			o.Accept(accepted[o.ID])
		}
	}
	return d
}

// Move makes moves in the draft of a day that is Locked with nil. as is the day
// without the moves, with the orders' own requirements. A single order for a
// driver goes where it costs least, or, with violations, where it is least
// late. Several for one driver are put into the best sequence together. ended
// ends the search.
func (d *Draft) Move(moves []Move, as *Day, ended func() bool) (Rearranged, *Refusal) {
	m := mover{d: d, p: d.Problem, as: map[int64]*Order{}, Rearranged: Rearranged{Accepted: map[int64]Accepted{}}}
	m.p.Requests = slices.Clone(d.Problem.Requests)
	m.Plan = routing.Repair(&m.p, d.Present)
	for i := range as.Orders {
		m.as[as.Orders[i].ID] = &as.Orders[i]
	}
	for _, move := range moves {
		if o := m.as[move.OrderID]; o != nil {
			strict := o.strict()
			m.as[move.OrderID] = &strict
		}
	}
	for _, batch := range batches(moves) {
		if ended() {
			return m.Rearranged, &Refusal{Move: batch[0], Reason: TooLong}
		}
		if refusal := m.moveAll(batch, ended); refusal != nil {
			return m.Rearranged, refusal
		}
	}
	return m.Rearranged, nil
}

// mover makes one move after the other.
type mover struct {
	Rearranged

	d  *Draft
	p  routing.Problem
	as map[int64]*Order
}

// moveAll gives a driver one order, or several together.
func (m *mover) moveAll(batch []Move, ended func() bool) *Refusal {
	if len(batch) > 1 {
		return m.moveTogether(batch, ended)
	}
	if reason, why := m.move(batch[0]); reason != "" {
		return &Refusal{Move: batch[0], Reason: reason, Why: why}
	}
	return nil
}

func (m *mover) move(move Move) (RefusalReason, Reason) {
	o, k, r, reason, why := m.find(move)
	if reason != "" {
		return reason, why
	}
	m.drop(r)
	if m.insert(o, k, r) || m.force(o, k, r) {
		return "", ""
	}
	return NoRoom, ""
}

// find returns the order, the shift and the request of a move, or why it cannot be made.
func (m *mover) find(move Move) (o *Order, k, r int, reason RefusalReason, why Reason) {
	o, k = m.as[move.OrderID], slices.Index(m.d.Drivers, move.DriverID)
	switch {
	case o == nil || o.Away || o.Exported || !o.Status.Active():
		return nil, k, 0, NotHere, ""
	case k < 0:
		return o, k, 0, DriverOff, ""
	}
	r, known := m.d.requests[o.ID]
	switch {
	case !known && m.d.Unplannable[o.ID] != "":
		return o, k, r, Impossible, m.d.Unplannable[o.ID]
	case !known || m.begun(r):
		return o, k, r, Begun, ""
	case m.d.closed[k]:
		return o, k, r, Closed, ""
	}
	return o, k, r, "", ""
}

// begun reports whether a driver has the order on board, or is about to.
func (m *mover) begun(r int) bool {
	its := func(v routing.Visit) bool { return v.Request() == r }
	return slices.ContainsFunc(m.p.Shifts, func(s routing.Shift) bool {
		return slices.Contains(s.OnBoard, r) || slices.ContainsFunc(s.Frozen, its)
	})
}

// drop takes an order off its route.
func (m *mover) drop(r int) {
	m.Plan = planWithout(m.Plan, r)
}

// planWithout returns a plan in which nobody has a request.
func planWithout(plan routing.Plan, r int) routing.Plan {
	plan = plan.Clone()
	for k := range plan.Routes {
		plan.Routes[k] = slices.DeleteFunc(plan.Routes[k], func(v routing.Visit) bool { return v.Request() == r })
	}
	return plan
}

// strict returns a request with all requirements of its order.
func (m *mover) strict(o *Order, k, r int) routing.Request {
	strict := m.p.Requests[r]
	strict.VehicleType, strict.Needs, strict.Refuses = int(o.VehicleTypeID), numbers(o.Needs), numbers(o.Refuses)
	if o.prohibits(m.d.drivers[k]) {
		strict.Never = []int{k}
	}
	strict.Pickup.Closes, strict.Delivery.Closes = m.d.second(o.Pickup.closes()), m.d.second(o.Delivery.closes())
	return strict
}

// insert finds the cheapest place without violations.
func (m *mover) insert(o *Order, k, r int) bool {
	relaxed := m.p.Requests[r]
	m.p.Requests[r] = m.strict(o, k, r)
	if o.Impossible(m.d.day.Now, 0) == "" {
		if plan, ok := routing.Insert(&m.p, m.Plan, r); ok {
			m.Plan = plan
			return true
		}
	}
	m.p.Requests[r] = relaxed
	return false
}
