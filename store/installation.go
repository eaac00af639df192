package store

import (
	"context"
	"time"

	"waybill/domain/installation"
	"waybill/store/queries"
)

// Installation returns the installation that the database belongs to.
func (s *Store) Installation(ctx context.Context) (installation.Identity, error) {
	row, err := s.anyone().Installation(ctx)
	return installation.Identity{ID: row.ID, MadeAt: row.MadeAt, Place: row.Place, Turn: row.Turn}, translate(err)
}

// TakeTurn counts on, unless that was done since then.
func (s *Store) TakeTurn(ctx context.Context, since time.Time) error {
	return translate(s.anyone().TakeTurn(ctx, since))
}

// Canary returns the sealed canary, or nil, and when it was sealed.
func (s *Store) Canary(ctx context.Context) (sealed []byte, at *time.Time, err error) {
	return canaryOf(ctx, s.anyone())
}

// Canary is Store's, on the transaction's own connection.
func (t *Tx) Canary(ctx context.Context) (sealed []byte, at *time.Time, err error) {
	return canaryOf(ctx, t.q)
}

func canaryOf(ctx context.Context, q *queries.Queries) (sealed []byte, at *time.Time, err error) {
	row, err := q.Canary(ctx)
	return row.Canary, row.CanaryAt, translate(err)
}

// PutCanary replaces the sealed canary. It returns false if another process was
// faster.
func (s *Store) PutCanary(ctx context.Context, sealed, before []byte) (bool, error) {
	return putCanary(ctx, s.anyone(), sealed, before)
}

// PutCanary is Store's, on the transaction's own connection.
func (t *Tx) PutCanary(ctx context.Context, sealed, before []byte) (bool, error) {
	return putCanary(ctx, t.q, sealed, before)
}

func putCanary(ctx context.Context, q *queries.Queries, sealed, before []byte) (bool, error) {
	n, err := q.PutCanary(ctx, queries.PutCanaryParams{Canary: sealed, Before: before})
	return n > 0, translate(err)
}
