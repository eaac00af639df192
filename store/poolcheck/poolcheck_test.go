package poolcheck_test

import (
	"context"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/store"
	"waybill/store/poolcheck"
	"waybill/store/storetest"
)

// watched is a store whose pool is watched.
type watched struct {
	*store.Store

	t    *testing.T
	pool *pgxpool.Pool
	org  int64

	mu    sync.Mutex
	found []poolcheck.Nested
}

func watch(t *testing.T) *watched {
	t.Helper()
	db := storetest.New(t)
	w := &watched{t: t, org: storetest.Organization(t, db, "acme")}
	config, err := pgxpool.ParseConfig(db.AppURL)
	require.NoError(t, err)
	config.ConnConfig.Tracer = poolcheck.New(func(_ context.Context, n poolcheck.Nested) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.found = append(w.found, n)
	})
	w.pool, err = pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(w.pool.Close)
	w.Store = store.New(w.pool)
	return w
}

// lookup takes a connection for one query.
func (w *watched) lookup() error {
	_, err := w.IsSandbox(w.t.Context(), w.org)
	return err
}

func TestASecondConnectionInATransactionIsFound(t *testing.T) {
	t.Parallel()
	by := func(w *watched) caller.Caller { return caller.Service(w.org, "test") }
	for name, offend := range map[string]func(*watched) error{
		"writing": func(w *watched) error {
			return w.InTx(w.t.Context(), by(w), func(*store.Tx) error { return w.lookup() })
		},
		"reading": func(w *watched) error {
			return w.InReadOnlyTx(w.t.Context(), w.org, func(*store.Tx) error { return w.lookup() })
		},
		"a transaction in another": func(w *watched) error {
			return w.InTx(w.t.Context(), by(w), func(*store.Tx) error {
				return w.InReadOnlyTx(w.t.Context(), w.org, func(*store.Tx) error { return nil })
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := watch(t)
			require.NoError(t, offend(w))
			require.Len(t, w.found, 1)
			require.Contains(t, w.found[0].Held, "store.(*Store).inTx")
			require.Contains(t, w.found[0].String(), "TestASecondConnectionInATransactionIsFound")
			require.NoError(t, w.lookup())
			require.Len(t, w.found, 1, "nothing is held any more")
		})
	}
}

func TestOneConnectionAtATimeIsAccepted(t *testing.T) {
	t.Parallel()
	w := watch(t)
	by := caller.Service(w.org, "test")
	require.NoError(t, w.lookup())
	require.NoError(t, w.InTx(t.Context(), by, func(tx *store.Tx) error {
		if _, err := tx.SealingKey(t.Context()); err != nil {
			return err
		}
		another := make(chan error)
		go func() { another <- w.lookup() }()
		return <-another
	}))
	require.ErrorIs(t, w.InTx(t.Context(), by, func(*store.Tx) error { return context.Canceled }), context.Canceled)
	require.NoError(t, w.lookup())
	require.NoError(t, pgx.BeginFunc(t.Context(), w.pool, func(pgx.Tx) error { return w.lookup() }), "a test looks on")
	require.Empty(t, w.found)
}
