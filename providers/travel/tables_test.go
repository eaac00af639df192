package travel_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
)

// memory is a cache that may fail.
type memory struct {
	mu   sync.Mutex
	legs map[key]routing.Leg
	fail error
	// read counts the legs read, saved the legs stored.
	read, saved int
}

type key struct {
	provider string
	profile  travel.Profile
	way      travel.Way
}

func (m *memory) LoadLegs(
	_ context.Context, provider string, profile travel.Profile, fresh, between []travel.Cell,
) (map[travel.Way]routing.Leg, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := map[travel.Way]routing.Leg{}
	for _, a := range between {
		for _, b := range between {
			if !slices.Contains(fresh, a) && !slices.Contains(fresh, b) {
				continue
			}
			m.read++
			way := travel.Way{From: a, To: b}
			if leg, ok := m.legs[key{provider, profile, way}]; ok {
				known[way] = leg
			}
		}
	}
	return known, m.fail
}

func (m *memory) SaveLegs(
	_ context.Context, provider string, profile travel.Profile, legs map[travel.Way]routing.Leg,
) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.legs == nil {
		m.legs = map[key]routing.Leg{}
	}
	m.saved++
	for way, leg := range legs {
		m.legs[key{provider, profile, way}] = leg
	}
	return m.fail
}

// clock is a clock that moves only on request.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func requireLegs(t *testing.T, points []travel.Point, table travel.Table) {
	t.Helper()
	require.Equal(t, len(points), table.Places)
	require.Len(t, table.Legs, len(points)*len(points))
	for i, a := range points {
		for j, b := range points {
			require.InDelta(t, want(a, b).Seconds, table.Leg(i, j).Seconds, 1, "%d to %d", i, j)
			require.Equal(t, want(a, b).Meters, table.Leg(i, j).Meters, "%d to %d", i, j)
		}
	}
}

// flown returns the straight-line estimates of all legs between points.
func flown(t *testing.T, profile travel.Profile, points []travel.Point) []routing.Leg {
	t.Helper()
	legs, err := travel.Crow{}.Legs(t.Context(), profile, points, points)
	require.NoError(t, err)
	return legs
}

func TestTablesAreRequestedInBlocksOnce(t *testing.T) {
	t.Parallel()
	c, cache := newCounterpart(t), &memory{}
	tables := travel.NewTables(c.provider(t, "osrm", ""), time.Now)
	points := line(120)
	table, err := tables.Table(t.Context(), cache, planning.Car, points)
	require.NoError(t, err)
	require.NoError(t, table.Fault)
	require.Zero(t, table.Guessed)
	require.Equal(t, "osrm", table.Provider)
	requireLegs(t, points, table)
	require.EqualValues(t, 9, c.asked.Load(), "three blocks of fifty or fewer on either side")

	again, err := tables.Table(t.Context(), cache, planning.Car, points)
	require.NoError(t, err)
	require.Equal(t, table, again)
	require.EqualValues(t, 9, c.asked.Load(), "what is known is not asked again")

	_, err = tables.Table(t.Context(), cache, planning.Truck, points)
	require.NoError(t, err)
	require.EqualValues(t, 18, c.asked.Load(), "trucks are slower than the cars that are known")

	points = append(points, travel.Point{Latitude: 61, Longitude: 10.5})
	more, err := tables.Table(t.Context(), cache, planning.Car, points)
	require.NoError(t, err)
	requireLegs(t, points, more)
	require.LessOrEqual(t, c.asked.Load(), int32(18+5), "only what is new")
}

func TestPlacesOfOneCellAreRequestedOnce(t *testing.T) {
	t.Parallel()
	c := newCounterpart(t)
	points := []travel.Point{at(59, 10.5), at(59.00001, 10.5), at(59.01, 10.5)}
	table, err := travel.NewTables(c.provider(t, "osrm", ""), time.Now).Table(t.Context(), &memory{}, planning.Car, points)
	require.NoError(t, err)
	require.Equal(t, table.Leg(0, 2), table.Leg(1, 2))
	require.Equal(t, table.Leg(2, 0), table.Leg(2, 1))
	require.Equal(t, routing.Leg{}, table.Leg(0, 0))
	require.Less(t, table.Leg(0, 1).Seconds, int32(10), "one metre")
	require.Zero(t, table.Guessed)
}

func TestMissingLegsAreEstimated(t *testing.T) {
	t.Parallel()
	points := line(4)
	for text, breaks := range broken(t) {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			c, cache := newCounterpart(t), &memory{}
			c.breaks.Store(&breaks)
			p := c.provider(t, "osrm", "")
			if text == "no answer within" {
				travel.Impatient(p, 50*time.Millisecond)
			}
			table, err := travel.NewTables(p, time.Now).Table(t.Context(), cache, planning.Car, points)
			require.NoError(t, err)
			require.Error(t, table.Fault)
			require.Equal(t, 12, table.Guessed, "all ways but those from a place to itself")
			require.Equal(t, flown(t, planning.Car, points), table.Legs)
			require.Empty(t, cache.legs, "a guess is not kept")
		})
	}
}

