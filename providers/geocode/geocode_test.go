package geocode_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/place"
	"waybill/providers/geocode"
)

// The answers have the format that the providers document.
const (
	photonHouse = `{"type":"FeatureCollection","features":[
		{"type":"Feature","geometry":{"type":"Point","coordinates":[10.7402,59.9139]},"properties":{"osm_type":"N","osm_id":1,
		"osm_key":"place","osm_value":"house","type":"house","housenumber":"22","street":"Karl Johans gate","postcode":"0026",
		"city":"Oslo","country":"Norway","countrycode":"NO"}}]}`
	photonStreet = `{"type":"FeatureCollection","features":[
		{"type":"Feature","geometry":{"type":"Point","coordinates":[10.741,59.9133]},"properties":{"osm_key":"highway",
		"osm_value":"pedestrian","type":"street","name":"Karl Johans gate","postcode":"0026","city":"Oslo","countrycode":"NO"}}]}`
	photonOtherHouse = `{"type":"FeatureCollection","features":[
		{"type":"Feature","geometry":{"type":"Point","coordinates":[10.7412,59.9132]},"properties":{"type":"house",
		"housenumber":"24","street":"Karl Johans gate","postcode":"0026","city":"Oslo","countrycode":"NO"}}]}`
	photonOtherCountry = `{"type":"FeatureCollection","features":[
		{"type":"Feature","geometry":{"type":"Point","coordinates":[18.06,59.33]},"properties":{"type":"house",
		"housenumber":"22","street":"Karl Johans gate","postcode":"0026","city":"Oslo","countrycode":"SE"}}]}`
	photonOtherTown = `{"type":"FeatureCollection","features":[
		{"type":"Feature","geometry":{"type":"Point","coordinates":[11.4,59.2]},"properties":{"type":"house",
		"housenumber":"22","street":"Karl Johans gate","postcode":"1706","city":"Sarpsborg","countrycode":"NO"}}]}`
	photonFar = `{"type":"FeatureCollection","features":[
		{"type":"Feature","geometry":{"type":"Point","coordinates":[25.78,71.17]},"properties":{"type":"house",
		"housenumber":"22","street":"Karl Johans gate","postcode":"0026","city":"Oslo","countrycode":"NO"}}]}`
	photonOdd = `{"type":"FeatureCollection","features":[
		{"geometry":{"coordinates":[]},"properties":{"type":"house","housenumber":"22","street":"Karl Johans gate",
		"postcode":"0026","city":"Oslo","countrycode":"NO"}},
		{"geometry":{"coordinates":[999,999]},"properties":{"type":"house","housenumber":"22","street":"Karl Johans gate",
		"postcode":"0026","city":"Oslo","countrycode":"NO"}}]}`
	nominatimHouse = `[{"place_id":1,"licence":"Data © OpenStreetMap contributors, ODbL 1.0.","osm_type":"node","osm_id":1,
		"lat":"59.9139","lon":"10.7402","category":"place","type":"house","place_rank":30,"importance":0.0001,
		"addresstype":"place","name":"","display_name":"22, Karl Johans gate, 0026 Oslo, Norge","address":{"house_number":"22",
		"road":"Karl Johans gate","city":"Oslo","postcode":"0026","country":"Norge","country_code":"no"}}]`
	nominatimTown = `[{"lat":"59.9133301","lon":"10.7389701","category":"boundary","type":"administrative","place_rank":12,
		"addresstype":"city","name":"Oslo","address":{"city":"Oslo","country":"Norge","country_code":"no"}}]`
	peliasHouse = `{"geocoding":{"version":"0.2","attribution":"https://example.com/attribution"},"type":"FeatureCollection",
		"features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[10.7402,59.9139]},"properties":{"id":"node/1",
		"layer":"address","source":"openstreetmap","name":"Karl Johans gate 22","housenumber":"22","street":"Karl Johans gate",
		"postalcode":"0026","confidence":1,"match_type":"exact","accuracy":"point","country":"Norway","country_a":"NOR",
		"locality":"Oslo"}}]}`
	peliasBetween = `{"geocoding":{},"type":"FeatureCollection","features":[{"geometry":{"coordinates":[10.7402,59.9139]},
		"properties":{"layer":"address","housenumber":"22","street":"Karl Johans gate","postalcode":"0026","locality":"Oslo",
		"country_a":"NOR","match_type":"interpolated","accuracy":"point"}}]}`
	peliasCode = `{"geocoding":{},"type":"FeatureCollection","features":[{"geometry":{"coordinates":[10.7402,59.9139]},
		"properties":{"layer":"postalcode","name":"0026","locality":"Oslo","country_a":"NOR","match_type":"fallback"}}]}`
)

