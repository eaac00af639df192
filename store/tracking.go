package store

import (
	"context"
	"errors"
	"time"

	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// TrackingLink is a public link to one stop of an order.
type TrackingLink struct {
	Stop       order.StopKind
	Code, Link string
}

// LoadOrderID returns the order of a number, or a NotFound fault.
func (t *Tx) LoadOrderID(ctx context.Context, number string) (int64, error) {
	id, err := t.q.OrderIDByNumber(ctx, queries.OrderIDByNumberParams{OrgID: t.org, Number: number})
	return id, absent("order", number, err)
}

// SaveTrackingLinks keeps links to stops of an order until they expire, with
// their event. Their pages name the order by this number.
func (t *Tx) SaveTrackingLinks(
	ctx context.Context, orderID int64, number string, links []TrackingLink, expires time.Time,
) error {
	p := queries.InsertTrackingLinksParams{OrgID: t.org, OrderID: orderID, Number: number, ExpiresAt: expires}
	for _, l := range links {
		columns.Add(&p.Kinds, string(l.Stop))
		columns.Add(&p.Codes, l.Code)
		columns.Add(&p.Links, l.Link)
	}
	if _, err := t.q.InsertTrackingLinks(ctx, p); err != nil {
		return err
	}
	return t.q.LogTrackingLink(ctx, queries.LogTrackingLinkParams{
		OrgID: t.org, OrderID: orderID, Kind: string(event.TrackingReserved), Stops: p.Kinds,
	})
}

// SaveTrackingLinkRevoked ends a link, with its event. A link that has ended is
// not changed; an unknown one is a NotFound fault.
func (t *Tx) SaveTrackingLinkRevoked(ctx context.Context, code string) error {
	revoked, err := t.q.RevokeTrackingLink(ctx, queries.RevokeTrackingLinkParams{OrgID: t.org, Code: code})
	if err = translate(err); errors.Is(err, ErrNotFound) {
		return t.hasTrackingLink(ctx, code)
	}
	if err != nil {
		return err
	}
	return t.q.LogTrackingLink(ctx, queries.LogTrackingLinkParams{
		OrgID: t.org, OrderID: revoked.OrderID, Kind: string(event.TrackingRevoked), Stops: []string{revoked.Kind},
	})
}

func (t *Tx) hasTrackingLink(ctx context.Context, code string) error {
	found, err := t.q.TrackingLinkExists(ctx, queries.TrackingLinkExistsParams{OrgID: t.org, Code: code})
	if err == nil && !found {
		err = ErrNotFound
	}
	return absent("tracking_link", code, err)
}
