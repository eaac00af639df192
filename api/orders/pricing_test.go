package orders_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
)

func TestZonesOfAPlace(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	find := func(query string) (names []string) {
		w := d.ask(http.MethodGet, "/v2/zones/lookup?"+query, nil)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		var found contract.ZonesOfPlace
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &found))
		for _, zone := range found.Zones {
			names = append(names, zone.Name)
		}
		return names
	}
	require.Equal(t, []string{"Oslo"}, find("country=NO&postalCode=05%2055"))
	require.Equal(t, []string{"Oslo"}, find("country=no&postalCode=1364"))
	require.Equal(t, []string{"Denmark"}, find("country=DK"))
	require.Empty(t, find("country=NO"))
	require.Empty(t, find("country=NO&postalCode=9000"))
	for _, query := range []string{"", "country=N", "country=NOR", "country=1%C3%86"} {
		require.Equal(t, http.StatusBadRequest, d.ask(http.MethodGet, "/v2/zones/lookup?"+query, nil).Code, query)
	}
}

// quoted requests the price of a transport from Oslo to a place.
func (d desk) quoted(body object) (quote contract.PriceQuote, status int, refusal string) {
	d.T.Helper()
	w := d.ask(http.MethodPost, "/v2/pricing/quote", body)
	if w.Code != http.StatusOK {
		return quote, w.Code, apitest.Refusal(d.T, w)
	}
	require.NoError(d.T, json.Unmarshal(w.Body.Bytes(), &quote))
	return quote, w.Code, ""
}

func TestPricesAreQuoted(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	oslo := object{"country": "NO", "postalCode": "0555"}
	transport := func(delivery object, products ...object) object {
		return object{"orderType": object{"name": "standard"}, "pickup": oslo, "delivery": delivery, "products": products}
	}
	parcel, _, refusal := d.quoted(transport(oslo, object{"weight": 20.0, "quantity": 2}))
	require.Empty(t, refusal)
	require.Equal(t, "500", parcel.Total, "two of 20 kg are no parcel any more")
	small, _, _ := d.quoted(transport(oslo, object{"weight": 20.0}))
	require.Equal(t, "99.5", small.Total, "49 + 20 × 1.335 + 10, up to the minimum")
	require.Equal(t, "NOK Norway", small.Currency+" "+small.PriceList)
	require.Equal(t, int32(1), small.Line)
	require.Equal(t, "Parcel", small.FreightLevel.Name)
	require.Equal(t, "Oslo", small.FromZones[0].Name)
	require.Len(t, small.Prices, 4)
	far, _, _ := d.quoted(transport(object{"country": "NO", "postalCode": "9000"}))
	require.Equal(t, int32(2), far.Line)
	require.Empty(t, far.ToZones)
	before := d.Text("select count(*)::text from events where org_id = $1")

	for _, c := range []struct {
		body   object
		status int
		reason string
	}{
		{
			object{"orderType": object{"name": "Standard"}, "pickup": object{"country": "DK"}, "delivery": oslo},
			http.StatusUnprocessableEntity, "PRICING_NO_LINE",
		},
		{
			object{"orderType": object{"name": "None"}, "pickup": oslo, "delivery": oslo},
			http.StatusNotFound, "ORDER_TYPE_NOT_FOUND",
		},
		{
			object{"orderType": object{"id": 999999}, "pickup": oslo, "delivery": oslo},
			http.StatusNotFound, "ORDER_TYPE_NOT_FOUND",
		},
		{
			object{"orderType": object{"name": "Standard"}, "pickup": object{"country": "NOR"}, "delivery": oslo},
			http.StatusBadRequest, "pickup.country ADDRESS_BAD_COUNTRY",
		},
		{
			object{"orderType": object{"name": "Standard"}, "pickup": oslo, "delivery": object{}},
			http.StatusBadRequest, "delivery.country ADDRESS_BAD_COUNTRY",
		},
		{transport(oslo, object{"weight": -1}), http.StatusBadRequest, "products FIELD_NUMBER_RANGE"},
	} {
		_, status, refusal := d.quoted(c.body)
		require.Equal(t, c.status, status, "%v: %s", c.body, refusal)
		require.Equal(t, c.reason, refusal)
	}
	require.Equal(t, before, d.Text("select count(*)::text from events where org_id = $1"), "nothing is kept")
}

func TestPricesOfAnOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.Import("A-1")
	for i, price := range []string{"'NOK', 100.5, 2, true", "'NOK', 9, 1, false", "'EUR', 1.25, 1, false"} {
		d.ID(`insert into order_prices (org_id, order_id, seq, name, currency, price, quantity, computed)
			values ($1, $2, $3, 'part', `+price+`) returning order_id`, id, i)
	}
	read := func(authorization string) (status int, pricing contract.OrderPricing) {
		w := d.Send(http.MethodGet, fmt.Sprintf("/v2/orders/%d/pricing", id), "", "Authorization", authorization)
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &pricing))
		return w.Code, pricing
	}
	status, pricing := read(d.dispatcher)
	require.Equal(t, http.StatusOK, status)
	require.Len(t, pricing.Prices, 3)
	require.True(t, pricing.Prices[0].IsComputed)
	require.False(t, pricing.Prices[1].IsComputed)
	require.Equal(
		t, []contract.TotalOfPrices{{Currency: "NOK", Total: "210"}, {Currency: "EUR", Total: "1.25"}}, pricing.Totals,
	)
	status, _ = read(d.AsRole(d.Other, caller.Dispatcher))
	require.Equal(t, http.StatusNotFound, status)
}
