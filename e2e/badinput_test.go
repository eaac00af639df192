package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

// refusal is a request that must not get through.
type refusal struct {
	name         string
	method, path string
	body         any
	headers      []string
	want         int
	// field is the field that the response must name, if any.
	field string
}

// requireRefused sends an invalid request: the response has the status and
// names the field, and no row is added or removed.
func (o *organization) requireRefused(t *testing.T, r refusal) {
	t.Helper()
	before := o.rowCounts(t)
	a := o.expect(t, r.want, r.method, r.path, r.body, r.headers...)
	require.Equal(t, before, o.rowCounts(t))
	if r.method == http.MethodHead {
		return
	}
	status := apitest.Status(t, a.body)
	require.NotEmpty(t, status.Message)
	require.Less(t, len(a.body), 4<<10, "what is wrong is not sent back whole")
	if r.field == "" {
		return
	}
	require.NotEmpty(t, status.Details, string(a.body))
	detail, err := status.Details[0].AsBadRequestDetail()
	require.NoError(t, err)
	require.Equal(t, r.field, detail.FieldViolations[0].Field, string(a.body))
}

func TestBadBodies(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	const deep = 100_000
	entry := func(edits ...object) string {
		text, err := json.Marshal(newOrder("BAD", edits...))
		require.NoError(t, err)
		return string(text)
	}
	of := func(entries ...string) string { return `{"orders":[` + strings.Join(entries, ",") + `]}` }
	good := entry()
	for _, r := range []refusal{
		{name: "Nothing", body: ""},
		{name: "Space", body: " \n\t"},
		{name: "HalfAnObject", body: of(good)[:200]},
		{name: "NoJSON", body: "orders=1"},
		{name: "AnArray", body: "[" + of(good) + "]"},
		{name: "ANull", body: "null"},
		{name: "AString", body: `"orders"`},
		{name: "SomethingBehindTheObject", body: of(good) + "{}"},
		{name: "TheSameMemberTwice", body: `{"orders":[` + good + `],"orders":[` + good + `]}`},
		{name: "TwoByteOrderMarks", body: "\ufeff\ufeff" + of(good)},
		{name: "NoOrders", body: "{}", field: "orders"},
		{name: "NullOrders", body: `{"orders":null}`, field: "orders"},
		{name: "EmptyOrders", body: `{"orders":[]}`, field: "orders"},
		{name: "OrdersThatAreAnObject", body: `{"orders":{}}`, field: "orders"},
		{name: "AnOrderThatIsAString", body: of(good, `"x"`), field: "orders[1]"},
		{name: "AnOrderThatIsNull", body: of("null"), field: "orders[0]"},
		{name: "NULInAFallback", body: `{"orders":[` + good + `],"fallbackCustomer":{"businessName":"\u0000"}}`, field: "fallbackCustomer.businessName"},
		{name: "ALoneSurrogate", body: of(strings.Replace(good, "PO BAD", `\ud800`, 1))},
		{name: "ALoneLowSurrogate", body: of(strings.Replace(good, "PO BAD", `\udc00x`, 1))},
		{name: "BytesThatAreNoUTF8", body: of(strings.Replace(good, "PO BAD", "\xff\xfe", 1))},
		{name: "ABareNUL", body: of(strings.Replace(good, "PO BAD", "\x00", 1))},
		{name: "DeepArrays", body: strings.Repeat("[", deep) + strings.Repeat("]", deep)},
		{name: "DeepArraysThatDoNotEnd", body: strings.Repeat("[", deep)},
		{name: "DeepObjects", body: strings.Repeat(`{"orders":`, deep) + "1" + strings.Repeat("}", deep)},
		{name: "DeepInUnknownMember", body: `{"x":` + strings.Repeat("[", deep) + strings.Repeat("]", deep) + `,"orders":[` + good + `]}`},
		{name: "DeepInAnOrder", body: of(strings.Replace(good, `"PO BAD"`, strings.Repeat(`{"a":`, deep)+"1"+strings.Repeat("}", deep), 1))},
		{name: "DeepInACustomField", body: of(strings.Replace(entry(customValue("7")), ":7", ":"+strings.Repeat("[", deep)+strings.Repeat("]", deep), 1))},
		{name: "AnUnknownBehaviour", body: `{"orders":[` + good + `],"updateConfig":{"order":"PERHAPS"}}`, field: "updateConfig.order"},
		{name: "ABehaviourThatIsANumber", body: `{"orders":[` + good + `],"updateConfig":{"allowMerge":"yes"}}`, field: "updateConfig.allowMerge"},
		{name: "TooManyOrders", body: of(strings.Split(strings.Repeat("{}|", 10_001), "|")[:10_001]...), want: http.StatusRequestEntityTooLarge},
		{name: "TooManyBytes", body: strings.NewReader(of(strings.Replace(good, "PO BAD", strings.Repeat("x", 65<<20), 1))), want: http.StatusRequestEntityTooLarge},
		{name: "TooManyBytesOfSpace", body: strings.NewReader(of(good) + strings.Repeat(" ", 65<<20)), want: http.StatusRequestEntityTooLarge},
	} {
		t.Run(r.name, func(t *testing.T) {
			r.method, r.path = http.MethodPost, "/v3/orders/import"
			if r.want == 0 {
				r.want = http.StatusBadRequest
			}
			o.requireRefused(t, r)
			if text, ok := r.body.(string); ok {
				r.body, r.path = text, "/v3/orders/import?validateOnly=true"
				o.requireRefused(t, r)
			}
		})
	}
	require.Zero(t, o.rowCounts(t)["imports"])
}

