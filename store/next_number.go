package store

import (
	"context"
	"fmt"
	"slices"

	"waybill/domain/order"
	"waybill/store/queries"
)

// KeepNumberByHand saves the last number chosen by hand for an order.
func (t *Tx) KeepNumberByHand(ctx context.Context, number string) error {
	return t.q.KeepNumberByHand(ctx, queries.KeepNumberByHandParams{OrgID: t.org, Number: number})
}

// NextNumber is the first free number after the last one chosen by hand, or ""
// if there is none to propose.
func (s *Store) NextNumber(ctx context.Context, org int64) (string, error) {
	q := s.of(org)
	last, err := q.NumberByHand(ctx, org)
	if err != nil {
		return "", fmt.Errorf("read the last number: %w", translate(err))
	}
	next := order.NextNumbers(last)
	if len(next) == 0 {
		return "", nil
	}
	taken, err := q.NumbersTaken(ctx, queries.NumbersTakenParams{OrgID: org, Numbers: next})
	if err != nil {
		return "", fmt.Errorf("find a free number: %w", translate(err))
	}
	for _, number := range next {
		if !slices.Contains(taken, number) {
			return number, nil
		}
	}
	return "", nil
}