// karl is an address with much that is nobody's business.
var karl = place.Address{
	Address1: "c/o Kari Nordmann, Karl Johans gate 22, 3. etg, ring 99887766", PostalCode: "0026", City: "Oslo", Country: "NO",
}

// serve answers every request, and returns the requests.
func serve(t *testing.T, answer http.HandlerFunc) (address string, asked *[]*http.Request) {
	t.Helper()
	asked = &[]*http.Request{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r)
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, text) }
}

func open(t *testing.T, kind, address string) *geocode.Client {
	t.Helper()
	c, err := geocode.Open(geocode.Settings{URL: kind + "+" + address, Contact: "ops@example.com", PerSecond: 1000})
	require.NoError(t, err)
	return c
}

func question(t *testing.T, a place.Address) *place.Question {
	t.Helper()
	q, ok := place.NewQuestion(a)
	require.True(t, ok)
	return &q
}

// oslo is where the address is known to be roughly.
var oslo = &place.Position{Latitude: 59.9127, Longitude: 10.7461}

func TestAnswersArePreciseOnlyIfTheHouseMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, kind, answer string
		want               place.Precision
	}{
		{"a house", "photon", photonHouse, place.Point},
		{"a street", "photon", photonStreet, place.Street},
		{"another house", "photon", photonOtherHouse, place.Street},
		{"another country", "photon", photonOtherCountry, 0},
		{"another town", "photon", photonOtherTown, 0},
		{"far away", "photon", photonFar, 0},
		{"no positions", "photon", photonOdd, 0},
		{"nothing", "photon", `{"type":"FeatureCollection","features":[]}`, 0},
		{"a house", "nominatim", nominatimHouse, place.Point},
		{"a town", "nominatim", nominatimTown, place.City},
		{"nothing", "nominatim", `[]`, 0},
		{"odd numbers", "nominatim", strings.ReplaceAll(nominatimHouse, "59.9139", "NaN"), 0},
		{"a house", "pelias", peliasHouse, place.Point},
		{"between houses", "pelias", peliasBetween, place.Interpolated},
		{"a postal code", "pelias", peliasCode, place.PostalCode},
	} {
		t.Run(c.kind+" with "+c.name, func(t *testing.T) {
			t.Parallel()
			address, _ := serve(t, says(c.answer))
			q := question(t, place.Address{Address1: "Karl Johans gate 22", PostalCode: "0026", City: "Oslo", Country: "Norge"})
			replies, err := open(t, c.kind, address).Ask(t.Context(), q)
			require.NoError(t, err)
			got := q.Judge(replies, oslo, 50_000)
			require.Equal(t, c.want, got.Precision)
			if c.want != 0 {
				require.InDelta(t, 59.9139, got.At.Latitude, 0.01)
				require.InDelta(t, 10.7402, got.At.Longitude, 0.01)
			}
		})
	}
}

