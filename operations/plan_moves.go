package operations

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/store"
)

// PlanMoves are moves within the plan of an area that somebody has looked at.
type PlanMoves struct {
	Area planning.Area
	// Seen is the version of the plan that was looked at.
	Seen int64
	// Moves are made one after the other.
	Moves []planning.Move
	// Reason is why; breaking something needs one.
	Reason string
	// DryRun only says what the moves cost and break.
	DryRun bool
}

// MovedOrders is what moves cost and break.
type MovedOrders struct {
	Applied bool
	// Version is that of the plan, a new one when the moves were made.
	Version int64
	// Driving, Waiting, Meters, Drivers and Unplanned are how much more the plan
	// costs than before; less is negative.
	Driving, Waiting   time.Duration
	Meters             int64
	Drivers, Unplanned int
	Breaks             []planning.Break
	// Retries counts how often the moves were made again because something changed
	// meanwhile.
	Retries int
}

// MoveOrders gives orders to other drivers and locks them there, or only says what that
// costs and breaks. Nothing is done if one of the orders has got another driver since
// somebody looked at the plan. What else happens, such as what drivers report, is no
// obstacle.
func (o *Operations) MoveOrders(ctx context.Context, c caller.Caller, m PlanMoves) (MovedOrders, error) {
	for try := 1; ; try++ {
		moved, err := o.moveOrders(ctx, c, m)
		if !errors.Is(err, errPlanChanged) {
			moved.Retries = try - 1
			return moved, err
		}
		if try == commitTries {
			return MovedOrders{}, stale(moved.Version)
		}
	}
}

func (o *Operations) moveOrders(ctx context.Context, c caller.Caller, m PlanMoves) (MovedOrders, error) {
	day, err := o.planningDay(ctx, c.OrgID, m.Area)
	switch {
	case err != nil:
		return MovedOrders{}, err
	case day.Version == 0:
		return MovedOrders{}, fault.Missing("plan", m.Area.Date.Format(time.DateOnly))
	case !day.Unmoved(m.Seen, m.Moves):
		return MovedOrders{}, stale(day.Version)
	}
	before := &planner{operations: o, caller: c, area: m.Area}
	if err := before.draft(ctx, day); err != nil {
		return MovedOrders{}, err
	}
	after, breaks, accepted, err := before.rearranged(ctx, m.Moves)
	if err != nil {
		return MovedOrders{}, err
	}
	moved := after.beside(before)
	moved.Version, moved.Breaks = day.Version, breaks
	if m.DryRun {
		return moved, nil
	}
	if len(breaks) > 0 && m.Reason == "" {
		return moved, fault.Illegal("plan.breaks", "plan", m.Area.Date.Format(time.DateOnly))
	}
	moved.Version, err = after.save(ctx, day, m, accepted)
	moved.Applied = err == nil
	return moved, err
}

// moveTime is how long moves are looked for places.
const moveTime = 5 * time.Second

// rearranged makes moves, and returns the plan that comes of them as planning
// will find it, with what they break and what has to be accepted for that.
func (w *planner) rearranged(
	ctx context.Context, moves []planning.Move,
) (*planner, []planning.Break, map[int64]planning.Accepted, error) {
	loose := &planner{operations: w.operations, caller: w.caller, area: w.area}
	if err := loose.draft(ctx, w.day.Locked(moves, nil)); err != nil {
		return nil, nil, nil, err
	}
	began := time.Now()
	r, refusal := loose.drawn.Move(moves, &w.day, func() bool { return ctx.Err() != nil || time.Since(began) > moveTime })
	if refusal != nil {
		return nil, nil, nil, refused(refusal, &w.day)
	}
	after := &planner{operations: w.operations, caller: w.caller, area: w.area}
	if err := after.draft(ctx, w.day.Locked(moves, r.Accepted)); err != nil {
		return nil, nil, nil, err
	}
	after.plan, after.searched = after.drawn.Carry(loose.drawn, r.Plan), w.day.Searched
	if broken := routing.Broken(&after.drawn.Problem, after.plan); len(broken) > 0 {
		return nil, nil, nil, fmt.Errorf("moved orders break the plan: %v", broken[0])
	}
	return after, r.Breaks, r.Accepted, nil
}

// refused says why a move cannot be made.
func refused(r *planning.Refusal, day *planning.Day) error {
	number, driver := strconv.FormatInt(r.Move.OrderID, 10), strconv.FormatInt(r.Move.DriverID, 10)
	for i := range day.Orders {
		if day.Orders[i].ID == r.Move.OrderID {
			number = day.Orders[i].Number
		}
	}
	switch r.Reason {
	case planning.NotHere:
		return fault.Illegal("plan.order_elsewhere", "order", number)
	case planning.DriverOff:
		return fault.Illegal("plan.driver_off", "driver", driver)
	case planning.Begun:
		return fault.Illegal("plan.begun", "order", number)
	case planning.Impossible:
		return fault.Illegal("plan.impossible", "order", number)
	case planning.TooLong:
		return fault.Illegal("plan.moves_too_long", "order", number)
	case planning.NoRoom:
	}
	return fault.Illegal("plan.no_room", "driver", driver)
}

// beside returns how much more a plan costs than another one.
func (w *planner) beside(before *planner) MovedOrders {
	now := routing.Price(&w.drawn.Problem, w.plan)
	was := routing.Price(&before.drawn.Problem, before.drawn.Present)
	return MovedOrders{
		Driving: time.Duration(now.Driving-was.Driving) * time.Second,
		Waiting: time.Duration(now.Waiting-was.Waiting) * time.Second,
		Meters:  now.Meters - was.Meters, Drivers: now.Shifts - was.Shifts,
		Unplanned: now.Left + len(w.drawn.Unplannable) - was.Left - len(before.drawn.Unplannable),
	}
}

// save locks the orders to their drivers and commits the plan, in one transaction, and
// returns the new version. If the moves do not hold any more, it returns errPlanChanged
// and the present version.
func (w *planner) save(
	ctx context.Context, was planning.Day, m PlanMoves, accepted map[int64]planning.Accepted,
) (version int64, err error) {
	solution := w.drawn.Solution(w.plan, w.searched)
	diff := was.Difference(solution)
	orders := diff.Held()
	for _, move := range m.Moves {
		orders = append(orders, move.OrderID)
	}
	err = w.operations.store.InTx(ctx, w.caller, func(t *store.Tx) error {
		plan, err := t.LockSeenPlan(ctx, m.Area)
		if err != nil {
			return err
		}
		version = plan.Version
		day, err := w.hold(ctx, t, orders, diff.Rewritten())
		if err != nil {
			return err
		}
		if !day.Unmoved(m.Seen, m.Moves) {
			return stale(plan.Version)
		}
		merged := was.Merge(solution, &diff, &day)
		if !merged.Makes(m.Moves, &was, &day) {
			return errPlanChanged
		}
		if err := t.SaveMoved(ctx, m.Moves, m.Reason, accepted); err != nil {
			return err
		}
		version = plan.Version + 1
		return t.SavePlan(ctx, plan, &merged.Difference, w.facts())
	})
	return version, err
}
