package relay_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"

	"waybill/domain/event"
	"waybill/relay"
	"waybill/store"
	"waybill/store/storetest"
)

// taker records the events that a follower gets, and refuses them while
// refusing is set.
type taker struct {
	mu       sync.Mutex
	taken    []int64
	byOrg    map[int64][]int64
	refusals int
	refusing bool
}

func (t *taker) hand(_ context.Context, events []store.Event) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.refusing {
		t.refusals++
		return errors.New("not now")
	}
	if t.byOrg == nil {
		t.byOrg = map[int64][]int64{}
	}
	for _, e := range events {
		t.taken = append(t.taken, e.Position)
		t.byOrg[e.OrgID] = append(t.byOrg[e.OrgID], e.Position)
	}
	return nil
}

func (t *taker) refuse(yes bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refusing = yes
}

func (t *taker) so(is func(*taker) bool) func() bool {
	return func() bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		return is(t)
	}
}

// appendEvents commits n events of two organizations, which it creates if
// necessary.
func appendEvents(t *testing.T, owner *pgx.Conn, n int) {
	t.Helper()
	_, err := owner.Exec(t.Context(), fmt.Sprintf(`
insert into organizations (id, slug, name, timezone, language) overriding system value
values (1, 'one', 'One', 'UTC', 'en'), (2, 'two', 'Two', 'UTC', 'en') on conflict do nothing;
insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id)
select 1 + n %% 2, 'order.created', 'order', n, 'system', 'test', n from generate_series(1, %d) n`, n))
	require.NoError(t, err)
}

func TestFollower(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	appendEvents(t, owner, 10)
	_, err = owner.Exec(t.Context(), `select sequence_events(100);
insert into event_followers select 'test', last_position from event_sequencer`)
	require.NoError(t, err)

	got := &taker{}
	run := func() (stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		r := relay.New(store.New(db.Pool), slog.New(slog.DiscardHandler), nil, relay.Follower{
			Name: "test", Kinds: []event.Kind{event.OrderCreated}, Hand: got.hand,
		})
		done := make(chan error)
		go func() { done <- r.Run(ctx) }()
		return func() { cancel(); require.NoError(t, <-done) }
	}
	became := func(what string, is func(*taker) bool) {
		t.Helper()
		require.Eventually(t, got.so(is), 10*time.Second, 10*time.Millisecond, what)
	}

	stop := run()
	appendEvents(t, owner, 2500)
	became("all of several batches are taken", func(g *taker) bool { return len(g.taken) == 2500 })
	got.refuse(true)
	appendEvents(t, owner, 5)
	became("refused", func(g *taker) bool { return g.refusals > 0 })
	stop()
	appendEvents(t, owner, 5)
	got.refuse(false)
	stop = run()
	became("what was refused and what came meanwhile", func(g *taker) bool { return len(g.taken) == 2510 })
	stop()

	for org, taken := range got.byOrg {
		require.True(t, slices.IsSorted(taken), "organization %d", org)
	}
	slices.Sort(got.taken)
	require.Equal(t, int64(11), got.taken[0], "nothing from before it was added")
	require.Equal(t, int64(2520), got.taken[2509])
	require.Len(t, slices.Compact(slices.Clone(got.taken)), 2510, "none twice")
}

func TestFollowersSeeOnlyTheirKinds(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	_, err = owner.Exec(t.Context(), `insert into event_followers select 'test', last_position from event_sequencer;
insert into organizations (id, slug, name, timezone, language) overriding system value
values (1, 'one', 'One', 'UTC', 'en');
insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id)
select 1, k, 'order', 7, 'system', 'test', 7 from unnest(array[
    'order.created', 'notification.queued', 'order.updated', 'notification.sent', 'notification.delivered']) k`)
	require.NoError(t, err)

	var mu sync.Mutex
	var seen []event.Kind
	follower := relay.Follower{
		Name: "test", Kinds: []event.Kind{event.OrderCreated, event.OrderUpdated},
		Hand: func(_ context.Context, events []store.Event) error {
			mu.Lock()
			defer mu.Unlock()
			for _, e := range events {
				seen = append(seen, e.Kind)
			}
			return nil
		},
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- relay.New(store.New(db.Pool), slog.New(slog.DiscardHandler), nil, follower).Run(ctx) }()
	require.Eventually(t, func() bool {
		lag, err := store.New(db.Pool).Lag(t.Context())
		require.NoError(t, err)
		return lag.Oldest == 0 && lag.Behind["test"] == 0
	}, 10*time.Second, 10*time.Millisecond, "all are taken, wanted or not")
	cancel()
	require.NoError(t, <-done)
	require.Equal(t, []event.Kind{event.OrderCreated, event.OrderUpdated}, seen)
}

