package planning

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/store"
)

// PlanUndo undoes the last moves of the caller in the plan of an area.
type PlanUndo struct {
	Area planning.Area
	// Moves is how many of them.
	Moves int
	// DryRun only says what that costs.
	DryRun bool
}

// UndoneMoves is what is undone and what that costs.
type UndoneMoves struct {
	MovedOrders

	// Moves counts the moves, and At is when the first of them was made.
	Moves int
	At    time.Time
	// Orders are back with the drivers who had them, and locked as they were.
	Orders []planning.Move
}

// UndoMoves undoes the last moves, handovers and swaps that the caller made in a plan: the
// orders are locked as before, and with the drivers who had them, in the former
// sequence as far as it still holds. Nothing is done if somebody else has moved
// one of the orders since, if a driver has begun one, or if one does not fit any
// more. The fault names the order, and who moved it and when.
func (o *Operations) UndoMoves(ctx context.Context, c caller.Caller, u PlanUndo) (UndoneMoves, error) {
	var undone UndoneMoves
	retries, err := untilUnchanged(func() (version int64, err error) {
		undone, err = o.undoMoves(ctx, c, &u)
		return undone.Version, err
	})
	undone.Retries = retries
	return undone, o.sayWhoMoved(ctx, c.OrgID, err)
}

func (o *Operations) undoMoves(ctx context.Context, c caller.Caller, u *PlanUndo) (undone UndoneMoves, err error) {
	day, err := o.plannedDay(ctx, c.OrgID, u.Area, concern{all: true})
	if err != nil {
		return undone, err
	}
	before := &planner{operations: o, caller: c, area: u.Area}
	former, err := before.former(ctx, u)
	if err == nil {
		day, err = o.around(c.OrgID, u.Area, &day, concernedBefore(former))
	}
	if err == nil {
		err = before.draft(ctx, day)
	}
	if err != nil {
		return undone, err
	}
	undone.Version, undone.Moves, undone.At = before.day.Version, len(former.IDs), former.At.UTC()
	back := backTo(former)
	for i := range former.Orders {
		undone.Orders = append(undone.Orders, planning.Move{OrderID: former.Orders[i].OrderID, DriverID: former.Orders[i].From})
	}
	if err := before.canUndo(ctx, former); err != nil {
		return undone, err
	}
	after, err := before.onRealTimes(ctx, func() (*planner, error) { return before.undone(ctx, former, &back) })
	if err != nil {
		return undone, err
	}
	version := undone.Version
	undone.MovedOrders = after.comparedTo(before)
	if undone.Version = version; u.DryRun {
		return undone, nil
	}
	m := PlanMoves{Area: u.Area, Seen: version, Overrule: true, Moves: back.moves}
	undone.Version, err = after.saveWith(ctx, before.day, &m, func(t *store.Tx, plan store.Plan, _ *planning.Day) error {
		return saveUndone(ctx, t, c, plan, former)
	})
	undone.Applied = err == nil
	return undone, err
}

// undone is the plan in which moves are undone.
func (w *planner) undone(ctx context.Context, former *store.FormerMoves, back *wayBack) (*planner, error) {
	put, stay, err := w.put(ctx, w.day.Unlocked(back.free), back.moves, back.accepted, former.Routes)
	switch {
	case err != nil:
		return nil, err
	case len(stay) > 0:
		return nil, w.noWayBack(ctx, back.moves, stay)
	}
	return w.restored(ctx, former, put)
}

// restored is the plan in which moved orders are back where put has them, with the locks that they
// had before.
func (w *planner) restored(ctx context.Context, was *store.FormerMoves, put *planner) (*planner, error) {
	after := w.another()
	if err := after.draft(ctx, w.day.Restored(was.Locks())); err != nil {
		return nil, err
	}
	if after.plan = after.drawn.Carry(put.drawn, put.plan); len(routing.Broken(&after.drawn.Problem, after.plan)) > 0 {
		after.plan = routing.Repair(&after.drawn.Problem, after.plan)
	}
	after.searched = w.day.Searched
	return after, nil
}

