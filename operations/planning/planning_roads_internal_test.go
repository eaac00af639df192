package planning

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
)

// places are a day with an order to each of some places from a first one on.
func places(first, count int) planning.Day {
	day := planning.Day{Clock: planning.Clock{Date: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), Zone: time.UTC}}
	day.Now = day.Date
	hours := order.Window{Earliest: day.Date.Add(8 * time.Hour), Latest: day.Date.Add(16 * time.Hour)}
	at := func(n int) planning.Stop {
		return planning.Stop{Point: &planning.Point{Latitude: 59 + float64(n)/1000, Longitude: 10}, Window: hours}
	}
	day.Drivers = []planning.Driver{{ID: 1}}
	day.Drivers[0].Hours.Starts, day.Drivers[0].Hours.Ends = 420, 1200
	for n := range count {
		day.Orders = append(day.Orders, planning.Order{
			ID: int64(n + 1), Status: order.Registered, Pickup: at(0), Delivery: at(first + n),
		})
	}
	return day
}

// TestDraftsOfOneAreaShareRoads: each has the ways between its places, whoever adds others
// meanwhile.
func TestDraftsOfOneAreaShareRoads(t *testing.T) {
	t.Parallel()
	var roads areaRoads
	var all sync.WaitGroup
	for turn := range 8 {
		all.Go(func() {
			for n := range 20 {
				drawn, l := roads.draft(places(1+turn*20+n, 6))
				ways := l.fly(planning.Car, drawn.Points)
				for r := range drawn.Orders {
					from, to := drawn.Problem.Requests[r].Pickup.Place, drawn.Problem.Requests[r].Delivery.Place
					want := travel.Flight(planning.Car, drawn.Points[from], drawn.Points[to])
					if ways.Leg(from, to) != want {
						t.Errorf("the way from %d to %d is %v instead of %v", from, to, ways.Leg(from, to), want)
					}
				}
			}
		})
	}
	all.Wait()
	last, _ := roads.draft(places(1, 6))
	require.LessOrEqual(t, len(last.Points), 2*7+64, "places that are over go")
	require.Positive(t, roads.bytes())
}

// TestIncompleteTablesAreMadeAgain when legs are missing, when rejected places may be reachable by now, or
// when they were said long ago.
func TestIncompleteTablesAreMadeAgain(t *testing.T) {
	t.Parallel()
	var roads areaRoads
	l, now := roads.present(), time.Now()
	table := func(change func(*travel.Table)) *travel.Table {
		made := &travel.Table{Provider: "osrm", Version: "1", Travel: routing.Travel{Places: 2, Legs: make([]routing.Leg, 4)}}
		made.Legs[1].Seconds = 60
		change(made)
		return made
	}
	known := func(provider string, places int, at time.Time) bool {
		_, ok := l.known(planning.Car, provider, places, at)
		return ok
	}
	l.keep(planning.Car, table(func(t *travel.Table) { t.Missing = 1 }), now)
	require.False(t, known("osrm", 2, now), "one is missing")
	l.keep(planning.Car, table(func(t *travel.Table) { t.Legs[1].Seconds = routing.Unreachable }), now)
	require.True(t, known("osrm", 2, now), "one leads nowhere")
	l.keep(planning.Car, table(func(t *travel.Table) { t.Until = now.Add(time.Hour) }), now)
	require.True(t, known("osrm", 2, now))
	require.False(t, known("osrm", 2, now.Add(2*time.Hour)), "a place may be reachable by now")
	l.keep(planning.Car, table(func(*travel.Table) {}), now)
	require.True(t, known("osrm", 2, now.Add(time.Hour)))
	require.False(t, known("osrm", 3, now), "a place is new")
	require.False(t, known("valhalla", 2, now))
	require.False(t, known("osrm", 2, now.Add(13*time.Hour)), "it was long ago")
	for n, change := range []func(*travel.Table){
		func(t *travel.Table) { t.Legs[1].Seconds = 90 }, func(t *travel.Table) { t.Legs[1].Seconds, t.Version = 120, "2" },
	} {
		at := now.Add(time.Duration(13*(n+1)) * time.Hour)
		l.keep(planning.Car, table(change), at)
		ways, ok := l.known(planning.Car, "osrm", 2, at)
		require.True(t, ok)
		require.EqualValues(t, 90+30*n, ways.Leg(0, 1).Seconds)
	}
	l.forget()
	require.False(t, known("osrm", 2, now))
}

// TestALargeOrganizationForgetsItsOwnAreas before those of others.
func TestALargeOrganizationForgetsItsOwnAreas(t *testing.T) {
	t.Parallel()
	kept := newAreas(1 << 62)
	fill := func(org, department int64, places int) *areaMemory {
		m := kept.of(org, planning.Area{DepartmentID: department})
		points := make([]planning.Point, places)
		for n := range points {
			points[n].Latitude = float64(n) / 100
		}
		m.roads.present().fly(planning.Car, points)
		return m
	}
	small := fill(1, 1, 20)
	var large []*areaMemory
	for department := range int64(4) {
		large = append(large, fill(2, department, 100))
	}
	kept.most = 3 * large[0].bytes()
	require.Same(t, large[3], kept.of(2, planning.Area{DepartmentID: 3}))
	require.Same(t, small, kept.of(1, planning.Area{DepartmentID: 1}), "the one that is used least is another's")
	require.Same(t, large[2], kept.of(2, planning.Area{DepartmentID: 2}))
	require.NotSame(t, large[0], kept.of(2, planning.Area{DepartmentID: 0}), "it made room")
}
