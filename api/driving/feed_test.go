package driving_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// feed returns the last entry of the status feed about an order.
func (d depot) feed(order int64) contract.OrderStatusChange {
	d.T.Helper()
	d.exec("update events set position = id where org_id = $1 and position is null")
	w := d.Send(http.MethodGet, "/v2/orders/summary/orderstatusfeed", "", "Authorization", d.dispatcher)
	require.Equal(d.T, http.StatusOK, w.Code, w.Body)
	var feed contract.OrderStatusFeed
	require.NoError(d.T, json.Unmarshal(w.Body.Bytes(), &feed))
	var last contract.OrderStatusChange
	for _, item := range feed.Items {
		if item.OrderID == order {
			last = item
		}
	}
	return last
}

// The feed shows why an order failed in the reporter's words.
func TestFeedHasReasonOfFailure(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	id, pickup, delivery := nora.give("A-1")
	nora.says(nora.did("PICK_UP", pickup, 10*minute), nora.did("FAIL", delivery, 5*minute, object{
		"reason": "NOT_HOME", "comment": "The bell is out of order",
	}))
	failed := d.feed(id)
	require.Equal(t, contract.OrderEventType("order.failed"), failed.Type)
	require.Equal(t, "NOT_HOME", *failed.Reason)
	require.Equal(t, "The bell is out of order", *failed.Comment)
	require.Equal(t, contract.OrderStatusChangeStop("delivery"), *failed.Stop)

	id, pickup, _ = nora.give("A-2")
	nora.says(nora.did("PICK_UP", pickup, 10*minute))
	require.Nil(t, d.feed(id).Reason)
	w := d.Send(http.MethodPut, fmt.Sprintf("/v1/orders/%d/status", id),
		`{"order_status_id": 7, "failure_reason": "Damaged", "comment": "They call tomorrow"}`, "Authorization", d.dispatcher)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	failed = d.feed(id)
	require.Equal(t, "Damaged They call tomorrow", *failed.Reason+" "+*failed.Comment)

	id, pickup, delivery = nora.give("A-3")
	nora.says(nora.did("PICK_UP", pickup, 10*minute), nora.did("FAIL", delivery, 5*minute))
	failed = d.feed(id)
	require.Equal(t, contract.OrderEventType("order.failed"), failed.Type)
	require.Nil(t, failed.Reason)
	require.Nil(t, failed.Comment)
}

// Entries about an order at a stop name the stop.
func TestTheFeedNamesTheStopThatIsUnderWay(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	id, pickup, _ := nora.give("A-1")
	arrived := nora.did("ARRIVE", pickup, 10*minute)
	nora.says(arrived)
	require.Equal(t, contract.OrderStatusChangeStop("pickup"), *d.feed(id).Stop)
	for status, stop := range map[int]string{3: "pickup", 5: "delivery"} {
		d.exec(`insert into events
				(org_id, kind, subject_type, subject_id, actor, cause, order_id, external_id, order_status_id)
			select $1, 'order.updated', 'order', $2, 'system', 'test', $2, 'A-1', $3`, id, status)
		require.Equal(t, contract.OrderStatusChangeStop(stop), *d.feed(id).Stop)
	}
}
