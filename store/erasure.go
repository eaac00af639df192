package store

import (
	"context"
	"time"

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

// FindInArchive returns what people are called whose contacts match a pattern, in lines of
// an archive.
func (s *Store) FindInArchive(ctx context.Context, org int64, lines []string, pattern string) ([]string, error) {
	names, err := s.of(org).FindInArchive(ctx, queries.FindInArchiveParams{Lines: lines, Pattern: pattern})
	return names, translate(err)
}

// ErasedLine is a line of an archive, and whether something was erased from it.
type ErasedLine = queries.ErasedLinesRow

// ErasedLines returns lines of an archive, in their order, without what matches a pattern.
// Of orders, it looks at those that have one of the addresses.
func (s *Store) ErasedLines(
	ctx context.Context, org int64, lines []string, addresses, pattern string, at time.Time,
) ([]ErasedLine, error) {
	erased, err := s.of(org).ErasedLines(ctx, queries.ErasedLinesParams{
		Lines: lines, Addresses: addresses, Pattern: pattern, At: at,
	})
	return erased, translate(err)
}
