package traffic_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/freight"
	"waybill/domain/traffic"
)

var (
	town    = freight.Place{Country: "NO", PostalCode: "0155"}
	country = freight.Place{Country: "NO", PostalCode: "2000"}
)

func at(hour, minute int) time.Time { return time.Date(2026, 3, 2, hour, minute, 0, 0, time.UTC) }

// inTown are twice as slow until nine in the town, and half as fast again everywhere from ten on.
var inTown = []traffic.RushHours{
	{From: "07:00", Until: "09:00", Factor: 2, Areas: []freight.Area{{Country: "NO", From: "01", To: "01"}}},
	{From: "10:00", Until: "24:00", Factor: 1.5},
}

func TestALegTakesAsLongAsItsHourSays(t *testing.T) {
	t.Parallel()
	r := traffic.NewRoad(inTown, time.UTC, town, town)
	mustTake := func(minutes time.Duration, takes time.Duration, why string) {
		t.Helper()
		require.Equal(t, minutes*time.Minute, takes.Round(time.Second), why)
	}
	mustTake(10, r.Rest(at(8, 0), 20*time.Minute, 1, at(9, 0)), "twenty minutes were ten")
	mustTake(20, r.Rest(at(9, 0), 10*time.Minute, 1, at(7, 30)), "ten minutes are twenty")
	mustTake(15, r.Rest(at(9, 0), 10*time.Minute, 1, at(8, 50)), "half of it by nine")
	mustTake(5, r.Rest(at(8, 0), 20*time.Minute, 0.5, at(9, 0)), "half of ten")
	require.Nil(t, traffic.NewRoad(inTown[:1], time.UTC, country, country))

	in := traffic.NewRoad(inTown, time.UTC, country, town)
	mustTake(15, in.Rest(at(9, 10), 10*time.Minute, 1, at(8, 0)), "half of it is in town")
	mustTake(10, in.Rest(at(9, 10), 10*time.Minute, 0.5, at(8, 0)), "which is what is left")
	mustTake(72*60, in.Rest(at(9, 0), 72*time.Hour, 1, at(8, 0)), "nobody drives so far")
}

func TestWhoLeavesLaterArrivesNoEarlier(t *testing.T) {
	t.Parallel()
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 1))
	places := []freight.Place{town, country}
	for range 2_000 {
		r := traffic.NewRoad(inTown, oslo, places[rng.IntN(2)], places[rng.IntN(2)])
		if r == nil {
			continue
		}
		day := time.Date(2026, 3, 28, 0, 0, 0, 0, oslo) // the day before an hour is missing
		left, took := day.Add(time.Duration(rng.IntN(48))*30*time.Minute), time.Duration(1+rng.IntN(400))*time.Minute
		require.InDelta(t, took.Seconds(), r.Rest(left, took, 1, left).Seconds(), 4, "the same again at the same time")
		earlier := left.Add(time.Duration(rng.IntN(600)) * time.Minute)
		later := earlier.Add(time.Duration(rng.IntN(60)) * time.Minute)
		require.False(t, later.Add(r.Rest(left, took, 1, later)).Before(earlier.Add(r.Rest(left, took, 1, earlier))))
	}
}
