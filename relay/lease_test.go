package relay_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/relay"
	"waybill/store"
	"waybill/store/storetest"
)

// owned is a database with a connection of its owner.
func owned(t *testing.T) (*storetest.Database, *pgx.Conn) {
	t.Helper()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	return db, owner
}

func value[T any](t *testing.T, owner *pgx.Conn, sql string, args ...any) (found T) {
	t.Helper()
	require.NoError(t, owner.QueryRow(t.Context(), sql, args...).Scan(&found))
	return found
}

// start runs a relay until it is stopped, or the test ends.
func start(t *testing.T, pool *pgxpool.Pool, registry prometheus.Registerer, followers ...relay.Follower) (stop func()) {
	t.Helper()
	return startWith(t, store.New(pool), registry, followers...)
}

func startWith(t *testing.T, s *store.Store, registry prometheus.Registerer, followers ...relay.Follower) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := relay.New(s, slog.New(slog.DiscardHandler), registry, followers...)
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-done)
	})
	t.Cleanup(stop)
	return stop
}

const soon = 30 * time.Second

// A host that vanishes sends nothing, and its connections stay open. Postgres
// releases its leases once its heartbeats stop.
func TestVanishedLeaderIsReplaced(t *testing.T) {
	t.Parallel()
	db, owner := owned(t)
	line := &line{}
	config, err := pgxpool.ParseConfig(db.AppURL)
	require.NoError(t, err)
	config.ConnConfig.DialFunc = line.dial
	vanishing, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(vanishing.Close)
	leader := func() string {
		return value[string](t, owner, "select coalesce((select leader::text from event_sequencer), '')")
	}
	start(t, vanishing, nil)
	require.Eventually(t, func() bool { return leader() != "" }, soon, 10*time.Millisecond)
	first := leader()
	registry := prometheus.NewRegistry()
	start(t, db.Pool, registry)
	require.Eventually(t, func() bool {
		return value[int](t, owner, "select count(distinct holder) from relay_shards") == 2
	}, soon, 10*time.Millisecond, "it stands by")
	require.Equal(t, first, leader())

	line.dead.Store(true)
	require.Less(t, value[float64](t, owner, `select extract(epoch from expires_at - clock_timestamp())
		from relay_members where id = $1::uuid`, first), 3.5, "with the beat of the other, less than 5 s")
	appendEvents(t, owner, 10)
	require.Eventually(t, func() bool {
		return value[int](t, owner, "select count(*) from events where position is null") == 0
	}, soon, 10*time.Millisecond, "another gives positions")
	require.NotEqual(t, first, leader())
	require.Equal(t, 1.0, gauge(t, registry, "waybill_relay_leader"))
	require.Eventually(t, func() bool { return gauge(t, registry, "waybill_relay_shards") == 16 }, soon, 10*time.Millisecond)
}

// TestBusyPoolKeepsItsLeases checks that a process whose activities use all connections
// still leads, serves its shards and assigns positions.
func TestBusyPoolKeepsItsLeases(t *testing.T) {
	t.Parallel()
	db, owner := owned(t)
	pool := func(conns int32) *pgxpool.Pool {
		config, err := pgxpool.ParseConfig(db.AppURL)
		require.NoError(t, err)
		config.MaxConns = conns
		pool, err := pgxpool.NewWithConfig(t.Context(), config)
		require.NoError(t, err)
		t.Cleanup(pool.Close)
		return pool
	}
	busy := pool(4)
	var held []*pgxpool.Conn
	for range 4 {
		conn, err := busy.Acquire(t.Context())
		require.NoError(t, err)
		held = append(held, conn)
	}
	release := sync.OnceFunc(func() {
		for _, conn := range held {
			conn.Release()
		}
	})
	t.Cleanup(release)
	startWith(t, store.New(busy).WithRelay(pool(2)), nil)
	holds := func() bool {
		return value[bool](t, owner, "select leader is not null and (select count(holder) from relay_shards) = 16 from event_sequencer")
	}
	require.Eventually(t, holds, soon, 10*time.Millisecond)
	first := value[string](t, owner, "select leader::text from event_sequencer")
	appendEvents(t, owner, 10)
	require.Eventually(t, func() bool {
		return value[int](t, owner, "select count(*) from events where position is null") == 0
	}, soon, 10*time.Millisecond, "it gives positions")
	require.Eventually(t, func() bool {
		return value[float64](t, owner, "select coalesce(max(extract(epoch from expires_at - since)), 0) from relay_members") > 9
	}, soon, 10*time.Millisecond, "it renews its lease for longer than that lasts")
	require.Equal(t, first, value[string](t, owner, "select leader::text from event_sequencer"))
	require.True(t, holds())
	release()
}

