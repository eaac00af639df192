package driving_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/recipient"
	"waybill/operations/operationstest"
	"waybill/store"
)

// tell tells the recipient of a stop a time.
func tell(r *operationstest.Road, orderID int64, kind order.StopKind, told recipient.Range, again bool) {
	r.T.Helper()
	require.NoError(r.T, r.Store.InTx(r.T.Context(), operationstest.Clerk(r.Org), func(t *store.Tx) error {
		return t.KeepPromise(r.T.Context(), orderID, kind, told, again)
	}))
}

// TestTheFirstTimeToldIsThePromise tells a recipient several times.
func TestTheFirstTimeToldIsThePromise(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	last := r.Stops[len(r.Stops)-1]
	hour := func(n int) recipient.Range {
		from := operationstest.PlannedOn.Add(time.Duration(n) * time.Hour)
		return recipient.Range{From: from, To: from.Add(time.Hour)}
	}
	for _, again := range []bool{true, true, false} {
		tell(r, last.OrderID, order.Delivery, hour(10), again)
	}
	tell(r, last.OrderID, order.Delivery, hour(11), true)
	tell(r, last.OrderID, order.Delivery, hour(12), false)
	require.Equal(t, "10 11", operationstest.One[string](r.Office, `select concat_ws(' ', extract(hour from promised_from at time zone 'UTC'),
		extract(hour from told_from at time zone 'UTC')) from delivery_promises where org_id = $1`, r.Org))
	require.Equal(t, []string{"delivery 2026-03-02T10:00:00.000Z"}, operationstest.One[[]string](r.Office, `
		select array_agg(stop || ' ' || (data ->> 'from')) from events where org_id = $1 and kind = 'order.time_promised'`, r.Org))
}

// TestARecipientHearsOfATimeThatMoves has a driver who comes later and later, and recipients of whom one was told when.
func TestARecipientHearsOfATimeThatMoves(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	last := r.Stops[len(r.Stops)-1]
	r.Says(driving.StartRoute, 0)
	r.Says(driving.PickUp, r.Stops[0].ID)
	moved := func() int {
		t.Helper()
		return operationstest.One[int](r.Office, "select count(*)::int from events where org_id = $1 and kind = 'order.time_moved'", r.Org)
	}
	expected := func() recipient.Range {
		eta := operationstest.One[time.Time](r.Office, "select eta from live_etas where org_id = $1 and order_id = $2 and kind = 'delivery'",
			r.Org, last.OrderID)
		return recipient.Expected(eta, r.Now, r.Now, true)
	}
	r.Now = last.Eta
	r.Look()
	tell(r, last.OrderID, order.Delivery, expected(), true)
	r.Look()
	require.Zero(t, moved(), "nothing has moved")

	for times := range 5 {
		r.Now = r.Now.Add(time.Hour)
		r.Look()
		require.Equal(t, min(times+1, recipient.MostMoves), moved())
		r.Look()
		require.Equal(t, min(times+1, recipient.MostMoves), moved(), "they know")
	}
	require.Equal(t, last.OrderID, operationstest.One[int64](r.Office, `select distinct order_id from events where org_id = $1
		and kind = 'order.time_moved' and stop = 'delivery'`, r.Org), "the others were told nothing")
}

// TestSmallMovesAreNoNews has the driver twenty minutes late, and an organization that finds that little.
func TestSmallMovesAreNoNews(t *testing.T) {
	t.Parallel()
	for minutes, heard := range map[int]int{0: 1, 60: 0} {
		r := operationstest.NewRoad(t)
		r.Do("update organizations set recipient_page = jsonb_build_object('move_minutes', $2::int) where id = $1", r.Org, minutes)
		last := r.Stops[len(r.Stops)-1]
		r.Says(driving.StartRoute, 0)
		r.Look()
		told := recipient.Expected(last.Eta.Add(-30*time.Minute), r.Now, r.Now, true)
		tell(r, last.OrderID, order.Delivery, told, true)
		r.Now = r.Stops[0].Eta.Add(10 * time.Minute)
		r.Says(driving.PickUp, r.Stops[0].ID)
		r.Look()
		require.Equal(t, heard, operationstest.One[int](r.Office,
			"select count(*)::int from events where org_id = $1 and kind = 'order.time_moved'", r.Org), minutes)
	}
}