// customValue is a custom field with a value in JSON.
func customValue(value string) object {
	return object{"customFields": []object{{"externalId": "gate_code", "value": json.RawMessage(value)}}}
}

// TestBadOrders sends orders that are no fault of the request: each becomes a
// draft with reasons, or an order.
func TestBadOrders(t *testing.T) {
	t.Parallel()
	o, other := shared.organization(t), shared.organization(t)
	theirs := func(table string) int64 {
		return one[int64](t, shared, "select min(id) from "+table+" where org_id = $1", other.id)
	}
	long := strings.Repeat("å", 5<<20/2)
	stop := func(edits object) object {
		s := newOrder("")["delivery"].(object)
		for name, value := range edits {
			s[name] = value
		}
		return s
	}
	for name, c := range map[string]struct {
		edit object
		code contract.ImportReasonCode
	}{
		"ADateThatDoesNotExist":      {object{"date": "2026-02-30"}, "UNKNOWN_INVALID_INPUT_CODE"},
		"AYearBeyondAllReason":       {object{"date": "99999-01-01"}, "UNKNOWN_INVALID_INPUT_CODE"},
		"ADateThatIsText":            {object{"date": "tomorrow"}, "UNKNOWN_INVALID_INPUT_CODE"},
		"NoNumber":                   {object{"externalId": nil}, "UNKNOWN_INVALID_INPUT_CODE"},
		"ANumberThatIsTooLong":       {object{"externalId": long}, "UNKNOWN_INVALID_INPUT_CODE"},
		"AReferenceThatIsTooLong":    {object{"reference": long}, "UNKNOWN_INVALID_INPUT_CODE"},
		"InstructionsThatAreTooLong": {object{"delivery": stop(object{"instructions": long})}, ""},
		"AProductNameThatIsTooLong":  {object{"products": []object{product("P", object{"name": long})}}, "INVALID_PRODUCT_CODE"},
		"ACustomerNameThatIsTooLong": {object{"customer": object{"businessName": long}}, "CUSTOMER_NOT_FOUND_CODE"},
		"AnOrderTypeThatIsTooLong":   {object{"orderType": object{"name": long}}, "ORDER_TYPE_NOT_FOUND_CODE"},
		"ALocationIDThatIsTooLong":   {object{"pickup": stop(object{"externalId": long})}, ""},
		"AnotherTenantsCustomer":     {object{"customer": object{"id": theirs("customers")}}, "CUSTOMER_NOT_FOUND_CODE"},
		"AnotherTenantsOrderType":    {object{"orderType": object{"id": theirs("order_types")}}, "ORDER_TYPE_NOT_FOUND_CODE"},
		"AnotherTenantsVehicleType":  {object{"vehicleType": object{"id": theirs("vehicle_types")}}, "VEHICLE_TYPE_NOT_FOUND_CODE"},
		"AnotherTenantsGroup":        {object{"groups": []object{{"id": theirs("order_groups")}}}, "INVALID_GROUP_CODE"},
		"AnotherTenantsSkillOfAStop": {object{"delivery": stop(object{"skills": []object{{"id": theirs("skills"), "type": "REQUIRED"}}})}, "INVALID_DELIVERY_SKILL_CODE"},
		"AnotherTenantsSkillOfAProduct": {
			object{"products": []object{product("P", object{"skills": []object{{"id": theirs("skills"), "type": "REQUIRED"}}})}},
			"INVALID_PRODUCT_SKILL_CODE",
		},
		"AnotherTenantsConsignee": {
			object{"internalFreightNumber": "F", "consignee": object{"id": theirs("customers")}, "consignor": object{"externalId": "C-100"}},
			"CUSTOMER_NOT_FOUND_CODE",
		},
		"ProductsThatHoldEachOther": {
			object{"products": []object{product("A", object{"parentExternalId": "B"}), product("B", object{"parentExternalId": "A"})}},
			"INVALID_PRODUCT_CODE",
		},
		"AProductInItself":            {object{"products": []object{product("A", object{"parentExternalId": "A"})}}, "INVALID_PRODUCT_CODE"},
		"AProductInNothing":           {object{"products": []object{product("A", object{"parentExternalId": "gone"})}}, "INVALID_PRODUCT_CODE"},
		"AnUnknownAtomType":           {object{"products": []object{product("A", object{"atomType": "quark"})}}, "INVALID_PRODUCT_CODE"},
		"ANegativeQuantity":           {object{"products": []object{product("A", object{"quantity": -1})}}, "INVALID_PRODUCT_CODE"},
		"AQuantityBeyondAllReason":    {object{"products": []object{product("A", object{"quantity": 1e300})}}, "INVALID_PRODUCT_CODE"},
		"AnUnknownPriority":           {object{"delivery": stop(object{"priority": "VERY"})}, "UNKNOWN_INVALID_INPUT_CODE"},
		"AnUnknownSkillType":          {object{"delivery": stop(object{"skills": []object{{"name": "ADR", "type": "PERHAPS"}}})}, "INVALID_DELIVERY_SKILL_CODE"},
		"ALatitudeOutOfRange":         {object{"delivery": stop(object{"address": object{"latitude": 91, "longitude": 10}})}, "INVALID_DELIVERY_ADDRESS_CODE"},
		"ACountryThatDoesNotExist":    {object{"delivery": stop(object{"address": object{"address1": "x", "city": "y", "country": "XX"}})}, "INVALID_DELIVERY_ADDRESS_CODE"},
		"AWindowThatEndsBeforeItIs":   {object{"delivery": stop(object{"latest": "2026-03-01T11:00:00Z"})}, "INVALID_DELIVERY_TIMEWINDOW_CODE"},
		"AWindowThatDoesNotExist":     {object{"delivery": stop(object{"latest": "2026-02-30T25:00:00Z"})}, "INVALID_DELIVERY_TIMEWINDOW_CODE"},
		"AYearThatPostgresCannotKeep": {object{"delivery": stop(object{"earliest": "0000-01-01T00:00:00Z", "latest": "9999-12-31T23:59:59Z"})}, ""},
		"MinutesBelowNothing":         {object{"delivery": stop(object{"estimatedTimeOnLocation": -5})}, ""},
		"MinutesBeyondAllReason":      {object{"delivery": stop(object{"estimatedTimeOnLocation": 1<<31 - 1})}, ""},
		"NoPickup":                    {object{"pickup": nil}, "MISSING_PICKUP_CODE"},
		"AnEmptyDelivery":             {object{"delivery": object{}}, ""},
		"AnUnknownCustomField":        {object{"customFields": []object{{"externalId": "nope", "value": 1}}}, "UNKNOWN_INVALID_INPUT_CODE"},
		"APriceThatIsNoNumber":        {object{"pricing": []object{{"name": "x", "price": "much", "currency": "NOK"}}}, "UNKNOWN_INVALID_INPUT_CODE"},
		"APriceBeyondAllReason":       {object{"pricing": []object{{"name": "x", "price": strings.Repeat("9", 200_000), "currency": "NOK"}}}, "UNKNOWN_INVALID_INPUT_CODE"},
		"ACustomFieldThatIsTooDeep":   {customValue(strings.Repeat("[", 9_900) + strings.Repeat("]", 9_900)), "UNKNOWN_INVALID_INPUT_CODE"},
		"ACustomFieldBeyondAllReason": {customValue("1e200000"), "UNKNOWN_INVALID_INPUT_CODE"},
		"ACustomFieldThatIsTooLong":   {customValue(`"` + strings.Repeat("x", 5<<20) + `"`), "UNKNOWN_INVALID_INPUT_CODE"},
		"ANumberThatIsAString":        {object{"products": []object{{"quantity": "2"}}}, "UNKNOWN_INVALID_INPUT_CODE"},
		"AStringThatIsANumber":        {object{"reference": 7}, "UNKNOWN_INVALID_INPUT_CODE"},
		"AListThatIsAnObject":         {object{"products": object{}}, "UNKNOWN_INVALID_INPUT_CODE"},
		"AnObjectThatIsAList":         {object{"pickup": []int{}}, "UNKNOWN_INVALID_INPUT_CODE"},
		"ABooleanThatIsAString":       {object{"pickup": stop(object{"hasOpeningTimes": "yes"})}, "UNKNOWN_INVALID_INPUT_CODE"},
		"AnIDThatIsAFraction":         {object{"customer": object{"id": 1.5}}, "UNKNOWN_INVALID_INPUT_CODE"},
		"AnIDOutOfRange":              {object{"customer": object{"id": json.Number("9223372036854775808")}}, "UNKNOWN_INVALID_INPUT_CODE"},
		"ANumberOutOfRange":           {object{"products": []object{{"weight": json.Number("1e400")}}}, "UNKNOWN_INVALID_INPUT_CODE"},
		"MinutesOutOfRange":           {object{"pickup": stop(object{"estimatedTimeOnLocation": 1 << 40})}, "UNKNOWN_INVALID_INPUT_CODE"},
		"NUL":                         {object{"reference": "a\x00b"}, "UNKNOWN_INVALID_INPUT_CODE"},
		"NULInTheNumber":              {object{"externalId": "a\x00b"}, "UNKNOWN_INVALID_INPUT_CODE"},
		"NULInACustomField":           {object{"customFields": []object{{"externalId": "gate_code", "value": object{"\x00": 1}}}}, "UNKNOWN_INVALID_INPUT_CODE"},
		"ACurrencyThatDoesNotExist":   {object{"pricing": []object{{"name": "x", "price": "1", "currency": "KRONER"}}}, "UNKNOWN_INVALID_INPUT_CODE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			results := o.importOrders(t, orders(newOrder("BAD-"+name, c.edit)))
			draft := results[0].DraftCreated
			require.NotNil(t, draft, kind(results[0]))
			require.NotNil(t, draft.DraftID)
			var codes []contract.ImportReasonCode
			for _, reason := range draft.Reasons {
				codes = append(codes, reason.Code)
				require.Less(t, len(reason.Message), 2000)
			}
			if c.code != "" {
				require.Contains(t, codes, c.code)
			}
		})
	}

	t.Run("AnotherTenantsCustomerAsFallback", func(t *testing.T) {
		t.Parallel()
		request := orders(newOrder("BAD-FALLBACK", object{"customer": nil}))
		request["fallbackCustomer"] = object{"id": theirs("customers")}
		require.NotNil(t, o.importOrders(t, request)[0].DraftCreated)
	})

	t.Run("ABadOrderDoesNotHarmItsNeighbours", func(t *testing.T) {
		t.Parallel()
		results := o.importOrders(t, orders(newOrder("GOOD-1"), newOrder("BAD", object{"date": "2026-13-01"}), newOrder("GOOD-2")))
		require.Equal(t, []string{"orderCreated", "draftCreated", "orderCreated"}, []string{kind(results[0]), kind(results[1]), kind(results[2])})
	})

	t.Run("WhateverUnicodeHasIsKept", func(t *testing.T) {
		t.Parallel()
		const odd = "a\u202e\ufeff\U0001F69A\ufffd\u0001\u2028 ' \" \\ %s {{.}} <b>"
		require.NotNil(t, o.importOrders(t, orders(newOrder("ODD"+odd, object{"reference": odd})))[0].OrderCreated)
		o.requireReference(t, "ODD"+odd, odd)
	})
}

