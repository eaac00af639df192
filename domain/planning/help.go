package planning

import (
	"slices"
	"time"

	"waybill/domain/routing"
)

// Help is a counterfactual: a change with which an unplanned order would be
// planned. A plan has proved it.
type Help struct {
	Change HelpChange `json:"change"`
	// Seconds is by how much a window, or the work of a driver, would end later.
	Seconds int64 `json:"seconds,omitempty"`
	// DriverID is the driver who would work longer or have another vehicle.
	DriverID int64 `json:"driverId,omitempty"`
	// Starts and Ends are the hours of one more driver, with a vehicle of this type and with
	// these skills.
	Starts        *time.Time `json:"starts,omitempty"`
	Ends          *time.Time `json:"ends,omitempty"`
	VehicleTypeID int64      `json:"vehicleTypeId,omitempty"`
	SkillIDs      []int64    `json:"skillIds,omitempty"`
	// Parts is in how many orders the load would be divided.
	Parts int `json:"parts,omitempty"`
	// Load is the load dimension for which it would, or nil.
	Load *LoadInWhy `json:"load,omitempty"`
	// OrderID is the order that would give way.
	OrderID int64 `json:"orderId,omitempty"`
	// LateOrders counts the orders that would be up to Seconds late.
	LateOrders int `json:"lateOrders,omitempty"`
	// Serves counts the orders left over that would be planned, this one included.
	Serves int `json:"serves,omitempty"`
	// MovesOrders counts the other orders that would get another driver.
	MovesOrders int `json:"movesOrders,omitempty"`
	// Why is why nothing helps; only with NothingHelps.
	Why NoHelp `json:"why,omitempty"`
}

// HelpChange is the kind of a counterfactual change.
type HelpChange string

// The changes.
const (
	LaterDelivery HelpChange = "DELIVERY_LATEST"
	LaterPickup   HelpChange = "PICKUP_LATEST"
	LongerWorkday HelpChange = "WORKDAY_END"
	OtherVehicle  HelpChange = "OTHER_VEHICLE"
	SplitOrder    HelpChange = "SPLIT_ORDER"
	ExtraDriver   HelpChange = "EXTRA_DRIVER"
	WithoutOrder  HelpChange = "WITHOUT_ORDER"
	// LateOrders lets several orders be late, and LongerOnBoard the goods be on board for longer.
	LateOrders    HelpChange = "LATE_ORDERS"
	LongerOnBoard HelpChange = "TIME_ON_BOARD"
	// NothingHelps comes alone: no change that a dispatcher could make helps.
	NothingHelps HelpChange = "NOTHING"
)

// NoHelp is why nothing helps an order.
type NoHelp string

// Why nothing helps.
const (
	// BeyondWorkingTime is an order for which somebody would have to work longer than they
	// may.
	BeyondWorkingTime NoHelp = "WORKING_TIME"
	// BeyondWindow is an order whose window would have to end on another day, or much later.
	BeyondWindow NoHelp = "TIME_WINDOW"
	// BeyondPlan is an order that no driver, vehicle or hour of the day would help.
	BeyondPlan NoHelp = "ORDER"
)

// Helper computes the counterfactuals of the orders that a plan leaves
// unplanned.
type Helper struct {
	draft     *Draft
	explainer *routing.Explainer
	before    []int
}

// Helper returns a helper for the present plan. A route that is no longer
// feasible, because its driver is late, is not changed: it helps only after its
// last stop. Helper returns nil if the plan cannot be driven even so, and must
// be made again first.
func (d *Draft) Helper() *Helper {
	p := d.asItIs()
	if len(d.Drivers) == 0 || len(routing.Broken(p, d.Present)) > 0 {
		return nil
	}
	return &Helper{draft: d, explainer: routing.NewExplainer(p, d.Present), before: d.Present.ShiftOf(len(d.Orders))}
}

// asItIs returns the problem with the present routes frozen that do not hold.
func (d *Draft) asItIs() *routing.Problem {
	broken := routing.Broken(&d.Problem, d.Present)
	if len(broken) == 0 {
		return &d.Problem
	}
	p := d.Problem
	p.Shifts = slices.Clone(p.Shifts)
	for _, v := range broken {
		if v.Shift < len(p.Shifts) {
			p.Shifts[v.Shift].Frozen, p.Shifts[v.Shift].Owed = d.Present.Routes[v.Shift], nil
		}
	}
	return &p
}

