package operations

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/store"
)

// ReserveTrackingLinks keeps links to the stops of the order that a number leads
// to; they work for so long.
func (o *Operations) ReserveTrackingLinks(
	ctx context.Context, c caller.Caller, number string, links []store.TrackingLink, lifetime time.Duration,
) error {
	expires := o.now().Add(lifetime)
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		orderID, err := t.LoadOrderID(ctx, number)
		if err != nil {
			return err
		}
		return t.SaveTrackingLinks(ctx, orderID, links, expires)
	})
	if err != nil {
		return fmt.Errorf("reserve tracking links: %w", err)
	}
	return nil
}

// RevokeTrackingLink ends a link at once. Ending it again does no harm.
func (o *Operations) RevokeTrackingLink(ctx context.Context, c caller.Caller, code string) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error { return t.SaveTrackingLinkRevoked(ctx, code) })
	if err != nil {
		return fmt.Errorf("revoke tracking link: %w", err)
	}
	return nil
}
