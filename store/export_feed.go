package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"waybill/domain/caller"
	"waybill/store/queries"
)

// FeedShipment is one shipment as the feed offers it; Payload is its JSON.
type FeedShipment struct {
	Token    string
	IsUpdate bool
	Carrier  string // empty when the order was marked by hand and its type has none
	Payload  Document
}

// FeedPage is one page of a walk through the export feed. Total is how many
// shipments there were when the walk began.
type FeedPage struct {
	Shipments  []FeedShipment
	Total      int64
	TotalPages int64
}

// walk is the way of one API key through the feed. Its pages are the stretches
// between places, so that an order that leaves shifts no other to another page,
// and one that comes is behind the end.
type walk struct {
	queries.FindWalkRow

	isNew bool
}

func (w *walk) pages() int64 { return (w.Total + int64(w.PerPage) - 1) / int64(w.PerPage) }

// ExportFeed gives one page of the feed to the caller with an API key, and
// notes that its shipments may be known outside from now on. The first page
// begins a new walk; the others go on with the key's last one.
func (s *Store) ExportFeed(ctx context.Context, by caller.Caller, key int64, page Page) (FeedPage, error) {
	var out FeedPage
	err := s.InTx(ctx, by, func(t *Tx) error {
		w, err := t.findWalk(ctx, key, page)
		if err != nil {
			return fmt.Errorf("find the walk: %w", err)
		}
		known := len(w.Ends)
		out = FeedPage{Total: w.Total, TotalPages: w.pages()}
		if out.Shipments, err = t.fetch(ctx, w, page); err != nil {
			return fmt.Errorf("fetch page %d: %w", page.Number, err)
		}
		return t.keepWalk(ctx, key, w, known)
	})
	return out, err
}

// findWalk gives the key's walk; a new one for the first page, or when there is
// none whose pages have this size.
func (t *Tx) findWalk(ctx context.Context, key int64, page Page) (*walk, error) {
	if page.Number > 1 {
		row, err := t.q.FindWalk(ctx, queries.FindWalkParams{OrgID: t.org, KeyID: key})
		if err == nil && row.PerPage == page.Size {
			return &walk{FindWalkRow: row}, nil
		}
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return nil, err
		}
	}
	feed, err := t.q.FeedTotal(ctx, t.org)
	return &walk{FindWalkRow: queries.FindWalkRow{PerPage: page.Size, Total: feed.Total, Until: feed.Until, Ends: []int64{}}, isNew: true}, err
}

// fetch gives the shipments of one page and learns where it ends.
func (t *Tx) fetch(ctx context.Context, w *walk, page Page) ([]FeedShipment, error) {
	if int64(page.Number) > w.pages() {
		return nil, nil
	}
	if err := t.reach(ctx, w, int(page.Number)-1); err != nil || len(w.Ends) < int(page.Number)-1 {
		return nil, err
	}
	params := queries.FetchFeedParams{OrgID: t.org, Until: w.Until, PageSize: page.Size}
	if page.Number > 1 {
		params.After = w.Ends[page.Number-2]
	}
	if len(w.Ends) >= int(page.Number) {
		params.Until = w.Ends[page.Number-1]
	}
	rows, err := t.fetchFresh(ctx, params)
	if err != nil {
		return nil, err
	}
	if len(w.Ends) < int(page.Number) {
		end := w.Until
		if len(rows) == int(page.Size) {
			end = rows[len(rows)-1].Place
		}
		w.Ends = append(w.Ends, end)
	}
	var out []FeedShipment
	for _, r := range rows {
		if r.Fresh {
			out = append(out, FeedShipment{Token: r.Token, IsUpdate: r.IsUpdate, Carrier: r.Carrier, Payload: Document(r.Payload)})
		}
	}
	return out, nil
}

// reach finds the ends of the first pages, for callers who leave some out.
func (t *Tx) reach(ctx context.Context, w *walk, pages int) error {
	missing := pages - len(w.Ends)
	if missing <= 0 {
		return nil
	}
	params := queries.FeedEndsParams{OrgID: t.org, Until: w.Until, Most: int64(missing) * int64(w.PerPage), PageSize: int64(w.PerPage)}
	if len(w.Ends) > 0 {
		params.After = w.Ends[len(w.Ends)-1]
	}
	more, err := t.q.FeedEnds(ctx, params)
	w.Ends = slices.Concat(w.Ends, more)
	return err
}

// freshTries is how often a page is read again because one of its shipments
// changed at that very moment. What is stale even then is left for the next
// walk.
const freshTries = 5

func (t *Tx) fetchFresh(ctx context.Context, params queries.FetchFeedParams) (rows []queries.FetchFeedRow, err error) {
	for range freshTries {
		rows, err = t.q.FetchFeed(ctx, params)
		if err != nil || !slices.ContainsFunc(rows, func(r queries.FetchFeedRow) bool { return !r.Fresh }) {
			break
		}
	}
	return rows, err
}

func (t *Tx) keepWalk(ctx context.Context, key int64, w *walk, known int) error {
	switch {
	case w.isNew:
		return t.q.SaveWalk(ctx, queries.SaveWalkParams{
			OrgID: t.org, KeyID: key, PerPage: w.PerPage, Total: w.Total, Until: w.Until, Ends: w.Ends,
		})
	case len(w.Ends) > known:
		return t.q.ExtendWalk(ctx, queries.ExtendWalkParams{OrgID: t.org, KeyID: key, PerPage: w.PerPage, Until: w.Until, Ends: w.Ends})
	}
	return nil
}
