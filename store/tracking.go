package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/domain/driving"
	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/domain/road"
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
// their event.
func (t *Tx) SaveTrackingLinks(ctx context.Context, orderID int64, links []TrackingLink, expires time.Time) error {
	p := queries.InsertTrackingLinksParams{OrgID: t.org, OrderID: orderID, ExpiresAt: expires}
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

// TrackedStop is what the holder of a link may see of its stop.
type TrackedStop struct {
	Stop             order.StopKind
	Name, Town       string
	Earliest, Latest time.Time // in the organization's time zone
	Status           order.Status
	// ETA is when service will begin, or zero if unknown. Before is the number
	// of stops before it on the driver's route, or -1 if the driver is not
	// under way.
	ETA    time.Time
	Before int
	// Distance is the distance of the driver in metres once this is the next
	// stop, or NaN while unknown.
	Distance float64
	// Way is the way along streets that is left to the driver, once this is the
	// next stop and the driver follows the planned way. It shows nothing of where
	// the driver was before.
	Way road.Line
}

// followsWay is how far from the planned way a driver may be who follows it, in
// meters.
const followsWay = 150

// wayLeft returns the rest of a planned way from a driver on.
func wayLeft(r *queries.TrackedStopRow) road.Line {
	way := wayOf(r.Polyline)
	along, away := way.Project(road.Point{Latitude: r.DriverLatitude, Longitude: r.DriverLongitude})
	if !(away <= followsWay) {
		return road.Line{}
	}
	return way.After(along)
}

// TrackedStop finds the stop of a link, whosever it is. A link that is revoked
// or has expired is absent.
func (s *Store) TrackedStop(ctx context.Context, code string) (TrackedStop, error) {
	org, err := s.finds().FindTrackingLink(ctx, code)
	if err != nil {
		return TrackedStop{}, translate(err)
	}
	if org == 0 {
		return TrackedStop{}, ErrNotFound
	}
	r, err := s.lookups(org).TrackedStop(ctx, queries.TrackedStopParams{OrgID: org, Code: code})
	if err != nil {
		return TrackedStop{}, translate(err)
	}
	zone, err := time.LoadLocation(r.Timezone)
	if err != nil {
		return TrackedStop{}, fmt.Errorf("zone of organization: %w", err)
	}
	kind := order.StopKind(r.Kind)
	tracked := TrackedStop{
		Stop: kind, Name: r.Name, Town: r.City, Earliest: r.Earliest.In(zone), Latest: r.Latest.In(zone),
		Status: order.Status(r.StatusID).At(kind), Before: int(r.Ahead),
		Distance: driving.Distance(r.DriverLatitude, r.DriverLongitude, r.Latitude, r.Longitude),
		Way:      wayLeft(&r),
	}
	if eta := cmp.Or(r.Eta, r.Planned); eta != nil {
		tracked.ETA = eta.In(zone)
	}
	return tracked, nil
}
