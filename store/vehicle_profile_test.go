package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/region"
	"waybill/domain/vehicle"
	"waybill/store/places"
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

// TestRoadDataAreWantedForTheVehiclesOfAll organizations, those of the most first.
func TestRoadDataAreWantedForTheVehiclesOfAll(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	acme, other := storetest.Organization(t, d.Database, "acme"), storetest.Organization(t, d.Database, "other")
	gone := storetest.Organization(t, d.Database, "gone")
	add := func(org int64, name, mode string, height float64) {
		_, err := d.owner.Exec(t.Context(), `insert into vehicle_types (org_id, name, travels_as, height_m)
			values ($1, $2, $3, nullif($4::float8, 0))`, org, name, mode, height)
		require.NoError(t, err)
	}
	_, err := d.owner.Exec(t.Context(), "delete from vehicle_types")
	require.NoError(t, err)
	for n := range 12 {
		add(acme, fmt.Sprintf("Truck %d", n), "TRUCK", 3+float64(n)/10)
	}
	add(acme, "Van", "CAR", 0)
	add(other, "High", "TRUCK", 3)
	add(other, "Bike", "BIKE", 0)
	add(gone, "Old", "TRUCK", 9)
	_, err = d.owner.Exec(t.Context(), "update organizations set closed_at = now() where id = $1", gone)
	require.NoError(t, err)
	_, err = d.owner.Exec(t.Context(), `insert into vehicles (org_id, registration, vehicle_type_id)
		select org_id, 'EL 12345', id from vehicle_types where name = 'Truck 11'`)
	require.NoError(t, err)
	profiles, err := places.New(d.owner).RoadProfiles(t.Context())
	require.NoError(t, err)
	require.Equal(t, []region.Profile{"car", "truck-h300"}, profiles[:2], "two organizations have it")
	require.Contains(t, profiles, region.Bikes)
	require.Contains(t, profiles, region.Profile("truck-h410"), "it has a vehicle")
	require.NotContains(t, profiles, region.Profile("truck-h900"), "its organization is closed")
	require.Len(t, profiles, 1+10+1, "cars, ten of the one, and one more of the other")
}
