package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/converter"

	"waybill/api/contract"
	"waybill/workflows"
)

func TestTheDemoIsImportedTwice(t *testing.T) {
	t.Parallel()
	o := shared.withoutDrivers(t)
	created := o.importOrders(t, demoOrders(t))
	require.Equal(t, map[string]int{"orderCreated": 60}, kinds(created))
	first := o.rows(t)
	updated := o.importOrders(t, demoOrders(t))
	require.Equal(t, map[string]int{"orderUpdated": 60}, kinds(updated))
	for i := range created {
		require.Equal(t, orderID(t, created[i]), orderID(t, updated[i]))
	}
	second := o.rows(t)
	for _, unchanged := range []string{
		"orders", "stops", "contacts", "stop skills", "products", "product skills", "groups", "prices",
		"custom fields", "freights", "locations", "numbers", "drafts",
	} {
		require.Equal(t, first[unchanged], second[unchanged], unchanged)
	}
}

func TestImport(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)

	t.Run("WithoutWaitingAnswersWhereTheResultsWillBe", func(t *testing.T) {
		t.Parallel()
		a := o.expect(t, http.StatusAccepted, http.MethodPost, "/v3/orders/import",
			orders(newOrder("ASYNC-1"), newOrder("ASYNC-2", object{"customer": nil})), "Prefer", "respond-async, wait=5")
		require.Equal(t, "respond-async", a.header.Get("Preference-Applied"))
		progress := read[contract.ImportProgress](t, a)
		require.Equal(t, int32(2), progress.Total)
		require.Equal(t, fmt.Sprintf("/v3/orders/imports/%d", progress.ImportID), a.header.Get("Location"))
		results := o.await(t, a.header.Get("Location"))
		require.Equal(t, []string{"orderCreated", "draftCreated"}, []string{kind(results[0]), kind(results[1])})
		done := read[contract.ImportProgress](t, o.get(t, a.header.Get("Location")))
		require.Equal(t, int32(2), done.Done)
		require.NotNil(t, done.CompletedAt)
	})

	t.Run("ResultsComeInTheOrderOfTheRequest", func(t *testing.T) {
		t.Parallel()
		// More than a chunk, with repeated numbers that are far apart.
		numbers := series("ORDER-", 700)
		entries := make([]object, 0, len(numbers)+2)
		for _, number := range numbers {
			entries = append(entries, newOrder(number))
		}
		entries = append(entries, newOrder(numbers[3]), newOrder(numbers[650]))
		results := o.importOrders(t, orders(entries...))
		require.Len(t, results, 702)
		for i, number := range numbers {
			require.NotNil(t, results[i].OrderCreated, number)
			require.Equal(t, number, results[i].OrderCreated.ExternalID)
		}
		require.Equal(t, orderID(t, results[3]), orderID(t, results[700]))
		require.Equal(t, orderID(t, results[650]), orderID(t, results[701]))
		require.NotNil(t, results[700].OrderUpdated)
	})

	t.Run("ADraftIsPromotedOnceItIsValid", func(t *testing.T) {
		t.Parallel()
		first := o.importOrders(t, orders(newOrder("DRAFT", object{"customer": nil, "vehicleType": object{"name": "Submarine"}})))
		require.NotNil(t, first[0].DraftCreated)
		codes := []contract.ImportReasonCode{}
		for _, reason := range first[0].DraftCreated.Reasons {
			codes = append(codes, reason.Code)
		}
		require.Equal(t, []contract.ImportReasonCode{"CUSTOMER_NOT_FOUND_CODE", "VEHICLE_TYPE_NOT_FOUND_CODE"}, codes)
		o.expect(t, http.StatusNotFound, http.MethodGet, "/v1/orders/internal/DRAFT", nil)

		again := o.importOrders(t, orders(newOrder("DRAFT", object{"customer": nil})))
		require.Equal(t, first[0].DraftCreated.DraftID, again[0].DraftCreated.DraftID)
		require.Len(t, again[0].DraftCreated.Reasons, 1)

		valid := o.importOrders(t, orders(newOrder("DRAFT")))
		require.NotNil(t, valid[0].OrderCreated)
		o.get(t, "/v1/orders/internal/DRAFT")
		require.Equal(t, "promoted", one[string](t, shared, "select state from drafts where org_id = $1 and external_id = 'DRAFT'", o.id))
	})

	t.Run("FallbacksServeOrdersWithoutTheirOwn", func(t *testing.T) {
		t.Parallel()
		bare := newOrder("FALLBACK", object{"customer": nil, "orderType": nil, "vehicleType": nil})
		request := orders(bare)
		request["fallbackCustomer"] = object{"businessName": "Kanalbyen Design ApS"}
		request["fallbackOrderType"] = object{"name": "evening"}
		request["fallbackVehicleType"] = object{"name": "Cargo bike"}
		require.NotNil(t, o.importOrders(t, request)[0].OrderCreated)
		order := read[contract.Order](t, o.get(t, "/v1/orders/internal/FALLBACK?loads=Customer,OrderType,VehicleType"))
		require.Equal(t, "Kanalbyen Design ApS", order.Customer.MustGet().BusinessName)
		require.Equal(t, "Evening", order.OrderType.MustGet().Name)
		require.Equal(t, "Cargo bike", order.VehicleType.MustGet().Name)
	})

	t.Run("ReasonsAreSaidInTheCallersLanguage", func(t *testing.T) {
		t.Parallel()
		said := map[string]string{}
		for _, language := range []string{"nb", "da", "en", "nb-NO,nb;q=0.9,en;q=0.5", "fi", ""} {
			a := o.expect(t, http.StatusOK, http.MethodPost, "/v3/orders/import",
				orders(newOrder("LANGUAGE", object{"date": nil})), "Accept-Language", language)
			draft := read[contract.ImportResponse](t, a).Results[0].DraftCreated
			require.NotNil(t, draft)
			said[language] = draft.Reasons[0].Message
		}
		require.Equal(t, "Ordren skal have en dato i formatet ÅÅÅÅ-MM-DD.", said["da"])
		require.NotEqual(t, said["nb"], said["da"])
		require.NotEqual(t, said["nb"], said["en"])
		require.Equal(t, said["nb"], said["nb-NO,nb;q=0.9,en;q=0.5"])
		require.Equal(t, said["en"], said["fi"])
		require.Equal(t, said["en"], said[""])
		missing := o.expect(t, http.StatusNotFound, http.MethodGet, "/v1/orders/internal/NONE", nil, "Accept-Language", "da")
		require.Equal(t, "da", missing.header.Get("Content-Language"))
		require.Contains(t, string(missing.body), "Der findes ingen ordre NONE.")
	})

	t.Run("AnAskedForRequestIDIsKeptWithTheWorkflow", func(t *testing.T) {
		t.Parallel()
		a := o.expect(t, http.StatusOK, http.MethodPost, "/v3/orders/import", orders(newOrder("REQUEST-ID")), "X-Request-ID", "e2e-4711")
		require.Equal(t, "e2e-4711", a.header.Get("X-Request-ID"))
		id := one[int64](t, shared, "select id from imports where org_id = $1 and request_id = 'e2e-4711'", o.id)
		d, err := o.temporalClient(t).DescribeWorkflowExecution(t.Context(), workflows.ImportID(o.slug, id), "")
		require.NoError(t, err)
		var kept string
		memo := d.WorkflowExecutionInfo.Memo.Fields[workflows.RequestIDMemo]
		require.NoError(t, converter.GetDefaultDataConverter().FromPayload(memo, &kept))
		require.Equal(t, "e2e-4711", kept)
	})
}

