package wire_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/order/wire"
)

func TestDecodeReportsProblems(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 10_001)
	long := strings.Repeat("x", 100_000)
	for name, c := range map[string]struct{ body, field, text string }{
		"Nothing":                  {"", "", "request.truncated"},
		"OnlySpace":                {" \n", "", "request.truncated"},
		"AList":                    {`[]`, "", "request.not_an_object"},
		"Null":                     {`null`, "", "request.not_an_object"},
		"Text":                     {`"orders"`, "", "request.not_an_object"},
		"NoOrders":                 {`{}`, "orders", "import.orders_empty"},
		"NullOrders":               {`{"orders":null}`, "orders", "import.orders_empty"},
		"EmptyOrders":              {`{"orders":[]}`, "orders", "import.orders_empty"},
		"OrdersThatAreAnObject":    {`{"orders":{"0":{}}}`, "orders", "request.wrong_type.array"},
		"OrdersThatAreText":        {`{"orders":"A"}`, "orders", "request.wrong_type.array"},
		"AnOrderThatIsANumber":     {`{"orders":[{},{},1]}`, "orders[2]", "request.wrong_type.object"},
		"AnOrderThatIsNull":        {`{"orders":[null]}`, "orders[0]", "request.wrong_type.object"},
		"NotJSON":                  {`orders=1`, "", "request.malformed_json"},
		"AComma":                   {`{"orders":[{"reference":"a",}]}`, "orders[0]", "request.malformed_json"},
		"AMissingComma":            {`{"orders":[{"reference":"a" "date":"b"}]}`, "orders[0]", "request.malformed_json"},
		"AMemberNameWithoutQuotes": {`{orders:[]}`, "", "request.malformed_json"},
		"ANumberAsMemberName":      {`{1:2}`, "", "request.malformed_json"},
		"ATypo":                    {`{"orders":[{"date":nill}]}`, "orders[0]", "request.malformed_json"},
		"AByteThatIsNotUTF8":       {"{\"orders\":[{\"reference\":\"\xff\"}]}", "orders[0]", "request.malformed_json"},
		"ALoneSurrogate":           {`{"orders":[{"reference":"\ud800"}]}`, "orders[0]", "request.malformed_json"},
		"AControlCharacter":        {"{\"orders\":[{\"reference\":\"\x01\"}]}", "orders[0]", "request.malformed_json"},
		"ABracketTooMany":          {`{"orders":[{}]}}`, "", "request.malformed_json"},
		"AnotherObject":            {`{"orders":[{}]} {}`, "", "request.trailing_data"},
		"AnotherValue":             {`{"orders":[{}]}1`, "", "request.trailing_data"},
		"ADuplicateMember": {
			`{"orders":[{"reference":"a","reference":"b"}]}`, "orders[0]", "request.duplicate_member",
		},
		"DuplicateOrders":           {`{"orders":[{}],"orders":[{}]}`, "orders", "request.duplicate_member"},
		"ADuplicateUnknownMember":   {`{"orders":[{"x":{"y":1,"y":2}}]}`, "orders[0]", "request.duplicate_member"},
		"ADuplicateMemberOfAnyName": {`{"` + long + `":1,"` + long + `":2}`, long[:80] + "…", "request.duplicate_member"},
		"ADuplicateMemberFarInside": {
			`{"orders":[{"reference":"qqqqqqqq"},{"pickup":{"address":{"city":"a","city":2}}}]}`,
			"orders[1]", "request.duplicate_member",
		},
		"DeepNestingInAnEntry": {`{"orders":[{},{"x":` + deep, "orders[1]", "request.malformed_json"},
		"DeepNestingOfOrders":  {`{"orders":` + deep, "orders[0]", "request.malformed_json"},
		"DeepNestingElsewhere": {`{"x":` + deep, "x", "request.malformed_json"},
		"CutInAName":           {`{"orders":[{"pick`, "orders[0]", "request.truncated"},
		"CutInAValue":          {`{"orders":[{"date":"2026`, "orders[0]", "request.truncated"},
		"CutAfterAnEntry":      {`{"orders":[{}`, "orders[1]", "request.truncated"},
		"CutAfterTheEntries":   {`{"orders":[{}]`, "", "request.truncated"},
		"CutInAnUnknownMember": {`{"comment":{"by":[1,`, "comment", "request.truncated"},
		"NULInTheFallback": {
			`{"fallbackCustomer":{"externalId":"\u0000"},"orders":[{}]}`, "fallbackCustomer.externalId", "request.nul_character",
		},
		"AFallbackOfTheWrongType": {
			`{"fallbackOrderType":[],"orders":[{}]}`, "fallbackOrderType", "request.wrong_type.object",
		},
		"AFallbackFieldOfWrongType": {
			`{"fallbackVehicleType":{"name":1},"orders":[{}]}`, "fallbackVehicleType.name", "request.wrong_type.string",
		},
		"SettingsOfTheWrongType": {
			`{"updateConfig":"REPLACE","orders":[{}]}`, "updateConfig", "request.wrong_type.object",
		},
		"AFlagOfTheWrongType": {
			`{"updateConfig":{"allowMerge":"yes"},"orders":[{}]}`, "updateConfig.allowMerge", "request.wrong_type.boolean",
		},
		"AnUnknownLocationBehaviour": {
			`{"updateConfig":{"orderLocation":"IGNORE"},"orders":[{}]}`, "updateConfig.orderLocation", "request.not_one_of",
		},
		"AnUnknownProductBehaviour": {
			`{"updateConfig":{"orderProducts":"IGNORE_EXISTING_ORDER_BEHAVIOR"},"orders":[{}]}`,
			"updateConfig.orderProducts", "request.not_one_of",
		},
		"AnUnknownOrderBehaviour": {
			`{"updateConfig":{"order":"x"},"orders":[{}]}`, "updateConfig.order", "request.not_one_of",
		},
		"AnUnknownGroupBehaviour": {
			`{"orders":[{}],"updateConfig":{"orderGroups":"x"}}`, "updateConfig.orderGroups", "request.not_one_of",
		},
		"AnUnknownPricingBehaviour": {
			`{"orders":[{}],"updateConfig":{"orderPricing":"x"}}`, "updateConfig.orderPricing", "request.not_one_of",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := wire.Decode(strings.NewReader(c.body))
			var f *fault.Error
			require.ErrorAs(t, err, &f)
			require.Equal(t, fault.Invalid, f.Kind)
			require.Equal(t, "request.invalid", f.Text.ID)
			require.Len(t, f.Violations, 1)
			require.Equal(t, c.field, f.Violations[0].Field)
			require.Equal(t, c.text, f.Violations[0].Text.ID)
			require.Less(t, len(f.Error()), 1000, "a fault is short, whatever was sent")
		})
	}
}

