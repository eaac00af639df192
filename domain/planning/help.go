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
	// DriverID is the driver who would work longer.
	DriverID int64 `json:"driverId,omitempty"`
	// Starts and Ends are the hours of one more driver, with a vehicle of this type.
	Starts        *time.Time `json:"starts,omitempty"`
	Ends          *time.Time `json:"ends,omitempty"`
	VehicleTypeID int64      `json:"vehicleTypeId,omitempty"`
	// OrderID is the order that would give way.
	OrderID int64 `json:"orderId,omitempty"`
	// Serves counts the orders left over that would be planned, this one included.
	Serves int `json:"serves,omitempty"`
	// MovesOrders counts the other orders that would get another driver.
	MovesOrders int `json:"movesOrders,omitempty"`
}

// HelpChange is the kind of a counterfactual change.
type HelpChange string

// The changes.
const (
	LaterDelivery HelpChange = "DELIVERY_LATEST"
	LaterPickup   HelpChange = "PICKUP_LATEST"
	LongerWorkday HelpChange = "WORKDAY_END"
	ExtraDriver   HelpChange = "EXTRA_DRIVER"
	WithoutOrder  HelpChange = "WITHOUT_ORDER"
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

// Help returns the changes with which an order would be planned; none if no
// driver could carry it out, or it is planned. search returns the budget of
// each short search.
func (h *Helper) Help(id int64, search func() routing.Options) Helps {
	var helps Helps
	r, known := h.draft.requests[id]
	if !known || h.before[r] >= 0 {
		return helps
	}
	for _, what := range h.explainer.WhatIf(r, search) {
		if !h.endless(&what) {
			helps.Changes = append(helps.Changes, h.help(r, &what))
			h.prove(&helps, &what)
		}
	}
	return helps
}

// mostHours is the longest possible workday.
const mostHours = 24 * time.Hour

// endless reports whether a driver would have to work longer than a workday can be.
func (h *Helper) endless(what *routing.WhatIf) bool {
	if what.Change != routing.ShiftEnds {
		return false
	}
	starts, ends := h.draft.day.Work(h.draft.driver(what.Shift).Hours)
	return ends.Sub(starts)+time.Duration(what.Seconds)*time.Second > mostHours
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
	case routing.ExtraShift:
		starts, ends := d.moment(what.From), d.moment(what.Until)
		help.Change, help.Starts, help.Ends, help.Serves = ExtraDriver, &starts, &ends, what.Serves
		help.VehicleTypeID = d.driver(what.Shift).Vehicle.TypeID
	case routing.WithoutRequest:
		help.Change, help.OrderID = WithoutOrder, d.Orders[what.Without]
	}
	return help
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
