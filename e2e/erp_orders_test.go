package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// shipTo is a delivery at the only address, with its own time and instructions.
func shipTo(earliest, latest, instructions string) object {
	return object{"delivery": object{
		"name": "Ola Hansen", "earliest": "2026-03-02T" + earliest + ":00Z", "latest": "2026-03-02T" + latest + ":00Z",
		"instructions": instructions,
		"address":      object{"address1": "Thorvald Meyers gate 40", "postalCode": "0555", "city": "Oslo", "country": "NO"},
	}}
}

// merged are orders that may share one.
func merged(entries ...object) object {
	request := orders(entries...)
	request["updateConfig"] = object{"allowMerge": true}
	return request
}

// TestERPOrdersShareAnOrder follows two numbers that share an order through all
// that may happen to one of them.
func TestERPOrdersShareAnOrder(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := orderID(t, o.importOrders(t, merged(
		newOrder("ERP-A", shipTo("08:00", "12:00", "Gate 4711")),
		newOrder("ERP-B", shipTo("10:00", "15:00", "Leave with the neighbour")),
	))[1])
	read1 := func() contract.Order {
		return read[contract.Order](t, o.get(t, fmt.Sprintf(
			"/v1/orders/%d?loads=OrderLocations,OrderProducts,ErpOrders,Groups,Prices,Consignee,Consignor,Freight", id)))
	}
	whole := read1()
	delivery := (*whole.OrderLocations)[1]
	require.Equal(t, "10:00 12:00", delivery.Earliest.MustGet().UTC().Format("15:04 ")+delivery.Latest.MustGet().UTC().Format("15:04"))
	require.Equal(t, "Gate 4711\nLeave with the neighbour", delivery.Instructions.MustGet())
	require.Equal(t, contract.OrderLocationWindowSource("request"), delivery.WindowSource)
	require.Len(t, *whole.ErpOrders, 2)

	for _, number := range []string{"ERP-A", "ERP-B"} {
		found := read[[]contract.Order](t, o.get(t, "/v1/orders?startDate=2026-03-01&endDate=2026-03-31&filters=internal_order_number="+number))
		require.Len(t, found, 1, "filters know every number")
		require.Equal(t, id, found[0].OrderID)
	}
	b := read[contract.ErpOrder](t, o.get(t, "/v2/erp-orders/ERP-B"))
	require.Equal(t, contract.ErpOrderStateACTIVE, b.State)
	require.True(t, b.IsMerged)
	require.Equal(t, "Leave with the neighbour", *b.Request.Delivery.Instructions)
	require.Len(t, *b.Request.Products, 1)
	require.Len(t, read[contract.ErpOrderList](t, o.get(t, fmt.Sprintf("/v2/orders/%d/erp-orders", id))).Items, 2)
	o.expect(t, http.StatusNotFound, http.MethodGet, "/v2/erp-orders/NONE", nil)

	o.expect(t, http.StatusNoContent, http.MethodDelete, "/v1/import/orders/ERP-B", nil)
	require.Equal(t, contract.ErpOrderStateCANCELLED, read[contract.ErpOrder](t, o.get(t, "/v2/erp-orders/ERP-B")).State)
	alone := read1()
	require.Equal(t, []string{"ERP-A-P"}, productIDs(alone))
	require.Equal(t, "Gate 4711", (*alone.OrderLocations)[1].Instructions.MustGet())

	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/replan-cancelled?externalId=ERP-B", nil)
	back := read1()
	back.UpdatedAt = whole.UpdatedAt
	require.Equal(t, whole, back, "as if nothing had been")
}

// TestAnERPOrderLeavesItsOrder after a change that is incompatible with the
// others, or by detaching.
func TestAnERPOrderLeavesItsOrder(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := orderID(t, o.importOrders(t, merged(newOrder("OUT-A"), newOrder("OUT-B"), newOrder("OUT-C")))[2])

	moved := o.importOrders(t, merged(newOrder("OUT-A", object{"date": "2026-03-03"})))
	require.Equal(t, "orderCreated", kind(moved[0]), "and not silently on the old day")
	require.NotEqual(t, id, orderID(t, moved[0]))
	require.Equal(t, "OUT-B", read[contract.Order](t, o.get(t, fmt.Sprintf("/v1/orders/%d", id))).InternalOrderNumber)

	detached := read[contract.ErpOrder](t, o.expect(t, http.StatusOK, http.MethodPost, "/v2/erp-orders/OUT-C/detach", nil))
	require.False(t, detached.IsMerged)
	require.NotEqual(t, id, detached.OrderID.MustGet())
	require.Equal(t, []string{"OUT-B-P"}, productIDs(read[contract.Order](t, o.get(t, fmt.Sprintf("/v1/orders/%d?loads=OrderProducts", id)))))
	require.Equal(t, []string{"OUT-C-P"}, productIDs(read[contract.Order](t, o.get(t, "/v1/orders/internal/OUT-C?loads=OrderProducts"))))
	o.expect(t, http.StatusConflict, http.MethodPost, "/v2/erp-orders/OUT-C/detach", nil)
	o.expect(t, http.StatusNotFound, http.MethodPost, "/v2/erp-orders/NONE/detach", nil)

	draft := o.importOrders(t, orders(newOrder("OUT-D", object{"pickup": nil})))
	require.Equal(t, "draftCreated", kind(draft[0]))
	require.Equal(t, contract.ErpOrderStateDRAFT, read[contract.ErpOrder](t, o.get(t, "/v2/erp-orders/OUT-D")).State)
}
