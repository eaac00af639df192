package store

import (
	"context"
	"fmt"
	"time"

	"waybill/store/queries"
)

// ForgetPositions deletes positions of drivers of before a moment, at most so many, of
// all organizations, and returns how many.
func (s *Store) ForgetPositions(ctx context.Context, before time.Time, atMost int) (int, error) {
	gone, err := s.anyone().ForgetPositions(ctx, queries.ForgetPositionsParams{Before: before, Batch: int32(atMost)})
	if err != nil {
		return 0, fmt.Errorf("forget positions: %w", translate(err))
	}
	return int(gone), nil
}
