package travel_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/domain/vehicle"
	"waybill/providers/travel"
	"waybill/testing/stack"
)

// newValhalla starts a real server with the streets of central Oslo. The test is skipped
// where Valhalla is not installed.
func newValhalla(t *testing.T) *stack.Valhalla {
	t.Helper()
	server, err := stack.StartValhalla(t.Context(), "../../demo/regions/oslo-center.osm.pbf", t.TempDir())
	if errors.Is(err, stack.ErrNoValhalla) {
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Cleanup(server.Kill)
	return server
}

func TestValhallaSaysHowLongRoadsAre(t *testing.T) {
	t.Parallel()
	server := newValhalla(t)
	provider, err := travel.Open(server.URL())
	require.NoError(t, err)
	places := inOslo(24)
	legs := func(t *testing.T, profile travel.Profile) []routing.Leg {
		t.Helper()
		found, err := provider.Legs(t.Context(), profile, places[:12], places[12:])
		require.NoError(t, err)
		require.Len(t, found.Legs, 144)
		return found.Legs
	}

	t.Run("every leg of a table is a road", func(t *testing.T) {
		some := inOslo(52) // more than one request, and none of them long
		table, err := travel.NewTables(provider, time.Now).Table(t.Context(), &memory{}, planning.Car, some)
		require.NoError(t, err)
		require.NoError(t, table.Fault)
		require.Zero(t, table.Guessed)
		require.Greater(t, median(detours(t, some, table.Travel)), 1.3, "roads are longer than straight lines")
	})
	t.Run("rows are where a leg begins", func(t *testing.T) {
		table := legs(t, planning.Car)
		for _, n := range []int{0, 17, 66, 143} {
			one, err := provider.Legs(t.Context(), planning.Car, places[n/12:n/12+1], places[12+n%12:12+n%12+1])
			require.NoError(t, err)
			require.InDelta(t, table[n].Seconds, one.Legs[0].Seconds, 1+0.05*float64(table[n].Seconds))
		}
	})
	t.Run("a large table is refused as a whole", func(t *testing.T) {
		_, err := provider.Legs(t.Context(), planning.Car, inOslo(51), inOslo(51))
		var fault *travel.Fault
		require.ErrorAs(t, err, &fault)
		require.True(t, fault.Asked)
	})
	t.Run("each mode has its own roads", func(t *testing.T) {
		require.NotEqual(t, legs(t, planning.Car), legs(t, planning.Bike))
		require.NotEqual(t, legs(t, planning.Car), legs(t, planning.Truck))
	})
	t.Run("a class is understood", func(t *testing.T) {
		class := func(c vehicle.Class) travel.Profile { return planning.Profile(c.Key(vehicle.Truck)) }
		low, high := legs(t, class(vehicle.Class{HeightM: new(2.0)})), legs(t, class(vehicle.Class{HeightM: new(6.0)}))
		longer := 0
		for i := range low {
			if high[i].Seconds > low[i].Seconds {
				longer++
			}
		}
		require.Positive(t, longer, "a high truck goes round what is low")
		slow := legs(t, class(vehicle.Class{TopSpeedKmh: new(15.0)}))
		for i, leg := range slow {
			require.GreaterOrEqual(t, 1+float64(leg.Seconds), float64(leg.Meters)/(15/3.6))
			require.GreaterOrEqual(t, leg.Seconds, low[i].Seconds)
		}
		all := legs(t, class(vehicle.Class{
			WidthM: new(2.55), LengthM: new(12.0), GrossWeightKg: new(12_000.0), AxleLoadKg: new(9_000.0),
			HazardousGoods: true, AvoidsFerries: true, AvoidsTolls: true,
		}))
		require.NotEmpty(t, all)
	})
	t.Run("a place in the sea is alone in being unreachable", func(t *testing.T) {
		some := append(inOslo(8), at(58.3, 9.5))
		table, err := travel.NewTables(provider, time.Now).Table(t.Context(), &memory{}, planning.Car, some)
		require.NoError(t, err)
		for i := range some {
			for j := range some {
				lost := i != j && (i == 8 || j == 8)
				require.Equal(t, lost, table.Legs[i*len(some)+j].Seconds >= routing.Unreachable, "from %d to %d", i, j)
			}
		}
	})
	t.Run("a server that is gone leaves estimates, and a fault that names the cause", func(t *testing.T) {
		server.Kill()
		table, err := travel.NewTables(provider, time.Now).Table(t.Context(), &memory{}, planning.Car, inOslo(3))
		require.NoError(t, err)
		require.Equal(t, 6, table.Guessed)
		require.ErrorContains(t, table.Fault, "unavailable")
	})
}
