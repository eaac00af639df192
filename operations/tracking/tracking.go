// Package tracking keeps the links to the public pages on which an order is followed.
package tracking

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/recipient"
	"waybill/operations/core"
	"waybill/store"
)

// Operations carries out what callers ask for.
type Operations struct {
	store *store.Store
	now   func() time.Time
	seats Seats
	// pages is the address of the public pages, which the code of a link follows.
	pages string
}

// New makes the operations over a store; now is the clock, seats moves orders to other slots, and pages is the address
// of the public pages.
func New(s *store.Store, now func() time.Time, seats Seats, pages string) *Operations {
	return &Operations{store: s, now: now, seats: seats, pages: pages}
}

// UsualTrackingTime is how long tracking links work when nobody says.
const UsualTrackingTime = 720 * time.Hour

// NewTrackingLink draws a code that nobody can guess, 130 random bits, which
// follows the address of the pages.
func NewTrackingLink(pages string, stop order.StopKind) store.TrackingLink {
	code := rand.Text()
	return store.TrackingLink{Stop: stop, Code: code, Link: pages + code}
}

// KeepLink keeps a link to the stop that a message is about. It works as long as
// usual after the stop's time.
func (o *Operations) KeepLink(ctx context.Context, t *store.Tx, f *store.NotificationFacts) (store.TrackingLink, error) {
	expires := o.now()
	if f.Latest.After(expires) {
		expires = f.Latest
	}
	pages, err := o.Pages(ctx, t)
	if err != nil {
		return store.TrackingLink{}, err
	}
	link := NewTrackingLink(pages, order.StopKind(f.StopKind))
	err = t.SaveTrackingLinks(ctx, f.OrderID, f.Number, []store.TrackingLink{link}, expires.Add(UsualTrackingTime))
	return link, err
}

// Pages is the address of the organization's pages, which the code of a link follows.
func (o *Operations) Pages(ctx context.Context, t *store.Tx) (string, error) {
	page, err := t.RecipientPage(ctx)
	return page.Links(o.pages), err
}

// Promise keeps the time that the page of a stop tells its recipient, unless they were told one before.
func (o *Operations) Promise(ctx context.Context, stop *store.TrackedStop, told recipient.Range) error {
	if !stop.Promised.IsZero() || told.IsZero() {
		return nil
	}
	err := o.store.InTx(ctx, caller.Service(stop.OrgID, "tracking"), func(t *store.Tx) error {
		return t.KeepPromise(ctx, stop.OrderID, stop.Stop, told, false)
	})
	if err != nil {
		return fmt.Errorf("keep the promise of a stop: %w", err)
	}
	return nil
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
		page, err := t.RecipientPage(ctx)
		if err != nil {
			return nil, err
		}
		if pages := page.Links(""); pages != "" {
			for i := range links {
				links[i].Link = pages + links[i].Code
			}
		}
		return links, t.SaveTrackingLinks(ctx, orderID, number, links, expires)
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
