package places

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/place"
	"waybill/store"
)

// Operations says and corrects where addresses of organizations are.
type Operations struct {
	store    *store.Store
	now      func() time.Time
	settings Settings
}

// New makes the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time, settings Settings) *Operations {
	return &Operations{store: s, now: now, settings: settings}
}

// Geocode returns what is known of addresses, in their order: what people of the organization
// say, and what the register has.
func (o *Operations) Geocode(ctx context.Context, org int64, addresses []place.Address) (all []order.Placed, err error) {
	err = o.store.InReadOnlyTx(ctx, org, func(t *store.Tx) (err error) {
		all, err = t.PlacesOf(ctx, addresses)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("geocode: %w", err)
	}
	return all, nil
}

// Pin says where an address of the organization is. It returns how many open orders were placed
// again. An address that the organization does not know is a missing place.
func (o *Operations) Pin(ctx context.Context, c caller.Caller, key place.Key, at place.Position) (int, error) {
	return o.replace(ctx, c, key, func(t *store.Tx, a place.Address) error {
		return t.SavePin(ctx, a, &store.Pin{Key: key, At: at, Source: order.FromPerson, By: c.Actor()})
	})
}

// Unpin removes a pin, so that the register decides again. It returns how many open orders were
// placed again.
func (o *Operations) Unpin(ctx context.Context, c caller.Caller, key place.Key) (int, error) {
	return o.replace(ctx, c, key, func(t *store.Tx, _ place.Address) error { return t.DeletePin(ctx, key) })
}

// replace changes what is known of an address, and writes where it is then.
func (o *Operations) replace(
	ctx context.Context, c caller.Caller, key place.Key, change func(*store.Tx, place.Address) error,
) (orders int, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		orders, err = replaceIn(ctx, t, key, change)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("place an address: %w", err)
	}
	return orders, nil
}

// replaceIn is like replace, in a transaction that does more.
func replaceIn(
	ctx context.Context, t *store.Tx, key place.Key, change func(*store.Tx, place.Address) error,
) (orders int, err error) {
	address, err := t.AddressOfPlace(ctx, key)
	if err != nil {
		return 0, err
	}
	if err := change(t, address); err != nil {
		return 0, err
	}
	known, err := t.PlacesOf(ctx, []place.Address{address})
	if err != nil {
		return 0, err
	}
	orders, err = t.SavePlaced(ctx, map[place.Key]*order.Position{key: known[0].Position()})
	if err != nil {
		return 0, err
	}
	return orders, t.NoteMove(ctx, key)
}
