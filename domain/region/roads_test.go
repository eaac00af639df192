package region_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/place"
	"waybill/domain/region"
)

func TestProfilesOfRequests(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]region.Profile{
		"driving": region.Cars, "car": region.Cars, "truck": region.Trucks, "bike": region.Bikes, "truck-h400": "truck-h400",
	} {
		profile, ok := region.ProfileNamed(name)
		require.True(t, ok, name)
		require.Equal(t, want, profile, name)
	}
	for _, wrong := range []string{"", "..", "cycling", "bike-h400", "truck-", "Car", "truck-h0400"} {
		_, ok := region.ProfileNamed(wrong)
		require.False(t, ok, wrong)
	}
}

func TestDataOfTheRegionThatHoldsTheMost(t *testing.T) {
	t.Parallel()
	of := func(name string, bounds region.Bounds, profile region.Profile) region.Data {
		return region.Data{Region: name, Version: "1", Bounds: bounds, Profile: profile}
	}
	all := []region.Data{
		of("norway", norway, region.Cars), of("oslo", oslo, region.Cars), of("oslo", oslo, "truck-h400"),
		of("alps", alps, region.Cars),
	}
	inOslo, inBergen, inVaduz, nowhere := at(59.91, 10.75), at(60.39, 5.32), at(47.14, 9.52), at(0, 0)
	for name, one := range map[string]struct {
		profile   region.Profile
		positions []place.Position
		want      string
	}{
		"both regions":                   {region.Cars, []place.Position{inOslo, inOslo}, "norway/1/car oslo/1/car"},
		"the one with the class":         {"truck-h400", []place.Position{inOslo, inOslo}, "oslo/1/truck-h400"},
		"one pin outside of all":         {"truck-h400", []place.Position{inOslo, inOslo, nowhere}, "oslo/1/truck-h400"},
		"more in a region without it":    {"truck-h400", []place.Position{inOslo, inBergen}, ""},
		"in another region":              {"truck-h400", []place.Position{inVaduz}, ""},
		"most of them in another region": {"truck-h400", []place.Position{inVaduz, inVaduz, inOslo}, ""},
		"outside of all":                 {region.Cars, []place.Position{nowhere}, ""},
		"no positions":                   {region.Cars, nil, ""},
	} {
		require.Equal(t, one.want, region.VersionOf(region.DataFor(all, one.profile, one.positions)), name)
	}
}

func TestAttemptsAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)
	roads := region.RoadState{Phase: region.Waiting}
	require.True(t, roads.IsDue(now), "nothing was tried yet")
	var pauses []time.Duration
	for !roads.Exhausted() {
		roads.Attempt = roads.Again(now)
		require.False(t, roads.IsDue(now))
		require.True(t, roads.IsDue(roads.Next))
		pauses = append(pauses, roads.Next.Sub(now))
	}
	require.Equal(t, []time.Duration{
		time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 32 * time.Minute,
		time.Hour, time.Hour,
	}, pauses)
}
