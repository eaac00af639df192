package store

import (
	"context"

	"waybill/store/queries"
)

// ProductStatusChange is an entry of the product status feed.
type ProductStatusChange = queries.ProductStatusFeedRow

// ProductStatusFeed reads the changes of products' status behind a place of the
// log, oldest first.
func (s *Store) ProductStatusFeed(
	ctx context.Context, org, position, place int64, limit int32,
) ([]ProductStatusChange, error) {
	rows, err := s.of(org).ProductStatusFeed(ctx, queries.ProductStatusFeedParams{
		OrgID: org, After: position, AfterPlace: place, PageSize: limit,
	})
	return rows, translate(err)
}