func (o *organization) requireReference(t *testing.T, number, reference string) {
	t.Helper()
	require.Equal(t, reference, one[string](t, o.installation, "select reference from orders where org_id = $1 and number = $2", o.id, number))
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := fmt.Sprint(orderID(t, o.importOrders(t, orders(newOrder("ONE")))[0]))
	const get, post, list = http.MethodGet, http.MethodPost, "/v1/orders?startDate=2026-03-02&endDate=2026-03-02"
	page := func(members string) string { return `{"order_status_ids":[1],` + members + `}` }
	for _, r := range []refusal{
		{"AnIDThatIsText", get, "/v1/orders/abc", nil, nil, 400, "orderId"},
		{"AnIDOutOfRange", get, "/v1/orders/9223372036854775808", nil, nil, 400, "orderId"},
		{"AnIDThatIsAFraction", get, "/v1/orders/1.5/duration", nil, nil, 400, "orderId"},
		{"AnIDBelowNothing", get, "/v1/orders/-1", nil, nil, 404, ""},
		{"AnImportThatIsText", get, "/v3/orders/imports/x", nil, nil, 400, "importId"},
		{"AProductThatIsText", get, "/v1/orders/" + id + "/order-products/x", nil, nil, 400, "orderProductId"},
		{"NoUTF8InThePath", get, "/v1/orders/internal/%ff%fe", nil, nil, 400, "path"},
		{"NULInThePath", get, "/v1/orders/internal/a%00b", nil, nil, 400, "path"},
		{"NoUTF8InADeletion", http.MethodDelete, "/v1/import/orders/%c3%28", nil, nil, 400, "path"},
		{"NoUTF8InTheQuery", get, "/v2/order-types/search?name=%ff", nil, nil, 400, "query"},
		{"NULInTheQuery", get, "/v2/order-types/search?name=%00", nil, nil, 400, "query"},
		{"ABrokenEscapeInTheQuery", get, "/v2/order-types/search?name=%zz", nil, nil, 400, "query"},
		{"AnUnknownLoad", get, "/v1/orders/" + id + "?loads=Secrets", nil, nil, 400, "loads"},
		{"AnUnknownFilter", get, list + "&filters=colour=red", nil, nil, 400, "filters"},
		{"AFilterThatIsNoID", get, list + "&filters=order_id=x", nil, nil, 400, "filters.order_id"},
		{"NoDates", get, "/v1/orders", nil, nil, 400, "startDate"},
		{"ADateThatIsText", get, "/v1/orders?startDate=today&endDate=2026-03-02", nil, nil, 400, "startDate"},
		{"ADateThatDoesNotExist", get, "/v1/orders?startDate=2026-02-30&endDate=2026-03-02", nil, nil, 400, "startDate"},
		{"AnEndBeforeTheStart", get, "/v1/orders?startDate=2026-03-02&endDate=2026-03-01", nil, nil, 422, "endDate"},
		{"ACountThatEndsBeforeItBegins", get, "/v1/orders/count?startDate=2026-03-02&endDate=2026-03-01", nil, nil, 422, "endDate"},
		{"AStatusThatDoesNotExist", get, "/v1/orders/count?orderStatusID=9", nil, nil, 400, "orderStatusID"},
		{"AStatusThatIsText", get, "/v1/orders/count?orderStatusID=x", nil, nil, 400, "orderStatusID"},
		{"TheSameParameterTwice", get, "/v1/orders/count?orderStatusID=1&orderStatusID=2", nil, nil, 400, "orderStatusID"},
		{"ASearchForNothing", get, "/v1/orders/search", nil, nil, 400, "query"},
		{"APageThatIsText", get, "/v1/orders/search?query=x&page=y", nil, nil, 400, "page"},
		{"PageNothing", get, "/v1/orders/search?query=x&page=0", nil, nil, 400, "page"},
		{"APageOutOfRange", get, "/v1/orders/search?query=x&page=2147483648", nil, nil, 400, "page"},
		{"APageBeyondAllReason", get, "/v1/orders/search?query=x&page=2147483647&limit=1000", nil, nil, 400, "page"},
		{"ALimitOutOfRange", get, "/v1/orders/search?query=x&limit=1001", nil, nil, 400, "limit"},
		{"ATokenThatIsText", get, "/v2/orders/summary/orderstatusfeed?token=x", nil, nil, 400, "token"},
		{"ATokenBelowNothing", get, "/v2/orders/summary/orderstatusfeed?token=-1", nil, nil, 400, "token"},
		{"APageSizeOfNothing", get, "/v2/orders/summary/orderstatusfeed?pageSize=0", nil, nil, 400, "pageSize"},
		{"APageSizeOutOfRange", get, "/v2/orders/summary/orderstatusfeed?pageSize=1001", nil, nil, 400, "pageSize"},
		{"ANameThatIsMissing", get, "/v2/order-types/search", nil, nil, 400, "name"},
		{"ANameThatIsEmpty", get, "/v2/order-types/search?name=%20", nil, nil, 400, "name"},
		{"ValidateOnlyPerhaps", post, "/v3/orders/import?validateOnly=perhaps", orders(newOrder("X")), nil, 400, "validateOnly"},
		{"CancellingNothing", post, "/v2/orders/cancel-orders", `{"externalIds":[]}`, nil, 400, "externalIds"},
		{"CancellingWithoutABody", post, "/v2/orders/cancel-orders", nil, nil, 400, ""},
		{"CancellingAnObject", post, "/v2/orders/cancel-orders", `{"externalIds":{}}`, nil, 400, "externalIds"},
		{"CancellingNumbers", post, "/v2/orders/cancel-orders", `{"externalIds":[1]}`, nil, 400, ""},
		{"CancellingNull", post, "/v2/orders/cancel-orders", `{"externalIds":[null]}`, nil, 400, "externalIds[0]"},
		{"CustomFieldNUL", http.MethodPut, "/v1/orders/1/custom-field-values", `{"customFields":[{"externalId":"a\u0000b","value":1}]}`, nil, 400, "customFields[0].externalId"},
		{"CustomFieldOfANumberNUL", http.MethodPut, "/v1/orders/internal/A/custom-field-values", `{"customFields":[{"externalId":"a\u0000b","value":1}]}`, nil, 400, "customFields[0].externalId"},
		{"CancellingNUL", post, "/v2/orders/cancel-orders", `{"externalIds":["\u0000"]}`, nil, 400, "externalIds[0]"},
		{"CancellingHalf", post, "/v2/orders/cancel-orders", `{"externalIds":["ONE"`, nil, 400, ""},
		{"CancellingDeepDown", post, "/v2/orders/cancel-orders", strings.Repeat(`{"externalIds":[`, 100_000), nil, 400, ""},
		{"CancellingTooMany", post, "/v2/orders/cancel-orders", object{"externalIds": series("", 10_001)}, nil, 400, "externalIds"},
		{"CancellingTooMuch", post, "/v2/orders/cancel-orders", `{"externalIds":["` + strings.Repeat("x", 17<<20) + `"]}`, nil, 413, ""},
		{"PagesWithoutAStatus", post, "/v1/orders/paginated", `{}`, nil, 400, "order_status_ids"},
		{"PagesOfNoStatus", post, "/v1/orders/paginated", `{"order_status_ids":[]}`, nil, 400, "order_status_ids"},
		{"PagesOfAnUnknownStatus", post, "/v1/orders/paginated", `{"order_status_ids":[9]}`, nil, 400, "order_status_ids"},
		{"PagesInAnUnknownOrder", post, "/v1/orders/paginated", page(`"sort_by":"colour"`), nil, 400, "sort_by"},
		{"PagesOfADateThatIsText", post, "/v1/orders/paginated", page(`"start_date":"today"`), nil, 400, ""},
		{"PagesThatEndBeforeTheyBegin", post, "/v1/orders/paginated", page(`"start_date":"2026-03-02","end_date":"2026-03-01"`), nil, 422, "end_date"},
		{"PagesOfTooMuch", post, "/v1/orders/paginated", page(`"limit":1001`), nil, 400, "limit"},
		{"PagesOfNUL", post, "/v1/orders/paginated", page(`"routes":["\u0000"]`), nil, 400, "routes[0]"},
		{"PagesBeyondAllReason", post, "/v1/orders/paginated", page(`"page":2147483647`), nil, 400, "page"},
		{"AFormInsteadOfAnImport", post, "/v3/orders/import", "orders=1", []string{"Content-Type", "application/x-www-form-urlencoded"}, 400, ""},
		{"AnUnknownPath", get, "/v1/secrets", nil, nil, 404, ""},
		{"ATrailingSlash", get, "/v1/orders/" + id + "/", nil, nil, 404, ""},
		{"APathThatClimbs", get, "/docs/..%2f..%2fetc%2fpasswd", nil, nil, 404, ""},
		{"AMethodThatThePathDoesNotHave", http.MethodPatch, "/v1/orders/" + id, object{}, nil, 405, ""},
		{"GettingAnImport", get, "/v3/orders/import", nil, nil, 405, ""},
		{"Options", http.MethodOptions, "/v1/orders/" + id, nil, nil, 405, ""},
		{"AMethodOfOnesOwn", "BREW", "/v1/orders/" + id, nil, nil, 405, ""},
		{"Trace", http.MethodTrace, "/v1/orders/" + id, nil, nil, 405, ""},
		{"HeadOfNothing", http.MethodHead, "/v1/orders/4711", nil, nil, 404, ""},
		{"HeadOfAnImport", http.MethodHead, "/v3/orders/import", nil, nil, 405, ""},
	} {
		t.Run(r.name, func(t *testing.T) { o.requireRefused(t, r) })
	}

	t.Run("AHugeQueryFindsNothing", func(t *testing.T) {
		for _, path := range []string{"/v1/orders/search?reference=", list + "&filters=internal_order_number="} {
			a := o.call(t, get, path+strings.Repeat("x", 40_000), nil)
			require.Equal(t, http.StatusOK, a.status, "%.300s", a.body)
		}
		filters := list + "&filters=order_id=" + id + strings.Repeat(",order_id="+id, 3000)
		require.Len(t, read[[]contract.Order](t, o.get(t, filters)), 1)
		r := o.request(t, get, "/v1/orders/search?query="+strings.Repeat("x", 2<<20), nil)
		response, err := httpClient.Do(r)
		require.NoError(t, err)
		_ = response.Body.Close()
		require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, response.StatusCode)
	})

	t.Run("HeadIsGetWithoutABody", func(t *testing.T) {
		a := o.call(t, http.MethodHead, "/v1/orders/"+id, nil)
		require.Equal(t, http.StatusOK, a.status)
		require.Empty(t, a.body)
	})

	t.Run("OddHeadersAreLeftOutOfTheAnswer", func(t *testing.T) {
		for _, odd := range []string{strings.Repeat("x", 5000), "a b", "é"} {
			a := o.expect(t, http.StatusOK, get, "/v1/orders/"+id, nil, "X-Request-ID", odd, "Accept-Language", odd, "Prefer", odd)
			require.NotEqual(t, odd, a.header.Get("X-Request-ID"))
		}
	})
}

