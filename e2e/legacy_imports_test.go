package e2e_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"waybill/api/contract"

	"github.com/stretchr/testify/require"
)

// legacyOrder is an order as the legacy imports take it.
func legacyOrder(number string, edits ...object) object {
	order := object{
		"internal_order_number": number,
		"date":                  "2026-03-02",
		"pickup":                object{"external_id": "T-OSL"},
		"delivery": object{
			"name": "Ola Hansen", "earliest": "2026-03-02T11:00:00Z", "latest": "2026-03-02T15:00:00Z",
			"estimated_time_on_location": 7, "customer_instructions": "Ring twice",
			"address":  object{"address1": "Thorvald Meyers gate 40", "postal_code": "0555", "city": "Oslo", "country": "NO"},
			"contacts": []object{{"first_name": "Ola", "phone_number": "+4722123456"}},
		},
		"products": []object{{"external_id": number + "-P", "name": "Chair", "quantity": 2, "weight": 6.5, "atom_type": "trade item"}},
	}
	for _, edit := range edits {
		maps.Copy(order, edit)
	}
	maps.DeleteFunc(order, func(_ string, value any) bool { return value == nil })
	return order
}

func legacyOrders(entries ...object) object {
	return object{
		"customer": object{"external_id": "C-100"}, "order_type": object{"name": "Standard"}, "vehicle_type": object{"name": "Van"},
		"orders": entries,
	}
}

func (o *organization) importLegacy(t *testing.T, version string, entries ...object) []contract.LegacyImportedOrder {
	t.Helper()
	a := o.expect(t, http.StatusOK, http.MethodPut, "/"+version+"/import/orders", legacyOrders(entries...))
	return read[contract.LegacyImportResponse](t, a).Orders
}

// prices are those of an order, such as "Norway 2026: base=89 NOK".
func (o *organization) prices(t *testing.T, number string) string {
	t.Helper()
	return one[string](t, o.installation, `
		select coalesce(string_agg(p.name || '=' || trim_scale(p.price) || ' ' || p.currency, '; ' order by p.seq), '')
		from order_prices p join orders o on o.org_id = p.org_id and o.id = p.order_id where o.org_id = $1 and o.number = $2`, o.id, number)
}

