package operations

import (
	"context"
	"errors"
	"maps"
	"slices"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/store"
)

// commitTries is how often a plan is carried over to what changed meanwhile.
const commitTries = 3

// rebaseSteps is how long is searched for a place of what changed meanwhile.
const rebaseSteps = 200

// errPlanChanged says that what a plan was made from has changed.
var errPlanChanged = errors.New("what the plan was made from has changed")

// commit writes the plan as far as it still holds. The rest of it is carried over to what
// changed meanwhile, and written then.
func (w *planner) commit(ctx context.Context) error {
	for try := 1; ; try++ {
		redo, err := w.write(ctx)
		if err != nil || !redo {
			return err
		}
		w.done.Refused++
		if try == commitTries { // the next slice begins with what is so then
			w.done.Wake = w.day.Now
			return nil
		}
		day, err := w.operations.planningDay(ctx, w.caller.OrgID, w.area)
		if err == nil {
			err = w.rebase(ctx, day)
		}
		if err != nil {
			return err
		}
	}
}

// rebase carries the plan over to a day as it is now, and finds places for what came or
// lost its own.
func (w *planner) rebase(ctx context.Context, now planning.Day) error {
	from, plan := w.drawn, w.plan
	if err := w.draft(ctx, now); err != nil {
		return err
	}
	w.plan = w.drawn.Carry(from, plan)
	return w.improve(routing.Iterations(rebaseSteps))
}

// write commits what still holds of the plan, in one transaction, and reports whether
// there is more to be written once the plan knows what changed.
func (w *planner) write(ctx context.Context) (redo bool, err error) {
	solution := w.drawn.Solution(w.plan, w.searched)
	diff := w.day.Difference(solution)
	missed, over := w.day.News(w.drawn.Missed())
	if diff.Empty() && len(missed)+len(over) == 0 && !w.day.Fresh && maps.Equal(w.drawn.LeftOut, w.day.LeftOut) {
		w.note(solution, &diff)
		return false, nil
	}
	var merged planning.Merged
	written := false
	err = w.operations.store.InTx(ctx, w.caller, func(t *store.Tx) error {
		plan, err := t.LockPlan(ctx, w.area)
		if err != nil {
			return err
		}
		written = false
		day, err := w.hold(ctx, t, diff.Held(), diff.Rewritten())
		if err != nil {
			return err
		}
		if plan.Fresh && !w.day.Fresh { // nothing of this plan is to remain
			merged = planning.Merged{Solution: planning.Solution{Routes: day.Routes, Unplanned: day.Unplanned}, Redo: true}
			return nil
		}
		merged = w.day.Merge(solution, &diff, &day)
		if merged.Difference.Empty() && len(missed)+len(over) == 0 && !plan.Fresh && maps.Equal(w.drawn.LeftOut, day.LeftOut) {
			return nil
		}
		written = true
		facts := w.facts()
		facts.Missed, facts.Over = missed, over
		return t.SavePlan(ctx, plan, &merged.Difference, facts)
	})
	if err != nil {
		return false, err
	}
	w.done.Written = w.done.Written || written
	w.note(merged.Solution, &merged.Difference)
	return merged.Redo, nil
}

// hold locks what a plan changes of the day, and reads the day as it is then. The plan is
// locked already.
func (w *planner) hold(ctx context.Context, t *store.Tx, orders, drivers []int64) (planning.Day, error) {
	if err := t.LockETAs(ctx, drivers...); err != nil {
		return planning.Day{}, err
	}
	if err := t.LockOrdersOfPlan(ctx, orders); err != nil {
		return planning.Day{}, err
	}
	return t.LoadPlanningDay(ctx, w.area, w.day.Now)
}

// facts are what a commit says of how the plan was made.
func (w *planner) facts() store.PlanFacts {
	return store.PlanFacts{
		Searched: w.searched, Travel: w.done.Travel, TravelFailure: w.done.TravelFailure,
		Guessed: w.done.Guessed, LeftOut: w.drawn.LeftOut, Afresh: w.day.Fresh,
		Day: w.area.Date, Again: w.done.Refused > 0,
	}
}

// note keeps what the plan has come to, as it is written.
func (w *planner) note(s planning.Solution, diff *planning.Difference) {
	w.done.State, w.done.Why, w.done.Planned = planning.DayPlanned, map[planning.Reason]int{}, 0
	w.done.Drivers, w.done.Unplanned = len(s.Routes), len(s.Unplanned)
	for i := range s.Routes {
		w.done.Planned += s.Routes[i].Orders()
	}
	for i := range s.Unplanned {
		w.done.Why[s.Unplanned[i].Reasons[0].Code]++
	}
	w.done.Told += len(slices.DeleteFunc(slices.Clone(diff.Orders), func(c planning.OrderChange) bool {
		return c.Told == planning.Nothing
	}))
	w.done.Wake = w.day.Wake(s)
}
