package store

import (
	"context"

	"waybill/store/queries"
)

// FindPeople looks through some of the organization's contacts, behind one, for those
// that match a pattern, and returns their orders and what these people are called.
// Last is the contact that it came to, 0 behind the end.
func (s *Store) FindPeople(
	ctx context.Context, org, after int64, atMost int32, pattern string,
) (last int64, orders []int64, names []string, err error) {
	row, err := s.of(org).FindPeople(ctx, queries.FindPeopleParams{After: after, Batch: atMost, Pattern: pattern})
	return row.Last, row.Orders, row.Names, translate(err)
}

// EraseRows erases what matches a pattern in some rows of a table, behind one, and
// returns how many that are. Last is the row that it came to, 0 behind the end.
func (t *Tx) EraseRows(
	ctx context.Context, table string, after int64, atMost int32, pattern string, dry bool,
) (last, counted int64, err error) {
	row, err := t.q.EraseRows(ctx, queries.EraseRowsParams{
		Tab: table, After: after, Batch: atMost, Pattern: pattern, Dry: dry,
	})
	return row.Last, row.Counted, err
}

// EraseFromOrders erases what matches a pattern in orders and all that belongs to
// them, and returns which of them had something.
func (t *Tx) EraseFromOrders(ctx context.Context, orders []int64, pattern string, dry bool) ([]int64, error) {
	return t.q.EraseFromOrders(ctx, queries.EraseFromOrdersParams{Wanted: orders, Pattern: pattern, Dry: dry})
}
