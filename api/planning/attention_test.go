package planning_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// TestADayCountsWhatNeedsAttention has two orders of a day and one of the next, each with something for somebody to do.
func TestADayCountsWhatNeedsAttention(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	failed, unclear, tomorrow := o.order("A-1"), o.order("A-2"), o.order("A-3")
	o.exec("update orders set status_id = 7 where org_id = $1 and id = any ($2)", []int64{failed, tomorrow})
	o.exec("update orders set date = '2026-03-03' where org_id = $1 and id = $2", tomorrow)
	o.exec("update locations set latitude = null, longitude = null where org_id = $1")
	o.exec(`update order_stops set position = '{"precision": "CITY"}'
		where org_id = $1 and order_id = $2 and kind = 'delivery'`, unclear)
	message := func(channel, status string, order, retryOf int64) int64 {
		return o.id(`insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, order_id,
				receiver, sender, provider, status, failure, retry_of, try)
			values ($1, $2, gen_random_uuid()::text, 'w', 'r', 'order.created', 1, $4, 'kari@example.com', '', 'p', $3,
				 case when $3 = 'failed' then 'ProviderRejected' end, nullif($5, 0), case when $5 = 0 then 0 else 1 end)
			returning id`, channel, status, order, retryOf)
	}
	message("EMAIL", "bounced", failed, 0)
	message("EMAIL", "spam", unclear, 0)
	message("EMAIL", "sent", unclear, message("EMAIL", "failed", unclear, 0))
	message("SMS", "failed", unclear, 0)
	message("SMS", "failed", tomorrow, 0)

	attention := func(day string) []int64 {
		w := o.Send(http.MethodGet, "/v2/plans/"+day+"/figures?departmentId=0", "", "Authorization", o.dispatcher)
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		a := decoded[contract.FiguresOfDay](t, w).Attention
		return []int64{a.FailedOrders, a.Addresses, a.Emails, a.Texts}
	}
	require.Equal(t, []int64{1, 1, 2, 1}, attention("2026-03-02"))
	require.Equal(t, []int64{1, 0, 0, 1}, attention("2026-03-03"))
	require.Equal(t, []int64{0, 0, 0, 0}, attention("2026-03-04"))
}
