package store_test

import (
	"context"
	"crypto/sha256"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/store"
	"waybill/store/storetest"
)

// blocked is a database in which touching a key waits for the holder of its
// lock.
type blocked struct {
	db       *storetest.Database
	org, key int64
}

func newBlocked(t *testing.T) *blocked {
	t.Helper()
	db := storetest.New(t)
	b := &blocked{db: db, org: storetest.Organization(t, db, "acme")}
	var err error
	b.key, err = store.New(db.Pool).CreateAPIKey(t.Context(), caller.Service(b.org, "test"), store.NewAPIKey{
		Name: "erp", Public: "public1", Hash: sha256.Sum256([]byte("secret")),
	})
	require.NoError(t, err)
	owner, err := pgxpool.New(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(owner.Close)
	tx, err := owner.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	_, err = tx.Exec(t.Context(), "select from api_keys where id = $1 for update", b.key)
	require.NoError(t, err)
	return b
}

func (b *blocked) pool(t *testing.T, address string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), address)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

func TestStatementsThatTakeTooLongAreAnOutage(t *testing.T) {
	t.Parallel()
	b := newBlocked(t)
	for _, bound := range []string{"statement_timeout", "lock_timeout"} {
		err := store.New(b.pool(t, b.db.AppURL+"&"+bound+"=50")).TouchAPIKey(t.Context(), b.org, b.key)
		require.Equal(t, fault.Unavailable, fault.KindOf(err), "%s: %v", bound, err)
	}
}

func TestBrokenConnectionIsAnOutage(t *testing.T) {
	t.Parallel()
	b := newBlocked(t)
	address, err := url.Parse(b.db.AppURL)
	require.NoError(t, err)
	line := newLine(t, address.Host)
	address.Host = line.address
	s := store.New(b.pool(t, address.String()))
	_, err = s.FindAPIKey(t.Context(), "public1")
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- s.TouchAPIKey(t.Context(), b.org, b.key) }()
	require.Eventually(t, func() bool {
		var waiting bool
		err := b.db.Pool.QueryRow(t.Context(), `select exists (select from pg_stat_activity
			where datname = current_database() and wait_event_type = 'Lock')`).Scan(&waiting)
		return err == nil && waiting
	}, 30*time.Second, 10*time.Millisecond)
	line.cut()
	err = <-ended
	require.Equal(t, fault.Unavailable, fault.KindOf(err), "%v", err)
}

// line is a way to the database that can be cut.
type line struct {
	address string
	mu      sync.Mutex
	ends    []net.Conn
}

func newLine(t *testing.T, to string) *line {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := &line{address: listener.Addr().String()}
	t.Cleanup(func() {
		_ = listener.Close()
		l.cut()
	})
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				_ = near.Close()
				continue
			}
			l.mu.Lock()
			l.ends = append(l.ends, near, far)
			l.mu.Unlock()
			go func() { _, _ = io.Copy(near, far) }()
			go func() { _, _ = io.Copy(far, near) }()
		}
	}()
	return l
}

func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, end := range l.ends {
		_ = end.Close()
	}
}

// The caller is identified even if all connections for other work are in use.
func TestLookupsHaveConnectionsOfTheirOwn(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	org := storetest.Organization(t, db, "acme")
	s := store.New(db.Pool)
	_, err := s.CreateAPIKey(t.Context(), caller.Service(org, "test"), store.NewAPIKey{
		Name: "erp", Public: "public1", Hash: sha256.Sum256([]byte("secret")),
	})
	require.NoError(t, err)
	lookups, err := pgxpool.New(t.Context(), db.AppURL+"&plan_cache_mode=force_generic_plan")
	require.NoError(t, err)
	t.Cleanup(lookups.Close)
	s = s.WithLookups(lookups)
	for range db.Pool.Config().MaxConns {
		conn, err := db.Pool.Acquire(t.Context())
		require.NoError(t, err)
		defer conn.Release()
	}
	_, err = s.FindAPIKey(t.Context(), "public1")
	require.NoError(t, err)
	_, err = s.OrganizationID(t.Context(), "acme")
	require.NoError(t, err)
	_, _, err = s.Order(t.Context(), org, 1, nil)
	require.Equal(t, fault.NotFound, fault.KindOf(err), "%v", err)
	_, err = s.ImportProgress(t.Context(), org, 1)
	require.Equal(t, fault.NotFound, fault.KindOf(err), "%v", err)
}