func TestOnlyTheAddressIsSent(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"photon": photonHouse, "nominatim": nominatimHouse, "pelias": peliasHouse}
	queries := map[string]url.Values{
		"photon": {"q": {"Karl Johans gate 22, 0026 Oslo"}, "limit": {"5"}},
		"nominatim": {
			"street": {"22 Karl Johans gate"}, "postalcode": {"0026"}, "city": {"Oslo"}, "countrycodes": {"no"},
			"format": {"jsonv2"}, "addressdetails": {"1"}, "limit": {"5"},
		},
		"pelias": {
			"address": {"Karl Johans gate 22"}, "postalcode": {"0026"}, "locality": {"Oslo"}, "country": {"NO"}, "size": {"5"},
		},
	}
	for kind, want := range queries {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			address, asked := serve(t, says(answers[kind]))
			a := karl
			a.Address1, a.Address2 = "Karl Johans gate 22, 3. etg, ring 99887766", "c/o Kari Nordmann"
			_, err := open(t, kind, address).Ask(t.Context(), question(t, a))
			require.NoError(t, err)
			require.Len(t, *asked, 1)
			require.Equal(t, want, (*asked)[0].URL.Query())
			require.Equal(t, "waybill (ops@example.com)", (*asked)[0].UserAgent())
		})
	}
}

func TestLinesThatMayNameAPersonAreNotSent(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"Kari Nordmann", "c/o Kari Nordmann", "Att: Ola Hansen 3"} {
		q, _ := place.NewQuestion(place.Address{Address1: line, PostalCode: "0026", City: "Oslo", Country: "NO"})
		require.Empty(t, q.Street, line)
	}
}

func TestFaultsAreTold(t *testing.T) {
	t.Parallel()
	status := func(code int, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(code)
		}
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   geocode.FaultKind
	}{
		"a page":        {says("<!doctype html><title>Sign in</title>"), geocode.Unreadable},
		"other JSON":    {says(`{"message":"hello"}`), geocode.Unreadable},
		"a huge answer": {says(`{"type":"` + strings.Repeat("x", 2<<20) + `"}`), geocode.Unreadable},
		"a redirect":    {status(http.StatusFound, "Location", "http://127.0.0.1:1/"), geocode.Unavailable},
		"an error":      {status(http.StatusInternalServerError), geocode.Unavailable},
		"too many":      {status(http.StatusTooManyRequests, "Retry-After", "7"), geocode.Limited},
		"a wrong key":   {status(http.StatusForbidden), geocode.Refused},
		"a bad address": {status(http.StatusBadRequest), geocode.Rejected},
		"a silent one":  {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, geocode.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, _ := serve(t, c.answer)
			client := open(t, "photon", address)
			client.Patience(time.Second)
			_, err := client.Ask(t.Context(), question(t, karlOnly))
			fault := geocode.FaultOf(err)
			require.NotNil(t, fault, "%v", err)
			require.Equal(t, c.want, fault.Kind)
			require.NotContains(t, err.Error(), "Karl")
			if c.want == geocode.Limited {
				require.Equal(t, 7*time.Second, fault.RetryAfter)
				require.Greater(t, client.Resting(), 7*time.Second)
			}
		})
	}
}

// karlOnly is an address and nothing else.
var karlOnly = place.Address{Address1: "Karl Johans gate 22", PostalCode: "0026", City: "Oslo", Country: "NO"}

func TestFailingProviderIsLeftAlone(t *testing.T) {
	t.Parallel()
	address, asked := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	client := open(t, "photon", address)
	for range 5 {
		_, err := client.Ask(t.Context(), question(t, karlOnly))
		require.Error(t, err)
	}
	require.Len(t, *asked, 3)
	require.Positive(t, client.Resting())
	_, err := client.Ask(t.Context(), question(t, karlOnly))
	require.Equal(t, geocode.Resting, geocode.FaultOf(err).Kind)
}

