package places

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/place"
	"waybill/store"
)

// Accept puts the pin of an address where a proposal says, or corrects the coordinates of the
// location or the order that it is about. It returns how many open orders were placed again; the
// orders of a location are not counted.
func (o *Operations) Accept(ctx context.Context, c caller.Caller, proposal int64) (orders int, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		orders, err = accept(ctx, t, c, proposal, order.FromPerson)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("accept a proposal: %w", err)
	}
	return orders, nil
}

// Dismiss removes a proposal.
func (o *Operations) Dismiss(ctx context.Context, c caller.Caller, proposal int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		_, err := t.DecideProposal(ctx, proposal, store.ProposalDismissed, c.Actor())
		return err
	})
}

// AcceptReported accepts what a driver says of the address of a stop, if the organization does so
// by itself. Pins that the office has put stay.
func (o *Operations) AcceptReported(ctx context.Context, c caller.Caller, stopID int64) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		proposal, err := t.ReportedPin(ctx, stopID)
		if err != nil || proposal == 0 {
			return err
		}
		_, err = accept(ctx, t, c, proposal, order.FromPerson)
		return err
	})
	if err != nil {
		return fmt.Errorf("accept a reported pin: %w", err)
	}
	return nil
}

// Learn proposes where the address of a stop is by the arrivals there, or accepts it if the
// organization does so by itself. What a person says is only ever replaced by a person.
func (o *Operations) Learn(ctx context.Context, c caller.Caller, stopID int64) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		arrived, err := t.ArrivalsAt(ctx, stopID)
		if err != nil || arrived == nil {
			return err
		}
		at, agree, ok := arrived.Learn()
		if !ok {
			return nil
		}
		proposal, err := t.ProposeByArrivals(ctx, stopID, at, agree)
		if err != nil || !arrived.Accepts || arrived.Source == order.FromPerson {
			return err
		}
		_, err = accept(ctx, t, c, proposal, order.FromArrivals)
		return err
	})
	if err != nil {
		return fmt.Errorf("learn from arrivals: %w", err)
	}
	return nil
}

// accept takes over a proposal, as a source of positions.
func accept(ctx context.Context, t *store.Tx, c caller.Caller, proposal int64, source string) (int, error) {
	p, err := t.DecideProposal(ctx, proposal, store.ProposalAccepted, c.Actor())
	if err != nil {
		return 0, err
	}
	switch p.Target {
	case store.OfLocation:
		return 0, correctLocation(ctx, t, p.LocationID, p.At)
	case store.OfOrder:
		return t.MoveStop(ctx, p.StopID, p.At)
	}
	return replaceIn(ctx, t, p.Key, func(t *store.Tx, a place.Address) error {
		return t.SavePin(ctx, a, &store.Pin{Key: p.Key, At: p.At, Source: source, By: c.Actor()})
	})
}

// correctLocation changes the coordinates of a location. Plans of its days follow.
func correctLocation(ctx context.Context, t *store.Tx, id int64, at place.Position) error {
	details, err := t.LockLocation(ctx, id)
	if err != nil {
		return err
	}
	details.Address.Latitude, details.Address.Longitude = &at.Latitude, &at.Longitude
	return t.SaveLocation(ctx, id, &details)
}
