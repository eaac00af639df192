package e2e_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// TestNewerCorrectionCounts although an import received before it is processed
// hours later. A cancellation of an order that the import has yet to create
// applies, too.
func TestNewerCorrectionCounts(t *testing.T) {
	t.Parallel()
	o := install(t, "serve").organization(t)
	numbers := series("NIGHT-", 1200)
	entries := make([]object, len(numbers))
	for i, number := range numbers {
		entries[i] = newOrder(number, object{"reference": "old"})
	}
	location := o.expect(t, http.StatusAccepted, http.MethodPost, "/v3/orders/import", orders(entries...),
		"Prefer", "respond-async").header.Get("Location")
	last := numbers[len(numbers)-1]
	corrected := orderID(t, o.importOrders(t, orders(newOrder(last, object{"reference": "corrected"})))[0])
	o.expect(t, http.StatusNoContent, http.MethodDelete, "/v1/import/orders/"+numbers[3], nil)
	o.expect(t, http.StatusNotFound, http.MethodDelete, "/v1/import/orders/NOBODY", nil)

	require.NoError(t, o.start("work"))
	results := o.await(t, location)
	require.Equal(t, "corrected", one[string](t, o.installation,
		"select reference from orders where org_id = $1 and id = $2", o.id, corrected))
	left := results[len(results)-1].OrderUpdated
	require.NotNil(t, left)
	require.Equal(t, contract.NotAppliedReasonOVERTAKEN, (*left.NotApplied)[0].Reason)
	require.NotEmpty(t, (*left.NotApplied)[0].Message)
	made := results[3].OrderCreated
	require.NotNil(t, made)
	require.Equal(t, contract.OrderStatusID(8), *made.OrderStatusID)
	require.Equal(t, contract.NotAppliedReasonOVERTAKEN, (*made.NotApplied)[0].Reason)
	require.Equal(t, 1198, one[int](t, o.installation,
		"select count(*) from orders where org_id = $1 and status_id <> 8 and reference = 'old'", o.id))
}

// zipped is a text in gzip.
func zipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

// TestBadValueAffectsOnlyItsEntry, and neither a byte order mark nor gzip
// matters.
func TestBadValueAffectsOnlyItsEntry(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.importOrders(t, orders(newOrder("GOOD-0")))
	body, err := json.Marshal(orders(
		newOrder("GOOD-1"), newOrder("BAD-1", object{"products": []object{product("P", object{"quantity": "12"})}}),
		newOrder("BAD-2", object{"reference": "a\x00b"}), newOrder("GOOD-0", object{"date": 20260302}), newOrder("GOOD-2"),
	))
	require.NoError(t, err)
	a := o.expect(t, http.StatusOK, http.MethodPost, "/v3/orders/import", zipped(t, append([]byte("\uFEFF"), body...)),
		"Content-Encoding", "gzip")
	results := read[contract.ImportResponse](t, a).Results
	require.Equal(t, []string{"orderCreated", "draftCreated", "draftCreated", "failedUpdate", "orderCreated"}, []string{
		kind(results[0]), kind(results[1]), kind(results[2]), kind(results[3]), kind(results[4]),
	})
	for i, reason := range []contract.ImportReason{
		results[1].DraftCreated.Reasons[0], results[2].DraftCreated.Reasons[0], results[3].FailedUpdate.Reasons[0],
	} {
		require.Equal(t, []string{"products[0].quantity", "reference", "date"}[i], reason.Field)
		require.Equal(t, contract.ImportReasonCode("UNKNOWN_INVALID_INPUT_CODE"), reason.Code)
		require.NotEmpty(t, reason.Message)
	}

	legacy := []byte(`{"orders":[{"internal_order_number":"OLD-1","products":[{"quantity":"12"}]}]}`)
	for _, path := range []string{"/v1/import/orders", "/v2/import/orders"} {
		a := o.expect(t, http.StatusOK, http.MethodPut, path, zipped(t, legacy), "Content-Encoding", "gzip")
		var fields []string
		for _, e := range read[contract.LegacyImportResponse](t, a).Orders[0].Errors {
			fields = append(fields, e.Field)
		}
		require.Contains(t, fields, "products[0].quantity")
		a = o.expect(t, http.StatusUnsupportedMediaType, http.MethodPut, path, legacy, "Content-Encoding", "br")
		require.Equal(t, "gzip", a.header.Get("Accept-Encoding"))
	}
	o.expect(t, http.StatusUnsupportedMediaType, http.MethodPost, "/v3/orders/import", body, "Content-Encoding", "gzip, br")
	o.expect(t, http.StatusBadRequest, http.MethodPost, "/v3/orders/import", body, "Content-Encoding", "gzip")
	bomb := zipped(t, bytes.Repeat([]byte(" "), 65<<20))
	o.expect(t, http.StatusRequestEntityTooLarge, http.MethodPost, "/v3/orders/import", bomb, "Content-Encoding", "gzip")
}
