package travel_test

import (
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/road"
	"waybill/domain/routing"
	"waybill/providers/travel"
)

// acrossTheStreet are two places on either side of Monrads gate, a two-way street, some ten meters from its middle.
func acrossTheStreet(curbside bool) [2]travel.Point {
	east, west := at(59.919300, 10.773440), at(59.919310, 10.773090)
	east.Curbside, west.Curbside = curbside, curbside
	return [2]travel.Point{east, west}
}

// onTheRight reports whether a place is to the right of somebody who arrives at the end of a way.
func onTheRight(line road.Line, p travel.Point) bool {
	last, before := line.At(line.Length()), line.At(line.Length()-5)
	narrow := math.Cos(p.Latitude * math.Pi / 180)
	eastward, northward := (last.Longitude-before.Longitude)*narrow, last.Latitude-before.Latitude
	return eastward*(p.Latitude-last.Latitude)-northward*(p.Longitude-last.Longitude)*narrow < 0
}

// vehiclesArriveOnTheirSide checks that a server has vehicles arrive at a curbside place on its side of the street,
// which takes them longer if they come from the other direction, and that tables and routes agree on that.
func vehiclesArriveOnTheirSide(t *testing.T, provider travel.Provider) {
	t.Helper()
	tables, cache := travel.NewTables(provider, time.Now), &memory{}
	plain, curb := acrossTheStreet(false), acrossTheStreet(true)
	from := inOslo(5)
	places := slices.Concat(from, plain[:], curb[:])
	table, err := tables.Table(t.Context(), cache, planning.Car, places)
	require.NoError(t, err)
	require.Zero(t, table.Guessed)
	leg := func(from, to int) routing.Leg { return table.Legs[from*len(places)+to] }
	for n := range 5 {
		require.InDelta(t, leg(n, 5).Seconds, leg(n, 6).Seconds, 5, "either side is as near")
		there, around := leg(n, 7), leg(n, 8)
		if there.Seconds > around.Seconds {
			there, around = around, there
		}
		require.InDelta(t, leg(n, 5).Seconds, there.Seconds, 5, "one of the sides is on the way")
		require.Greater(t, around.Seconds, there.Seconds+20, "the other one asks for a detour")
		for to := 5; to < len(places); to++ {
			route, drawn, err := tables.Route(t.Context(), planning.Car, places[n], places[to])
			require.NoError(t, err)
			require.True(t, drawn)
			require.InEpsilon(t, leg(n, to).Seconds, route.Seconds, 0.05, "from %d to %d", n, to)
			require.InEpsilon(t, leg(n, to).Meters, route.Meters, 0.05, "from %d to %d", n, to)
			line, err := road.Decode(route.Polyline)
			require.NoError(t, err)
			if places[to].Curbside {
				require.True(t, onTheRight(line, places[to]), "from %d to %d", n, to)
			}
		}
	}
	require.Zero(t, leg(5, 7).Seconds+leg(7, 5).Seconds+leg(6, 8).Seconds+leg(8, 6).Seconds, "nobody drives on the spot")
	again, err := travel.NewTables(provider, time.Now).Table(t.Context(), cache, planning.Car, places)
	require.NoError(t, err)
	require.Equal(t, table.Legs, again.Legs, "both are kept")
}

// TestApproachesAreAskedOnlyWhereSomePlaceIsCurbside checks that other requests are as they always were.
func TestApproachesAreAskedOnlyWhereSomePlaceIsCurbside(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 4)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.RawQuery
		http.Error(w, "{}", http.StatusTeapot)
	}))
	t.Cleanup(server.Close)
	provider, err := travel.Open("osrm+" + server.URL)
	require.NoError(t, err)
	from, to := at(59.9, 10.7), at(59.91, 10.71)
	ask := func(to ...travel.Point) (table, route string) {
		_, err := provider.Legs(t.Context(), planning.Car, []travel.Point{from}, to)
		require.Error(t, err)
		_, err = provider.(travel.Router).Route(t.Context(), planning.Car, from, to[0])
		require.Error(t, err)
		return <-asked, <-asked
	}
	table, route := ask(to)
	require.NotContains(t, table+route, "approaches")
	curb := to
	curb.Curbside = true
	table, route = ask(curb, to)
	require.Contains(t, table, "&approaches=;curb;")
	require.True(t, strings.HasSuffix(route, "&approaches=;curb"), route)
}

func TestOSRMArrivesOnTheSideOfThePlace(t *testing.T) {
	t.Parallel()
	provider, err := travel.Open(newOSRM(t).URL())
	require.NoError(t, err)
	vehiclesArriveOnTheirSide(t, provider)

	t.Run("a table as large as requests get can be all of such places", func(t *testing.T) {
		places := inOslo(1000)
		for i := range places {
			places[i].Curbside = true
		}
		_, err := provider.Legs(t.Context(), planning.Car, places[:500], places[500:])
		require.NoError(t, err)
	})
}

func TestValhallaArrivesOnTheSideOfThePlace(t *testing.T) {
	t.Parallel()
	provider, err := travel.Open(newValhalla(t).URL())
	require.NoError(t, err)
	vehiclesArriveOnTheirSide(t, provider)
}
