package operations

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/operations/core"
	"waybill/store"
)

// UsualTrackingTime is how long tracking links work when nobody says.
const UsualTrackingTime = 720 * time.Hour

// NewTrackingLink draws a code that nobody can guess, 130 random bits, which
// follows the address of the pages.
func NewTrackingLink(pages string, stop order.StopKind) store.TrackingLink {
	code := rand.Text()
	return store.TrackingLink{Stop: stop, Code: code, Link: pages + code}
}

// linkOf keeps a link to the stop that a message is about, for a rule that speaks
// of one. It works as long as usual after the stop's time.
func (o *Operations) linkOf(ctx context.Context, t *store.Tx, f *store.NotificationFacts) (store.TrackingLink, error) {
	if f.StopID == 0 || !ruleOf(f).Links() {
		return store.TrackingLink{}, nil
	}
	expires := o.now()
	if f.Latest.After(expires) {
		expires = f.Latest
	}
	link := NewTrackingLink(o.settings.Messaging.TrackingPages, order.StopKind(f.StopKind))
	err := t.SaveTrackingLinks(ctx, f.OrderID, []store.TrackingLink{link}, expires.Add(UsualTrackingTime))
	return link, err
}

// ReserveTrackingLinks keeps links to the stops of the order that a number leads
// to, and returns those that count; they work for so long.
func (o *Operations) ReserveTrackingLinks(
	ctx context.Context, c caller.Caller, number string, links []store.TrackingLink, lifetime time.Duration,
) ([]store.TrackingLink, error) {
	expires := o.now().Add(lifetime)
	kept, err := core.Once(ctx, o.store, c, func(t *store.Tx) ([]store.TrackingLink, error) {
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
