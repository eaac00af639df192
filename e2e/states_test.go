package e2e_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"waybill/api/contract"

	"github.com/stretchr/testify/require"
)

// follow reads the status feed from a token to its end, in pages of a size.
func (o *organization) follow(t testing.TB, token string, size int) ([]contract.OrderStatusChange, string) {
	t.Helper()
	var changes []contract.OrderStatusChange
	for {
		path := fmt.Sprintf("/v2/orders/summary/orderstatusfeed?token=%s&pageSize=%d", url.QueryEscape(token), size)
		page := read[contract.OrderStatusFeed](t, o.get(t, path))
		require.LessOrEqual(t, len(page.Items), size)
		changes, token = append(changes, page.Items...), page.NextToken
		if !page.HasMore {
			return changes, token
		}
		require.Len(t, page.Items, size)
	}
}

// followUntil follows the feed until it has brought so many changes.
func (o *organization) followUntil(t *testing.T, token string, size, count int) ([]contract.OrderStatusChange, string) {
	t.Helper()
	var changes []contract.OrderStatusChange
	eventually(t, fmt.Sprintf("the feed brings %d changes", count), func() bool {
		var more []contract.OrderStatusChange
		more, token = o.follow(t, token, size)
		changes = append(changes, more...)
		return len(changes) >= count
	})
	return changes, token
}

func TestStatusFeed(t *testing.T) {
	t.Parallel()
	o := shared.withoutDrivers(t)
	empty, start := o.follow(t, "", 7)
	require.Empty(t, empty)

	o.importOrders(t, demoOrders(t))
	changes, token := o.followUntil(t, start, 7, 60)
	require.Len(t, changes, 60)
	var numbers []string
	for i, c := range changes {
		require.Equal(t, contract.OrderStatusID(1), c.OrderStatusID)
		require.Equal(t, contract.OrderStatusNameRegistered, c.Status)
		numbers = append(numbers, c.ExternalID)
		if i > 0 {
			require.Greater(t, c.Position, changes[i-1].Position)
		}
	}
	slices.Sort(numbers)
	require.Len(t, slices.Compact(numbers), 60, "each order once")

	// A draft and an update are no changes of status, a cancellation is one.
	o.importOrders(t, orders(newOrder("DRAFT", object{"date": nil})))
	o.importOrders(t, demoOrders(t))
	o.expect(t, http.StatusNoContent, http.MethodDelete, "/v1/import/orders/NF-2026-0001", nil)
	changes, token = o.followUntil(t, token, 1, 1)
	require.Len(t, changes, 1)
	require.Equal(t, "NF-2026-0001", changes[0].ExternalID)
	require.Equal(t, contract.OrderStatusNameCancelled, changes[0].Status)

	all, end := o.follow(t, "", 1000)
	require.Len(t, all, 61)
	require.Equal(t, token, end)
	nothing, same := o.follow(t, token, 100)
	require.Empty(t, nothing)
	require.Equal(t, token, same)
}

func TestCancelAndReplan(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.importOrders(t, orders(newOrder("C-1"), newOrder("C-2"), newOrder("C/3 ÆØ%"), newOrder("C-DRAFT", object{"date": nil})))
	status := func(number string) contract.OrderStatusID {
		return read[contract.Order](t, o.get(t, "/v1/orders/internal/"+url.PathEscape(number))).OrderStatusID
	}

	cancel := func(numbers ...string) []contract.CancelOrderResult {
		a := o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": numbers})
		return read[contract.CancelOrdersResponse](t, a).Results
	}
	outcome := func(number string, result contract.CancelOrderResultResult) contract.CancelOrderResult {
		return contract.CancelOrderResult{ExternalID: number, Result: result}
	}
	require.Equal(t, []contract.CancelOrderResult{
		outcome("C-1", contract.CancelOrderResultResultSuccess),
		outcome("unheard-of", contract.CancelOrderResultResultOrderNotFound),
		outcome("C-1", contract.CancelOrderResultResultSuccess),
	}, cancel("C-1", "unheard-of", "C-1"))
	o.expect(t, http.StatusBadRequest, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{""}})
	require.Equal(t, contract.OrderStatusID(8), status("C-1"))
	cancelled := read[contract.Order](t, o.get(t, "/v1/orders/internal/C-1?loads=OrderLocations"))
	require.False(t, cancelled.CancelledAt.IsNull())
	for _, stop := range *cancelled.OrderLocations {
		require.Equal(t, contract.OrderLocationStatus("cancelled"), stop.Status)
	}
	o.expect(t, http.StatusConflict, http.MethodDelete, "/v1/import/orders/C-1", nil)

	odd := url.PathEscape("C/3 ÆØ%")
	o.expect(t, http.StatusNoContent, http.MethodDelete, "/v1/import/orders/"+odd, nil)
	require.Equal(t, contract.OrderStatusID(8), status("C/3 ÆØ%"))
	o.expect(t, http.StatusNotFound, http.MethodDelete, "/v1/import/orders/unheard-of", nil)

	replan := func(want int, number string) answer {
		return o.expect(t, want, http.MethodPost, "/v2/orders/replan-cancelled?externalId="+url.QueryEscape(number), nil)
	}
	require.Equal(t, contract.OrderStatusID(1), read[contract.ReplanResponse](t, replan(http.StatusOK, "C-1")).OrderStatusID)
	require.Equal(t, contract.OrderStatusID(1), status("C-1"))
	replan(http.StatusOK, "C/3 ÆØ%")
	replan(http.StatusConflict, "C-1")
	replan(http.StatusNotFound, "unheard-of")
	replan(http.StatusBadRequest, "")

	// A cancelled order takes new data and stays cancelled; a started one does not.
	cancel("C-1")
	require.NotNil(t, o.importOrders(t, orders(newOrder("C-1", object{"reference": "new"})))[0].OrderUpdated)
	require.Equal(t, contract.OrderStatusID(8), status("C-1"))
	require.Equal(t, "new", read[contract.Order](t, o.get(t, "/v1/orders/internal/C-1")).Reference.MustGet())
	_, err := o.admin.Exec(t.Context(), "update orders set status_id = 4 where org_id = $1 and number = 'C-2'", o.id)
	require.NoError(t, err)
	require.NotNil(t, o.importOrders(t, orders(newOrder("C-2", object{"products": []object{product("other")}})))[0].FailedUpdate)

	require.Equal(t, []string{"registered", "cancelled", "registered", "cancelled"}, statuses(t, o, "C-1"))
}

// statuses are the changes of an order's status, in their order.
func statuses(t *testing.T, o *organization, number string) []string {
	t.Helper()
	o.rows(t) // waits for the relay
	changes, _ := o.follow(t, "", 1000)
	var names []string
	for _, c := range changes {
		if c.ExternalID == number {
			names = append(names, string(c.Status))
		}
	}
	return names
}
