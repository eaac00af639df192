package store

import (
	"context"

	"waybill/domain/export"
	"waybill/store/queries"
)

// FeedShipment is one shipment as the feed offers it; Payload is its JSON.
type FeedShipment struct {
	Place    int64 // in the feed
	Token    string
	IsUpdate bool
	Carrier  string // empty if the order was marked by hand and its type has none
	Payload  Document
	// Fresh is false for one that changed while it was read; it must not be
	// returned to the carrier.
	Fresh bool
}

// Walk reads a reader's last walk through the feed, or returns ErrNotFound.
func (t *Tx) Walk(ctx context.Context, walker string) (export.Walk, error) {
	row, err := t.q.FindWalk(ctx, queries.FindWalkParams{OrgID: t.org, Walker: walker})
	return export.Walk{PerPage: row.PerPage, Total: row.Total, Until: row.Until, Ends: row.Ends}, translate(err)
}

// NewWalk is a walk that begins now.
func (t *Tx) NewWalk(ctx context.Context, perPage int32) (export.Walk, error) {
	feed, err := t.q.FeedTotal(ctx, t.org)
	return export.Walk{PerPage: perPage, Total: feed.Total, Until: feed.Until, Ends: []int64{}}, err
}

// PageEnds returns where the pages after the known ones end. It returns fewer
// if the feed ends before.
func (t *Tx) PageEnds(ctx context.Context, w *export.Walk, pages int) ([]int64, error) {
	return t.q.FeedEnds(ctx, queries.FeedEndsParams{
		OrgID: t.org, After: w.Last(), Until: w.Until, Most: int64(pages) * int64(w.PerPage), PageSize: int64(w.PerPage),
	})
}

// FetchFeed reads the shipments between two positions, and records that the
// carrier may know them from now on.
func (t *Tx) FetchFeed(ctx context.Context, after, until int64, size int32) ([]FeedShipment, error) {
	rows, err := t.q.FetchFeed(ctx, queries.FetchFeedParams{OrgID: t.org, After: after, Until: until, PageSize: size})
	return each(rows, func(r queries.FetchFeedRow) FeedShipment {
		return FeedShipment{
			Place: r.Place, Token: r.Token, IsUpdate: r.IsUpdate, Carrier: r.Carrier, Payload: Document(r.Payload),
			Fresh: r.Fresh,
		}
	}), err
}

// SaveWalk replaces a reader's last walk.
func (t *Tx) SaveWalk(ctx context.Context, walker string, w export.Walk) error {
	return t.q.SaveWalk(ctx, queries.SaveWalkParams{
		OrgID: t.org, Walker: walker, PerPage: w.PerPage, Total: w.Total, Until: w.Until, Ends: w.Ends,
	})
}

// ExtendWalk keeps where more pages of a walk end, unless the walker has
// begun another walk meanwhile.
func (t *Tx) ExtendWalk(ctx context.Context, walker string, w export.Walk) error {
	return t.q.ExtendWalk(ctx, queries.ExtendWalkParams{
		OrgID: t.org, Walker: walker, PerPage: w.PerPage, Until: w.Until, Ends: w.Ends,
	})
}
