package planning

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/store"
)

// ReleasePlan releases the plan of an area to its drivers, and returns its version. From then on planning
// changes what saves enough, and keeps the rest. A plan that was released stays as it is.
func (o *Operations) ReleasePlan(ctx context.Context, c caller.Caller, area planning.Area) (version int64, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		plan, err := t.LockSeenPlan(ctx, area)
		if err != nil {
			return err
		}
		version, err = t.SaveRelease(ctx, plan, area)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("release the plan: %w", err)
	}
	return version, nil
}

// releaseWhenDue releases the plan if it is time, or has it looked at again then. It decides by the setting
// that the department has now, and not by that of an earlier look.
func (w *planner) releaseWhenDue(ctx context.Context) error {
	at := w.day.Releases()
	switch {
	case at.IsZero():
		return nil
	case !at.After(w.day.Now):
		if w.done.Written || w.day.Version > 0 {
			_, err := w.operations.ReleasePlan(ctx, w.caller, w.area)
			return err
		}
	case w.done.Wake.IsZero() || at.Before(w.done.Wake):
		w.done.Wake = at
	}
	return nil
}

// keepReleased puts back the routes of a released plan whose change does not save enough. What the
// present plan lacks, such as new orders and those of a sick driver, is put into it before.
func (w *planner) keepReleased() error {
	if !w.keeps || !w.drawn.Keeps() {
		return nil
	}
	nothing := func(int) float64 { return 1 }
	kept, err := routing.Improve(&w.drawn.Problem, w.drawn.Present, routing.Options{Spent: nothing})
	if err != nil {
		return err
	}
	w.plan = w.drawn.Worthwhile(kept.Plan, w.plan)
	return nil
}
