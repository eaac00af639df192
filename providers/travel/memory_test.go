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
	first, err := tables.TableOf(t.Context(), cache, area, planning.Car, points, travel.Wish{})
	require.NoError(t, err)
	require.Equal(t, 60, cache.read)
	asked := c.asked.Load()
	again, err := tables.TableOf(t.Context(), cache, area, planning.Car, points, travel.Wish{})
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.Equal(t, 60, cache.read, "nothing is read twice")
	require.Equal(t, asked, c.asked.Load())

	again.Legs[1].Seconds = routing.Unreachable // which a draft does
	points = append(points, travel.Point{Latitude: 61, Longitude: 10.5})
	more, err := tables.TableOf(t.Context(), cache, area, planning.Car, points, travel.Wish{})
	require.NoError(t, err)
	requireLegs(t, points, more)
	require.Equal(t, 61, cache.read, "only a place more")
	require.LessOrEqual(t, c.asked.Load(), asked+4)
	require.Positive(t, area.Bytes())
	for range 9 { // the orders of one day go, and those of others come
		for i := range points {
			points[i].Latitude++
		}
		_, err = tables.TableOf(t.Context(), cache, area, planning.Car, points, travel.Wish{})
		require.NoError(t, err)
	}
	require.Less(t, area.Bytes(), int64(10*280*280), "what is not asked for any more goes")
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
	require.Len(t, cache.blocks, 4)
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

func (i *interrupted) SaveBlock(ctx context.Context, of travel.Source, block *travel.Block) error {
	if err := i.memory.SaveBlock(ctx, of, block); err != nil {
		return err
	}
	if len(i.blocks) == i.after {
		i.stop()
	}
	return nil
}

// withStop returns a context that a cache ends.
func withStop(t *testing.T, i *interrupted) (context.Context, func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	i.stop = cancel
	return ctx, cancel
}