// TestTruncatedBody speaks to the connection itself.
func TestTruncatedBody(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	encoded, err := json.Marshal(orders(newOrder("HALF-1"), newOrder("HALF-2")))
	require.NoError(t, err)
	begin := func(t *testing.T, framing string) *net.TCPConn {
		t.Helper()
		conn, err := net.Dial("tcp", o.address)
		require.NoError(t, err)
		_, err = fmt.Fprintf(conn, "POST /v3/orders/import HTTP/1.1\r\nHost: waybill\r\nAuthorization: apikey %s\r\n"+
			"Content-Type: application/json\r\nX-Request-ID: half-%d\r\n%s\r\n\r\n", o.key, conn.LocalAddr().(*net.TCPAddr).Port, framing)
		require.NoError(t, err)
		return conn.(*net.TCPConn)
	}
	length := fmt.Sprintf("Content-Length: %d", len(encoded))
	half := encoded[:len(encoded)/2]

	t.Run("TheCallerListensOn", func(t *testing.T) {
		t.Parallel()
		for framing, sent := range map[string][]byte{
			length:                       half,
			"Transfer-Encoding: chunked": fmt.Appendf(nil, "%x\r\n%s\r\n", len(half), half),
		} {
			conn := begin(t, framing)
			_, err := conn.Write(sent)
			require.NoError(t, err)
			require.NoError(t, conn.CloseWrite())
			text, err := io.ReadAll(conn)
			require.NoError(t, err)
			require.Contains(t, string(text), "HTTP/1.1 400 ", framing)
			_, body, _ := bytes.Cut(text, []byte("\r\n\r\n"))
			require.Equal(t, int32(3), apitest.Status(t, body).Code)
		}
	})

	t.Run("TheCallerIsGone", func(t *testing.T) {
		t.Parallel()
		conn := begin(t, length)
		id := fmt.Sprintf("half-%d", conn.LocalAddr().(*net.TCPAddr).Port)
		_, err := conn.Write(half)
		require.NoError(t, err)
		require.NoError(t, conn.SetLinger(0))
		require.NoError(t, conn.Close())
		eventually(t, "the request is over", func() bool {
			log, err := os.ReadFile(o.log("serve"))
			require.NoError(t, err)
			return strings.Contains(string(log), id)
		})
	})

	t.Cleanup(func() {
		counts := o.rowCounts(t)
		require.Zero(t, counts["imports"])
		require.Zero(t, counts["orders"])
	})
}
