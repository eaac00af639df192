package exports_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/export"
	"waybill/domain/order"
	"waybill/operations/operationstest"
	"waybill/store"
)

// says is a carrier's report of the order A-1, some time ago.
func (c *carrier) says(kind string, ago time.Duration, more ...func(*store.CarrierUpdate)) {
	c.T.Helper()
	by := caller.Caller{OrgID: c.key.OrgID, Kind: caller.Carrier, Name: "postnord", Cause: "test"}
	u := store.CarrierUpdate{
		ExternalID: "A-1", EventType: kind, OccurredAt: time.Now().Add(-ago), Success: true,
		RawBody: fmt.Appendf(nil, `{"at": %d}`, time.Now().UnixNano()),
	}
	for _, m := range more {
		m(&u)
	}
	require.NoError(c.T, c.Exports.RecordCarrierUpdate(c.T.Context(), by, &u))
	require.NoError(c.T, c.Exports.RecordCarrierUpdate(c.T.Context(), by, &u), "the same again")
}

// exported has the carrier take the order.
func (c *carrier) exported() {
	c.T.Helper()
	c.considered()
	token := c.fetched().Token
	_, err := c.Exports.AcknowledgeExport(c.T.Context(), c.key, store.Acknowledgement{Token: token, Status: export.StatusExported})
	require.NoError(c.T, err)
}

// road is what the log and the rows say of the order on the road.
func (c *carrier) road() string {
	c.T.Helper()
	return operationstest.One[string](c.Office, `
		select concat_ws(' | ', o.status_id,
			(select string_agg(concat_ws(' ', e.kind, e.order_status_id, e.stop, e.actor), ', ' order by e.id) from events e
				where e.org_id = o.org_id and e.order_id = o.id
					and e.kind in ('order.picked_up', 'order.delivered', 'order.failed')),
			(select concat_ws(' ', g.pickup_status, g.delivery_status, g.failure_reason)
				from order_progress g where g.org_id = o.org_id and g.order_id = o.id),
			(select string_agg(concat_ws(' ', p.type, p.signee), ', ') from completion_proofs p
				where p.org_id = o.org_id and p.order_id = o.id and p.counts))
		from orders o where o.org_id = $1 and o.number = 'A-1'`, c.key.OrgID)
}

func signed(u *store.CarrierUpdate) { u.SigneeName = "Kari" }

func failed(u *store.CarrierUpdate) { u.Success, u.FailureReason = false, "Nobody at home" }

func TestACarrierMovesWhatWasExportedToIt(t *testing.T) {
	t.Parallel()
	c := newCarrier(t)
	c.says(store.UpdatePickupCompleted, 2*time.Hour)
	require.Equal(t, "1", c.road(), "it was not exported yet")

	c.exported()
	c.says(store.UpdateTerminalScan, 100*time.Minute)
	c.says(store.UpdateDelivered, time.Hour, signed)
	delivered := "6 | order.delivered 6 delivery carrier:postnord | completed completed | IN_PERSON Kari"
	require.Equal(t, delivered, c.road())
	c.says(store.UpdatePickupCompleted, 90*time.Minute)
	require.Equal(t, delivered, c.road(), "what comes late takes its place")
	c.says(store.UpdateDelivered, 30*time.Minute, failed)
	require.Equal(t, delivered, c.road(), "it was delivered by then")
}

// TestACarrierNamesAnyTime has carriers name times of before the order and of the future:
// what they say counts from when the order was created up to now.
func TestACarrierNamesAnyTime(t *testing.T) {
	t.Parallel()
	for named, at := range map[string]time.Time{
		"1970": time.Unix(0, 0), "last year": time.Now().AddDate(-1, 0, 0).Truncate(time.Second), "2199": time.Date(2199, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		t.Run(named, func(t *testing.T) {
			t.Parallel()
			c := newCarrier(t)
			c.exported()
			var update *store.CarrierUpdate
			c.says(store.UpdateDelivered, time.Hour, func(u *store.CarrierUpdate) { u.OccurredAt, update = at, u })
			require.Equal(t, "6 | order.delivered 6 delivery carrier:postnord | completed completed", c.road())
			require.True(t, operationstest.One[bool](c.Office, `
				select e.occurred_at between o.created_at and clock_timestamp() and e.occurred_at = $1
					and (e.data ->> 'said_at')::timestamptz = $2
				from events e join orders o on o.org_id = e.org_id and o.id = e.order_id where e.kind = 'order.delivered'`,
				update.CountedAt, at))
		})
	}
}

func TestACarrierThatFails(t *testing.T) {
	t.Parallel()
	c := newCarrier(t)
	c.exported()
	c.says(store.UpdatePickupCompleted, 2*time.Hour)
	c.says(store.UpdateDelivered, time.Hour, failed)
	require.Equal(t, "7 | order.picked_up 4 pickup carrier:postnord, order.failed 7 delivery carrier:postnord | "+
		"completed failed Nobody at home", c.road())
}

func TestCarriersCannotMakeForbiddenChanges(t *testing.T) {
	t.Parallel()
	c := newCarrier(t)
	c.exported()
	operationstest.One[int64](c.Office, "update organizations set carrier_moves_status = false where id = $1 returning id", c.key.OrgID)
	c.says(store.UpdateDelivered, time.Hour, signed)
	require.Equal(t, "1", c.road())
	require.Equal(t, 1, c.events("export.external_update"), "but it stands in the timeline")
}

// The feed says why an order failed as its carrier said it.
func TestFeedHasReasonOfCarrierFailure(t *testing.T) {
	t.Parallel()
	c := newCarrier(t)
	c.exported()
	c.says(store.UpdateDelivered, time.Hour, failed)
	c.Sequenced()
	changes, err := c.Store.StatusFeed(t.Context(), c.key.OrgID, 0, 0, 100)
	require.NoError(t, err)
	last := changes[len(changes)-1]
	require.Equal(t, "order.failed Nobody at home", last.Kind+" "+last.Reason)
}

// The products of a number that joins a shared order are in the feed of products.
func TestProductsOfANumberThatJoinsAreInTheFeed(t *testing.T) {
	t.Parallel()
	c := newCarrier(t)
	c.Do("update organizations set allow_merge = true")
	require.Equal(t, order.OrderMerged, c.Imported(c.key.OrgID, operationstest.HeavyOrder("A-2")).Results[0].Kind)
	c.Sequenced()
	changes, err := c.Store.ProductStatusFeed(t.Context(), c.key.OrgID, 0, 0, 100)
	require.NoError(t, err)
	numbers := map[string]bool{}
	for _, change := range changes {
		numbers[change.ExternalID] = true
	}
	require.Equal(t, map[string]bool{"A-1": true, "A-2": true}, numbers)
}
