package e2e_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

// TestImportReportsWhatWasNotApplied and in which part of the order.
func TestImportReportsWhatWasNotApplied(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.importOrders(t, orders(newOrder("TRUE-1")))
	ignoring := orders(newOrder("TRUE-1", object{"reference": "new", "pricing": []object{{"price": "5", "currency": "NOK"}}}))
	ignoring["updateConfig"] = object{"order": "IGNORE_EXISTING_ORDER_BEHAVIOR"}
	updated := o.importOrders(t, ignoring)[0].OrderUpdated
	require.NotNil(t, updated)
	require.Equal(t, contract.OrderStatusID(1), *updated.OrderStatusID)
	named := map[string]contract.NotAppliedReason{}
	for _, n := range *updated.NotApplied {
		require.NotEmpty(t, n.Message)
		named[n.Field] = n.Reason
	}
	require.Equal(t, map[string]contract.NotAppliedReason{
		"reference": "IGNORED_BY_UPDATE_CONFIG", "pricing": "IGNORED_BY_UPDATE_CONFIG",
	}, named)
	require.Nil(t, o.importOrders(t, orders(newOrder("TRUE-1")))[0].OrderUpdated.NotApplied, "all of it took effect")

	o.expect(t, http.StatusNoContent, http.MethodDelete, "/v1/import/orders/TRUE-1", nil)
	again := o.importOrders(t, orders(newOrder("TRUE-1")))[0].OrderUpdated
	require.Equal(t, contract.OrderStatusID(8), *again.OrderStatusID, "it is cancelled, and says so")
}

// TestUnknownMembersAreNamed in a header, and in full if nothing is written.
func TestUnknownMembersAreNamed(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	request := orders(newOrder("UNKNOWN-1", object{"gateCode": "1"}))
	request["updateconfig"] = object{}
	a := o.expect(t, http.StatusOK, http.MethodPost, "/v3/orders/import", request)
	require.Contains(t, a.header.Get("Warning"), "orders[0].gateCode")
	a = o.expect(t, http.StatusOK, http.MethodPost, "/v3/orders/import?validateOnly=true", request)
	require.ElementsMatch(t, []string{"updateconfig", "orders[0].gateCode"}, *read[contract.ImportResponse](t, a).UnknownFields)
	a = o.expect(t, http.StatusOK, http.MethodPost, "/v3/orders/import?validateOnly=true", orders(newOrder("UNKNOWN-1")))
	require.Empty(t, a.header.Get("Warning"))
	require.Empty(t, *read[contract.ImportResponse](t, a).UnknownFields)
}

// TestEmptyDatesAreRefused because a list of all days is hardly intended.
func TestEmptyDatesAreRefused(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	for _, path := range []string{"/v1/orders?startDate=&endDate=", "/v1/orders?startDate=2026-03-01&endDate="} {
		a := o.expect(t, http.StatusBadRequest, http.MethodGet, path, nil)
		require.Equal(t, int32(3), apitest.Status(t, a.body).Code)
	}
}
