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
	mu     sync.Mutex
	blocks []stored
	fail   error
	// read counts the cells that were looked up.
	read int
}

// stored is a block of a source.
type stored struct {
	of travel.Source
	travel.Block
}

func (m *memory) LoadBlocks(_ context.Context, of travel.Source, fresh, between []travel.Cell) ([]travel.Block, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.read += len(fresh)
	within := func(cells, others []travel.Cell) bool {
		return slices.ContainsFunc(cells, func(c travel.Cell) bool { return slices.Contains(others, c) })
	}
	var found []travel.Block
	for _, b := range m.blocks {
		if b.of == of && (within(b.From, fresh) && within(b.To, between) || within(b.From, between) && within(b.To, fresh)) {
			found = append(found, b.Block)
		}
	}
	return found, m.fail
}

func (m *memory) SaveBlock(_ context.Context, of travel.Source, block *travel.Block) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail == nil {
		m.blocks = append(m.blocks, stored{of, *block})
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
	flown, err := travel.Crow{}.Legs(t.Context(), profile, points, points)
	require.NoError(t, err)
	return flown.Legs
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
			require.Empty(t, cache.blocks, "a guess is not kept")
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
	require.Equal(t, 30*30, table.Guessed)
	require.EqualValues(t, 4, c.asked.Load(), "its places are looked at, and the others are asked as they are")
}

func TestFailingServerIsPaused(t *testing.T) {
	t.Parallel()
	c, time := newCounterpart(t), &clock{at: time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)}
	asked := 0
	var down http.HandlerFunc = func(w http.ResponseWriter, _ *http.Request) {
		asked++
		answer(w, http.StatusBadGateway, "")
	}
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
	asked = 0
	for range travel.Patience {
		require.ErrorContains(t, ask().Fault, "502")
	}
	require.ErrorContains(t, ask().Fault, "left alone")
	require.Equal(t, travel.Patience, asked)
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
	require.LessOrEqual(t, c.asked.Load(), int32(1), "nobody asks on")
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
