package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/testing/stack"
)

const (
	writers     = 1000
	connections = 200
)

// TestTheFeedUnderManyWriters follows the status feed while a thousand writers
// append to the log, in short and long transactions, some of which are rolled
// back. Two relays take part; the leader is killed, later loses its
// connections, and then vanishes.
func TestTheFeedUnderManyWriters(t *testing.T) {
	t.Parallel()
	i := install(t, "serve")
	for _, name := range []string{"relay-a", "relay-b"} {
		require.NoError(t, i.startAs(name, "work", "DATABASE_URL="+i.postgres.URL(appRole, database)+"&application_name="+name))
	}
	o := i.organization(t)
	log := newLog(t, o)
	reader := o.startFollowing(t)

	first := i.awaitLeader(t, "")
	log.write(0, writers*2/5)
	log.awaitCommits(t, writers/5)
	i.kill(first)
	log.write(writers*2/5, writers*7/10)
	second := i.awaitLeader(t, first)
	require.NoError(t, i.startAs(first, "work", "DATABASE_URL="+i.postgres.URL(appRole, database)+"&application_name="+first))

	log.awaitCommits(t, writers/2)
	require.Positive(t, one[int](t, i, `select count(pg_terminate_backend(pid)) from pg_stat_activity
		where application_name = $1`, second))
	silent := i.processes[i.awaitLeader(t, "")]
	silent.Signal(syscall.SIGSTOP)
	log.write(writers*7/10, writers)
	eventually(t, "somebody leads who is heard of", func() bool { return i.processes[i.leader(t)] != silent })
	silent.Signal(syscall.SIGCONT)
	committed := log.close(t)

	eventually(t, "the reader has seen all that was committed", func() bool { return reader.count() >= len(committed) })
	seen := reader.stop(t)
	require.Len(t, seen, len(committed))
	for n, change := range seen {
		require.True(t, committed[change.ExternalID], "%s was rolled back or came twice", change.ExternalID)
		delete(committed, change.ExternalID)
		if n > 0 {
			require.Greater(t, change.Position, seen[n-1].Position)
		}
	}
	again, _ := o.follow(t, "", 1000)
	require.Equal(t, seen, again, "who reads later reads the same")
	require.Zero(t, one[int](t, i, "select count(*) from events where position is null"))
}

// awaitLeader waits for a different leader, and returns the name of its
// process. The time until then depends on the machine, so the test ignores it.
func (i *installation) awaitLeader(t *testing.T, before string) (name string) {
	t.Helper()
	eventually(t, "a relay leads", func() bool {
		name = i.leader(t)
		return name != "" && name != before
	})
	return name
}

// leader returns the name of the process whose relay leads, or "".
func (i *installation) leader(t *testing.T) string {
	t.Helper()
	pid := one[int](t, i, `select coalesce((select split_part(m.name, ':', 2)::int
		from event_sequencer s join relay_members m on m.id = s.leader), 0)`)
	for name, process := range i.processes {
		if process.Pid() == pid {
			return name
		}
	}
	return ""
}

// log is the writers' log.
type log struct {
	o       *organization
	pool    *pgxpool.Pool
	order   int64
	wg      sync.WaitGroup
	commits atomic.Int64

	mu        sync.Mutex
	committed map[string]bool
	faults    []error
}

func newLog(t *testing.T, o *organization) *log {
	t.Helper()
	config, err := pgxpool.ParseConfig(o.postgres.URL(stack.Superuser, database))
	require.NoError(t, err)
	config.MaxConns = connections
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	l := &log{o: o, pool: pool, committed: map[string]bool{}}
	l.order = orderID(t, o.importOrders(t, orders(newOrder("WRITTEN")))[0])
	l.committed["WRITTEN"] = true
	return l
}

// write starts some of the writers.
func (l *log) write(from, to int) {
	for writer := from; writer < to; writer++ {
		l.wg.Go(func() {
			if err := l.append(context.Background(), writer); err != nil {
				l.mu.Lock()
				defer l.mu.Unlock()
				l.faults = append(l.faults, err)
			}
		})
	}
}

// append is one transaction of up to three events. Every tenth stays open
// until many that began later have committed, and every seventh is rolled back.
func (l *log) append(ctx context.Context, writer int) error {
	tx, err := l.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	var events []string
	for n := range 1 + writer%3 {
		event := fmt.Sprintf("W-%d-%d", writer, n)
		_, err := tx.Exec(ctx, `insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id, external_id, order_status_id)
			values ($1, 'order.created', 'order', $2, 'system', 'test', $2, $3, 2)`, l.o.id, l.order, event)
		if err != nil {
			return err
		}
		events = append(events, event)
	}
	if writer%10 == 0 {
		// Short transactions alone produce more commits than this.
		patience := min(l.commits.Load()+int64(rand.IntN(writers/3)), writers/2)
		for l.commits.Load() < patience {
			time.Sleep(time.Millisecond)
		}
	}
	if writer%7 == 0 {
		return tx.Rollback(ctx)
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	l.commits.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, event := range events {
		l.committed[event] = true
	}
	return nil
}

func (l *log) awaitCommits(t *testing.T, count int64) {
	t.Helper()
	eventually(t, fmt.Sprintf("%d transactions are committed", count), func() bool { return l.commits.Load() >= count })
}

// close waits for the writers and returns the committed events.
func (l *log) close(t *testing.T) map[string]bool {
	t.Helper()
	l.wg.Wait()
	require.Empty(t, l.faults)
	return l.committed
}

// follower follows the feed all the time.
type follower struct {
	mu   sync.Mutex
	seen []contract.OrderStatusChange
	quit chan struct{}
	done chan struct{}
}

func (o *organization) startFollowing(t *testing.T) *follower {
	t.Helper()
	r := &follower{quit: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(r.done)
		for token := ""; ; {
			a := o.call(t, http.MethodGet, "/v2/orders/summary/orderstatusfeed?pageSize=37&token="+token, nil)
			if a.status != http.StatusOK {
				t.Errorf("the feed answers %d: %s", a.status, a.body)
				return
			}
			page := read[contract.OrderStatusFeed](t, a)
			token = page.NextToken
			r.mu.Lock()
			r.seen = append(r.seen, page.Items...)
			r.mu.Unlock()
			select {
			case <-r.quit:
				return
			default:
			}
		}
	}()
	return r
}

func (r *follower) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.seen)
}

// stop reads to the end, and returns all events.
func (r *follower) stop(t *testing.T) []contract.OrderStatusChange {
	t.Helper()
	close(r.quit)
	<-r.done
	return r.seen
}