// TestValidateOnly compares a preview with the real import.
func TestValidateOnly(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	require.Equal(t, map[string]int{"orderCreated": 3, "draftCreated": 1}, kinds(o.importOrders(t, orders(
		newOrder("OLD-1"), newOrder("OLD-2"), newOrder("OLD-3"), newOrder("OLD-DRAFT", object{"date": nil})))))
	_, err := o.admin.Exec(t.Context(), "update orders set status_id = 4 where org_id = $1 and number = 'OLD-3'", o.id)
	require.NoError(t, err)
	mergeable := object{"allowMerge": true}
	request := orders(
		newOrder("NEW-1"),
		newOrder("OLD-1", object{"reference": "changed"}),
		newOrder("NEW-1", object{"reference": "changed"}),
		newOrder("BAD-1", object{"orderType": object{"name": "Nope"}, "delivery": nil}),
		newOrder("OLD-2", object{"customer": object{"externalId": "nobody"}}),
		newOrder("OLD-3", object{"products": []object{product("other")}}),
		newOrder("OLD-DRAFT"),
		newOrder("", object{"externalId": nil}),
		newOrder("NEW-2", object{"pickup": object{"externalId": "unheard-of", "name": "A new place", "address": object{"latitude": 59.9, "longitude": 10.7}}}),
		richOrder("NEW-3"),
	)
	request["updateConfig"] = mergeable
	before := o.rowCounts(t)
	a := o.expect(t, http.StatusOK, http.MethodPost, "/v3/orders/import?validateOnly=true", request)
	foreseen := read[contract.ImportResponse](t, a).Results
	require.Equal(t, before, o.rowCounts(t))
	happened := o.importOrders(t, request)
	require.Len(t, foreseen, len(happened))
	for i := range happened {
		forget(&foreseen[i])
		forget(&happened[i])
	}
	require.Equal(t, happened, foreseen)
	require.Len(t, kinds(happened), 5, "all kinds of results: %v", kinds(happened))
}