func TestRelayReportsItsLag(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	appendEvents(t, owner, 3)
	_, err = owner.Exec(t.Context(), "insert into event_followers values ('test', 0); select sequence_events(100)")
	require.NoError(t, err)
	appendEvents(t, owner, 1)
	_, err = owner.Exec(t.Context(), "update events set recorded_at = recorded_at - interval '1 second' where position is null")
	require.NoError(t, err)
	s := store.New(db.Pool)
	lag, err := s.Lag(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(3), lag.Behind["test"])
	require.GreaterOrEqual(t, lag.Oldest, time.Second)

	registry := prometheus.NewRegistry()
	r := relay.New(s, slog.New(slog.DiscardHandler), registry)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- r.Run(ctx) }()
	behind := func() int { return testutil.CollectAndCount(registry, "waybill_relay_follower_behind") }
	require.Eventually(t, func() bool { return behind() > 0 }, 10*time.Second, 10*time.Millisecond)
	cancel()
	require.NoError(t, <-done)
	require.Zero(t, behind(), "the next leader says it")
}

// An event that a follower can never process is skipped, and everything else is
// processed as soon as temporary failures are over.
func TestPoisonedEventDoesNotBlockOthers(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	appendEvents(t, owner, 20)
	_, err = owner.Exec(t.Context(), "insert into event_followers values ('test', 0)")
	require.NoError(t, err)

	got := &taker{}
	var mu sync.Mutex
	poison := map[int64]func() error{
		3: func() error { panic("nobody foresaw this") },
		7: func() error { return fmt.Errorf("save: %w", &pgconn.PgError{Code: "22021"}) },
		8: func() error { return serviceerror.NewInvalidArgument("the memo is too long") },
	}
	away := true
	registry := prometheus.NewRegistry()
	r := relay.New(store.New(db.Pool), slog.New(slog.DiscardHandler), registry, relay.Follower{
		Name: "test", Kinds: []event.Kind{event.OrderCreated},
		Hand: func(ctx context.Context, events []store.Event) error {
			for _, e := range events {
				if end := poison[e.OrderID]; end != nil {
					return end()
				}
			}
			mu.Lock()
			defer mu.Unlock()
			if away {
				away = false
				return serviceerror.NewUnavailable("for a moment")
			}
			return got.hand(ctx, events)
		},
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- r.Run(ctx) }()
	require.Eventually(t, got.so(func(g *taker) bool {
		slices.Sort(g.taken)
		return len(slices.Compact(slices.Clone(g.taken))) == 17
	}), 30*time.Second, 10*time.Millisecond)
	cancel()
	require.NoError(t, <-done)
	rows, err := owner.Query(t.Context(), "select reason from parked_events order by position")
	require.NoError(t, err)
	reasons, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"panic", "SQLSTATE 22021", "invalid argument"}, reasons)
}

// A follower that runs out of time for a batch gets half of it, until it succeeds:
// otherwise it would repeat the beginning of the same batch forever.
func TestTimedOutBatchIsHalved(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	appendEvents(t, owner, 200)
	_, err = owner.Exec(t.Context(), "insert into event_followers values ('test', 0)")
	require.NoError(t, err)

	const inTime, most = 20, 40
	got := &taker{}
	r := relay.New(store.New(db.Pool), slog.New(slog.DiscardHandler), nil, relay.Follower{
		Name: "test", Kinds: []event.Kind{event.OrderCreated}, Most: most,
		Hand: func(ctx context.Context, events []store.Event) error {
			if len(events) > most {
				return errors.New("these are more than it wants")
			}
			if len(events) > inTime {
				return fmt.Errorf("tell: %w", context.DeadlineExceeded)
			}
			return got.hand(ctx, events)
		},
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- r.Run(ctx) }()
	require.Eventually(t, got.so(func(g *taker) bool { return len(g.taken) == 200 }), 30*time.Second, 10*time.Millisecond)
	cancel()
	require.NoError(t, <-done)
}

// A follower that yields to other work does so once for the whole backlog, not
// for each batch: otherwise pauses would determine the pace of a backlog.
func TestAFollowerWaitsOnceForABacklog(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	const events, batch = 1000, 10
	appendEvents(t, owner, events)
	_, err = owner.Exec(t.Context(), "insert into event_followers values ('test', 0); select sequence_events(10000)")
	require.NoError(t, err)

	got := &taker{}
	var mu sync.Mutex
	waits, waiting := 0, map[int64]bool{}
	follower := relay.Follower{
		Name: "test", Kinds: []event.Kind{event.OrderCreated}, Most: batch, Hand: got.hand,
		Later: func(_ context.Context, org int64, waited time.Duration) (bool, error) {
			mu.Lock()
			defer mu.Unlock()
			later := waited < 150*time.Millisecond
			if later && !waiting[org] {
				waits++
			}
			waiting[org] = later
			return later, nil
		},
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- relay.New(store.New(db.Pool), slog.New(slog.DiscardHandler), nil, follower).Run(ctx) }()
	require.Eventually(t, got.so(func(g *taker) bool { return len(g.taken) == events }), time.Minute, 10*time.Millisecond)
	cancel()
	require.NoError(t, <-done)
	require.LessOrEqual(t, waits, 4, "two organizations have %d batches each", events/batch/2)
	for org, taken := range got.byOrg {
		require.True(t, slices.IsSorted(taken), "organization %d", org)
	}
}
