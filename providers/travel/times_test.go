package travel_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/internal/osrm"
	"waybill/providers/travel"
	"waybill/testing/stack"
)

// counted forwards to a server and counts the tables that it is asked for, and their legs.
type counted struct {
	tables, legs atomic.Int64
}

func (c *counted) before(t *testing.T, server *stack.OSRM) travel.Provider {
	t.Helper()
	to := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: server.Address()})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/table/") {
			c.tables.Add(1)
			side := func(name string) int64 {
				_, list, _ := strings.Cut(r.URL.RawQuery, name+"=")
				list, _, _ = strings.Cut(list, "&")
				return int64(strings.Count(list, ";") + 1)
			}
			c.legs.Add(side("sources") * side("destinations"))
		}
		to.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	provider, err := travel.Open("osrm+" + front.URL + "?table=1000")
	require.NoError(t, err)
	return provider
}

func TestNeededLegsComeFirst(t *testing.T) {
	t.Parallel()
	server, c := newOSRM(t), &counted{}
	tables := travel.NewTables(c.before(t, server), time.Now)
	points, cache, area := inOslo(600), &memory{}, &travel.Memory{}
	over := travel.Wish{First: [][]int{{3, 500, 77, 3}}, Until: time.Now().Add(-time.Second)}
	table, err := tables.TableOf(t.Context(), cache, area, planning.Car, points, over)
	require.NoError(t, err)
	require.NoError(t, table.Fault)
	require.Equal(t, 600*599, table.Missing, "there was no time for any")
	require.Zero(t, c.tables.Load())

	t.Run("a leg that is missing is a lower bound once some are known", func(t *testing.T) {
		first := over
		first.First, first.Until = [][]int{route(0, 60)}, time.Time{}
		some, err := tables.TableOf(t.Context(), cache, &travel.Memory{}, planning.Car, points[:60], first)
		require.NoError(t, err)
		require.Zero(t, some.Missing)
		bounds, err := tables.TableOf(t.Context(), cache, area, planning.Car, points, over)
		require.NoError(t, err)
		_ = bounds
		all, err := tables.Table(t.Context(), &memory{}, planning.Car, points)
		require.NoError(t, err)
		fresh := &travel.Memory{}
		partly, err := tables.TableOf(t.Context(), cache, fresh, planning.Car, points, over)
		require.NoError(t, err)
		require.Positive(t, partly.Missing)
		above, missing := 0, 0
		for i := range points {
			for j := range points {
				if partly.Kind(i, j) != travel.Bound {
					require.Equal(t, all.Leg(i, j), partly.Leg(i, j))
					continue
				}
				missing++
				if partly.Leg(i, j).Seconds > all.Leg(i, j).Seconds {
					above++
				}
			}
		}
		require.Less(t, float64(above), 0.05*float64(missing), "bounds are above the real time within their calibration only")
	})
	t.Run("the legs of a route are asked for before all others", func(t *testing.T) {
		c.tables.Store(0)
		c.legs.Store(0)
		wish := travel.Wish{First: [][]int{{3, 500, 77, 3}}, Until: time.Now().Add(time.Hour)}
		stopping := &interrupted{memory: &memory{}, after: 1}
		ctx, cancel := withStop(t, stopping)
		defer cancel()
		_, err := tables.TableOf(ctx, stopping, &travel.Memory{}, planning.Car, points, wish)
		require.Error(t, err)
		require.EqualValues(t, 9, c.legs.Load())
	})
	t.Run("ten new places ask for their own rows and columns", func(t *testing.T) {
		all := &travel.Memory{}
		_, err := tables.TableOf(t.Context(), cache, all, planning.Car, points[:590], travel.Wish{})
		require.NoError(t, err)
		c.tables.Store(0)
		c.legs.Store(0)
		more, err := tables.TableOf(t.Context(), cache, all, planning.Car, points, travel.Wish{})
		require.NoError(t, err)
		require.Zero(t, more.Missing)
		require.LessOrEqual(t, c.tables.Load(), int64(5), "those near each other, near legs there and back, and the rest there and back")
		require.LessOrEqual(t, c.legs.Load(), int64(2*10*600))
	})
}

func route(from, to int) (places []int) {
	for n := from; n < to; n++ {
		places = append(places, n)
	}
	return places
}

