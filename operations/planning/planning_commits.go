package planning

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
	"waybill/store"
)

// commitTries is how often a plan is carried over to what changed meanwhile.
const commitTries = 3

// catchUps is how often a plan is carried over before it is committed. On a large day drivers
// tap during that, too.
const catchUps = 4

// rebaseSteps is how long is searched for a place of what changed meanwhile.
const rebaseSteps = 200

// errPlanChanged says that what a plan was made from has changed.
var errPlanChanged = errors.New("the data of the plan has changed")

// commit writes the plan as far as it still holds. The rest of it is carried over to what
// changed meanwhile, and written then.
func (w *planner) commit(ctx context.Context) error {
	offered, err := w.catchUp(ctx)
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		redo, err := w.write(ctx, &offered)
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
			err = w.rebase(ctx, w.day.Again(&day))
		}
		if err != nil {
			return err
		}
		offered = w.offers()
	}
}

// offer is what a plan would make of its day, and what that changes.
type offer struct {
	solution planning.Solution
	diff     planning.Difference
}

func (w *planner) offers() offer {
	w.drawn.HoldsBack = w.holdsBack()
	w.done.Guessed = w.legs(w.plan, travel.Bound, travel.Estimate)
	solution := w.drawn.Solution(w.plan, w.searched)
	return offer{solution, w.day.Difference(solution)}
}

// catchUp carries the plan over to what changed during the search, without locks, and returns what
// it offers then. A search takes much longer than this does, so the commit behind it seldom finds
// that something changed again.
func (w *planner) catchUp(ctx context.Context) (offer, error) {
	offered := w.offers()
	for try := 0; try < catchUps && !offered.diff.Empty(); try++ {
		of := touchedBy(&w.day, offered.solution, &offered.diff)
		part, err := w.operations.store.PlanningPart(ctx, w.caller.OrgID, w.area, w.day.Now, of.orders, of.drivers)
		if err != nil {
			return offered, err
		}
		now := w.day.Renewed(&part, of.orders, of.drivers)
		if !w.day.Merge(offered.solution, &offered.diff, &now).Redo {
			break
		}
		w.done.CaughtUp++
		if err := w.rebase(ctx, now); err != nil {
			return offered, err
		}
		offered = w.offers()
	}
	return offered, nil
}

// rebase carries the plan over to a day as it is now, and finds places for what came or
// lost its own.
func (w *planner) rebase(ctx context.Context, now planning.Day) error {
	from, plan := w.drawn, w.plan
	if err := w.draft(ctx, now); err != nil {
		return err
	}
	w.plan = w.drawn.Carry(from, plan)
	if err := w.improve(routing.Iterations(rebaseSteps)); err != nil {
		return err
	}
	return w.ascertain(ctx)
}

// write commits what still holds of an offer, in one transaction, and reports whether
// there is more to be written once the plan knows what changed.
func (w *planner) write(ctx context.Context, offered *offer) (redo bool, err error) {
	solution, diff := offered.solution, offered.diff
	missed, over := w.day.News(w.drawn.Missed())
	if diff.Empty() && len(missed)+len(over) == 0 && !w.day.Fresh && maps.Equal(w.drawn.LeftOut, w.day.LeftOut) {
		w.note(solution, &diff)
		return false, nil
	}
	of := touchedBy(&w.day, solution, &diff)
	var merged planning.Merged
	written := false
	err = w.operations.store.InTx(ctx, w.caller, func(t *store.Tx) error {
		plan, err := t.LockPlan(ctx, w.area)
		if err != nil {
			return err
		}
		locked := time.Now()
		defer func() { w.done.Locked += time.Since(locked) }()
		written = false
		day, err := w.hold(ctx, t, &w.day, of)
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
		facts := w.facts(&day, &merged)
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

// touched is what a commit depends on: orders and drivers that are read again, and of them
// the orders that are locked and the drivers whose ETAs are.
type touched struct{ orders, drivers, locked, etas []int64 }

// touchedBy returns what a commit of a solution depends on, and other orders.
func touchedBy(day *planning.Day, s planning.Solution, diff *planning.Difference, others ...int64) touched {
	of := touched{locked: append(diff.Held(), others...), etas: diff.Rewritten()}
	of.orders, of.drivers = day.Touched(s, diff)
	of.orders = append(of.orders, others...)
	return of
}

// hold locks what a plan changes of a day, and reads what that depends on as it is then. The
// rest of the day stays as it was. The plan is locked already.
func (w *planner) hold(ctx context.Context, t *store.Tx, was *planning.Day, of touched) (planning.Day, error) {
	if err := t.LockETAs(ctx, of.etas...); err != nil {
		return planning.Day{}, err
	}
	if err := t.LockOrdersOfPlan(ctx, of.locked); err != nil {
		return planning.Day{}, err
	}
	part, err := t.LoadPlanningPart(ctx, w.area, was.Now, of.orders, of.drivers)
	return was.Renewed(&part, of.orders, of.drivers), err
}

// facts are what a commit to a day says of how the plan was made.
func (w *planner) facts(day *planning.Day, merged *planning.Merged) store.PlanFacts {
	return store.PlanFacts{
		Outdated: w.drawn.Outdated(planning.Solution{Routes: day.Routes, Unplanned: day.Unplanned}, merged.Solution),
		Searched: w.searched, Travel: w.done.Travel,
		TravelFailure: w.done.TravelFailure, TravelFailureCode: w.done.TravelFailureCode,
		Guessed: w.legs(w.plan, travel.Bound, travel.Estimate), LeftOut: w.drawn.LeftOut, FromScratch: w.day.Fresh,
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
	if w.done.Wake = w.day.Wake(s); len(w.drawn.Unexplained) > 0 {
		w.done.Wake = w.day.Now.Add(explainOn)
	}
	w.wakeForTimes()
	w.noteHeldBack(s)
}

// explainOn is when a plan goes on saying why orders are left over, if nothing happens before.
const explainOn = 15 * time.Second

// When a plan is looked at again because travel times are missing: soon, as long as the server answers,
// and less often the longer it fails.
const (
	askOn      = 2 * time.Second
	askAgain   = 30 * time.Second
	askAtLeast = 10 * time.Minute
)

// wakeForTimes has the plan looked at again if travel times are missing.
func (w *planner) wakeForTimes() {
	known := w.known()
	pause := askOn
	if w.failing() {
		pause = known.failing(time.Now())
	} else if known.failed.Store(nil); w.missing == 0 {
		return
	}
	if wake := w.day.Now.Add(pause); w.done.Wake.IsZero() || wake.Before(w.done.Wake) {
		w.done.Wake = wake
	}
}

// failing notes that the server of travel times fails, and returns after how long it is asked again.
func (m *areaMemory) failing(now time.Time) time.Duration {
	m.failed.CompareAndSwap(nil, &now)
	since := *m.failed.Load()
	return min(max(askAgain, now.Sub(since)), askAtLeast)
}
