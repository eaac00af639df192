package vehicle_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/vehicle"
)

func TestKeyNamesAClass(t *testing.T) {
	t.Parallel()
	high := vehicle.Class{HeightM: new(3.996), GrossWeightKg: new(12000.0), TopSpeedKmh: new(80.9), AvoidsTolls: true}
	require.Equal(t, "truck-h400-t12000-v80-notoll", high.Key(vehicle.Truck))
	require.False(t, high.Empty())
	var plain vehicle.Class
	require.Equal(t, "car", plain.Key(vehicle.Car))
	require.True(t, plain.Empty())
	again := vehicle.Class{HeightM: new(4.0), GrossWeightKg: new(11999.5), TopSpeedKmh: new(80.0), AvoidsTolls: true}
	require.Equal(t, high.Key(vehicle.Truck), again.Key(vehicle.Truck), "the same normal form has the same key")
}

func TestKeyIsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var c vehicle.Class
		c.HazardousGoods, c.AvoidsFerries = rapid.Bool().Draw(t, "hazmat"), rapid.Bool().Draw(t, "ferries")
		c.AvoidsTolls = rapid.Bool().Draw(t, "tolls")
		for _, m := range []struct {
			value       **float64
			least, most float64
		}{
			{&c.HeightM, 0.5, 10},
			{&c.WidthM, 0.5, 10},
			{&c.LengthM, 0.5, 60},
			{&c.GrossWeightKg, 50, 200_000},
			{&c.AxleLoadKg, 50, 50_000},
			{&c.TopSpeedKmh, 5, 150},
		} {
			if rapid.Bool().Draw(t, "set") {
				*m.value = new(rapid.Float64Range(m.least, m.most).Draw(t, "value"))
			}
		}
		require.NoError(t, c.Validate())
		mode := rapid.SampledFrom([]vehicle.Mode{vehicle.Car, vehicle.Truck}).Draw(t, "mode")
		readMode, read, ok := vehicle.ParseKey(c.Key(mode))
		require.True(t, ok)
		require.Equal(t, mode, readMode)
		require.Equal(t, c.Normal(), read)
		require.Regexp(t, `^[a-z0-9-]{3,80}$`, c.Key(mode), "it fits in a path and in the name of a file")
	})
}

func TestOtherTextsAreNoKeys(t *testing.T) {
	t.Parallel()
	for _, key := range []string{
		"", "CAR", "bike", "bike-h400", "truck-", "truck-x1", "truck-h", "truck-h0", "truck-h0400", "truck-h400-h410",
		"truck-w255-h400", "truck-h400 ", "truck-hazmat-hazmat", "truck-v9999", "../truck",
	} {
		_, _, ok := vehicle.ParseKey(key)
		require.False(t, ok, key)
	}
}

func TestBoundsOfAClass(t *testing.T) {
	t.Parallel()
	c := vehicle.Class{HeightM: new(0.0), AxleLoadKg: new(60_000.0), WidthM: new(2.55)}
	require.EqualError(t, c.Validate(), "heightM must be between 0.5 and 10\naxleLoadKg must be between 50 and 50000")
}
