package travel_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
)

func TestAnAreaReadsAndAsksOnlyForNewPlaces(t *testing.T) {
	t.Parallel()
	c, cache, area := newCounterpart(t), &memory{}, &travel.Memory{}
	tables := travel.NewTables(c.provider(t, "osrm", ""), time.Now)
	points := line(60)
	first, err := tables.TableOf(t.Context(), cache, area, planning.Car, points)
	require.NoError(t, err)
	require.Equal(t, 3600, cache.read)
	asked := c.asked.Load()
	again, err := tables.TableOf(t.Context(), cache, area, planning.Car, points)
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.Equal(t, 3600, cache.read, "nothing is read twice")
	require.Equal(t, asked, c.asked.Load())

	again.Legs[1].Seconds = routing.Unreachable // which a draft does
	points = append(points, travel.Point{Latitude: 61, Longitude: 10.5})
	more, err := tables.TableOf(t.Context(), cache, area, planning.Car, points)
	require.NoError(t, err)
	requireLegs(t, points, more)
	require.Equal(t, 3600+121, cache.read, "a place more is a row and a column")
	require.LessOrEqual(t, c.asked.Load(), asked+4)
	require.Positive(t, area.Bytes())
	for range 9 { // the orders of one day go, and those of others come
		for i := range points {
			points[i].Latitude++
		}
		_, err = tables.TableOf(t.Context(), cache, area, planning.Car, points)
		require.NoError(t, err)
	}
	require.Less(t, area.Bytes(), int64(9*280*280), "what is not asked for any more goes")
}

func TestEachEstimateIsComputedOnce(t *testing.T) {
	t.Parallel()
	tables, area := travel.NewTables(travel.Crow{}, time.Now), &travel.Memory{}
	for n := 1; n < 40; n += 7 {
		points := line(n)
		table, err := tables.TableOf(t.Context(), nil, area, planning.Truck, points)
		require.NoError(t, err)
		require.Equal(t, flown(t, planning.Truck, points), table.Legs)
	}
}

// TestEstimatesSpanTwoTables requests places that were never in one
// table together.
func TestEstimatesSpanTwoTables(t *testing.T) {
	t.Parallel()
	tables, area, points := travel.NewTables(travel.Crow{}, time.Now), &travel.Memory{}, line(9)
	for _, some := range [][]travel.Point{points[:4], points[4:], {points[8], points[0], points[5]}, points} {
		table, err := tables.TableOf(t.Context(), nil, area, planning.Truck, some)
		require.NoError(t, err)
		require.Equal(t, flown(t, planning.Truck, some), table.Legs)
	}
}

func TestInterruptedRequestKeepsItsResults(t *testing.T) {
	t.Parallel()
	c, cache := newCounterpart(t), &memory{}
	ctx, cancel := context.WithCancel(t.Context())
	stopping := &interrupted{memory: cache, after: 4, stop: cancel}
	tables := travel.NewTables(c.provider(t, "osrm", ""), time.Now)
	_, err := tables.Table(ctx, stopping, planning.Car, line(120))
	require.ErrorIs(t, err, context.Canceled)
	require.EqualValues(t, 4, c.asked.Load(), "nobody asks on")
	require.Equal(t, 4, cache.saved)
	table, err := tables.Table(t.Context(), cache, planning.Car, line(120))
	require.NoError(t, err)
	require.Zero(t, table.Guessed)
	require.EqualValues(t, 9, c.asked.Load(), "only the rest is asked for")
}

// interrupted is a cache whose process is stopped after so many answers.
type interrupted struct {
	*memory

	after int
	stop  func()
}

func (i *interrupted) SaveLegs(
	ctx context.Context, provider string, profile travel.Profile, legs map[travel.Way]routing.Leg,
) error {
	if err := i.memory.SaveLegs(ctx, provider, profile, legs); err != nil {
		return err
	}
	if i.saved == i.after {
		i.stop()
	}
	return nil
}
