package store

import (
	"context"
	"time"

	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/store/columns"
	"waybill/store/queries"
)

// MoveOf is a change of a plan by a person: in which plan, and of which kind.
type MoveOf struct {
	Plan Plan
	Kind MoveKind
}

// MoveKind is what a person did.
type MoveKind string

// The kinds of moves.
const (
	MovedOrders    MoveKind = "MOVE"
	HandedOver     MoveKind = "HANDOVER"
	SwappedDrivers MoveKind = "SWAP"
)

// stopRefs reads stops from numbers of orders, which are negative for deliveries.
func stopRefs(stops []int64) []planning.StopRef {
	all := make([]planning.StopRef, len(stops))
	for i, n := range stops {
		all[i] = planning.StopRef{OrderID: n, Kind: order.Pickup}
		if n < 0 {
			all[i] = planning.StopRef{OrderID: -n, Kind: order.Delivery}
		}
	}
	return all
}

// stopNumbers is the opposite of stopRefs.
func stopNumbers(stops []planning.StopRef) []int64 {
	all := make([]int64, len(stops))
	for i, s := range stops {
		if all[i] = s.OrderID; s.Kind == order.Delivery {
			all[i] = -s.OrderID
		}
	}
	return all
}

// keepFormer keeps how orders and their routes are before a move.
func (t *Tx) keepFormer(ctx context.Context, of MoveOf, orders, drivers []int64) error {
	err := t.q.KeepPlanMove(ctx, queries.KeepPlanMoveParams{
		OrgID: t.org, PlanID: of.Plan.ID, Kind: string(of.Kind), Version: of.Plan.Version + 1,
		OrderIds: orders, DriverIds: drivers,
	})
	if err != nil {
		return err
	}
	return t.q.LoosenHolds(ctx, queries.LoosenHoldsParams{OrgID: t.org, PlanID: of.Plan.ID, OrderIds: orders})
}

// FormerOrder is an order as it was before moves that a person undoes.
type FormerOrder struct {
	OrderID int64
	// From is the driver who had it, and To the one who got it; From is 0 if nobody had it.
	From, To int64
	// LockedTo is the driver to whom it was locked, or 0.
	LockedTo int64
	LockedBy string
	LockedAt time.Time
	Accepted planning.Accepted
	// Since is true when somebody else has moved it after that.
	Since bool
}

// FormerMoves are moves of a person in a plan, with what was before the first of them.
type FormerMoves struct {
	IDs []int64
	// At is when the first of them was made.
	At     time.Time
	Orders []FormerOrder
	// Routes are the changed ones, by driver.
	Routes map[int64][]planning.StopRef
}

// LastMovesOf returns the last moves in a plan, at most so many, that an actor has made
// and not undone.
func (t *Tx) LastMovesOf(ctx context.Context, plan Plan, actor string, most int) (FormerMoves, error) {
	var f FormerMoves
	moves, err := t.q.LastMovesOf(ctx, queries.LastMovesOfParams{
		OrgID: t.org, PlanID: plan.ID, DoneBy: actor, Most: int32(most),
	})
	if err != nil || len(moves) == 0 {
		return f, err
	}
	for _, m := range moves {
		f.IDs, f.At = append(f.IDs, m.ID), m.DoneAt
	}
	orders, err := t.q.MovedOrdersOf(ctx, queries.MovedOrdersOfParams{OrgID: t.org, MoveIds: f.IDs})
	if err != nil {
		return f, err
	}
	for i := range orders {
		o := &orders[i]
		f.Orders = append(f.Orders, FormerOrder{
			OrderID: o.OrderID, From: o.FromDriverID, To: o.ToDriverID, LockedTo: o.LockedTo, LockedBy: o.LockedBy,
			LockedAt: o.LockedAt, Since: o.Since,
			Accepted: planning.Accepted{
				Anyhow: o.AcceptsAnyhow, PickupUntil: known(o.PickupUntil), DeliveryUntil: known(o.DeliveryUntil),
			},
		})
	}
	routes, err := t.q.MovedRoutesOf(ctx, queries.MovedRoutesOfParams{OrgID: t.org, MoveIds: f.IDs})
	f.Routes = make(map[int64][]planning.StopRef, len(routes))
	for _, r := range routes {
		f.Routes[r.DriverID] = stopRefs(r.Stops)
	}
	return f, err
}

// LastMovesIn is LastMovesOf for the plan of an area, without locking it.
func (t *Tx) LastMovesIn(ctx context.Context, area planning.Area, actor string, most int) (FormerMoves, error) {
	plan, err := t.q.FindPlan(ctx, queries.FindPlanParams{OrgID: t.org, Day: area.Date, DepartmentID: area.DepartmentID})
	if err != nil {
		return FormerMoves{}, err
	}
	return t.LastMovesOf(ctx, Plan{ID: plan.ID}, actor, most)
}

// Locks are the locks that the orders had, as planning knows them.
func (f *FormerMoves) Locks() map[int64]planning.Lock {
	locks := make(map[int64]planning.Lock, len(f.Orders))
	for i := range f.Orders {
		locks[f.Orders[i].OrderID] = planning.Lock{DriverID: f.Orders[i].LockedTo, Accepted: f.Orders[i].Accepted}
	}
	return locks
}

// known is a time in UTC; the zero time stays zero.
func known(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC()
}

