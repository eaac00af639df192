package planning

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/store"
)

// PlanHold is a sequence of a driver's route that a person holds, in a plan that somebody has
// looked at.
type PlanHold struct {
	Area     planning.Area
	Seen     int64
	DriverID int64
	// Stops come first among those that the driver has not begun; nil is all of them as
	// they are.
	Stops []planning.StopRef
	// Closed gives the driver no other orders.
	Closed bool
	// Reason is why; being late needs one.
	Reason string
	// Overrule holds orders that somebody else has moved since Seen, too.
	Overrule bool
	// DryRun only says what the sequence costs and what is late.
	DryRun bool
}

// HeldRoute is what a held sequence costs, and what is late by it.
type HeldRoute struct {
	MovedOrders

	Hold planning.Hold
	// Left are the orders that do not fit behind the sequence. Planning looks for other
	// drivers for them.
	Left []int64
}

// HoldRoute has a driver make stops in a sequence, first of all that has not begun, until
// somebody releases it. What is late by it needs a reason, as with moves. The
// stops stay with the driver in every plan.
func (o *Operations) HoldRoute(ctx context.Context, c caller.Caller, h PlanHold) (HeldRoute, error) {
	var held HeldRoute
	retries, err := untilUnchanged(func() (version int64, err error) {
		held, err = o.holdRoute(ctx, c, h)
		return held.Version, err
	})
	held.Retries = retries
	return held, o.sayWhoMoved(ctx, c.OrgID, err)
}

func (o *Operations) holdRoute(ctx context.Context, c caller.Caller, h PlanHold) (held HeldRoute, err error) {
	before, err := o.seenPlan(ctx, c, h.Area, concern{drivers: []int64{h.DriverID}})
	if err != nil {
		return held, err
	}
	open := before.another()
	if err := open.draft(ctx, before.day.Holding(h.DriverID, nil)); err != nil {
		return held, err
	}
	if err := open.canHold(ctx, &h); err != nil {
		return held, err
	}
	m := PlanMoves{Area: h.Area, Seen: h.Seen, Overrule: h.Overrule}
	for _, s := range h.Stops {
		m.Moves = append(m.Moves, planning.Move{OrderID: s.OrderID, DriverID: h.DriverID})
	}
	if err := m.unmoved(&before.day); err != nil {
		return held, err
	}
	after, held, err := before.heldBy(ctx, &h)
	if err != nil {
		return held, err
	}
	if h.DryRun {
		return held, ctx.Err()
	}
	if len(held.Breaks) > 0 && h.Reason == "" {
		return held, fault.Illegal("plan.breaks", "plan", h.Area.Date.Format(time.DateOnly))
	}
	m.Moves = slices.Compact(m.Moves)
	held.Version, err = after.saveWith(ctx, before.day, &m, func(t *store.Tx, plan store.Plan, day *planning.Day) error {
		if !before.day.SameHold(day, h.DriverID) {
			return errPlanChanged
		}
		return t.SaveRouteHold(ctx, plan, h.Area, h.DriverID, &held.Hold, m.orders(), h.Reason)
	})
	held.Applied = err == nil
	return held, err
}

// heldBy is the plan in which a driver holds a sequence, and what that costs.
func (w *planner) heldBy(ctx context.Context, h *PlanHold) (after *planner, held HeldRoute, err error) {
	held.Hold = planning.Hold{Stops: h.Stops, Closed: h.Closed}
	after, err = w.onRealTimes(ctx, func() (after *planner, err error) {
		after, held.Left, err = w.settle(ctx, h.DriverID, &held.Hold)
		return after, err
	})
	if err != nil {
		return nil, HeldRoute{}, err
	}
	held.MovedOrders = after.comparedTo(w)
	held.Version, held.Breaks = w.day.Version, after.drawn.HeldLate(h.DriverID, after.plan)
	return after, held, nil
}

// settle has a driver hold a sequence, and returns the plan that comes of it, with the orders that
// do not fit behind the sequence.
func (w *planner) settle(
	ctx context.Context, driver int64, hold *planning.Hold,
) (after *planner, left []int64, err error) {
	after = w.another()
	if err := after.draft(ctx, w.day.Holding(driver, hold)); err != nil {
		return nil, nil, err
	}
	after.plan, left = after.drawn.Settle(driver, lookingEnds(ctx))
	if broken := routing.Broken(&after.drawn.Problem, after.plan); len(broken) > 0 {
		return nil, nil, fmt.Errorf("the held sequence breaks the plan: %v", broken[0])
	}
	after.searched = w.day.Searched
	return after, left, nil
}

func (m *PlanMoves) orders() []int64 { return slices.Compact(changedOrders(m.Moves)) }

// canHold refuses a sequence that the driver cannot make, and finds out which stops a route
// has that is to be held as it is.
func (w *planner) canHold(ctx context.Context, h *PlanHold) error {
	name, _, err := w.names(ctx, h.DriverID, nil)
	if err != nil {
		return err
	}
	refuse := func(text fault.Text) error {
		return &fault.Error{Kind: fault.IllegalState, Text: text, Resource: "driver", Name: name}
	}
	if !w.drawn.Works(h.DriverID) {
		return refuse(fault.Say("plan.no_workday", "driver", name))
	}
	if h.Stops == nil {
		h.Stops = w.drawn.OpenStops(h.DriverID)
	}
	if len(h.Stops) == 0 {
		return refuse(fault.Say("plan.nothing_to_hold", "driver", name))
	}
	bad := w.drawn.CheckHold(h.DriverID, h.Stops)
	if bad == nil {
		return nil
	}
	_, numbers, err := w.names(ctx, h.DriverID, []int64{bad.OrderID})
	if err != nil {
		return err
	}
	text, at := refusal(bad.Reason, numbers[0], name), slices.IndexFunc(h.Stops, func(s planning.StopRef) bool { return s.OrderID == bad.OrderID })
	if bad.Reason == planning.Twice || bad.Reason == planning.PickupMissing {
		return &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"), Violations: []fault.Violation{
			{Field: "stops[" + strconv.Itoa(at) + "].orderId", Text: text},
		}}
	}
	return &fault.Error{Kind: fault.IllegalState, Text: text, Resource: "order", Name: numbers[0]}
}

// ReleaseRoute ends that somebody holds the sequence of a driver's route, and returns the
// version of the plan. Planning may change the route then. A route that nobody holds stays as it is.
func (o *Operations) ReleaseRoute(
	ctx context.Context, c caller.Caller, area planning.Area, driver int64,
) (version int64, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		plan, err := t.LockSeenPlan(ctx, area)
		if err != nil {
			return err
		}
		version, _, err = t.DeleteRouteHold(ctx, plan, area, driver)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("release the route of driver %d: %w", driver, err)
	}
	return version, nil
}
