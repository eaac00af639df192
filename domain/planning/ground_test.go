package planning_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/routing"
)

// landscape keeps places and roads from plan to plan, as a process does.
type landscape struct {
	ground *planning.Ground
	roads  map[planning.Profile]*routing.Roads
}

// draft draws a day on the landscape, to which it adds new places.
func (l *landscape) draft(day planning.Day) *planning.Draft {
	draft := day.DraftOn(l.ground)
	l.ground = l.ground.With(draft)
	if l.roads == nil {
		l.roads = map[planning.Profile]*routing.Roads{}
	}
	for _, profile := range draft.Profiles {
		if l.roads[profile] == nil {
			l.roads[profile] = &routing.Roads{}
		}
		ways := profileRoads(profile, draft.Points)
		l.roads[profile].Grow(len(draft.Points), ways.Leg)
		draft.Problem.Travel = append(draft.Problem.Travel, l.roads[profile].Travel())
	}
	return draft
}

// profileRoads are roads on which trucks are slower.
func profileRoads(profile planning.Profile, points []planning.Point) routing.Travel {
	ways := roads(points)
	for n := range ways.Legs {
		if profile == planning.Truck {
			ways.Legs[n].Seconds += ways.Legs[n].Seconds / 4
		}
	}
	return ways
}

// TestKeptRoadsGiveTheSamePlan runs random days and makes each plan twice: with the
// places and legs kept since the morning, and with new ones.
func TestKeptRoadsGiveTheSamePlan(t *testing.T) {
	t.Parallel()
	shared, left := 0, 0
	for seed := range 40 {
		w, l := newWorld(t, seed), &landscape{}
		for now := range w.day.Drivers {
			w.day.Drivers[now].Vehicle.Profile = []planning.Profile{planning.Car, planning.Truck}[now%2]
		}
		for w.day.Now.Before(clock(17)) {
			kept, fresh := l.draft(w.day), w.day.Draft()
			for _, profile := range fresh.Profiles {
				fresh.Problem.Travel = append(fresh.Problem.Travel, profileRoads(profile, fresh.Points))
			}
			want, got := solved(t, fresh), solved(t, kept)
			require.Equal(t, want, got, "seed %d at %s", seed, w.day.Now)
			shared, left = shared+len(kept.Points)-len(fresh.Points), left+len(got.Unplanned)
			diff := w.day.Difference(want)
			w.keep(want, &diff)
			w.day.Now = w.day.Now.Add(time.Duration(10+w.rng.IntN(60)) * time.Minute)
			for range w.rng.IntN(4) {
				w.happens()
			}
			if w.rng.IntN(8) == 0 { // the drivers of the afternoon have other vehicles
				d := &w.day.Drivers[w.rng.IntN(len(w.day.Drivers))]
				home := w.somewhere()
				d.Vehicle.Home, d.Vehicle.Profile = &home, planning.Bike
			}
		}
	}
	require.Greater(t, shared, 500, "the landscape has places that are over")
	require.Greater(t, left, 100)
}

func solved(t *testing.T, d *planning.Draft) planning.Solution {
	t.Helper()
	require.NoError(t, d.Problem.Validate())
	result, err := routing.Improve(&d.Problem, d.Present, routing.Options{Seed: 1, Spent: routing.Iterations(40)})
	require.NoError(t, err)
	return d.Solution(result.Plan, time.Second)
}

// TestDraftDropsPlacesNoLongerVisited checks that places of other days are dropped
// eventually.
func TestDraftDropsPlacesNoLongerVisited(t *testing.T) {
	t.Parallel()
	l, day := &landscape{}, aDay(6, nil, aDriver(1))
	for n := range 40 {
		var orders []planning.Order
		for i := range 10 {
			o := anOrder(int64(i + 1))
			o.Delivery.Point = &planning.Point{Latitude: 59.9 + float64(n)/100, Longitude: 10 + float64(i)/100}
			orders = append(orders, o)
		}
		day.Orders = orders
		draft := l.draft(day)
		require.Equal(t, len(draft.Points) > 2*11+64, draft.Overgrown(), fmt.Sprint(len(draft.Points)))
	}
	require.False(t, day.Draft().Overgrown())
}
