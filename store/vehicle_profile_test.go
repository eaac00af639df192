package store_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/vehicle"
	"waybill/store/storetest"
)

// TestProfileOfAClassIsItsKey compares the database's profiles of vehicles with those of planning.ProfileOf.
func TestProfileOfAClassIsItsKey(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	storetest.Organization(t, d.Database, "acme")
	random := rand.New(rand.NewPCG(7, 9))
	some := func(least, most float64) *float64 {
		if random.IntN(3) == 0 {
			return nil
		}
		return new(least + (most-least)*float64(random.IntN(10_000))/10_000)
	}
	for n := range 200 {
		c := vehicle.Class{
			HeightM: some(0.5, 10), WidthM: some(0.5, 10), LengthM: some(0.5, 60),
			GrossWeightKg: some(50, 200_000), AxleLoadKg: some(50, 50_000), TopSpeedKmh: some(5, 150),
			HazardousGoods: n%2 == 0, AvoidsFerries: n%3 == 0, AvoidsTolls: n%5 == 0,
		}
		mode := []planning.Profile{planning.Car, planning.Truck, planning.Bike}[n%3]
		if n < 3 {
			c = vehicle.Class{}
		}
		var got planning.Profile
		require.NoError(t, d.owner.QueryRow(t.Context(), `
			update vehicle_types t set travels_as = $1, height_m = $2::float8, width_m = $3::float8, length_m = $4::float8,
				gross_weight_kg = $5::float8, axle_load_kg = $6::float8, top_speed_kmh = $7::float8,
				hazardous_goods = $8, avoids_ferries = $9, avoids_tolls = $10
			where id = (select min(id) from vehicle_types) returning vehicle_profile(t)`,
			mode, c.HeightM, c.WidthM, c.LengthM, c.GrossWeightKg, c.AxleLoadKg, c.TopSpeedKmh,
			c.HazardousGoods, c.AvoidsFerries, c.AvoidsTolls).Scan(&got))
		require.Equal(t, planning.ProfileOf(mode, &c), got)
	}
}