func TestLegacyImport(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	const priced = "Norway 2026: base=89 NOK; Norway 2026: weight=32.5 NOK; Norway 2026: colli=30 NOK"

	t.Run("EachResultOfBoth", func(t *testing.T) {
		t.Parallel()
		for _, version := range []string{"v1", "v2"} {
			number := "LEGACY-" + version
			unusable := legacyOrder(number+"-DRAFT", object{"customer": object{"external_id": "C-999"}, "delivery": nil})
			results := o.importLegacy(t, version, legacyOrder(number), legacyOrder(number), unusable, legacyOrder("", object{"internal_order_number": nil}))
			require.Equal(t, []contract.LegacyImportedOrderResult{"created", "updated", "draft", "draft"},
				[]contract.LegacyImportedOrderResult{results[0].Result, results[1].Result, results[2].Result, results[3].Result})
			require.Equal(t, results[0].OrderID.MustGet(), results[1].OrderID.MustGet())
			require.True(t, results[0].DraftID.IsNull())
			require.Equal(t, number, results[0].InternalOrderNumber)
			require.NotZero(t, results[2].DraftID.MustGet())
			require.Equal(t, contract.ImportReasonCode("CUSTOMER_NOT_FOUND_CODE"), results[2].Errors[0].Code)
			require.Equal(t, "internal_order_number", results[3].Errors[0].Field)
			// A picked up order takes no other goods.
			_, err := o.admin.Exec(t.Context(), "update orders set status_id = 4 where org_id = $1 and number = $2", o.id, number)
			require.NoError(t, err)
			failed := o.importLegacy(t, version, legacyOrder(number, object{"products": []object{}}))
			require.Equal(t, contract.LegacyImportedOrderResult("failed"), failed[0].Result)
			require.NotEmpty(t, failed[0].Errors)
		}
	})

	t.Run("WhatOnlyLooksLikeAMistakeIsNoError", func(t *testing.T) {
		t.Parallel()
		unnamed := object{"products": []object{{"quantity": 1}}}
		for _, number := range []string{"LEGACY-NOTED", "LEGACY-NOTED"} {
			taken := o.importLegacy(t, "v1", legacyOrder(number, unnamed))
			require.Empty(t, taken[0].Errors)
		}
		noted := o.importOrders(t, orders(newOrder("NOTED", unnamed)))[0].OrderCreated
		require.NotNil(t, noted)
		require.NotEmpty(t, *noted.Warnings, "the present import says it")
	})

	t.Run("ItIsTheSameOrderAsOfThePresentImport", func(t *testing.T) {
		t.Parallel()
		o.importLegacy(t, "v1", legacyOrder("SAME"))
		now := newOrder("SAME", object{"reference": nil, "delivery": object{
			"name": "Ola Hansen", "earliest": "2026-03-02T11:00:00Z", "latest": "2026-03-02T15:00:00Z",
			"estimatedTimeOnLocation": 7, "customerInstructions": "Ring twice",
			"address":  object{"address1": "Thorvald Meyers gate 40", "postalCode": "0555", "city": "Oslo", "country": "NO"},
			"contacts": []object{{"firstName": "Ola", "phoneNumber": "+4722123456"}},
		}})
		events := func() int {
			return one[int](t, shared, "select count(*) from events where org_id = $1 and external_id = 'SAME'", o.id)
		}
		before := events()
		require.NotNil(t, o.importOrders(t, orders(now))[0].OrderUpdated)
		require.Equal(t, before, events(), "nothing differs")
	})

	t.Run("OnlyTheSecondComputesPrices", func(t *testing.T) {
		t.Parallel()
		o.importLegacy(t, "v1", legacyOrder("PRICED"))
		require.Empty(t, o.prices(t, "PRICED"))
		o.importLegacy(t, "v2", legacyOrder("PRICED"))
		require.Equal(t, priced, o.prices(t, "PRICED"))
		version := one[string](t, shared, "select updated_at::text from orders where org_id = $1 and number = 'PRICED'", o.id)
		o.importLegacy(t, "v2", legacyOrder("PRICED"))
		require.Equal(t, version, one[string](t, shared, "select updated_at::text from orders where org_id = $1 and number = 'PRICED'", o.id), "the same again writes nothing")
		o.importLegacy(t, "v1", legacyOrder("PRICED", object{"reference": "other"}))
		require.Equal(t, priced, o.prices(t, "PRICED"), "the first leaves them")

		light := []object{{"external_id": "L", "name": "Letter", "quantity": 1, "weight": 0.333}}
		o.importLegacy(t, "v2", legacyOrder("PRICED", object{"products": light}))
		require.Equal(t, "Norway 2026: base=89 NOK; Norway 2026: weight=0.83 NOK; Norway 2026: colli=15 NOK; Norway 2026: up to the minimum=44.17 NOK", o.prices(t, "PRICED"))
		heavy := []object{{"external_id": "H", "name": "Safe", "quantity": 1, "weight": 900.5}}
		o.importLegacy(t, "v2", legacyOrder("PRICED", object{"products": heavy}))
		require.Equal(t, "Norway 2026: base=490 NOK; Norway 2026: weight=765.43 NOK; Norway 2026: colli=35 NOK", o.prices(t, "PRICED"))
		o.importLegacy(t, "v2", legacyOrder("PRICED", object{"order_type": object{"name": "Evening"}, "pickup": object{"external_id": "T-CPH", "earliest": "2026-03-02T06:00:00Z", "latest": "2026-03-02T08:00:00Z"}}))
		require.Empty(t, o.prices(t, "PRICED"), "no list prices Denmark to Norway")
	})

	t.Run("AMergedOrderIsPricedAsAWhole", func(t *testing.T) {
		t.Parallel()
		own := shared.organization(t)
		_, err := own.admin.Exec(t.Context(), "update organizations set allow_merge = true where id = $1", own.id)
		require.NoError(t, err)
		results := own.importLegacy(t, "v2", legacyOrder("WHOLE"), legacyOrder("PART"))
		require.Equal(t, contract.LegacyImportedOrderResult("merged"), results[1].Result)
		require.Equal(t, "Norway 2026: base=89 NOK; Norway 2026: weight=65 NOK; Norway 2026: colli=60 NOK", own.prices(t, "WHOLE"))
	})

	t.Run("ADraftIsPricedWhenItIsPromoted", func(t *testing.T) {
		t.Parallel()
		o.importLegacy(t, "v2", legacyOrder("LATER", object{"customer": object{"external_id": "C-999"}}))
		o.importLegacy(t, "v2", legacyOrder("LATER"))
		require.Equal(t, priced, o.prices(t, "LATER"))
	})
}

func TestBadLegacyImports(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	for _, tc := range []struct {
		name  string
		body  any
		want  int
		field string
	}{
		{"nothing", "", 400, ""},
		{"no orders", "{}", 400, "orders"},
		{"empty orders", `{"orders":[]}`, 400, "orders"},
		{"a wrong type of the whole", object{"customer": 7, "orders": []object{legacyOrder("BAD")}}, 400, "customer"},
		{"too many orders", `{"orders":[` + strings.Repeat("{},", 10_000) + "{}]}", 413, ""},
		{"deep", `{"orders":[{"pickup":` + strings.Repeat(`{"address":`, 20_000) + "1" + strings.Repeat("}", 20_000) + "}]}", 400, ""},
	} {
		before := o.rowCounts(t)
		plain := o.expect(t, tc.want, http.MethodPut, "/v1/import/orders", tc.body, "Accept-Language", "da")
		require.Equal(t, "text/plain; charset=utf-8", plain.header.Get("Content-Type"), tc.name)
		require.Equal(t, "da", plain.header.Get("Content-Language"))
		require.Contains(t, string(plain.body), tc.field, tc.name)
		require.NotContains(t, string(plain.body), `"code"`, tc.name)
		require.Equal(t, before, o.rowCounts(t), tc.name)
		o.requireRefused(t, refusal{method: http.MethodPut, path: "/v2/import/orders", body: tc.body, want: tc.want, field: tc.field})
	}
	unknown := shared.anonymous(t, http.MethodPut, "/v1/import/orders", legacyOrders(legacyOrder("BAD")))
	require.Equal(t, http.StatusUnauthorized, unknown.status)
	require.Equal(t, "Send a valid API key in the header \"Authorization: apikey <API_KEY>\".\n", string(unknown.body))
}
