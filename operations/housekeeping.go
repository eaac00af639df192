package operations

import (
	"context"
	"time"
)

// How long the positions of drivers are kept, as the contract promises, and how many
// are forgotten at a time.
const (
	keepPositions = 30 * 24 * time.Hour
	positionBatch = 10_000
)

// ForgetPositions deletes a batch of the positions of drivers that are too old, of all
// organizations, and returns how many, and whether there may be more.
func (o *Operations) ForgetPositions(ctx context.Context) (gone int, left bool, err error) {
	gone, err = o.store.ForgetPositions(ctx, o.now().Add(-keepPositions), positionBatch)
	return gone, gone == positionBatch, err
}
