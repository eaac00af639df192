package store_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/store"
	"waybill/store/storetest"
)

// documents is a store over a database, and a connection as its owner.
type documents struct {
	*storetest.Database

	t     *testing.T
	store *store.Store
	owner *pgx.Conn
}

func newDocuments(t *testing.T) *documents {
	t.Helper()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.WithoutCancel(t.Context())) })
	return &documents{Database: db, t: t, store: store.New(db.Pool), owner: owner}
}

// one returns the only value of a query by the owner.
func one[T any](d *documents, sql string, args ...any) T {
	d.t.Helper()
	rows, err := d.owner.Query(d.t.Context(), sql, args...)
	require.NoError(d.t, err)
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	require.NoError(d.t, err)
	return value
}