func gauge(t *testing.T, registry *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	for _, family := range families {
		if family.GetName() == name {
			return family.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

// line is a connection to Postgres that can be cut: then nothing passes,
// without an error.
type line struct{ dead atomic.Bool }

func (l *line) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	return &end{Conn: conn, line: l}, err
}

// end is this end of a connection.
type end struct {
	net.Conn

	line *line
}

// Write discards data on a cut line.
func (e *end) Write(p []byte) (int, error) {
	if e.line.dead.Load() {
		return len(p), nil
	}
	return e.Conn.Write(p)
}

// Read waits as long as a line is dead, or until the deadline.
func (e *end) Read(p []byte) (int, error) {
	for {
		n, err := e.Conn.Read(p)
		if err != nil || !e.line.dead.Load() {
			return n, err
		}
	}
}

// All members share the organizations, and take over those of a member that
// ends. Nothing is lost, and each organization's events stay in order.
func TestShardsAreSpread(t *testing.T) {
	t.Parallel()
	db, owner := owned(t)
	const orgs = 40
	appendOf(t, owner, orgs, 25)
	_, err := owner.Exec(t.Context(), "insert into event_followers values ('test', 0)")
	require.NoError(t, err)
	var mu sync.Mutex
	last := map[int64]int64{}
	taken := map[int64]bool{}
	follower := relay.Follower{
		Name: "test", Kinds: []event.Kind{event.OrderCreated},
		Hand: func(_ context.Context, events []store.Event) error {
			mu.Lock()
			defer mu.Unlock()
			for _, e := range events {
				if e.OrgID != events[0].OrgID {
					t.Errorf("events of %d beside those of %d", e.OrgID, events[0].OrgID)
				}
				if e.Position > last[e.OrgID]+orgs {
					t.Errorf("%d of organization %d follows on %d", e.Position, e.OrgID, last[e.OrgID])
				}
				last[e.OrgID] = max(last[e.OrgID], e.Position)
				taken[e.Position] = true
			}
			return nil
		},
	}
	shares := func() string {
		return value[string](t, owner, `select coalesce(string_agg(n::text, ' ' order by n), '') from (
			select count(*) as n from relay_shards where holder is not null group by holder) x`)
	}
	all := func(n int) func() bool {
		return func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(taken) == n
		}
	}
	start(t, db.Pool, nil, follower)
	require.Eventually(t, all(orgs*25), soon, 10*time.Millisecond)
	stop := start(t, db.Pool, nil, follower)
	start(t, db.Pool, nil, follower)
	require.Eventually(t, func() bool { return shares() == "4 6 6" }, soon, 10*time.Millisecond, "%s", shares())
	appendOf(t, owner, orgs, 25)
	stop()
	appendOf(t, owner, orgs, 25)
	require.Eventually(t, all(3*orgs*25), soon, 10*time.Millisecond)
	require.Eventually(t, func() bool { return shares() == "8 8" }, soon, 10*time.Millisecond)
}

// appendOf commits events of each of so many organizations by turns.
func appendOf(t *testing.T, owner *pgx.Conn, orgs, each int) {
	t.Helper()
	_, err := owner.Exec(t.Context(), fmt.Sprintf(`
insert into organizations (id, slug, name, timezone, language) overriding system value
select n, 'org-' || n, 'Org', 'UTC', 'en' from generate_series(1, %[1]d) n on conflict do nothing;
insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id)
select 1 + n %% %[1]d, 'order.created', 'order', n, 'system', 'test', n from generate_series(0, %[1]d * %[2]d - 1) n`,
		orgs, each))
	require.NoError(t, err)
}

// Twelve organizations whose events a follower refuses after long waits do not delay
// the events of others, not even much later ones; they get all of theirs once the
// follower works again.
func TestSlowOrganizationsDoNotDelayOthers(t *testing.T) {
	t.Parallel()
	db, owner := owned(t)
	const busy, each, quiet = 12, 5000, 29 // in the shard of 13
	_, err := owner.Exec(t.Context(), "insert into event_followers values ('test', 0)")
	require.NoError(t, err)
	appendOf(t, owner, busy, each)
	_, err = owner.Exec(t.Context(), fmt.Sprintf(`
insert into organizations (id, slug, name, timezone, language) overriding system value
values (28, 'same-shard', 'Org', 'UTC', 'en'), (%[1]d, 'quiet', 'Org', 'UTC', 'en');
insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id)
values (28, 'order.created', 'order', 1, 'system', 'test', 1), (%[1]d, 'order.created', 'order', 1, 'system', 'test', 1)`, quiet))
	require.NoError(t, err)
	got, released := &taker{}, make(chan struct{})
	registry := prometheus.NewRegistry()
	start(t, db.Pool, registry, relay.Follower{
		Name: "test", Kinds: []event.Kind{event.OrderCreated},
		Hand: func(ctx context.Context, events []store.Event) error {
			if events[0].OrgID <= busy {
				select {
				case <-released:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return got.hand(ctx, events)
		},
	})
	require.Eventually(t, got.so(func(g *taker) bool { return len(g.byOrg[quiet]) == 1 && len(g.byOrg[28]) == 1 }),
		soon, 10*time.Millisecond)
	require.True(t, got.so(func(g *taker) bool { return len(g.taken) == 2 })(), "the others are still held up")
	require.Equal(t, int64(busy*each+1), got.byOrg[28][0], "it was behind all of theirs")

	close(released)
	require.Eventually(t, got.so(func(g *taker) bool { return len(g.taken) == busy*each+2 }), soon, 10*time.Millisecond)
	for org := int64(1); org <= busy; org++ {
		require.Len(t, got.byOrg[org], each)
		require.IsIncreasing(t, got.byOrg[org])
	}
	require.Positive(t, testutil.CollectAndCount(registry, "waybill_relay_handed_total"))
}

// An organization whose events wait does not delay others.
func TestLaterDelaysOnlyOneOrganization(t *testing.T) {
	t.Parallel()
	db, owner := owned(t)
	_, err := owner.Exec(t.Context(), "insert into event_followers values ('test', 0)")
	require.NoError(t, err)
	const orgs = 30 // more than are processed at once
	appendOf(t, owner, orgs, 1)
	got := &taker{}
	var later atomic.Bool
	later.Store(true)
	start(t, db.Pool, nil, relay.Follower{
		Name: "test", Kinds: []event.Kind{event.OrderCreated}, Hand: got.hand,
		Later: func(_ context.Context, org int64, _ time.Duration) (bool, error) {
			return org < orgs && later.Load(), nil
		},
	})
	require.Eventually(t, got.so(func(g *taker) bool { return len(g.byOrg[orgs]) == 1 }), soon, 10*time.Millisecond)
	require.True(t, got.so(func(g *taker) bool { return len(g.taken) == 1 })())
	later.Store(false)
	require.Eventually(t, got.so(func(g *taker) bool { return len(g.taken) == orgs }), soon, 10*time.Millisecond)
}
