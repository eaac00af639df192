package orders

import (
	"context"

	"waybill/api/edge"
)

// readFeed reads a page of a feed after a position, and returns it with its
// start: an empty token starts where the log is complete. It checks the bounds
// after reading the page, so that events deleted in the meantime are not
// skipped silently.
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