func TestDecodeReportsValueAndPlace(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]fault.Args{
		`{"orders":[7]}`:    {"got": "number"},
		`{"orders":[null]}`: {"got": "null"},
		`{"orders":[{}]}x`:  {"offset": "15"},
		`{"updateConfig":{"orderGroups":"x"},"orders":[{}]}`: {
			"allowed": "UNKNOWN_UPDATE_ORDER_GROUP_BEHAVIOR, IGNORE_EXISTING_ORDER_GROUP_BEHAVIOR, " +
				"REPLACE_EXISTING_ORDER_GROUP_BEHAVIOR",
		},
	} {
		_, err := wire.Decode(strings.NewReader(body))
		var f *fault.Error
		require.ErrorAs(t, err, &f, body)
		require.Equal(t, want, f.Violations[0].Text.Args, body)
	}
}

func TestDecodeTakesTenThousandOrdersAndNoMore(t *testing.T) {
	t.Parallel()
	many := func(n int) string { return `{"orders":[` + strings.Repeat(`{},`, n-1) + `{}]}` }
	body, err := wire.Decode(strings.NewReader(many(wire.MaxEntries)))
	require.NoError(t, err)
	require.Len(t, body.Entries, 10_000)

	_, err = wire.Decode(strings.NewReader(many(wire.MaxEntries + 1)))
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	require.Equal(t, fault.TooLarge, f.Kind)
	require.Equal(t, fault.Say("import.too_many_orders", "max", "10000"), f.Text)
}

func TestDecodePassesReadErrorsOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("connection reset")
	for _, begin := range []string{"", `{`, `{"orders":[`, `{"orders":[{"date":"20`, `{"orders":[{}]}`} {
		_, err := wire.Decode(io.MultiReader(strings.NewReader(begin), iotest.ErrReader(broken)))
		require.ErrorIs(t, err, broken, begin)
		require.Equal(t, fault.Internal, fault.KindOf(err), begin)

		in := http.MaxBytesReader(httptest.NewRecorder(),
			io.NopCloser(strings.NewReader(begin+strings.Repeat(" ", 100))), int64(len(begin)))
		_, err = wire.Decode(in)
		var tooLarge *http.MaxBytesError
		require.ErrorAs(t, err, &tooLarge, begin)
	}
}