func TestOnlyFailedBlockIsEstimated(t *testing.T) {
	t.Parallel()
	c := newCounterpart(t)
	routes := c.Config.Handler
	var breaks http.HandlerFunc = func(w http.ResponseWriter, r *http.Request) {
		if c.asked.Load() == 2 {
			answer(w, http.StatusBadRequest, `{"code":"NoSegment"}`)
			return
		}
		c.asked.Add(-1) // the handler counts again
		handler := c.breaks.Swap(nil)
		routes.ServeHTTP(w, r)
		c.breaks.Store(handler)
	}
	c.breaks.Store(&breaks)
	table, err := travel.NewTables(c.provider(t, "osrm", ""), time.Now).Table(t.Context(), &memory{}, planning.Car, line(60))
	require.NoError(t, err)
	require.ErrorContains(t, table.Fault, "400")
	require.Equal(t, 50*10, table.Guessed)
	require.EqualValues(t, 6, c.asked.Load(), "its places are looked at, and the others are asked as they are")
}

func TestFailingServerIsPaused(t *testing.T) {
	t.Parallel()
	c, time := newCounterpart(t), &clock{at: time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)}
	var down http.HandlerFunc = func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusBadGateway, "") }
	c.breaks.Store(&down)
	tables := travel.NewTables(c.provider(t, "osrm", ""), time.now)
	ask := func() travel.Table {
		table, err := tables.Table(t.Context(), &memory{}, planning.Car, line(3))
		require.NoError(t, err)
		return table
	}
	var refuses http.HandlerFunc = func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusBadRequest, "") }
	c.breaks.Store(&refuses)
	for range 2 * travel.Patience {
		require.ErrorContains(t, ask().Fault, "400", "a fault of the question says nothing of the server")
	}
	c.breaks.Store(&down)
	c.asked.Store(0)
	for range travel.Patience {
		require.ErrorContains(t, ask().Fault, "502")
	}
	require.ErrorContains(t, ask().Fault, "left alone")
	require.EqualValues(t, travel.Patience, c.asked.Load())
	time.at = time.at.Add(travel.Rest)
	require.ErrorContains(t, ask().Fault, "502", "it is tried again")
	require.ErrorContains(t, ask().Fault, "left alone", "and one failure is enough then")
	time.at = time.at.Add(travel.Rest)
	c.breaks.Store(nil)
	require.NoError(t, ask().Fault)
	c.breaks.Store(&down)
	require.ErrorContains(t, ask().Fault, "502")
	require.ErrorContains(t, ask().Fault, "502", "what was good once may fail again before it rests")
}

func TestCacheFailureIsReported(t *testing.T) {
	t.Parallel()
	c := newCounterpart(t)
	lost := errors.New("no connection")
	table, err := travel.NewTables(c.provider(t, "osrm", ""), time.Now).
		Table(t.Context(), &memory{fail: lost}, planning.Car, line(3))
	require.NoError(t, err)
	require.NoError(t, table.Fault)
	require.ErrorIs(t, table.CacheFault, lost)
	requireLegs(t, line(3), table)
}

func TestUnknownProfilesUseEstimates(t *testing.T) {
	t.Parallel()
	c := newCounterpart(t)
	table, err := travel.NewTables(c.provider(t, "osrm", ""), time.Now).Table(t.Context(), nil, planning.Bike, line(3))
	require.NoError(t, err)
	require.NoError(t, table.Fault)
	require.Equal(t, "crow", table.Provider)
	require.Zero(t, table.Guessed, "nobody was asked, so nothing stands in for anything")
	require.Equal(t, flown(t, planning.Bike, line(3)), table.Legs)
	require.Zero(t, c.asked.Load())
}

func TestTablesEndWithTheirContext(t *testing.T) {
	t.Parallel()
	c := newCounterpart(t)
	ctx, cancel := context.WithCancel(t.Context())
	var leaves http.HandlerFunc = func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}
	c.breaks.Store(&leaves)
	_, err := travel.NewTables(c.provider(t, "osrm", ""), time.Now).Table(ctx, &memory{}, planning.Car, line(120))
	require.ErrorIs(t, err, context.Canceled)
	require.EqualValues(t, 1, c.asked.Load())
}

func TestInvalidPlacesAreRefused(t *testing.T) {
	t.Parallel()
	tables := travel.NewTables(travel.Crow{}, time.Now)
	for _, p := range []travel.Point{at(math.NaN(), 0), at(0, math.Inf(1)), at(90.1, 0), at(0, -180.1)} {
		_, err := tables.Table(t.Context(), nil, planning.Car, append(line(1), p))
		require.ErrorContains(t, err, "place 1")
	}
	none, err := tables.Table(t.Context(), nil, planning.Car, nil)
	require.NoError(t, err)
	require.Zero(t, none.Places)
}
