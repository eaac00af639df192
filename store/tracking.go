package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/store/queries"
)

// TrackingLink is a public link to one stop of an order.
type TrackingLink struct {
	Stop       order.StopKind
	Code, Link string
}

// ReserveTrackingLinks keeps links to the stops of the order that a number leads
// to, until they expire.
func (s *Store) ReserveTrackingLinks(ctx context.Context, by caller.Caller, number string, links []TrackingLink, expires time.Time) error {
	err := s.InTx(ctx, by, func(t *Tx) error {
		orderID, err := t.q.OrderIDByNumber(ctx, queries.OrderIDByNumberParams{OrgID: by.OrgID, Number: number})
		if err != nil {
			return absent("order", number, err)
		}
		p := queries.InsertTrackingLinksParams{OrgID: by.OrgID, OrderID: orderID, ExpiresAt: expires}
		for _, l := range links {
			p.Kinds = append(p.Kinds, string(l.Stop))
			p.Codes = append(p.Codes, l.Code)
			p.Links = append(p.Links, l.Link)
		}
		if _, err := t.q.InsertTrackingLinks(ctx, p); err != nil {
			return err
		}
		return t.q.LogTrackingLink(ctx, queries.LogTrackingLinkParams{
			OrgID: by.OrgID, OrderID: orderID, Kind: string(order.EventTrackingReserved), Stops: p.Kinds,
		})
	})
	if err != nil {
		return fmt.Errorf("reserve tracking links: %w", err)
	}
	return nil
}

// RevokeTrackingLink ends a link at once. Ending it again does no harm.
func (s *Store) RevokeTrackingLink(ctx context.Context, by caller.Caller, code string) error {
	return s.InTx(ctx, by, func(t *Tx) error {
		revoked, err := t.q.RevokeTrackingLink(ctx, queries.RevokeTrackingLinkParams{OrgID: by.OrgID, Code: code})
		if err = translate(err); errors.Is(err, ErrNotFound) {
			return t.hasTrackingLink(ctx, code)
		}
		if err != nil {
			return fmt.Errorf("revoke tracking link: %w", err)
		}
		return t.q.LogTrackingLink(ctx, queries.LogTrackingLinkParams{
			OrgID: by.OrgID, OrderID: revoked.OrderID, Kind: string(order.EventTrackingRevoked), Stops: []string{revoked.Kind},
		})
	})
}

func (t *Tx) hasTrackingLink(ctx context.Context, code string) error {
	found, err := t.q.TrackingLinkExists(ctx, queries.TrackingLinkExistsParams{OrgID: t.org, Code: code})
	if err == nil && !found {
		err = ErrNotFound
	}
	return absent("tracking_link", code, err)
}

// TrackedStop is what whoever has a link may know of its stop.
type TrackedStop struct {
	Stop             order.StopKind
	Name, Town       string
	Earliest, Latest time.Time // in the organization's time zone
	Status           order.Status
}

// TrackedStop finds the stop of a link, whosever it is. A link that is revoked
// or has expired is absent.
func (s *Store) TrackedStop(ctx context.Context, code string) (TrackedStop, error) {
	org, err := s.anyone().FindTrackingLink(ctx, code)
	if err != nil {
		return TrackedStop{}, translate(err)
	}
	if org == 0 {
		return TrackedStop{}, ErrNotFound
	}
	r, err := s.of(org).TrackedStop(ctx, queries.TrackedStopParams{OrgID: org, Code: code})
	if err != nil {
		return TrackedStop{}, translate(err)
	}
	zone, err := time.LoadLocation(r.Timezone)
	if err != nil {
		return TrackedStop{}, fmt.Errorf("zone of organization: %w", err)
	}
	kind := order.StopKind(r.Kind)
	return TrackedStop{
		Stop: kind, Name: r.Name, Town: r.City, Earliest: r.Earliest.In(zone), Latest: r.Latest.In(zone),
		Status: order.Status(r.StatusID).At(kind),
	}, nil
}
