package housekeeping_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/fault"
	"waybill/domain/housekeeping"
	"waybill/operations"
	"waybill/operations/operationstest"
	"waybill/store"
)

const (
	day      = 24 * time.Hour
	promised = 90 // days for which a change stays in the feed
)

// keptLog is the log of an installation whose clock a test moves, by making all that the
// log knows older.
type keptLog struct {
	*operationstest.House

	changes int
	// written is on which day each change was written, by its order.
	written map[int64]int
	today   int
}

func newKeptLog(t *testing.T) *keptLog {
	t.Helper()
	l := &keptLog{House: operationstest.NewHouse(t), written: map[int64]int{}}
	l.Operations = operations.New(l.Store, time.Now, operations.Settings{KeepEvents: promised*day + time.Minute})
	l.sequence()
	l.pass(1) // since the first mark
	return l
}

func (l *keptLog) sequence() { l.Exec("select sequence_events(10000)") }

// change writes a change of status. When it happened is an expression in SQL. The release
// before the log lay by time of writing kept nothing but that time.
func (l *keptLog) change(at string, before bool) int64 {
	l.changes++
	order := int64(1_000_000 + l.changes)
	recorded, occurred := "now()", at
	if before {
		recorded, occurred = at, "null"
	}
	l.Exec(fmt.Sprintf(`insert into events (org_id, kind, subject_type, subject_id, order_id, order_status_id, external_id, actor, cause,
		recorded_at, occurred_at) values ($1, 'order.delivered', 'order', $2, $2, 6, 'N', 'carrier:x', 'test', %s, %s)`, recorded, occurred),
		l.Orgs[0], order)
	l.sequence()
	l.written[order] = l.today
	return order
}

// pass lets days pass.
func (l *keptLog) pass(days int) {
	l.today += days
	l.Exec("update events set recorded_at = recorded_at - make_interval(days => $1), occurred_at = occurred_at - make_interval(days => $1)", days)
	l.Exec("update log_marks set at = at - make_interval(days => $1)", days)
}

// tidy does what housekeeping does to the log each hour, until there is no more to do.
func (l *keptLog) tidy() error {
	l.Exec("update event_followers set position = (select last_position from event_sequencer)")
	for _, duty := range []housekeeping.Duty{housekeeping.Room, housekeeping.Log} {
		for left := true; left; {
			batch, err := l.step(duty)
			if err != nil {
				return err
			}
			left = batch.Left
		}
	}
	return nil
}

// step does one step of a duty. A month that the database is vacuuming is not dropped:
// housekeeping waits for no lock for long, and its workflow tries again, as this does.
func (l *keptLog) step(duty housekeeping.Duty) (batch housekeeping.Batch, err error) {
	require.Eventually(l.T, func() bool {
		batch, err = l.Housekeeping.KeepHouse(l.T.Context(), duty, false)
		return fault.KindOf(err) != fault.Unavailable
	}, time.Minute, 10*time.Millisecond)
	return batch, err
}

// feed is which changes are in the feed.
func (l *keptLog) feed() (orders []int64) {
	l.T.Helper()
	rows, err := l.Store.StatusFeed(l.T.Context(), l.Orgs[0], 0, 0, 100_000)
	require.NoError(l.T, err)
	for i := range rows {
		orders = append(orders, rows[i].OrderID)
	}
	return orders
}