func TestLegsOfEarlierRoadsAreNotUsed(t *testing.T) {
	t.Parallel()
	c, cache, area := newCounterpart(t), &memory{}, &travel.Memory{}
	clock := &clock{at: time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)}
	tables, points := travel.NewTables(c.provider(t, "osrm", ""), clock.now), line(5)
	plan := func() travel.Table {
		table, err := tables.TableOf(t.Context(), cache, area, planning.Car, points, travel.Wish{})
		require.NoError(t, err)
		require.NoError(t, table.Fault)
		return table
	}
	c.version.Store(new("a"))
	require.Equal(t, "a", plan().Version)
	asked := c.asked.Load()
	plan()
	require.Equal(t, asked, c.asked.Load())
	require.True(t, tables.Current(t.Context(), planning.Car, points[0], "a"))

	c.version.Store(new("b"))
	clock.at = clock.at.Add(time.Minute)
	require.False(t, tables.Current(t.Context(), planning.Car, points[0], "a"))
	require.Equal(t, "b", plan().Version)
	require.Equal(t, 2*asked, c.asked.Load(), "all is asked for again")

	c.version.Store(new("c")) // between two looks at it
	points = append(points, at(61, 10.5))
	require.Equal(t, "c", plan().Version, "the answer says it, too")
	for _, b := range cache.blocks {
		require.Contains(t, []string{"a", "b", "c"}, b.of.Version)
	}
}

// picky refuses tables with some places.
func picky(c *counterpart, code func(path string) string) {
	routes := c.Config.Handler
	var refuses http.HandlerFunc = func(w http.ResponseWriter, r *http.Request) {
		if code := code(r.URL.Path); code != "" && strings.HasPrefix(r.URL.Path, "/table/") {
			answer(w, http.StatusBadRequest, fmt.Sprintf(`{"code":%q}`, code))
			return
		}
		handler := c.breaks.Swap(nil)
		routes.ServeHTTP(w, r)
		c.breaks.Store(handler)
	}
	c.breaks.Store(&refuses)
}

func TestPlacesOutsideOfAllRegionsAreEstimated(t *testing.T) {
	t.Parallel()
	c, points := newCounterpart(t), line(30)
	points = append(points, at(40, 3), at(40.1, 3))
	picky(c, func(path string) string {
		if strings.Contains(path, "3.000000,40.") {
			return "OutsideRegions"
		}
		return ""
	})
	table, err := travel.NewTables(c.provider(t, "osrm", ""), time.Now).Table(t.Context(), &memory{}, planning.Car, points)
	require.NoError(t, err)
	require.NoError(t, table.Fault)
	require.Equal(t, 2, table.Outside)
	require.Empty(t, table.Lost)
	require.Zero(t, table.Missing)
	require.Equal(t, 2*30*2+2, table.Guessed)
	require.Equal(t, travel.Flight(planning.Car, points[0], points[31]), table.Leg(0, 31))
	require.Equal(t, travel.Estimate, table.Kind(0, 31))
	require.Equal(t, travel.Real, table.Kind(0, 29))
	require.InDelta(t, want(points[0], points[29]).Seconds, table.Leg(0, 29).Seconds, 1)

	all, err := travel.NewTables(c.provider(t, "osrm", ""), time.Now).Table(t.Context(), &memory{}, planning.Car, points[30:])
	require.NoError(t, err)
	require.Equal(t, 2, all.Outside, "even if no place is inside")
}

func TestRegionsThatNoRoadConnectsAreAnsweredEach(t *testing.T) {
	t.Parallel()
	c, points := newCounterpart(t), append(line(12), at(40, 3), at(40.01, 3), at(40.02, 3))
	picky(c, func(path string) string {
		if strings.Contains(path, "3.000000,40.") && strings.Contains(path, "10.500000,59.") {
			return "NoTable"
		}
		return ""
	})
	table, err := travel.NewTables(c.provider(t, "osrm", ""), time.Now).Table(t.Context(), &memory{}, planning.Car, points)
	require.NoError(t, err)
	require.NoError(t, table.Fault)
	require.Equal(t, 2*12*3, table.Guessed, "only the legs from one region to the other")
	require.Zero(t, table.Missing)
	require.Equal(t, travel.Real, table.Kind(12, 14))
	require.Equal(t, travel.Estimate, table.Kind(0, 12))
}

