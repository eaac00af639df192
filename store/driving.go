package store

import (
	"context"
	"fmt"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/version"
	"waybill/store/columns"
	"waybill/store/queries"
)

// LockDriving loads the parts of an order that the rules of driving need,
// and locks the order in this transaction.
func (t *Tx) LockDriving(ctx context.Context, id int64) (driving.Order, version.Version, error) {
	o, err := t.LockOrder(ctx, id)
	if err != nil {
		return driving.Order{}, "", err
	}
	row, err := t.q.LockDriving(ctx, queries.LockDrivingParams{OrgID: t.org, ID: id})
	if err != nil {
		return driving.Order{}, "", fmt.Errorf("find the driver of the order: %w", err)
	}
	return driving.Order{
		Order: o, DriverID: row.DriverID, LockedTo: row.LockedTo, Prohibited: row.Prohibited,
	}, version.At(row.UpdatedAt), nil
}

// SaveDriven saves the new state of an order, with its events, and returns its
// version.
func (t *Tx) SaveDriven(ctx context.Context, o *order.Order, out driving.Outcome) (version.Version, error) {
	changed, err := t.q.MoveOrder(ctx, queries.MoveOrderParams{
		OrgID: t.org, ID: o.ID, StatusID: int16(out.Status), DriverID: out.DriverID,
	})
	if err != nil {
		return "", fmt.Errorf("move the order: %w", err)
	}
	s := newSaver(t)
	s.events(ctx, out.Events)
	return version.At(changed), s.send(ctx)
}

// ProhibitedDriver must not have an order; the reason may be empty.
type ProhibitedDriver = queries.ProhibitedDriversRow

// LoadProhibitedDrivers reads the drivers prohibited for an order itself.
func (t *Tx) LoadProhibitedDrivers(ctx context.Context, orderID int64) ([]ProhibitedDriver, error) {
	return t.q.ProhibitedDrivers(ctx, queries.ProhibitedDriversParams{OrgID: t.org, OrderID: orderID})
}

// SaveProhibitedDrivers replaces the drivers prohibited for an order.
func (t *Tx) SaveProhibitedDrivers(ctx context.Context, orderID int64, drivers []ProhibitedDriver) error {
	return t.q.SetProhibitedDrivers(ctx, queries.SetProhibitedDriversParams{
		OrgID: t.org, OrderID: orderID,
		DriverIds: columns.Of(drivers, func(d ProhibitedDriver) int64 { return d.DriverID }),
		Reasons:   columns.Of(drivers, func(d ProhibitedDriver) string { return d.Reason }),
	})
}

// SaveDriverLock locks an order to a driver, or opens it to all when it is 0.
func (t *Tx) SaveDriverLock(ctx context.Context, orderID, driverID int64) error {
	if driverID == 0 {
		return t.q.DeleteDriverLock(ctx, queries.DeleteDriverLockParams{OrgID: t.org, OrderID: orderID})
	}
	return t.q.SetDriverLock(ctx, queries.SetDriverLockParams{OrgID: t.org, OrderID: orderID, DriverID: driverID})
}

// Note is a remark on an order.
type Note struct{ Type, Comment string }

// SaveNotes stores notes about a stop of an order, or about the order when no
// stop is given.
func (t *Tx) SaveNotes(
	ctx context.Context, o *order.Order, stop order.StopKind, notes []Note,
) (ids []int64, err error) {
	var stopID int64
	switch stop {
	case order.Pickup:
		stopID = o.Pickup.ID
	case order.Delivery:
		stopID = o.Delivery.ID
	}
	for _, n := range notes {
		id, err := t.q.AddDocumentation(ctx, queries.AddDocumentationParams{
			OrgID: t.org, OrderID: o.ID, StopID: stopID, Type: n.Type, Comment: n.Comment,
		})
		if err != nil {
			return nil, fmt.Errorf("add a note: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// LoadKnownDrivers returns which of these drivers exist, and whether they are
// active.
func (t *Tx) LoadKnownDrivers(ctx context.Context, ids []int64) (map[int64]bool, error) {
	rows, err := t.q.KnownDrivers(ctx, queries.KnownDriversParams{OrgID: t.org, Ids: ids})
	if err != nil {
		return nil, fmt.Errorf("known drivers: %w", err)
	}
	known := make(map[int64]bool, len(rows))
	for _, r := range rows {
		known[r.ID] = r.IsActive
	}
	return known, nil
}

// ProhibitedDrivers reads the drivers prohibited for an order itself, and the
// order's version.
func (s *Store) ProhibitedDrivers(
	ctx context.Context, org, orderID int64,
) ([]ProhibitedDriver, version.Version, error) {
	changed, err := s.of(org).OrderVersion(ctx, queries.OrderVersionParams{OrgID: org, ID: orderID})
	if err != nil {
		return nil, "", absent("order", orderID, err)
	}
	rows, err := s.of(org).ProhibitedDrivers(ctx, queries.ProhibitedDriversParams{OrgID: org, OrderID: orderID})
	return rows, version.At(changed), translate(err)
}
