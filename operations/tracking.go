package operations

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/store"
)

// ReserveTrackingLinks keeps links to the stops of the order that a number leads
// to, and returns those that count; they work for so long.
func (o *Operations) ReserveTrackingLinks(
	ctx context.Context, c caller.Caller, number string, links []store.TrackingLink, lifetime time.Duration,
) ([]store.TrackingLink, error) {
	expires := o.now().Add(lifetime)
	kept, err := once(ctx, o, c, func(t *store.Tx) ([]store.TrackingLink, error) {
		orderID, err := t.LoadOrderID(ctx, number)
		if err != nil {
			return nil, err
		}
		return links, t.SaveTrackingLinks(ctx, orderID, links, expires)
	})
	if err != nil {
		return nil, fmt.Errorf("reserve tracking links: %w", err)
	}
	return kept, nil
}

// RevokeTrackingLink ends a link at once. Ending it again does no harm.
func (o *Operations) RevokeTrackingLink(ctx context.Context, c caller.Caller, code string) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error { return t.SaveTrackingLinkRevoked(ctx, code) })
	if err != nil {
		return fmt.Errorf("revoke tracking link: %w", err)
	}
	return nil
}
