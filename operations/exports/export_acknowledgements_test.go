package exports_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/operations/exports"
	"waybill/operations/operationstest"
	"waybill/store"
)

// offered is a carrier that has fetched its one shipment.
func offered(t *testing.T) (c *carrier, token string) {
	t.Helper()
	c = newCarrier(t)
	c.Do("update organizations set reexport = true, reexport_since = now() - interval '1 hour'")
	require.Equal(t, export.Pending, c.considered())
	return c, c.fetched().Token
}

// timeline is how many acknowledgements the order's timeline has.
func (c *carrier) timeline() int {
	return operationstest.One[int](c.Office, "select count(*)::int from external_updates where org_id = $1", c.key.OrgID)
}

// holdUntil keeps the carrier's export from everybody else until so many wait for
// it.
func (c *carrier) holdUntil(waiting int) {
	c.T.Helper()
	tx, err := c.Owner.Begin(c.T.Context())
	require.NoError(c.T, err)
	_, err = tx.Exec(c.T.Context(), "select from order_exports for update")
	require.NoError(c.T, err)
	released := make(chan struct{})
	go func() {
		defer close(released)
		defer func() { _ = tx.Commit(context.WithoutCancel(c.T.Context())) }()
		for wait := 0; wait < waiting; time.Sleep(5 * time.Millisecond) {
			err := tx.QueryRow(c.T.Context(), `select count(distinct pid)::int from pg_locks
				where not granted and (transactionid = pg_current_xact_id()::xid
					or database = (select oid from pg_database where datname = current_database()))`).Scan(&wait)
			if err != nil {
				c.T.Errorf("look who waits: %v", err)
				return
			}
		}
	}()
	c.T.Cleanup(func() { <-released })
}

// atOnce acknowledges so often at the same moment, and returns what came of
// those that counted and how many were refused as illegal.
func (c *carrier) atOnce(count int, a store.Acknowledgement) (counted []exports.Acknowledged, refused int) {
	c.T.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	for range count {
		all.Go(func() {
			done, err := c.Exports.AcknowledgeExport(c.T.Context(), c.key, a)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				counted = append(counted, done)
			case fault.KindOf(err) == fault.IllegalState:
				refused++
			default:
				c.T.Errorf("acknowledge: %v", err)
			}
		})
	}
	all.Wait()
	return counted, refused
}

func TestAnAcknowledgementTakesEffectOnce(t *testing.T) {
	t.Parallel()
	c, token := offered(t)
	require.Equal(t, export.Pending, c.considered(), "considered again, nothing happens")
	require.Equal(t, 1, c.events("export.offered"))
	said := store.Acknowledgement{
		Token: token, Status: export.StatusExported, CarrierShipmentID: "3700", IdempotencyKey: "K-1",
	}
	first, err := c.Exports.AcknowledgeExport(t.Context(), c.key, said)
	require.NoError(t, err)
	require.Equal(t, store.Taken{Counted: true, Number: 1, State: export.Exported}, first.Taken)
	require.Equal(t, c.order, first.OrderID)
	require.Equal(t, "A-1", first.OrderNumber)
	again, err := c.Exports.AcknowledgeExport(t.Context(), c.key, said)
	require.NoError(t, err)
	require.Equal(t, first.Taken, again.Taken, "the same key is the same acknowledgement")
	require.Equal(t, first.OrderNumber, again.OrderNumber)

	other := said
	other.CarrierShipmentID = "3701"
	_, err = c.Exports.AcknowledgeExport(t.Context(), c.key, other)
	require.Equal(t, fault.Unprocessable, fault.KindOf(err))
	other.Token, other.IdempotencyKey = "exp_unknown", ""
	_, err = c.Exports.AcknowledgeExport(t.Context(), c.key, other)
	require.Equal(t, fault.NotFound, fault.KindOf(err))

	require.Equal(t, 1, c.timeline())
	require.JSONEq(t, `{"status": "EXPORTED", "carrierShipmentId": "3700"}`,
		operationstest.One[string](c.Office, "select raw_body from external_updates where org_id = $1", c.key.OrgID))
	require.Equal(t, c.key.Actor()+" "+c.key.Cause, operationstest.One[string](c.Office, `
		select actor || ' ' || cause from events where org_id = $1 and kind = 'export.acknowledged'`, c.key.OrgID))
}

func TestConcurrentTriesAreLimitedToFive(t *testing.T) {
	t.Parallel()
	c, token := offered(t)
	failed := store.Acknowledgement{Token: token, Status: export.StatusFailed, FailureReason: "no room"}
	counted, refused := c.atOnce(12, failed)
	require.Len(t, counted, export.Limit)
	require.Equal(t, 12-export.Limit, refused)
	numbers := map[int]export.State{}
	for _, done := range counted {
		numbers[done.Number] = done.State
	}
	require.Equal(t, map[int]export.State{
		1: export.Pending, 2: export.Pending, 3: export.Pending, 4: export.Pending, 5: export.Closed,
	}, numbers)
	require.Equal(t, export.Limit, c.timeline())
	require.Equal(t, export.Limit, c.events("export.acknowledged"))
	require.ErrorIs(t, c.Exports.MarkExport(t.Context(), c.key, c.order), export.ErrSpent)
	shown, err := c.Exports.OrderExport(t.Context(), c.key, c.order)
	require.NoError(t, err)
	require.Equal(t, export.Spent, shown.Reason)
	require.False(t, shown.InFeed)
}

