package orders_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/caller"
	"waybill/domain/order"
)

// called sets the recipient and address of an order.
func called(name, phone, street, postalCode, city string) func(*order.Request) {
	return func(r *order.Request) {
		r.Delivery = &order.LocationRequest{
			Name:     name,
			Address:  &order.Address{Address1: street, PostalCode: postalCode, City: city, Country: "NO"},
			Contacts: []order.Contact{{FirstName: "Anne", LastName: name, PhoneNumber: phone}},
		}
	}
}

// find searches orders by a text, and returns their numbers and the rest of the
// response.
func (d desk) find(t *testing.T, text string) (numbers []string, found contract.OrdersFound) {
	t.Helper()
	w := d.ask(http.MethodGet, "/v2/orders/find?text="+url.QueryEscape(text), nil)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &found))
	for i := range found.Items {
		numbers = append(numbers, found.Items[i].ExternalIds[0])
	}
	return numbers, found
}

func TestOrdersAreFoundByAnyPart(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.Import("BD-1017", called("Larsen", "+47 92 10 06 29", "Kirkeveien 4", "0368", "Oslo"))
	d.Import("BD-1018", called("Århus Kaffe", "+4740000017", "Thorvald Meyers gate 40, Grünerløkka", "0555", "Oslo"))
	for text, want := range map[string][]string{
		"BD-1017": {"BD-1017"}, "bd1017": {"BD-1017"}, "1017": {"BD-1017"}, "d-101x": nil,
		"92 10 06 29": {"BD-1017"}, "+4792100629": {"BD-1017"}, "921 00 629": {"BD-1017"}, "0629": {"BD-1017"},
		"kirkevei 4": {"BD-1017"}, "larsen kirkeveien": {"BD-1017"}, "0368": {"BD-1017"}, "kirkeveien 7": nil,
		"Grunerlokka": {"BD-1018"}, "Grünerløkka": {"BD-1018"}, "GRÜNERLØKKA": {"BD-1018"}, "aarhus": {"BD-1018"},
		"meyers 0555": {"BD-1018"}, "100% of_it": nil, "o": nil, "%%%": nil, "": nil,
	} {
		got, found := d.find(t, text)
		require.Equal(t, want, got, text)
		require.False(t, found.HasMore)
	}
	both, _ := d.find(t, "BD-101")
	require.ElementsMatch(t, []string{"BD-1017", "BD-1018"}, both)
	w := d.Send(http.MethodGet, "/v2/orders/find?text=BD-1017", "", "Authorization", d.AsRole(d.Other, caller.Dispatcher))
	require.Contains(t, w.Body.String(), `"items":[]`, "orders of others are not found")
	require.Equal(t, http.StatusBadRequest, d.ask(http.MethodGet, "/v2/orders/find?text=BD-1017&limit=51", nil).Code)
}

func TestChangedRecordIsFoundByNewValue(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.Import("C-1", called("Larsen", "+4792100629", "Kirkeveien 4", "0368", "Oslo"))
	require.Equal(t, http.StatusOK, d.ask(http.MethodPut, fmt.Sprintf("/v1/orders/%d", id), map[string]any{
		"delivery": map[string]any{"name": "Berg", "contacts": []any{}},
	}).Code)
	for text, want := range map[string][]string{"92100629": nil, "larsen": nil, "berg": {"C-1"}, "kirkeveien": {"C-1"}} {
		got, _ := d.find(t, text)
		require.Equal(t, want, got, text)
	}
}

func TestFoundBarcodeIsReported(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const sscc = "106141412345678908"
	d.Import("A-1", packed(sscc))
	_, found := d.find(t, "00"+sscc)
	require.Equal(t, "00"+sscc, found.Barcode.MustGet())
	_, found = d.find(t, "NOTHING")
	require.True(t, found.Barcode.IsNull())
}
