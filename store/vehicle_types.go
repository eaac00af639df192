package store

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/store/queries"
)

// OrderVehicleType reads the vehicle type that the order of a number requires.
func (s *Store) OrderVehicleType(ctx context.Context, org int64, number string) (order.Named, error) {
	row, err := s.of(org).OrderVehicleType(ctx, queries.OrderVehicleTypeParams{OrgID: org, Number: number})
	return order.Named(row), absent("order", number, err)
}

// VehicleType finds an active vehicle type by its id, or without one by its
// name, whatever its case.
func (s *Store) VehicleType(ctx context.Context, org int64, id *int64, name string) (order.Named, error) {
	row, err := s.of(org).FindVehicleType(ctx, queries.FindVehicleTypeParams{OrgID: org, ID: id, Name: name})
	return order.Named(row), translate(err)
}

// ChangeVehicleType gives the order of a number another vehicle type, with
// what follows from it for its status and driver.
func (s *Store) ChangeVehicleType(ctx context.Context, by caller.Caller, number string, vehicleType int64) (order.VehicleTypeChange, error) {
	var outcome order.VehicleTypeChange
	err := s.InTx(ctx, by, func(t *Tx) error {
		snapshot, err := t.LockOrdersByNumber(ctx, []string{number})
		if err != nil {
			return err
		}
		if len(snapshot.Orders) == 0 {
			return absent("order", number, ErrNotFound)
		}
		o := snapshot.Orders[0]
		if outcome = o.ChangeVehicleType(vehicleType); outcome != order.VehicleTypeChanged {
			return nil
		}
		return t.saveReassigned(ctx, o)
	})
	if err != nil {
		return 0, fmt.Errorf("change vehicle type: %w", err)
	}
	return outcome, nil
}

func (t *Tx) saveReassigned(ctx context.Context, o *order.Order) error {
	event := order.Event{Kind: order.EventUpdated, Number: o.Number, Order: o}
	if o.Changes.Status {
		event.Status = o.Status
	}
	s := newSaver(t)
	s.queue(s.q.ReassignOrder(ctx, queries.ReassignOrderParams{
		OrgID: t.org, ID: o.ID, VehicleTypeID: o.VehicleTypeID, StatusID: int16(o.Status),
	}))
	s.events(ctx, []order.Event{event})
	return s.send(ctx)
}
