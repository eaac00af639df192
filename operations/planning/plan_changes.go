package planning

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/store"
)

// StartPlanAfresh has planning forget the sequence of a plan that somebody has
// looked at in a version, and returns its new one. What is locked or has begun stays, so
// that other changes of the plan are no obstacle; another fresh start since that version is.
func (o *Operations) StartPlanAfresh(
	ctx context.Context, c caller.Caller, area planning.Area, seen int64,
) (version int64, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		plan, err := t.LockSeenPlan(ctx, area)
		if err == nil && (seen > plan.Version || plan.FreshVersion > seen) {
			err = stale(plan.Version)
		}
		if err != nil {
			return err
		}
		version, err = t.SaveFreshStart(ctx, area, plan)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("restart plan: %w", err)
	}
	return version, nil
}

// plannedDay loads the day of a plan, or says that there is none.
func (o *Operations) plannedDay(
	ctx context.Context, org int64, area planning.Area, about concern,
) (planning.Day, error) {
	day, err := o.planningDay(ctx, org, area)
	if err == nil && day.Version == 0 {
		err = fault.Missing("plan", area.Date.Format(time.DateOnly))
	}
	if err != nil {
		return day, err
	}
	return o.around(org, area, &day, about)
}

// seenPlan drafts the plan of an area that somebody has looked at.
func (o *Operations) seenPlan(
	ctx context.Context, c caller.Caller, area planning.Area, about concern,
) (*planner, error) {
	day, err := o.plannedDay(ctx, c.OrgID, area, about)
	if err != nil {
		return nil, err
	}
	if day.Large() { // all of it is asked for
		return nil, tooLarge(area)
	}
	w := &planner{operations: o, caller: c, area: area}
	return w, w.draft(ctx, day)
}

// stale refuses to change a plan that has become another one since somebody
// looked at it.
func stale(version int64) error {
	name := strconv.FormatInt(version, 10)
	return &fault.Error{Kind: fault.Conflict, Text: fault.Say("plan.stale", "version", name), Resource: "plan", Name: name}
}
