package planning

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
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
// somebody looked at the plan: the fault says who moved it. What else happens, such as what
// drivers report, is no obstacle.
func (o *Operations) MoveOrders(ctx context.Context, c caller.Caller, m PlanMoves) (MovedOrders, error) {
	var moved MovedOrders
	retries, err := untilUnchanged(func() (version int64, err error) {
		moved, err = o.moveOrders(ctx, c, m)
		return moved.Version, err
	})
	moved.Retries = retries
	return moved, o.sayWhoMoved(ctx, c.OrgID, err)
}

// untilUnchanged makes a change of a plan again while what the change depends on changes
// meanwhile, and returns how often. In the end it says that the plan is another version now.
func untilUnchanged(change func() (version int64, err error)) (retries int, err error) {
	for {
		version, err := change()
		if !errors.Is(err, errPlanChanged) {
			return retries, err
		}
		if retries++; retries == commitTries {
			return retries, stale(version)
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
	}
	if err := m.unmoved(&day); err != nil {
		return MovedOrders{}, err
	}
	before := &planner{operations: o, caller: c, area: m.Area}
	if err := before.draft(ctx, day); err != nil {
		return MovedOrders{}, err
	}
	after, breaks, accepted, err := before.rearranged(ctx, m.Moves)
	for round := 1; err == nil && round < mostRounds; round++ {
		var learned bool
		if learned, err = before.learn(ctx, after); err != nil || !learned {
			break
		}
		after, breaks, accepted, err = before.rearranged(ctx, m.Moves)
	}
	if err != nil {
		return MovedOrders{}, err
	}
	moved := after.comparedTo(before)
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

// another plans the same area on a day that is changed a little, with what this one knows of
// the travel times.
func (w *planner) another() *planner {
	return &planner{operations: w.operations, caller: w.caller, area: w.area, like: w}
}

// rearranged makes moves, and returns the plan that comes of them as planning
// will find it, with what they break and what has to be accepted for that.
func (w *planner) rearranged(
	ctx context.Context, moves []planning.Move,
) (*planner, []planning.Break, map[int64]planning.Accepted, error) {
	loose := w.another()
	if err := loose.draft(ctx, w.day.Locked(moves, nil)); err != nil {
		return nil, nil, nil, err
	}
	began := time.Now()
	r, refusal := loose.drawn.Move(moves, &w.day, func() bool { return ctx.Err() != nil || time.Since(began) > moveTime })
	if refusal != nil && refusal.Reason == planning.NoRoomTogether {
		return nil, nil, nil, w.noRoom(ctx, refusal)
	}
	if refusal != nil {
		return nil, nil, nil, w.refused(ctx, refusal)
	}
	after := w.another()
	if err := after.draft(ctx, w.day.Locked(moves, r.Accepted)); err != nil {
		return nil, nil, nil, err
	}
	after.plan, after.searched = after.drawn.Carry(loose.drawn, r.Plan), w.day.Searched
	if broken := routing.Broken(&after.drawn.Problem, after.plan); len(broken) > 0 {
		return nil, nil, nil, fmt.Errorf("moved orders break the plan: %v", broken[0])
	}
	return after, r.Breaks, r.Accepted, nil
}

// refused says why a move cannot be made, with the order's number and the driver's name.
func (w *planner) refused(ctx context.Context, r *planning.Refusal) error {
	driver, numbers, err := w.names(ctx, r.Move.DriverID, []int64{r.Move.OrderID})
	if err != nil {
		return err
	}
	number := numbers[0]
	return &fault.Error{
		Kind: fault.IllegalState, Text: refusal(r.Reason, number, driver), Resource: "order", Name: number,
	}
}

// refusal says why a move cannot be made.
func refusal(why planning.RefusalReason, order, driver string) fault.Text {
	switch why {
	case planning.NotHere:
		return fault.Say("plan.order_elsewhere", "name", order)
	case planning.DriverOff:
		return fault.Say("plan.driver_off", "name", order, "driver", driver)
	case planning.Begun:
		return fault.Say("plan.begun", "name", order)
	case planning.Impossible:
		return fault.Say("plan.impossible", "name", order)
	case planning.TooLong:
		return fault.Say("plan.moves_too_long", "name", order)
	case planning.NoRoom, planning.NoRoomTogether:
	}
	return fault.Say("plan.no_room", "name", order, "driver", driver)
}

// comparedTo returns how much more a plan costs than another one.
func (w *planner) comparedTo(before *planner) MovedOrders {
	now := routing.Price(&w.drawn.Problem, w.plan)
	was := routing.Price(&before.drawn.Problem, before.drawn.Present)
	return MovedOrders{
		Driving: time.Duration(now.Driving-was.Driving) * time.Second,
		Waiting: time.Duration(now.Waiting-was.Waiting) * time.Second,
		Meters:  now.Meters - was.Meters, Drivers: now.Shifts - was.Shifts,
		Unplanned: now.Left + len(w.drawn.Unplannable) - was.Left - len(before.drawn.Unplannable),
	}
}

// fill gives the orders a place that have none in the plan, as far as there is one: some wait
// for their first plan, and some cannot be in time any more where they were. All others stay
// with their drivers.
func (w *planner) fill() error {
	was := w.plan
	if err := w.improve(func(int) float64 { return 1 }); err != nil {
		return err
	}
	now := w.plan.ShiftOf(len(w.drawn.Orders))
	for r, k := range was.ShiftOf(len(w.drawn.Orders)) {
		if k >= 0 && now[r] != k {
			w.plan = was
			return nil
		}
	}
	if w.legs(w.plan, travel.Bound) > w.legs(was, travel.Bound) { // the next slice asks how long they take
		w.plan = was
	}
	return nil
}

// save locks the orders to their drivers and commits the plan, in one transaction, and
// returns the new version. If the moves do not hold any more, it returns errPlanChanged
// and the present version.
func (w *planner) save(
	ctx context.Context, was planning.Day, m PlanMoves, accepted map[int64]planning.Accepted,
) (version int64, err error) {
	if err := w.fill(); err != nil {
		return 0, err
	}
	solution := w.drawn.Solution(w.plan, w.searched)
	diff := was.Difference(solution)
	moved := make([]int64, len(m.Moves))
	for i, move := range m.Moves {
		moved[i] = move.OrderID
	}
	of := touchedBy(&was, solution, &diff, moved...)
	err = w.operations.store.InTx(ctx, w.caller, func(t *store.Tx) error {
		plan, err := t.LockSeenPlan(ctx, m.Area)
		if err != nil {
			return err
		}
		version = plan.Version
		day, err := w.hold(ctx, t, &was, of)
		if err != nil {
			return err
		}
		if err := m.unmoved(&day); err != nil {
			return err
		}
		merged := was.Merge(solution, &diff, &day)
		if !merged.Makes(m.Moves, &was, &day) {
			return errPlanChanged
		}
		if err := t.SaveMoved(ctx, m.Moves, m.Reason, accepted); err != nil {
			return err
		}
		version = plan.Version + 1
		return t.SavePlan(ctx, plan, &merged.Difference, w.facts(&day, &merged))
	})
	return version, err
}
