package store

import (
	"context"
	"slices"
	"time"

	"waybill/domain/event"
	"waybill/domain/planning"
	"waybill/store/queries"
)

func releaseOf(plan *queries.FindPlanRow) planning.Release {
	return planning.Release{
		Minute: int(plan.ReleaseMinute), DaysBefore: int(plan.ReleaseDaysBefore),
		Threshold: time.Duration(plan.ReleaseThresholdMinutes) * time.Minute, At: plan.ReleasedAt.UTC(),
	}
}

// releasedPlan is the event data of a plan that was released.
type releasedPlan struct {
	Routes int64 `json:"routes"`
	Orders int64 `json:"orders"`
}

// SaveRelease releases a locked plan to its drivers with the event, keeps its stops as they are, and
// returns the new version. A plan that was released stays as it is.
func (t *Tx) SaveRelease(ctx context.Context, plan Plan, area planning.Area) (version int64, err error) {
	if plan.Released {
		return plan.Version, nil
	}
	released, err := t.q.ReleasePlan(ctx, queries.ReleasePlanParams{OrgID: t.org, ID: plan.ID})
	if err != nil {
		return 0, err
	}
	e := event.Plan{ID: plan.ID, Day: area.Date.Format(time.DateOnly)}.Event(event.PlanReleased)
	e.Data = releasedPlan{Routes: released.Routes, Orders: released.Orders}
	return released.Version, t.Append(ctx, e)
}

// tellDrivers counts which routes of a released plan become others, and returns an event for each. The
// phones of their drivers show what changed.
func (s *saver) tellDrivers(ctx context.Context, p Plan, diff *planning.Difference, day time.Time) []event.Event {
	drivers := slices.Concat(diff.Resequenced, diff.GoneRoutes)
	slices.Sort(drivers)
	drivers = slices.Compact(drivers)
	if !p.Released || len(drivers) == 0 {
		return nil
	}
	s.queue(s.q.CountReleasedChanges(ctx, queries.CountReleasedChangesParams{
		OrgID: s.org, ID: p.ID, Routes: int64(len(drivers)),
	}))
	events := make([]event.Event, len(drivers))
	for i, driver := range drivers {
		events[i] = ofRoute(p, planning.Area{Date: day}, driver, event.PlanRouteChanged)
	}
	return events
}

// PlanRelease is when a plan was released, and by whom. At is zero before that.
type PlanRelease struct {
	At time.Time
	By string
}

// ReleasedOrder is an order in a released plan, as it was released and as it is planned now.
type ReleasedOrder = queries.PageReleasedOrdersRow

// ReleasedPlan reads the orders of a released plan after one, and whether there are more.
func (s *Store) ReleasedPlan(
	ctx context.Context, org int64, area planning.Area, after int64, size int32,
) (release PlanRelease, orders []ReleasedOrder, more bool, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		row, err := t.q.ReleaseOfPlan(ctx, queries.ReleaseOfPlanParams{
			OrgID: org, Day: area.Date, DepartmentID: area.DepartmentID,
		})
		if err != nil {
			return absent("plan", area.Date.Format(time.DateOnly), err)
		}
		if release = (PlanRelease{At: row.ReleasedAt.UTC(), By: row.ReleasedBy}); release.At.IsZero() {
			return nil
		}
		orders, err = t.q.PageReleasedOrders(ctx, queries.PageReleasedOrdersParams{
			OrgID: org, PlanID: row.ID, After: after, PageSize: size + 1,
		})
		if more = len(orders) > int(size); more {
			orders = orders[:size]
		}
		return err
	})
	return release, orders, more, err
}
