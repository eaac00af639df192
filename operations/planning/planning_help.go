package planning

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/store"
)

// ExplainedDay is what was found out of the orders that a plan leaves over.
type ExplainedDay struct {
	// Explained counts the orders, Left those for which there was no time.
	Explained, Left int
}

// How long it may take to find out what helps all orders of a plan, and each of
// the short searches for one.
const (
	helpTime   = 20 * time.Second
	helpSearch = 150 * time.Millisecond
)

// ExplainDay finds out what would help the orders that a plan leaves over, and
// keeps it with them, as long as the plan is the one that proves it.
func (o *Operations) ExplainDay(ctx context.Context, c caller.Caller, slice PlanningSlice) (ExplainedDay, error) {
	done, err := o.explainDay(ctx, c, slice)
	if err != nil {
		return done, fmt.Errorf("explain %s of department %d: %w",
			slice.Area.Date.Format(time.DateOnly), slice.Area.DepartmentID, err)
	}
	return done, nil
}

func (o *Operations) explainDay(ctx context.Context, c caller.Caller, slice PlanningSlice) (ExplainedDay, error) {
	release, err := o.planners.takeSpare(ctx, c.OrgID, slice.Ended)
	if err != nil {
		return ExplainedDay{}, err
	}
	defer release()
	day, err := o.planningDay(ctx, c.OrgID, slice.Area)
	if err != nil {
		return ExplainedDay{}, err
	}
	w := &planner{operations: o, caller: c, area: slice.Area, slice: PlanningSlice{Ended: slice.Ended}}
	if day.Large() {
		return w.explainDistricts(ctx, day)
	}
	return w.explainAll(ctx, day)
}

// explainAll finds out what would help the orders that a day, or a district, leaves over.
func (w *planner) explainAll(ctx context.Context, day planning.Day) (ExplainedDay, error) {
	if err := w.begin(ctx, day, w.slice.Ended); err != nil {
		return ExplainedDay{}, err
	}
	if w.missing > 0 && !w.failing() { // what would help on bounds may not help on roads
		return ExplainedDay{Left: 1}, nil
	}
	helper := w.drawn.Helper()
	if helper == nil {
		return ExplainedDay{}, nil
	}
	var helps map[int64]planning.Helps
	var left int
	atLowPriority(func() { helps, left = w.operations.help(helper, w.slice.Ended) })
	kept, err := w.keepHelps(ctx, helps)
	return ExplainedDay{Explained: kept, Left: left + len(helps) - kept}, err
}

// keepHelps writes what would help, as far as the plan still proves it, and returns for how
// many orders it did.
func (w *planner) keepHelps(ctx context.Context, helps map[int64]planning.Helps) (kept int, err error) {
	for now, try := w.day, 1; len(helps) > 0 && try <= commitTries; try++ {
		still, written := w.drawn.StillHelps(helps, &now), false
		if len(still) == 0 {
			return 0, nil
		}
		err := w.operations.store.InTx(ctx, w.caller, func(t *store.Tx) error {
			plan, err := t.LockPlan(ctx, w.area)
			if err != nil || plan.Version != now.Version {
				return err
			}
			written = true
			return t.SaveHelps(ctx, plan, still)
		})
		if err != nil || written {
			return len(still), err
		}
		whole, err := w.operations.planningDay(ctx, w.caller.OrgID, w.area)
		if err != nil {
			return 0, err
		}
		now = w.day.Again(&whole)
	}
	return 0, nil
}

// help finds out what helps the orders, one after the other until there is no
// more time.
func (o *Operations) help(helper *planning.Helper, ended <-chan struct{}) (helps map[int64]planning.Helps, left int) {
	end := time.Now().Add(helpTime)
	over := func() bool {
		select {
		case <-ended:
			return true
		default:
			return o.planners.wanted() || time.Now().After(end)
		}
	}
	search := func() routing.Options {
		began := time.Now()
		return routing.Options{Seed: 1, Spent: func(int) float64 {
			if over() {
				return 1
			}
			return float64(time.Since(began)) / float64(helpSearch)
		}}
	}
	orders := helper.Left()
	helps = map[int64]planning.Helps{}
	for i, id := range orders {
		if over() {
			return helps, len(orders) - i
		}
		found := helper.Help(id, search)
		if over() {
			return helps, len(orders) - i // what was broken off may have missed something
		}
		helps[id] = found
	}
	return helps, 0
}
