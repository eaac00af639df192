package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"

	"waybill/api/contract"
)

// TestADatabaseIsRestoredToAnEarlierTime is the drill of docs/production.md: a base backup and the write-ahead log take the
// database back to a moment before a mistake, while Temporal, a carrier and a reader of the feed are ahead of it.
func TestADatabaseIsRestoredToAnEarlierTime(t *testing.T) {
	t.Parallel()
	i := install(t, "serve")
	require.NoError(t, i.start("work", "WAYBILL_SMTP_URL=smtp://"+freeAddress(t))) // nobody takes letters yet
	o := i.organization(t)
	o.importOrders(t, orders(newOrder("KEPT"), carrierOrder("SHIPPED")))
	shipped := o.awaitFeed(t, 1)[0]
	require.NoError(t, i.postgres.Backup(t.Context()))
	told := orderID(t, o.importOrders(t, orders(o.reachable("TOLD", "reader@example.com", "")))[0])
	o.awaitMessage(t, told, contract.NotificationTypeEMAIL, "ORDER_CREATED", "queued")
	at := one[time.Time](t, i, "select clock_timestamp()")

	// The time that will be lost.
	i.kill("work")
	require.NoError(t, i.start("work"))
	o.awaitMessage(t, told, contract.NotificationTypeEMAIL, "ORDER_CREATED", "sent")
	o.exported(t, shipped.ExportToken)
	lost := orderID(t, o.importOrders(t, orders(newOrder("LOST")))[0])
	cursor := o.readAll(t)
	eventually(t, "Temporal knows that the message was sent", func() bool {
		counted, err := i.temporalClient(t).CountWorkflow(t.Context(),
			&workflowservice.CountWorkflowExecutionsRequest{Query: "WaybillState = 'sent'"})
		require.NoError(t, err)
		return counted.GetCount() == 1
	})
	for _, name := range []string{"serve", "work"} {
		require.NoError(t, i.processes[name].Stop())
		delete(i.processes, name)
	}

	began := time.Now()
	require.NoError(t, i.postgres.RestoreTo(t.Context(), at))
	restored := time.Since(began)
	i.admin.Reset()
	looked, err := i.command(t.Context(), "reconcile")
	require.NoError(t, err)
	require.Contains(t, looked, "1 message that the database took for unsent had been sent")
	for _, command := range [][]string{{"reconcile", "--repair"}, {"adopt-namespace", "--yes"}} {
		_, err := i.command(t.Context(), command...)
		require.NoError(t, err)
	}
	require.NoError(t, i.start("serve"))
	require.NoError(t, i.start("work"))
	require.NoError(t, i.ready(t.Context()))
	t.Log("restored after", restored, "and answering after", time.Since(began))

	o.expect(t, http.StatusNotFound, http.MethodGet, fmt.Sprintf("/v1/orders/%d", lost), nil)
	again := o.importOrders(t, orders(newOrder("LOST"), newOrder("KEPT")))
	require.Equal(t, map[string]int{"orderCreated": 1, "orderUpdated": 1}, kinds(again))
	require.Greater(t, orderID(t, again[0]), lost, "nobody has seen its id")
	eventually(t, "the feed goes on behind the cursor", func() bool {
		page := read[contract.OrderStatusFeed](t, o.get(t, "/v2/orders/summary/orderstatusfeed?token="+cursor))
		return slices.ContainsFunc(page.Items, func(c contract.OrderStatusChange) bool { return c.ExternalID == "LOST" })
	})
	o.exported(t, o.awaitFeed(t, 1)[0].ExportToken)
	o.awaitFeed(t, 0)
	after := orderID(t, o.importOrders(t, orders(o.reachable("AFTER", "reader@example.com", "")))[0])
	o.awaitMessage(t, after, contract.NotificationTypeEMAIL, "ORDER_CREATED", "sent")
	require.Equal(t, "sent", statusOf(o.awaitMessage(t, told, contract.NotificationTypeEMAIL, "ORDER_CREATED", "")))
	require.Len(t, o.mailsTo(t, "reader@example.com"), 2, "one for each order")
}

// readAll reads the status feed to its end, and returns the cursor.
func (o *organization) readAll(t *testing.T) (token string) {
	t.Helper()
	eventually(t, "the log is in order", func() bool {
		return one[bool](t, o.installation, "select not exists (select from events where position is null)")
	})
	page := read[contract.OrderStatusFeed](t, o.get(t, "/v2/orders/summary/orderstatusfeed?pageSize=1000&token="))
	require.False(t, page.HasMore)
	return page.NextToken
}
