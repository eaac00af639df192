package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// TestContractLimitsFitIntoBodies with the maximum number of items of maximum
// length.
func TestContractLimitsFitIntoBodies(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.importOrders(t, orders(newOrder("MAX", object{"products": nil})))
	long := func(n int) string { return strings.Repeat("å", 125) + fmt.Sprintf("%05d", n) }

	numbers, products, tree := make([]string, 10_000), make([]object, 5_000), make([]object, 5_000)
	for i := range numbers {
		numbers[i] = long(i)
	}
	for i := range products {
		products[i] = object{"external_id": long(i), "name": long(i), "barcode_id": long(i), "instance_number": long(i)}
		tree[i] = object{"external_id": long(i)}
	}
	a := o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": numbers})
	require.Len(t, read[contract.CancelOrdersResponse](t, a).Results, 10_000)
	stored := o.upsert(t, http.StatusOK, "MAX", products...)
	require.Len(t, stored.OrderProducts, 5_000)
	o.expect(t, http.StatusOK, http.MethodPatch, fmt.Sprintf("/v1/atoms/%d/tree", stored.OrderID), object{"tree": tree})
}