// Left returns the orders whose counterfactuals are not known yet.
func (h *Helper) Left() []int64 {
	var left []int64
	for i := range h.draft.day.Unplanned {
		if u := &h.draft.day.Unplanned[i]; !u.Helped {
			left = append(left, u.OrderID)
		}
	}
	return left
}

// Help returns the changes with which an order would be planned, within working time and
// the day. When no change helps, it returns NothingHelps and why; none for an order that is
// planned or is not part of the problem. Search returns the budget of each short search.
func (h *Helper) Help(id int64, search func() routing.Options) Helps {
	var helps Helps
	r, known := h.draft.requests[id]
	if !known || h.before[r] >= 0 {
		return helps
	}
	for _, what := range h.explainer.WhatIf(r, search, h.bounds(r)) {
		helps.Changes = append(helps.Changes, h.help(r, &what))
		h.prove(&helps, &what)
	}
	if len(helps.Changes) == 0 {
		helps.Changes = []Help{{Change: NothingHelps, Why: h.whyNothing(r)}}
	}
	return helps
}

// whyNothing returns what forbids the changes with which a request would be planned.
func (h *Helper) whyNothing(r int) NoHelp {
	why := BeyondPlan
	for _, what := range h.explainer.WhatIf(r, nil, nil) {
		switch what.Change {
		case routing.LongerAboard:
		case routing.PickupCloses, routing.DeliveryCloses, routing.LateVisits:
			if why == BeyondPlan {
				why = BeyondWindow
			}
		default:
			why = BeyondWorkingTime
		}
	}
	return why
}

func (h *Helper) help(r int, what *routing.WhatIf) Help {
	d := h.draft
	help := Help{Seconds: what.Seconds, MovesOrders: h.moved(r, what)}
	switch what.Change {
	case routing.DeliveryCloses:
		help.Change = LaterDelivery
	case routing.PickupCloses:
		help.Change = LaterPickup
	case routing.ShiftEnds:
		help.Change, help.DriverID = LongerWorkday, d.Drivers[what.Shift]
	case routing.OtherVehicle:
		help.Change, help.DriverID = OtherVehicle, d.Drivers[what.Shift]
		help.VehicleTypeID = d.orders[d.Orders[r]].VehicleTypeID
	case routing.SplitRequest:
		help.Change, help.Parts, help.Load = SplitOrder, what.Parts, d.dividedFor(r)
	case routing.ExtraShift:
		starts, ends := d.moment(what.From), d.moment(what.Until)
		help.Change, help.Starts, help.Ends, help.Serves = ExtraDriver, &starts, &ends, what.Serves
		help.VehicleTypeID, help.SkillIDs = d.extraVehicle(r, what.Shift), d.orders[d.Orders[r]].Needs
	case routing.WithoutRequest:
		help.Change, help.OrderID = WithoutOrder, d.Orders[what.Without]
	case routing.LateVisits:
		help.Change, help.LateOrders, help.Serves = LateOrders, what.Late, what.Serves
	case routing.LongerAboard:
		help.Change = LongerOnBoard
	}
	return help
}

// extraVehicle returns the vehicle type of a driver who is like one of the day and has a
// request: the one of that driver, unless it does not serve the request.
func (d *Draft) extraVehicle(r, like int) int64 {
	wanted, of := d.orders[d.Orders[r]].VehicleTypeID, &d.driver(like).Vehicle
	if wanted == 0 || slices.Contains(of.serves(), int(wanted)) {
		return of.TypeID
	}
	return wanted
}

// moved counts the other orders that get another driver in the plan of a
// change.
func (h *Helper) moved(r int, what *routing.WhatIf) int {
	moved := 0
	for q, k := range what.Plan.ShiftOf(len(h.before)) {
		if q != r && h.before[q] >= 0 && k >= 0 && k != h.before[q] {
			moved++
		}
	}
	return moved
}