// forget removes the ids, which do not exist before the import.
func forget(r *contract.ImportResult) {
	for _, imported := range []*contract.ImportedOrder{r.OrderCreated, r.OrderUpdated, r.OrderMerged} {
		if imported != nil {
			imported.OrderID = nil
		}
	}
	if r.DraftCreated != nil {
		r.DraftCreated.DraftID = nil
	}
}

// TestMerge follows a number of a merged order.
func TestMerge(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	request := orders(newOrder("ERP-1"), newOrder("ERP-2"))
	request["updateConfig"] = object{"allowMerge": true}
	results := o.importOrders(t, request)
	require.Equal(t, []string{"orderCreated", "orderMerged"}, []string{kind(results[0]), kind(results[1])})
	require.Equal(t, orderID(t, results[0]), orderID(t, results[1]))
	id := orderID(t, results[0])

	order := read[contract.Order](t, o.get(t, "/v1/orders/internal/ERP-2?loads=OrderProducts"))
	require.Equal(t, id, order.OrderID)
	require.Equal(t, []string{"ERP-1-P", "ERP-2-P"}, productIDs(order))

	again := o.importOrders(t, orders(newOrder("ERP-2", object{"products": []object{product("ERP-2-Q")}})))
	require.NotNil(t, again[0].OrderUpdated)
	require.Equal(t, id, orderID(t, again[0]))
	require.Equal(t, []string{"ERP-1-P", "ERP-2-Q"}, productIDs(read[contract.Order](t, o.get(t, fmt.Sprintf("/v1/orders/%d?loads=OrderProducts", id)))))

	o.expect(t, http.StatusNoContent, http.MethodDelete, "/v1/import/orders/ERP-2", nil)
	order = read[contract.Order](t, o.get(t, fmt.Sprintf("/v1/orders/%d?loads=OrderProducts", id)))
	require.Equal(t, []string{"ERP-1-P"}, productIDs(order))
	require.Equal(t, contract.OrderStatusID(1), order.OrderStatusID)
}

func productIDs(order contract.Order) []string {
	var ids []string
	for _, p := range *order.OrderProducts {
		ids = append(ids, p.ExternalID.MustGet())
	}
	slices.Sort(ids)
	return ids
}