// TestConcurrentAcknowledgementsCountOnce holds the export until every
// caller has seen that the key is new and waits for it.
func TestConcurrentAcknowledgementsCountOnce(t *testing.T) {
	t.Parallel()
	const callers = 6 // who find a connection each
	c, token := offered(t)
	c.holdUntil(callers)
	counted, _ := c.atOnce(callers, store.Acknowledgement{
		Token: token, Status: export.StatusExported, IdempotencyKey: "K-1",
	})
	require.Len(t, counted, callers)
	for _, done := range counted {
		require.Equal(t, store.Taken{Counted: true, Number: 1, State: export.Exported}, done.Taken)
	}
	require.Equal(t, 1, c.timeline())
}

// TestAcknowledgementsMeetTheEndOfTheWindow lets the window end while the order
// is considered and acknowledged: it counts either way, and opens no window that
// was seen to be over.
func TestAcknowledgementsMeetTheEndOfTheWindow(t *testing.T) {
	t.Parallel()
	c, token := offered(t)
	said := store.Acknowledgement{Token: token, Status: export.StatusExported}
	_, err := c.Exports.AcknowledgeExport(t.Context(), c.key, said)
	require.NoError(t, err)
	c.Do("update order_exports set closes_at = clock_timestamp() + interval '5 ms'")
	var considered sync.WaitGroup
	considered.Go(func() {
		for range 20 {
			if _, err := c.Exports.ConsiderExport(t.Context(), c.key, c.order); err != nil {
				t.Errorf("consider: %v", err)
			}
		}
	})
	counted, _ := c.atOnce(2, said)
	considered.Wait()
	require.Len(t, counted, 2)
	before := c.stands()
	c.Do("update order_exports set closes_at = clock_timestamp() where state = 'exported'")
	late, err := c.Exports.AcknowledgeExport(t.Context(), c.key, said)
	require.NoError(t, err)
	require.Equal(t, store.Taken{Counted: true, Number: before.Used + 1, State: export.Closed}, late.Taken)
	require.Equal(t, export.Closed, c.considered())
}

func (c *carrier) stands() exports.OrderExport {
	c.T.Helper()
	shown, err := c.Exports.OrderExport(c.T.Context(), c.key, c.order)
	require.NoError(c.T, err)
	return shown
}

func TestAnUpdateGoesOutAfterAnOlderVersionWasExported(t *testing.T) {
	t.Parallel()
	c, old := offered(t)
	c.Do("update orders set reference = 'changed'")
	require.Equal(t, export.Pending, c.considered())
	newer := c.fetched()
	require.NotEqual(t, old, newer.Token)
	require.False(t, newer.IsUpdate)
	done, err := c.Exports.AcknowledgeExport(t.Context(), c.key, store.Acknowledgement{Token: old, Status: export.StatusExported})
	require.NoError(t, err)
	require.Equal(t, export.Pending, done.State)
	left := c.fetched()
	require.Equal(t, newer.Token, left.Token)
	require.True(t, left.IsUpdate)
}

// TestReceiptsOfEarlierReleasesTakeEffect has acknowledgements that v0.2.0
// kept before they took effect: by its workflow's update, or when the carrier
// sends them again because nothing had come back.
func TestReceiptsOfEarlierReleasesTakeEffect(t *testing.T) {
	t.Parallel()
	c, token := offered(t)
	receive := func(key string) (id int64) {
		return operationstest.One[int64](c.Office, `
			insert into export_acknowledgements (org_id, order_id, version, status, idempotency_key)
			values ($1, $2, 1, 'FAILED', $3) returning id`, c.key.OrgID, c.order, key)
	}
	byUpdate, sentAgain := receive("K-1"), receive("K-2")
	first, err := c.Exports.Acknowledge(t.Context(), c.key, c.order, byUpdate)
	require.NoError(t, err)
	require.Equal(t, store.Taken{Counted: true, Number: 1, State: export.Pending}, first.Taken)
	second, err := c.Exports.AcknowledgeExport(t.Context(), c.key, store.Acknowledgement{
		Token: token, Status: export.StatusFailed, IdempotencyKey: "K-2",
	})
	require.NoError(t, err)
	require.Equal(t, store.Taken{Counted: true, Number: 2, State: export.Pending}, second.Taken)
	for _, id := range []int64{byUpdate, sentAgain} { // an update that comes late or again
		done, err := c.Exports.Acknowledge(t.Context(), c.key, c.order, id)
		require.NoError(t, err)
		require.True(t, done.Counted)
	}
	require.Equal(t, 2, c.timeline())
	require.WithinDuration(t, time.Now(), operationstest.One[time.Time](c.Office,
		"select applied_at from export_acknowledgements where id = $1", sentAgain), time.Minute)
}
