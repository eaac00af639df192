package planning_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/domain/traffic"
)

// randomPace is that of a driver who takes from half of the usual time to half as long again.
func randomPace(rng *rand.Rand) driver.Pace {
	return driver.Pace{Driving: driver.RoundPace(0.5 + rng.Float64()), Visits: driver.RoundPace(0.5 + rng.Float64())}
}

// TestDriversTakeTheirTime is the example of the guide: an hour of driving from eight on, and twelve minutes at the
// stop, for a driver who takes a tenth longer on the road, and half as long again for visits.
func TestDriversTakeTheirTime(t *testing.T) {
	t.Parallel()
	o := early()
	o.Delivery.Service = 12 * time.Minute
	day := aDay(6, []planning.Order{o}, aDriver(1))
	day.Drivers[0].Pace = driver.Pace{Driving: 1.1, Visits: 1.5}
	_, s := inRushHours(t, day)
	delivery := s.Routes[0].Stops[1]
	require.Equal(t, clock(9).Add(6*time.Minute), delivery.Arrives)
	require.Equal(t, 66*time.Minute, delivery.Driving)
	require.Equal(t, 18*time.Minute, delivery.Service())

	day.RushHours = []traffic.RushHours{
		{From: "07:00", Until: "24:00", Factor: 1.5}, {From: "00:00", Until: "07:00", Factor: 0.5},
	}
	_, s = inRushHours(t, day)
	require.Equal(t, 99*time.Minute, s.Routes[0].Stops[1].Driving, "and again half as long in the rush hour")
	day.Drivers[0].Pace.Driving = 0.5
	_, s = inRushHours(t, day)
	require.Equal(t, 45*time.Minute, s.Routes[0].Stops[1].Driving, "or half of that")
}

// TestEachDriverHasTheirOwnTimes gives the same work to two drivers on one day.
func TestEachDriverHasTheirOwnTimes(t *testing.T) {
	t.Parallel()
	first, second := early(), early()
	second.ID = 2
	first.LockedTo, second.LockedTo = 1, 2
	day := aDay(6, []planning.Order{first, second}, aDriver(1), aDriver(2))
	day.Drivers[1].Pace = driver.Pace{Driving: 1.5}
	draft, s := inRushHours(t, day)
	require.Len(t, draft.Problem.Travel, 2)
	require.Len(t, s.Routes, 2)
	require.Equal(t, time.Hour, s.Routes[0].Stops[1].Driving)
	require.Equal(t, 90*time.Minute, s.Routes[1].Stops[1].Driving)
	both := routing.Plan{Routes: [][]routing.Visit{{routing.PickupOf(0)}, {routing.PickupOf(1)}}}
	require.Len(t, draft.PlacesOf(both, 0), 2, "roads are asked for the routes of all paces")

	same := day.Draft()
	require.True(t, same.SameTravel(draft))
	day.Drivers[1].Pace.Driving = 1.45
	require.False(t, day.Draft().SameTravel(draft))
}

// TestManyPacesAreCoarser has no more matrices than a day has room for.
func TestManyPacesAreCoarser(t *testing.T) {
	t.Parallel()
	day := aDay(6, nil)
	for n := range 51 {
		d := aDriver(int64(n + 1))
		d.Pace.Driving = driver.RoundPace(0.5 + float64(n)/20)
		day.Drivers = append(day.Drivers, d)
	}
	require.LessOrEqual(t, len(day.Draft().Profiles), 12)
	day.Drivers = day.Drivers[:12]
	require.Len(t, day.Draft().Profiles, 12)
}