func TestABadPinIsToldTheNearestRoad(t *testing.T) {
	t.Parallel()
	server := newOSRM(t)
	provider, err := travel.Open(server.URL())
	require.NoError(t, err)
	points := append(inOslo(40), at(58.3, 9.5))
	table, err := travel.NewTables(provider, time.Now).Table(t.Context(), &memory{}, planning.Car, points)
	require.NoError(t, err)
	require.NoError(t, table.Fault)
	require.Len(t, table.Lost, 1)
	nearest := table.Lost[40]
	require.Greater(t, nearest.Meters, int32(100_000))
	require.InDelta(t, 59.9, nearest.Latitude, 0.1, "in Oslo")
	require.InDelta(t, 10.7, nearest.Longitude, 0.1)
	require.Zero(t, table.Missing)
	for i := range 40 {
		require.GreaterOrEqual(t, table.FromRoad[i], int32(0))
		require.Less(t, table.FromRoad[i], int32(2000))
	}
}

// alongHighway are places at both ends, and in between.
func alongHighway(km int) (points []travel.Point) {
	for _, at := range []int{0, 5, 10, km / 2, km - 5, km} {
		points = append(points, travel.Point{Latitude: 56 + float64(at)/111.195, Longitude: 10.005})
	}
	return points
}

const farKm = 1500

func requireFarLegs(t *testing.T, table *travel.Table) {
	t.Helper()
	require.NoError(t, table.Fault)
	for _, leg := range []routing.Leg{table.Leg(0, 5), table.Leg(5, 0)} {
		require.InDelta(t, farKm*1000, leg.Meters, 10_000)
		require.Greater(t, leg.Seconds, int32(15*3600))
		require.Less(t, leg.Seconds, int32(30*3600))
	}
	require.Equal(t, travel.Real, table.Kind(0, 5))
}

func TestOSRMKnowsLegsOf1500Kilometers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, err := stack.BuildRoads(t.Context(), highway(t, farKm), dir)
	if errors.Is(err, osrm.ErrMissing) {
		t.Skip(err)
	}
	require.NoError(t, err)
	server, err := stack.StartOSRM(t.Context(), data, filepath.Join(dir, "osrm.log"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Stop() })
	provider, err := travel.Open(server.URL())
	require.NoError(t, err)
	tables, points := travel.NewTables(provider, time.Now), alongHighway(farKm)
	table, err := tables.Table(t.Context(), &memory{}, planning.Car, points)
	require.NoError(t, err)
	require.Zero(t, table.Guessed)
	requireFarLegs(t, &table)
	drawn, _, err := tables.Route(t.Context(), planning.Car, points[0], points[5])
	require.NoError(t, err)
	require.InDelta(t, table.Leg(0, 5).Seconds, drawn.Seconds, 0.05*float64(drawn.Seconds))
	require.NotEmpty(t, drawn.Polyline)
}

func TestValhallaIsAskedForLongLegsAlone(t *testing.T) {
	t.Parallel()
	server, err := stack.StartValhalla(t.Context(), highway(t, farKm), t.TempDir())
	if errors.Is(err, stack.ErrNoValhalla) {
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Cleanup(server.Kill)
	provider, err := travel.Open(server.URL())
	require.NoError(t, err)
	tables, points, cache, area := travel.NewTables(provider, time.Now), alongHighway(farKm), &memory{}, &travel.Memory{}
	table, err := tables.TableOf(t.Context(), cache, area, planning.Car, points, travel.Wish{})
	require.NoError(t, err)
	require.NoError(t, table.Fault, "nothing is asked that the server refuses")
	require.Equal(t, travel.Real, table.Kind(0, 2))
	require.Equal(t, travel.Bound, table.Kind(0, 5), "no plan needs it")
	require.Zero(t, table.Missing)
	require.Positive(t, table.Far)
	table, err = tables.TableOf(t.Context(), cache, area, planning.Car, points, travel.Wish{First: [][]int{{0, 5, 0}, {5, 0}}})
	require.NoError(t, err)
	requireFarLegs(t, &table)
}
