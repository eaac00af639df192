package wire_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/domain/order/wire"
)

// decoded are the entries of a body as they are imported.
func decoded(t *testing.T, decode func(io.Reader) (wire.Body, error), body string) []order.Request {
	t.Helper()
	b, err := decode(strings.NewReader(body))
	require.NoError(t, err)
	entries, err := wire.DecodeEntries(wire.EncodeEntries(b.Entries))
	require.NoError(t, err)
	for i := range entries {
		require.Equal(t, b.Entries[i].ExternalID, entries[i].ExternalID)
	}
	return entries
}

// unreadable are the places that an entry names, with why, without "request." before it.
func unreadable(r order.Request) (out []string) {
	for _, reason := range r.Unreadable {
		out = append(out, reason.Field+" "+strings.TrimPrefix(reason.Text.ID, "request."))
	}
	return out
}

func TestUnreadableValueIsLeftOut(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		`{"pickup":{"name":5}}`:                  "pickup.name wrong_type.string",
		`{"products":[{},{"weight":"5"}]}`:       "products[1].weight wrong_type.number",
		`{"customer":{"id":"5"}}`:                "customer.id wrong_type.integer",
		`{"delivery":{"hasOpeningTimes":"yes"}}`: "delivery.hasOpeningTimes wrong_type.boolean",

		`{"delivery":{"openingHoursIsDefault":"yes"}}`: "delivery.openingHoursIsDefault wrong_type.boolean",

		`{"customer":"Fjord"}`:                    "customer wrong_type.object",
		`{"products":{}}`:                         "products wrong_type.array",
		`{"groups":["Morning"]}`:                  "groups[0] wrong_type.object",
		`{"routeNumber":true}`:                    "routeNumber wrong_type.string_or_number",
		`{"pricing":[{"price":[1]}]}`:             "pricing[0].price wrong_type.string_or_number",
		`{"pickup":{"skills":[{"type":1}]}}`:      "pickup.skills[0].type wrong_type.string",
		`{"products":[{"quantity":1e400}]}`:       "products[0].quantity number_out_of_range",
		`{"customer":{"id":9223372036854775808}}`: "customer.id number_out_of_range",
		`{"customer":{"id":1.5}}`:                 "customer.id number_out_of_range",

		`{"pickup":{"estimatedTimeOnLocation":2147483648}}`: "pickup.estimatedTimeOnLocation number_out_of_range",

		`{"reference":"a\u0000b"}`:                                        "reference nul_character",
		`{"pickup":{"contacts":[{},{"firstName":"\u0000"}]}}`:             "pickup.contacts[1].firstName nul_character",
		`{"customFields":[{"externalId":"x","value":{"a":"\u0000"}}]}`:    "customFields[0].value.a nul_character",
		`{"customFields":[{"value":{"\u0000":1}}]}`:                       `customFields[0].value.\u0000 nul_character`,
		`{"customFields":[{"value":{"a":1,"a\u0000":2}}],"reference":""}`: `customFields[0].value.a\u0000 nul_character`,
	} {
		entries := decoded(t, wire.Decode, `{"orders":[{"externalId":"A"},`+entry+`,{"externalId":"B"}]}`)
		require.Equal(t, []string{want}, unreadable(entries[1]), entry)
		require.Equal(t, order.UnknownInvalidInput, entries[1].Unreadable[0].Code)
		require.Equal(t, []order.Request{{ExternalID: "A"}, {ExternalID: "B"}}, []order.Request{entries[0], entries[2]})
	}
}

func TestRestOfAnUnreadableEntryIsKept(t *testing.T) {
	t.Parallel()
	entries := decoded(t, wire.Decode, `{"orders":[{"externalId":"A","reference":"a\u0000b","date":"2026-12-07","foo":1,
		"products":[{"name":"Sofa","quantity":"4","weight":{}},{"name":"Chair","quantity":2}]}]}`)
	require.Equal(t, []string{
		"reference nul_character", "products[0].quantity wrong_type.number",
		"products[0].weight wrong_type.number",
	}, unreadable(entries[0]))
	entries[0].Unreadable = nil
	require.Equal(t, order.Request{
		ExternalID: "A", Reference: "ab", Date: "2026-12-07",
		Products: []order.ProductRequest{{Name: "Sofa"}, {Name: "Chair", Quantity: ptr(2.0)}},
	}, entries[0])
	b, err := wire.Decode(strings.NewReader(`{"orders":[{"externalId":7,"foo":1}]}`))
	require.NoError(t, err)
	require.Equal(t, []string{"orders[0].foo"}, b.Unknown)
}

func TestUnreadableOrderNumberIsEmpty(t *testing.T) {
	t.Parallel()
	for _, number := range []string{`"a\u0000b"`, `7`, `["A"]`} {
		require.Empty(t, decoded(t, wire.Decode, `{"orders":[{"externalId":`+number+`}]}`)[0].ExternalID)
		legacy := decoded(t, wire.DecodeLegacy, `{"orders":[{"internal_order_number":`+number+`}]}`)[0]
		require.Empty(t, legacy.ExternalID)
		require.Equal(t, "internal_order_number", legacy.Unreadable[0].Field)
	}
	legacy := decoded(t, wire.DecodeLegacy,
		`{"orders":[{"internal_order_number":"A","delivery":{"estimated_time_on_location":"x","name":"N"}}]}`)[0]
	require.Equal(t, []string{"delivery.estimated_time_on_location wrong_type.integer"}, unreadable(legacy))
	require.Equal(t, "A", legacy.ExternalID)
	require.Equal(t, "N", legacy.Delivery.Name)
}

func TestMostlyUnreadableEntryKeepsItsNumber(t *testing.T) {
	t.Parallel()
	products := strings.Repeat(`{"quantity":"4"},`, 40)
	entries := decoded(t, wire.Decode, `{"orders":[{"externalId":"A","reference":"R","products":[`+products+`{}]}]}`)
	require.Len(t, entries[0].Unreadable, 20)
	require.Equal(t, "A", entries[0].ExternalID)
	require.Empty(t, entries[0].Reference)
}

func TestAByteOrderMarkIsSkipped(t *testing.T) {
	t.Parallel()
	body := "\uFEFF" + `{"orders":[{"externalId":"A"}]}`
	for name, r := range map[string]io.Reader{
		"at once": strings.NewReader(body), "byte by byte": iotest.OneByteReader(strings.NewReader(body)),
		"with the end": iotest.DataErrReader(strings.NewReader(body)),
	} {
		b, err := wire.Decode(r)
		require.NoError(t, err, name)
		require.Equal(t, "A", b.Entries[0].ExternalID)
	}
	_, err := wire.DecodeRequest(strings.NewReader("\uFEFF{}"))
	require.NoError(t, err)
	for _, short := range []string{"\uFEFF", "\xef\xbb", "\uFEFF\uFEFF{}"} {
		_, err := wire.Decode(strings.NewReader(short))
		require.Error(t, err, fmt.Sprintf("%q", short))
	}
}

func TestNumbersOfEntries(t *testing.T) {
	t.Parallel()
	entries := []wire.Entry{{ExternalID: "A"}, {}, {ExternalID: strings.Repeat("x", 256)}, {ExternalID: "B"}}
	require.Equal(t, []string{"A", "B"}, wire.NumbersOf(entries))
}
