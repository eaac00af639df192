package exports

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"waybill/domain/caller"
	"waybill/domain/export"
	"waybill/store"
)

// FeedPage is one page of a walk through the export feed. Total is how many
// shipments there were when the walk began.
type FeedPage struct {
	Shipments  []store.FeedShipment
	Total      int64
	TotalPages int64
}

// ExportFeed returns one page of the feed to the caller, and records that the
// carrier may know its shipments from now on. The first page begins a new walk;
// others continue the caller's last one.
func (o *Operations) ExportFeed(ctx context.Context, c caller.Caller, page store.Page) (FeedPage, error) {
	var out FeedPage
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		w, isNew, err := findWalk(ctx, t, c.Actor(), page)
		if err != nil {
			return fmt.Errorf("find the walk: %w", err)
		}
		known := len(w.Ends)
		out = FeedPage{Total: w.Total, TotalPages: w.Pages()}
		if out.Shipments, err = fetchPage(ctx, t, &w, page.Number); err != nil {
			return fmt.Errorf("fetch page %d: %w", page.Number, err)
		}
		switch {
		case isNew:
			return t.SaveWalk(ctx, c.Actor(), w)
		case len(w.Ends) > known:
			return t.ExtendWalk(ctx, c.Actor(), w)
		}
		return nil
	})
	return out, err
}

// findWalk returns the caller's walk, or a new one for the first page, or if
// there is none with this page size.
func findWalk(ctx context.Context, t *store.Tx, walker string, page store.Page) (w export.Walk, isNew bool, err error) {
	if page.Number > 1 {
		w, err = t.Walk(ctx, walker)
		if err == nil && w.PerPage == page.Size {
			return w, false, nil
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return export.Walk{}, false, err
		}
	}
	w, err = t.NewWalk(ctx, page.Size)
	return w, true, err
}

// fetchPage returns the shipments of one page, and records where it ends.
func fetchPage(ctx context.Context, t *store.Tx, w *export.Walk, page int32) ([]store.FeedShipment, error) {
	if int64(page) > w.Pages() {
		return nil, nil
	}
	if missing := w.Unknown(page); missing > 0 {
		ends, err := t.PageEnds(ctx, w, missing)
		if err != nil {
			return nil, err
		}
		w.Ends = slices.Concat(w.Ends, ends)
	}
	if w.Unknown(page) > 0 {
		return nil, nil // the walk ends before it
	}
	after, until := w.Stretch(page)
	shipments, err := fetchFresh(ctx, t, after, until, w.PerPage)
	if err != nil {
		return nil, err
	}
	places := make([]int64, len(shipments))
	for i := range shipments {
		places[i] = shipments[i].Place
	}
	w.End(page, places)
	return slices.DeleteFunc(shipments, isStale), nil
}

// freshTries is how often a page is read again because one of its shipments
// changed concurrently. Those that are stale even then are left for the next
// walk.
const freshTries = 5

func fetchFresh(
	ctx context.Context, t *store.Tx, after, until int64, size int32,
) (found []store.FeedShipment, err error) {
	for range freshTries {
		found, err = t.FetchFeed(ctx, after, until, size)
		if err != nil || !slices.ContainsFunc(found, isStale) {
			break
		}
	}
	return found, err
}

func isStale(s store.FeedShipment) bool { return !s.Fresh }
