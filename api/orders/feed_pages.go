package orders

import (
	"context"

	"waybill/api/edge"
)

// readFeed reads a page of a feed behind a position, and returns it with where it began: an
// empty token starts where the log is whole. The bounds are looked at when the page is
// read: what has left the log meanwhile is not missed in silence.
func readFeed[T any](
	ctx context.Context, h *Handlers, token *string, after int64, oldest func(position int64) string,
	read func(after int64) ([]T, error),
) (rows []T, began int64, err error) {
	if token == nil || *token == "" {
		bounds, err := h.store.LogBounds(ctx)
		if err != nil {
			return nil, 0, err
		}
		after = bounds.Oldest
	}
	if rows, err = read(after); err != nil {
		return nil, 0, err
	}
	bounds, err := h.store.LogBounds(ctx)
	if err != nil {
		return nil, 0, err
	}
	return rows, after, edge.CheckFeedPlace("token", after, bounds, oldest)
}