func TestDecodeReadsByteByByte(t *testing.T) {
	t.Parallel()
	body, err := wire.Decode(iotest.OneByteReader(strings.NewReader(`{"orders":[{"externalId":"Å"},{"externalId":"B"}]}`)))
	require.NoError(t, err)
	require.Equal(t, "Å", body.Entries[0].ExternalID)
	require.Equal(t, "B", body.Entries[1].ExternalID)
}

func TestDecodeKeepsDefaultsAndEntriesInOrder(t *testing.T) {
	t.Parallel()
	body, err := wire.Decode(strings.NewReader(`{
		"comment": {"orders": [1, 2]},
		"orders": [ {"externalId": "A", "unknown": [{}], "EXTERNALID": "no"}, {"externalId":"B","products":[]} ,
		{"reference":"\\u0000"} ],
		"fallbackCustomer": {"id": 5, "externalId": "C", "businessName": "F"},
		"fallbackVehicleType": {"name": "Van"}, "fallbackOrderType": null,
		"updateConfig": {"order": "IGNORE_EXISTING_ORDER_BEHAVIOR", "orderProducts": "UNKNOWN_UPDATE_PRODUCT_BEHAVIOR",
		"allowMerge": false, "appendStopContacts": null}
	}`))
	require.NoError(t, err)
	require.Equal(t, order.Defaults{
		FallbackCustomer:    &order.Ref{ID: ptr(int64(5)), ExternalID: "C", BusinessName: "F"},
		FallbackVehicleType: &order.Ref{Name: "Van"},
		UpdateConfig: order.UpdateSettings{
			Order: order.IgnoreOrder, OrderProducts: "UNKNOWN_UPDATE_PRODUCT_BEHAVIOR", AllowMerge: ptr(false),
		},
	}, body.Defaults)
	require.Len(t, body.Entries, 3)
	require.Equal(t, "A", body.Entries[0].ExternalID)
	require.JSONEq(t, `{"externalId":"B","products":[]}`, string(body.Entries[1].Raw))

	entries, err := wire.DecodeEntries(wire.EncodeEntries(body.Entries))
	require.NoError(t, err)
	require.Equal(t, "A", entries[0].ExternalID)
	require.Nil(t, entries[0].Products, "absent")
	require.NotNil(t, entries[1].Products, "empty")
	require.Equal(t, `\u0000`, entries[2].Reference)
}

func TestNullMembersAreAbsent(t *testing.T) {
	t.Parallel()
	body, err := wire.Decode(strings.NewReader(`{"updateConfig":null,"fallbackCustomer":null,"orders":[{
		"externalId":null,"date":null,"reference":null,"customer":null,"vehicleType":{"id":null,"name":null},
		"orderType":null,"pickup":null,
		"delivery":{"name":null,"address":{"latitude":null},"hasOpeningTimes":null,"openingHoursIsDefault":null,
		"estimatedTimeOnLocation":null,
			"contacts":null,"skills":null,"priority":null,"earliest":null},
		"products":null,"groups":null,"pricing":null,"internalFreightNumber":null,"consignee":null,"consignor":null,
		"routeNumber":null,"customFields":null}]}`))
	require.NoError(t, err)
	entries, err := wire.DecodeEntries(wire.EncodeEntries(body.Entries))
	require.NoError(t, err)
	require.Equal(t,
		[]order.Request{{VehicleType: &order.Ref{}, Delivery: &order.LocationRequest{Address: &order.Address{}}}}, entries)
}

func TestLooseTextIsAStringOrANumber(t *testing.T) {
	t.Parallel()
	entries, err := wire.DecodeEntries([]byte(`[{"routeNumber":12,"internalFreightNumber":"007",
		"pricing":[{"price":10.50},{"price":"1e3"}]}]`))
	require.NoError(t, err)
	require.Equal(t, order.Loose("12"), entries[0].RouteNumber)
	require.Equal(t, order.Loose("007"), entries[0].InternalFreightNumber)
	require.Equal(t, order.Loose("10.50"), entries[0].Pricing[0].Price, "as it was written")
	require.Equal(t, order.Loose("1e3"), entries[0].Pricing[1].Price)
}

func TestNoEntriesAreAnEmptyList(t *testing.T) {
	t.Parallel()
	entries, err := wire.DecodeEntries(wire.EncodeEntries(nil))
	require.NoError(t, err)
	require.Empty(t, entries)
	_, err = wire.DecodeEntries([]byte(`[{]`))
	require.Error(t, err)
}

func ptr[T any](v T) *T { return &v }
