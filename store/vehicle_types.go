package store

import (
	"context"

	"waybill/domain/event"
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

// SaveReassigned saves the vehicle type and status of an order, which had another type and
// loses its driver, with its event. edited is true if a person wants it, rather than the
// service.
func (t *Tx) SaveReassigned(ctx context.Context, o *order.Order, was int64, edited bool) error {
	change := order.Event{
		Kind: event.OrderUpdated, Number: o.Number, Order: o, Differences: []order.Difference{o.OtherVehicleType(was)},
	}
	if o.Changes.Status {
		change.Status = o.Status
	}
	s := newSaver(t)
	s.queue(s.q.ReassignOrder(ctx, queries.ReassignOrderParams{
		OrgID: t.org, ID: o.ID, VehicleTypeID: o.VehicleTypeID, StatusID: int16(o.Status), Edited: edited,
		ReplacedVehicleTypeID: o.ReplacedVehicleTypeID,
	}))
	s.shares(ctx, []*order.Order{o})
	if edited {
		s.heard(ctx, receivedNow, o.Numbers())
	}
	s.events(ctx, []order.Event{change})
	return s.send(ctx)
}
