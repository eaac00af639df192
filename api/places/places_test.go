package places_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/order"
	"waybill/domain/place"
	"waybill/store/places"
)

// streets is an office with a register of two houses in Storgata and one in Torggata.
type streets struct {
	*apitest.Office
	dispatcher string
}

func newStreets(t *testing.T) streets {
	t.Helper()
	o := apitest.NewOffice(t)
	conn, err := o.Owner.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	load, err := places.NewOwner(conn.Conn()).Begin(t.Context(), places.About{Name: "test", Format: "test", Rank: 1})
	require.NoError(t, err)
	for _, r := range []place.Record{
		{Street: "Storgata", House: place.House{Number: 1}, At: place.Position{Latitude: 59.912, Longitude: 10.746}},
		{Street: "Storgata", House: place.House{Number: 3}, At: place.Position{Latitude: 59.913, Longitude: 10.747}},
		{Street: "Torggata", House: place.House{Number: 7}, At: place.Position{Latitude: 59.914, Longitude: 10.748}},
	} {
		r.Country, r.PostalCode, r.City = "NO", "0155", "Oslo"
		require.NoError(t, load.Add(t.Context(), &r))
	}
	_, err = load.Swap(t.Context())
	require.NoError(t, err)
	return streets{o, o.AsRole(o.Org, "dispatcher")}
}

// call calls an operation as the dispatcher, and reads its answer.
func call[T any](s streets, method, target, body string) (answer T) {
	s.T.Helper()
	w := s.Send(method, target, body, "Authorization", s.dispatcher)
	require.Equal(s.T, http.StatusOK, w.Code, w.Body)
	require.NoError(s.T, json.Unmarshal(w.Body.Bytes(), &answer))
	return answer
}

// deliver imports an order to an address in Oslo.
func (s streets) deliver(number, address1 string) int64 {
	s.T.Helper()
	return s.Import(number, func(r *order.Request) {
		r.Delivery = &order.LocationRequest{Name: "Shop", Address: &order.Address{
			Address1: address1, PostalCode: "0155", City: "Oslo", Country: "NO",
		}}
	})
}

func TestAddressesAreSearched(t *testing.T) {
	t.Parallel()
	s := newStreets(t)
	labels := func(q string) (all []string) {
		for _, e := range call[contract.PlaceEntryList](s, http.MethodGet, "/v1/places/search?country=NO&q="+q, "").Items {
			all = append(all, e.Label)
		}
		return all
	}
	require.Equal(t, []string{"Storgata, 0155 Oslo"}, labels("storg"))
	require.Equal(t, []string{"Storgata 1, 0155 Oslo", "Storgata 3, 0155 Oslo", "Storgata, 0155 Oslo"}, labels("storgata"))
	require.Equal(t, "Torggata 7, 0155 Oslo", labels("torggata%207")[0])
	require.Equal(t, "Torggata, 0155 Oslo", labels("targgata")[0], "a wrong letter")
	for _, query := range []string{"country=NO", "q=storg&country=NO&near=here", "q=storg&country=NO&limit=51"} {
		w := s.Send(http.MethodGet, "/v1/places/search?"+query, "", "Authorization", s.dispatcher)
		require.Equal(t, http.StatusBadRequest, w.Code, query)
	}

	found := call[contract.GeocodeResponse](s, http.MethodPost, "/v1/places/geocode", `{"addresses": [
		{"address1": "Storgata 1", "postalCode": "0155", "city": "Oslo", "country": "NO"},
		{"address1": "Bryggen 5", "postalCode": "5003", "city": "Bergen", "country": "NO"}]}`).Items
	require.Equal(t, "Storgata 1, 0155 Oslo", found[0].Label)
	require.Equal(t, contract.PositionPrecisionPoint, found[0].Position.Precision)
	require.InDelta(t, 59.912, found[0].Position.Latitude.MustGet(), 1e-9)
	require.Equal(t, contract.PositionPrecisionUnknown, found[1].Position.Precision)
	require.Equal(t, contract.StopPositionUnknownTown, *found[1].Position.Unknown)
}

func TestPlacesToCheck(t *testing.T) {
	t.Parallel()
	s := newStreets(t)
	s.deliver("GOOD", "Storgata 1")
	s.deliver("FAR", "Storgata 99")
	s.deliver("LOST", "Ukjentveien 5")
	list := func(query string) contract.PlacePage {
		return call[contract.PlacePage](s, http.MethodGet, "/v1/places?from=2026-03-02&to=2026-03-02"+query, "")
	}
	page := list("")
	require.EqualValues(t, 2, page.Total)
	require.Equal(t, []string{"FAR", "LOST"}, []string{page.Items[0].ExternalID, page.Items[1].ExternalID})
	require.Equal(t, contract.PositionPrecisionStreet, page.Items[0].Position.Precision)
	require.Equal(t, contract.PositionPrecisionPostalCode, page.Items[1].Position.Precision)
	require.Equal(t, contract.StopPositionUnknownStreet, *page.Items[1].Position.Unknown)
	require.Len(t, list("&precision=POSTAL_CODE,CITY").Items, 1)

	first := list("&pageSize=1")
	require.True(t, first.HasMore)
	second := list("&pageSize=1&token=" + first.NextToken)
	require.Equal(t, "LOST", second.Items[0].ExternalID)
	require.False(t, second.HasMore)
	require.Empty(t, call[contract.PlacePage](s, http.MethodGet, "/v1/places?from=2026-03-03", "").Items)
	w := s.Send(http.MethodGet, "/v1/places?token=x", "", "Authorization", s.dispatcher)
	require.Equal(t, http.StatusBadRequest, w.Code)
}

func TestAPinMovesOrders(t *testing.T) {
	t.Parallel()
	s := newStreets(t)
	order := s.deliver("ONE", "Ukjentveien 5")
	page := call[contract.PlacePage](s, http.MethodGet, "/v1/places?from=2026-03-02", "")
	place := "/v1/places/" + *page.Items[0].Position.Place
	pin := `{"latitude": 59.92, "longitude": 10.75}`
	require.EqualValues(t, 1, call[contract.PinResponse](s, http.MethodPut, place, pin).Orders)
	require.Empty(t, call[contract.PlacePage](s, http.MethodGet, "/v1/places?from=2026-03-02", "").Items)
	w := s.Send(http.MethodGet, "/v1/orders/"+s.Text("select $2::bigint::text where $1::bigint > 0", order)+
		"?loads=OrderLocations", "", "Authorization", s.dispatcher)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Contains(t, w.Body.String(), `"source": "PERSON"`)

	outsider := s.AsRole(s.Other, "dispatcher")
	for _, method := range []string{http.MethodPut, http.MethodDelete} {
		w := s.Send(method, place, pin, "Authorization", outsider)
		require.Equal(t, http.StatusNotFound, w.Code, "another organization has no such address")
	}
	require.EqualValues(t, 1, call[contract.PinResponse](s, http.MethodDelete, place, "").Orders)
	require.Len(t, call[contract.PlacePage](s, http.MethodGet, "/v1/places?from=2026-03-02", "").Items, 1)
	w = s.Send(http.MethodDelete, place, "", "Authorization", s.dispatcher)
	require.Equal(t, http.StatusNotFound, w.Code, "it is gone")
	w = s.Send(http.MethodPut, "/v1/places/nowhere-nowhere-nowhere-nowhere-", pin, "Authorization", s.dispatcher)
	require.Equal(t, http.StatusNotFound, w.Code)
}
