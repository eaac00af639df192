package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/store"
	"waybill/store/queries"
	"waybill/store/storetest"
)

// replicaOf is a read-only pool, like a replica's.
func replicaOf(t *testing.T, url string) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(url)
	require.NoError(t, err)
	config.ConnConfig.RuntimeParams["default_transaction_read_only"] = "on"
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// TestHeavyReadsAskTheReplica checks which pool is used: the replica for lists,
// searches and counts, the database for everything else, including reads that
// follow a write.
func TestHeavyReadsAskTheReplica(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	org := storetest.Organization(t, db, "replicated")
	replica := replicaOf(t, db.AppURL)
	s := store.New(db.Pool).WithReplica(replica, func() { t.Error("the replica is there") })
	page := store.Page{Number: 1, Size: 10}
	until := time.Now()
	heavy := map[string]func(context.Context) error{
		"orders": func(ctx context.Context) (failed error) {
			for _, err := range s.Orders(ctx, org, store.OrderFilter{Start: until, End: until}, nil) {
				failed = err
			}
			return failed
		},
		"pages": func(ctx context.Context) error {
			_, _, err := s.PageOrders(ctx, org, store.OrderPaging{}, page)
			return err
		},
		"search": func(ctx context.Context) error {
			text := "havn"
			_, _, err := s.SearchOrders(ctx, org, store.OrderSearch{Text: &text}, page)
			return err
		},
		"count": func(ctx context.Context) error {
			_, err := s.CountOrders(ctx, org, until, until, 0)
			return err
		},
		"drafts": func(ctx context.Context) error {
			_, err := s.Drafts(ctx, org, store.DraftFilter{}, 0, 10)
			return err
		},
		"recurring orders": func(ctx context.Context) error {
			_, _, err := s.RecurringOrders(ctx, org, store.RecurringOrderFilter{}, 10, 0)
			return err
		},
		"messages": func(ctx context.Context) error {
			_, _, err := s.SearchLog(ctx, org, store.LogSearch{Channel: notification.Email, Page: page})
			return err
		},
		"activity": func(ctx context.Context) error {
			_, _, err := s.Activity(ctx, org, store.ActivityFilter{}, 10)
			return err
		},
		"locations": func(ctx context.Context) error {
			_, _, err := s.Locations(ctx, org, store.LocationSearch{}, page)
			return err
		},
		"customers": func(ctx context.Context) error {
			_, _, err := s.Customers(ctx, org, store.CustomerSearch{}, page)
			return err
		},
	}
	for name, read := range heavy {
		asked, other := replica.Stat().AcquireCount(), db.Pool.Stat().AcquireCount()
		require.NoError(t, read(t.Context()), name)
		require.Greater(t, replica.Stat().AcquireCount(), asked, name)
		require.Equal(t, other, db.Pool.Stat().AcquireCount(), name)
	}
	asked := replica.Stat().AcquireCount()
	_, _, err := s.Order(t.Context(), org, 1, nil)
	require.Error(t, err)
	by := caller.Caller{OrgID: org, Kind: caller.System, Cause: "test"}
	require.NoError(t, s.InTx(t.Context(), by, func(tx *store.Tx) error {
		_, err := tx.Queries().PageCustomers(t.Context(), queries.PageCustomersParams{OrgID: org, PageSize: 1})
		return err
	}))
	require.Equal(t, asked, replica.Stat().AcquireCount(), "what follows a write sees it")
}

// TestUnreachableReplicaIsBypassed has a replica that does not respond.
func TestUnreachableReplicaIsBypassed(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	org := storetest.Organization(t, db, "replicated")
	away, err := pgxpool.New(t.Context(), "postgres://nobody@127.0.0.1:1/nothing")
	require.NoError(t, err)
	t.Cleanup(away.Close)
	missed := 0
	s := store.New(db.Pool).WithReplica(away, func() { missed++ })
	_, total, err := s.Customers(t.Context(), org, store.CustomerSearch{}, store.Page{Number: 1, Size: 10})
	require.NoError(t, err)
	require.Positive(t, total)
	require.Equal(t, 1, missed)
}