// saveUndone restores the locks, unless somebody has done something with the orders or the
// moves meanwhile.
func saveUndone(ctx context.Context, t *store.Tx, c caller.Caller, plan store.Plan, was *store.FormerMoves) error {
	still, err := t.LockMoves(ctx, was.IDs)
	if err != nil {
		return err
	}
	now, err := t.LastMovesOf(ctx, plan, c.Actor(), len(was.IDs))
	switch {
	case err != nil:
		return err
	case !still || !slices.Equal(now.IDs, was.IDs):
		return errPlanChanged
	}
	for i := range now.Orders {
		if now.Orders[i].Since {
			return errPlanChanged
		}
	}
	return t.SaveUndone(ctx, plan, was)
}

// former finds the moves to be undone, with what was before them.
func (w *planner) former(ctx context.Context, u *PlanUndo) (*store.FormerMoves, error) {
	var former store.FormerMoves
	err := w.operations.store.InReadOnlyTx(ctx, w.caller.OrgID, func(t *store.Tx) (err error) {
		former, err = t.LastMovesIn(ctx, u.Area, w.caller.Actor(), u.Moves)
		return err
	})
	if err == nil && len(former.IDs) < u.Moves {
		err = fault.Illegal("plan.nothing_to_undo", "plan", u.Area.Date.Format(time.DateOnly))
	}
	var since []int64
	for i := range former.Orders {
		if o := &former.Orders[i]; o.Since {
			since = append(since, o.OrderID)
		}
	}
	if err == nil && len(since) > 0 {
		err = movedError{since}
	}
	return &former, err
}

// concernedBefore is what undoing moves is about.
func concernedBefore(former *store.FormerMoves) (about concern) {
	for i := range former.Orders {
		about.orders = append(about.orders, former.Orders[i].OrderID)
		about.drivers = append(about.drivers, former.Orders[i].From)
	}
	about.drivers = slices.AppendSeq(about.drivers, maps.Keys(former.Routes))
	return about
}

// wayBack is what undoes moves.
type wayBack struct {
	// moves bring orders back to the drivers who had them, with what was accepted then.
	moves    []planning.Move
	accepted map[int64]planning.Accepted
	// free are the orders that nobody had.
	free []int64
}

func backTo(f *store.FormerMoves) wayBack {
	back := wayBack{accepted: map[int64]planning.Accepted{}}
	for i := range f.Orders {
		o := &f.Orders[i]
		if o.From == 0 {
			back.free = append(back.free, o.OrderID)
			continue
		}
		back.moves = append(back.moves, planning.Move{OrderID: o.OrderID, DriverID: o.From})
		back.accepted[o.OrderID] = planning.Accepted{}
		if o.LockedTo == o.From {
			back.accepted[o.OrderID] = o.Accepted
		}
	}
	return back
}

// canUndo refuses to take back orders that a driver has begun, and to give orders to drivers
// who do not work.
func (w *planner) canUndo(ctx context.Context, f *store.FormerMoves) error {
	for i := range f.Orders {
		o := &f.Orders[i]
		reason := w.drawn.CanMove(o.OrderID, o.From)
		if reason == "" {
			continue
		}
		driver, numbers, err := w.names(ctx, o.From, []int64{o.OrderID})
		if err != nil {
			return err
		}
		return &fault.Error{
			Kind: fault.IllegalState, Text: refusal(reason, numbers[0], driver), Resource: "order", Name: numbers[0],
		}
	}
	return nil
}

// noWayBack says that orders do not fit any more into the routes that they were in.
func (w *planner) noWayBack(ctx context.Context, moves []planning.Move, stay []planning.Stays) error {
	ids := store.PlanIDs{}
	for _, m := range moves {
		ids.Drivers, ids.Orders = append(ids.Drivers, m.DriverID), append(ids.Orders, m.OrderID)
	}
	names, err := w.operations.store.NamesInPlans(ctx, w.caller.OrgID, ids)
	if err != nil {
		return err
	}
	out := fault.Error{Kind: fault.IllegalState, Resource: "order"}
	for i := range stay {
		at := slices.IndexFunc(moves, func(m planning.Move) bool { return m.OrderID == stay[i].OrderID })
		text := refusal(planning.NoRoom, nameOr(names.Orders, stay[i].OrderID), nameOr(names.Drivers, moves[at].DriverID))
		out.Violations = append(out.Violations, fault.Violation{Field: "orders[" + strconv.Itoa(i) + "]", Text: text})
	}
	out.Text, out.Name = out.Violations[0].Text, nameOr(names.Orders, stay[0].OrderID)
	return &out
}
