package travel_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
)

// TestPlaceFarFromAnyRoadDoesNotAffectOthers checks that the place is isolated and
// unreachable for a while, and that all other legs come from the server.
func TestPlaceFarFromAnyRoadDoesNotAffectOthers(t *testing.T) {
	t.Parallel()
	c, clock := newCounterpart(t), &clock{at: time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)}
	points := line(120)
	const bad = 70
	pin := fmt.Sprintf("%.6f,%.6f", points[bad].Longitude, points[bad].Latitude)
	routes := c.Config.Handler
	var refuses http.HandlerFunc = func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, pin) {
			answer(w, http.StatusBadRequest, `{"code":"NoSegment"}`)
			return
		}
		c.asked.Add(-1) // the handler counts again
		handler := c.breaks.Swap(nil)
		routes.ServeHTTP(w, r)
		c.breaks.Store(handler)
	}
	c.breaks.Store(&refuses)
	tables, cache := travel.NewTables(c.provider(t, "osrm", ""), clock.now), &memory{}
	table, err := tables.Table(t.Context(), cache, planning.Car, points)
	require.NoError(t, err)
	require.NoError(t, table.Fault)
	require.Zero(t, table.Guessed)
	for i := range points {
		for j := range points {
			if i != j && (i == bad || j == bad) {
				require.EqualValues(t, routing.Unreachable, table.Leg(i, j).Seconds)
				continue
			}
			require.InDelta(t, want(points[i], points[j]).Seconds, table.Leg(i, j).Seconds, 1)
		}
	}
	require.Less(t, c.asked.Load(), int32(40))

	c.asked.Store(0)
	_, err = tables.Table(t.Context(), cache, planning.Car, points)
	require.NoError(t, err)
	require.Zero(t, c.asked.Load(), "nothing is asked again")
	c.breaks.Store(nil)
	clock.at = clock.at.Add(2 * time.Hour)
	table, err = tables.Table(t.Context(), cache, planning.Car, points)
	require.NoError(t, err)
	require.Less(t, table.Leg(0, bad).Seconds, int32(100_000), "there may be a road by now")
}
