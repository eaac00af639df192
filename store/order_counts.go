package store

import (
	"context"
	"time"

	"waybill/store/queries"
)

// MaxOrdersCounted is how far orders are counted: of more, it is the answer.
const MaxOrdersCounted = 1_000_000

// CountOrders counts the orders of some days, no further than MaxOrdersCounted; a
// status of 0 counts all.
func (s *Store) CountOrders(ctx context.Context, org int64, start, end time.Time, status int64) (int64, error) {
	n, err := s.searches(org).CountOrders(ctx, queries.CountOrdersParams{
		OrgID: org, StartDate: start, EndDate: end, StatusID: int16(status), Most: MaxOrdersCounted,
	})
	return n, translate(err)
}