func TestRateIsKept(t *testing.T) {
	t.Parallel()
	address, asked := serve(t, says(photonHouse))
	c, err := geocode.Open(geocode.Settings{URL: "photon+" + address, PerSecond: 20})
	require.NoError(t, err)
	begun := time.Now()
	for range 5 {
		_, err := c.Ask(t.Context(), question(t, karlOnly))
		require.NoError(t, err)
	}
	require.GreaterOrEqual(t, time.Since(begun), 190*time.Millisecond, "four pauses of 50 ms")
	require.Len(t, *asked, 5)
}

func TestWrongSettingsAreRefused(t *testing.T) {
	t.Parallel()
	for address, says := range map[string]string{
		"https://photon.example.com":              "must be",
		"google+https://maps.example.com":         "must start with",
		"photon+ftp://photon.example.com":         "must be",
		"photon+https://photon.example.com?x=1":   "no query",
		"nominatim+https://nominatim.example.com": "WAYBILL_GEOCODER_CONTACT",
	} {
		_, err := geocode.Open(geocode.Settings{URL: address})
		require.ErrorContains(t, err, says, address)
	}
	none, err := geocode.Open(geocode.Settings{})
	require.NoError(t, err)
	require.Nil(t, none)
	client, err := geocode.Open(geocode.Settings{URL: "pelias+https://pelias.example.com?api_key=secret"})
	require.NoError(t, err)
	require.Equal(t, "pelias", client.Name())
}

// TestNominatimAnswers asks a real server, which must have central Oslo and nothing else.
// CONTRIBUTING.md says how to build one.
func TestNominatimAnswers(t *testing.T) {
	t.Parallel()
	address := os.Getenv("WAYBILL_NOMINATIM_URL")
	if address == "" {
		t.Skip("set WAYBILL_NOMINATIM_URL to the URL of a Nominatim server with central Oslo")
	}
	c, err := geocode.Open(geocode.Settings{URL: "nominatim+" + address, Contact: "ops@example.com", PerSecond: 10})
	require.NoError(t, err)
	require.NoError(t, c.Check(t.Context()))
	house := place.Position{Latitude: 59.91321, Longitude: 10.74033} // Karl Johans gate 22
	storgata := place.Position{Latitude: 59.9155, Longitude: 10.754} // its middle
	for name, tc := range map[string]struct {
		asked  place.Address
		want   place.Precision
		at     place.Position
		within float64 // meters
	}{
		"a house":                       {karlOnly, place.Point, house, 20},
		"a house among other words":     {karl, place.Point, house, 20},
		"a house without a postal code": {place.Address{Address1: "Karl Johans gate 22", City: "Oslo", Country: "NO"}, place.Point, house, 20},
		"a house without a town":        {place.Address{Address1: "Karl Johans gate 22", PostalCode: "0026", Country: "NO"}, place.Point, house, 20},
		"a house in capitals":           {place.Address{Address1: "KARL JOHANS GATE 22", PostalCode: "0026", City: "OSLO", Country: "NO"}, place.Point, house, 20},
		"a number that no map has":      {place.Address{Address1: "Storgata 9999", City: "Oslo", Country: "NO"}, place.Street, storgata, 700},
		"a street that Oslo lacks":      {place.Address{Address1: "Ukjentveien 5", PostalCode: "0155", City: "Oslo", Country: "NO"}, 0, place.Position{}, 0},
		"a town outside of the map":     {place.Address{Address1: "Bryggen 5", PostalCode: "5003", City: "Bergen", Country: "NO"}, 0, place.Position{}, 0},
		"another country":               {place.Address{Address1: "Karl Johans gate 22", PostalCode: "0026", City: "Oslo", Country: "SE"}, 0, place.Position{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := question(t, tc.asked)
			replies, err := c.Ask(t.Context(), q)
			require.NoError(t, err)
			got := q.Judge(replies, nil, 0)
			require.Equal(t, tc.want, got.Precision, "%+v", replies)
			if tc.want != 0 {
				require.Less(t, got.At.Meters(tc.at), tc.within, "%+v", got)
			}
		})
	}
}