// LockMoves locks moves until the end of the transaction, and reports whether nobody has
// undone any of them.
func (t *Tx) LockMoves(ctx context.Context, ids []int64) (all bool, err error) {
	still, err := t.q.LockMoves(ctx, queries.LockMovesParams{OrgID: t.org, MoveIds: ids})
	return len(still) == len(ids), err
}

// SaveUndone locks the orders of moves as they were before, or not at all, with the events,
// and notes that the moves are undone.
func (t *Tx) SaveUndone(ctx context.Context, plan Plan, f *FormerMoves) error {
	p := queries.RestoreLocksParams{OrgID: t.org}
	for i := range f.Orders {
		o := &f.Orders[i]
		columns.Add(&p.OrderIds, o.OrderID)
		columns.Add(&p.DriverIds, o.LockedTo)
		columns.Add(&p.LockedBys, o.LockedBy)
		columns.Add(&p.LockedAts, o.LockedAt)
		columns.Add(&p.Anyhow, o.Accepted.Anyhow)
		columns.Add(&p.PickupUntils, o.Accepted.PickupUntil)
		columns.Add(&p.DeliveryUntils, o.Accepted.DeliveryUntil)
	}
	rows, err := t.q.RestoreLocks(ctx, p)
	if err != nil {
		return err
	}
	err = t.q.LoosenHolds(ctx, queries.LoosenHoldsParams{OrgID: t.org, PlanID: plan.ID, OrderIds: p.OrderIds})
	if err != nil {
		return err
	}
	if err := t.q.UndoMoves(ctx, queries.UndoMovesParams{OrgID: t.org, MoveIds: f.IDs}); err != nil {
		return err
	}
	events := make([]event.Event, len(rows))
	for i, r := range rows {
		kind := event.OrderUnlocked
		if r.DriverID != 0 {
			kind = event.OrderLocked
		}
		events[i] = event.Order{ID: r.ID, Number: r.Number}.Event(kind)
		events[i].Data = undone{DriverID: r.DriverID, Undone: true}
	}
	return t.Append(ctx, events...)
}

// undone is the event data of an order whose move was undone: the driver to whom it is
// locked again, if any.
type undone struct {
	DriverID int64 `json:"driver_id,omitempty"`
	Undone   bool  `json:"undone"`
}

// SaveRouteHold has the caller hold a sequence of a driver's route, with the event.
//
// The orders keep the reason.
func (t *Tx) SaveRouteHold(
	ctx context.Context, plan Plan, area planning.Area, driver int64, hold *planning.Hold, orders []int64, reason string,
) error {
	err := t.q.PutHold(ctx, queries.PutHoldParams{
		OrgID: t.org, PlanID: plan.ID, DriverID: driver, Stops: stopNumbers(hold.Stops), IsClosed: hold.Closed,
	})
	if err != nil {
		return err
	}
	if _, err := t.keepMoveReasons(ctx, orders, reason); err != nil {
		return err
	}
	return t.Append(ctx, ofRoute(plan, area, driver, event.PlanRouteHeld))
}

// DeleteRouteHold releases a route that somebody holds, with the event, and returns the new
// version of the plan. It reports false if nobody holds it.
func (t *Tx) DeleteRouteHold(
	ctx context.Context, plan Plan, area planning.Area, driver int64,
) (version int64, held bool, err error) {
	gone, err := t.q.DeleteHold(ctx, queries.DeleteHoldParams{OrgID: t.org, PlanID: plan.ID, DriverID: driver})
	if err != nil || gone == 0 {
		return plan.Version, false, err
	}
	if version, err = t.q.TouchPlan(ctx, queries.TouchPlanParams{OrgID: t.org, ID: plan.ID}); err != nil {
		return 0, false, err
	}
	return version, true, t.Append(ctx, ofRoute(plan, area, driver, event.PlanRouteReleased))
}

// ofRoute is an event of a driver's route in a plan.
func ofRoute(plan Plan, area planning.Area, driver int64, kind event.Kind) event.Event {
	e := event.Plan{ID: plan.ID, Day: area.Date.Format(time.DateOnly)}.Event(kind)
	e.Data = map[string]int64{"driver_id": driver}
	return e
}

// RouteOf names the route of a driver in a plan.
type RouteOf struct{ PlanID, DriverID int64 }

// HeldRoute is a sequence that somebody holds.
type HeldRoute struct {
	planning.Hold

	// By is who holds it, and At since when.
	By string
	At time.Time
}

// HeldRoutes returns the sequences that people hold on a day, for some drivers.
func (s *Store) HeldRoutes(
	ctx context.Context, org int64, day time.Time, drivers []int64,
) (map[RouteOf]HeldRoute, error) {
	rows, err := s.of(org).HoldsOfPlans(ctx, queries.HoldsOfPlansParams{
		OrgID: org, Day: day, DriverIds: columns.Of(drivers, same),
	})
	all := make(map[RouteOf]HeldRoute, len(rows))
	for _, r := range rows {
		all[RouteOf{r.PlanID, r.DriverID}] = HeldRoute{
			Hold: planning.Hold{Stops: stopRefs(r.Stops), Closed: r.IsClosed}, By: r.HeldBy, At: r.HeldAt.UTC(),
		}
	}
	return all, translate(err)
}