// TestChangesStayInTheFeed has changes of any time, written by this release or the one
// before, in an installation that is tidied every now and then: none leaves the feed
// before its time.
func TestChangesStayInTheFeed(t *testing.T) {
	t.Parallel()
	l := newKeptLog(t)
	times := []string{
		"'1970-01-01'::timestamptz", "'2199-12-31'::timestamptz", "now()", "now() - interval '1 year'",
		"now() - interval '125 days'", "now() - interval '31 days'", "now() + interval '50 days'", "now() + interval '400 days'",
	}
	rapid.Check(t, func(t *rapid.T) {
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0, 1:
				l.change(rapid.SampledFrom(times).Draw(t, "at"), rapid.Bool().Draw(t, "before"))
			case 2:
				l.pass(rapid.IntRange(1, 80).Draw(t, "days"))
			case 3:
				require.NoError(t, l.tidy())
			}
		}
		require.NoError(t, l.tidy())
		left := l.feed()
		for order, written := range l.written {
			if l.today-written < promised {
				require.Contains(t, left, order, "written %d days ago", l.today-written)
			} else if !slices.Contains(left, order) {
				delete(l.written, order)
			}
		}
	})
	for range 3 { // each mark lets go what was written before it
		require.NoError(t, l.tidy())
		l.pass(promised + 35)
	}
	require.NoError(t, l.tidy())
	require.Empty(t, l.feed(), "in the end all goes")
}

// TestEventsForWebhookEndpointsStayInTheLog has an endpoint that has not come to an event,
// and one that tries it again.
func TestEventsForWebhookEndpointsStayInTheLog(t *testing.T) {
	t.Parallel()
	for name, endpoint := range map[string]string{
		"not come to": `insert into webhook_endpoints (org_id, id, url, sealed_secret, position) values ($1, 1, '', '', $2::bigint - 1)`,
		"tried again": `with e as (insert into webhook_endpoints (org_id, id, url, sealed_secret, position) values ($1, 1, '', '', $2))
			insert into webhook_deliveries (org_id, endpoint_id, position, place, first_at, attempts, next_at)
			values ($1, 1, $2, 1, now(), 1, now())`,
	} {
		for _, at := range []string{"now()", "'1970-01-01'::timestamptz"} {
			t.Run(name+" "+at, func(t *testing.T) {
				t.Parallel()
				l := newKeptLog(t)
				order := l.change(at, true)
				l.Exec(endpoint, l.Orgs[0], operationstest.One[int64](l.Office, "select last_position from event_sequencer"))
				require.NoError(t, l.tidy())
				l.pass(promised + 35)
				var err error
				for range 10 {
					if err = l.tidy(); err != nil {
						break
					}
				}
				require.ErrorIs(t, err, store.ErrStillNeeded)
				require.Contains(t, l.feed(), order)

				l.Exec("update webhook_endpoints set is_active = false, off_reason = 'FAILING', off_at = now()")
				require.NoError(t, l.tidy())
				require.NotContains(t, l.feed(), order, "one that is switched off holds nothing back")
			})
		}
	}
}

// TestQuietEndpointDoesNotHoldBackTheLog has an endpoint that has come to the
// last change of its organization long ago.
func TestQuietEndpointDoesNotHoldBackTheLog(t *testing.T) {
	t.Parallel()
	l := newKeptLog(t)
	order := l.change("now()", false)
	l.Exec("insert into webhook_endpoints (org_id, id, url, sealed_secret, position, place) values ($1, 1, '', '', $2, 1)", l.Orgs[0],
		operationstest.One[int64](l.Office, "select last_position from event_sequencer"))
	require.NoError(t, l.tidy())
	l.pass(promised + 35)
	require.NoError(t, l.tidy())
	require.NotContains(t, l.feed(), order)
}

// TestFollowerHoldsBackEventsWithoutPartition has a follower that has not taken an event of the
// default partition.
func TestFollowerHoldsBackEventsWithoutPartition(t *testing.T) {
	t.Parallel()
	l := newKeptLog(t)
	order := l.change("'1970-01-01'::timestamptz", true)
	require.NoError(t, l.tidy())
	l.pass(promised + 35)
	l.Exec("update event_followers set position = 0 where name = 'exports'")
	var err error
	for range 10 {
		if _, err = l.step(housekeeping.Log); err != nil {
			break
		}
	}
	require.ErrorIs(t, err, store.ErrStillNeeded)
	require.Contains(t, l.feed(), order)
	require.NoError(t, l.tidy())
	require.NotContains(t, l.feed(), order)
}
