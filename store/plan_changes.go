package store

import (
	"context"
	"time"

	"waybill/domain/event"
	"waybill/domain/planning"
	"waybill/store/columns"
	"waybill/store/queries"
)

// LockSeenPlan finds the plan of an area that a user has seen, and locks it for
// this transaction.
func (t *Tx) LockSeenPlan(ctx context.Context, area planning.Area) (Plan, error) {
	row, err := t.q.LockSeenPlan(ctx, queries.LockSeenPlanParams{
		OrgID: t.org, Day: area.Date, DepartmentID: area.DepartmentID,
	})
	return Plan(row), absent("plan", area.Date.Format(time.DateOnly), err)
}

// SaveFreshStart has the next search forget the sequence of a plan, with its
// event, and returns the new version.
func (t *Tx) SaveFreshStart(ctx context.Context, area planning.Area, p Plan) (version int64, err error) {
	version, err = t.q.AskFreshPlan(ctx, queries.AskFreshPlanParams{OrgID: t.org, ID: p.ID})
	if err != nil {
		return 0, err
	}
	asked := event.Plan{ID: p.ID, Day: area.Date.Format(time.DateOnly)}.Event(event.PlanFreshStart)
	return version, t.Append(ctx, asked)
}

// SaveMoved locks orders to the drivers to whom they were moved, with the
// permitted violations and the events.
//
// Before that it keeps how the orders, and the routes that change, were, so that the move
// can be undone, and the orders leave the sequences that people hold.
func (t *Tx) SaveMoved(
	ctx context.Context, of MoveOf, moves []planning.Move, reason string, accepted map[int64]planning.Accepted,
) error {
	p := queries.LockMovedParams{OrgID: t.org, Reason: reason}
	to := make(map[int64]int64, len(moves))
	for _, m := range moves {
		a := accepted[m.OrderID]
		to[m.OrderID] = m.DriverID
		columns.Add(&p.OrderIds, m.OrderID)
		columns.Add(&p.DriverIds, m.DriverID)
		columns.Add(&p.Anyhow, a.Anyhow)
		columns.Add(&p.PickupUntils, a.PickupUntil)
		columns.Add(&p.DeliveryUntils, a.DeliveryUntil)
	}
	if err := t.keepFormer(ctx, of, p.OrderIds, p.DriverIds); err != nil {
		return err
	}
	rows, err := t.q.LockMoved(ctx, p)
	if err != nil {
		return err
	}
	notes, err := t.keepMoveReasons(ctx, p.OrderIds, reason)
	if err != nil {
		return err
	}
	events := make([]event.Event, len(rows))
	for i, r := range rows {
		events[i] = event.Order{ID: r.ID, Number: r.Number}.Event(event.OrderLocked)
		events[i].Data = lockedTo{DriverID: to[r.ID], Notes: notes[r.ID]}
	}
	return t.Append(ctx, events...)
}

// keepMoveReasons keeps why orders were moved, and returns the documentations of each.
func (t *Tx) keepMoveReasons(ctx context.Context, orders []int64, reason string) (map[int64][]int64, error) {
	if reason == "" {
		return nil, nil
	}
	rows, err := t.q.KeepMoveReasons(ctx, queries.KeepMoveReasonsParams{OrgID: t.org, OrderIds: orders, Reason: reason})
	notes := make(map[int64][]int64, len(rows))
	for _, r := range rows {
		notes[r.OrderID] = []int64{r.ID}
	}
	return notes, err
}

// lockedTo is the event data of a lock: the driver, and the documentation that
// justifies it.
type lockedTo struct {
	DriverID int64   `json:"driverId"`
	Notes    []int64 `json:"notes,omitempty"`
}

// LastMove is the last lock of an order to a driver: by whom, to which driver
// and how many seconds ago. MovedBy is empty if there was none; then the driver
// is the current one.
type LastMove = queries.LastMoveRow

// LastMove returns the last move of an order.
func (s *Store) LastMove(ctx context.Context, org, order int64) (LastMove, error) {
	row, err := s.of(org).LastMove(ctx, queries.LastMoveParams{OrgID: org, OrderID: order})
	return row, absent("order", order, err)
}
