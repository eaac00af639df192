package relay_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/relay"
	"waybill/store"
	"waybill/store/storetest"
)

// TestAFollowerGathersABurst writes many events in many transactions. A
// follower that batches has got none of them when another one has got all; one
// whose longest wait is over has got them, although more keep arriving.
func TestAFollowerGathersABurst(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	appendEvents(t, owner, 2)
	_, err = owner.Exec(t.Context(), `select sequence_events(100);
insert into event_followers select f, last_position from event_sequencer, unnest(array['gathers', 'quick', 'over', 'paused']) f`)
	require.NoError(t, err)

	takers := map[string]*taker{"gathers": {}, "quick": {}, "over": {}, "paused": {}}
	follower := func(name string, pause, longest time.Duration) relay.Follower {
		return relay.Follower{
			Name: name, Kinds: []event.Kind{event.OrderCreated}, Pause: pause, Longest: longest, Hand: takers[name].hand,
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	r := relay.New(store.New(db.Pool), slog.New(slog.DiscardHandler), nil, follower("gathers", time.Hour, time.Hour),
		follower("quick", 0, 0), follower("over", time.Hour, time.Millisecond), follower("paused", time.Second/2, time.Hour))
	go func() { done <- r.Run(ctx) }()
	const bursts = 20
	for range bursts {
		appendEvents(t, owner, 10)
	}
	for _, name := range []string{"quick", "over", "paused"} {
		all := takers[name].so(func(g *taker) bool { return len(g.taken) == 10*bursts })
		require.Eventually(t, all, time.Minute, 10*time.Millisecond, name)
	}
	require.True(t, takers["gathers"].so(func(g *taker) bool { return len(g.taken) == 0 })())
	cancel()
	require.NoError(t, <-done)
}
