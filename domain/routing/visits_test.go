package routing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// TestVisitsWithoutSetupsChangeNothing plans many problems with and without sites. Without a
// break, which a visit does not allow, and without setups the plans are the same.
func TestVisitsWithoutSetupsChangeNothing(t *testing.T) {
	t.Parallel()
	for seed := range 600 {
		rng := seeded(seed)
		p := routingtest.Small(rng, 10, 4)
		if seed%10 == 0 {
			p = routingtest.Day(rng, 30, 5)
		}
		for k := range p.Shifts {
			p.Shifts[k].Break = routing.Break{}
		}
		options := routing.Options{Seed: 3, Spent: routing.Iterations(100)}
		without, err := routing.Improve(p, p.Before, options)
		require.NoError(t, err)
		routingtest.Visit(rng, p)
		clear(p.Setups)
		for k := range p.Shifts {
			p.Shifts[k].Loading = routing.Loading{}
		}
		with, err := routing.Improve(p, p.Before, options)
		require.NoError(t, err)
		require.Equal(t, without, with, "seed %d", seed)
	}
}

// terminal is a problem with so many requests from one place, and deliveries a minute apart.
func terminal(requests int, setup, each int64) *routing.Problem {
	p := &routing.Problem{
		Objective: routing.Objective{Shift: routing.FewestShifts, Second: 100, Waiting: 10},
		Setups:    []int64{0, setup},
	}
	places := requests + 1
	travel := routing.Travel{Places: places}
	for a := range places {
		for b := range places {
			travel.Legs = append(travel.Legs, routing.Leg{Seconds: int32(60 * max(a-b, b-a))})
		}
		if a > 0 {
			p.Setups = append(p.Setups, 240)
		}
	}
	p.Travel = []routing.Travel{travel}
	for r := range requests {
		p.Requests = append(p.Requests, routing.Request{
			Pickup:   routing.Stop{Place: 0, Closes: 86_400, ServiceSeconds: each, Site: 1},
			Delivery: routing.Stop{Place: r + 1, Closes: 86_400, ServiceSeconds: 60, Site: r + 2},
			Load:     routing.Load{1}, Penalty: routing.Planned,
		})
	}
	p.Shifts = []routing.Shift{{End: 86_400, Capacity: routing.Load{100}}}
	return p
}

// TestAVisitIsSetUpForOnce loads ten requests at a terminal.
func TestAVisitIsSetUpForOnce(t *testing.T) {
	t.Parallel()
	p := terminal(10, 600, 30)
	result, err := routing.Improve(p, routing.Frozen(p), routing.Options{Seed: 1, Spent: routing.Iterations(500)})
	require.NoError(t, err)
	at := p.Timetable(0, result.Plan.Routes[0])
	for i, stop := range at.Stops {
		require.Equal(t, i >= 10, stop.Visit.Delivers(), "all are loaded first")
		switch {
		case i == 0:
			require.EqualValues(t, 600, stop.Setup)
		case i < 10:
			require.Zero(t, stop.Setup)
		default:
			require.EqualValues(t, 240, stop.Setup)
		}
	}
	require.EqualValues(t, 600+10*30, at.Stops[9].Leaves-at.Leaves)
	require.EqualValues(t, 600+10*240, result.Cost.Setup)
}

// TestAVehicleIsLoadedBeforeItsShift loads in no time, or in a fixed one, but not what is fetched later.
func TestAVehicleIsLoadedBeforeItsShift(t *testing.T) {
	t.Parallel()
	for _, seconds := range []int64{0, 900} {
		p := terminal(10, 600, 30)
		p.Shifts[0].Loading = routing.Loading{Site: 1, Seconds: seconds}
		p.Shifts[0].Capacity[0] = 6
		result, err := routing.Improve(p, routing.Frozen(p), routing.Options{Seed: 1, Spent: routing.Iterations(500)})
		require.NoError(t, err)
		require.Empty(t, routing.Check(p, result.Plan))
		at := p.Timetable(0, result.Plan.Routes[0])
		ahead := 0
		for !at.Stops[ahead].Visit.Delivers() {
			ahead++
		}
		require.LessOrEqual(t, ahead, 6)
		require.Equal(t, seconds, at.Stops[ahead-1].Leaves-at.Leaves)
		again := false
		for _, stop := range at.Stops[ahead:] {
			if !stop.Visit.Delivers() {
				require.EqualValues(t, 30, stop.Leaves-stop.Starts, "it is fetched during the shift")
				again = again || stop.Setup == 600
			}
		}
		require.True(t, again, "the vehicle holds six at a time")
	}
}

// TestVehiclesReload delivers sixty requests with vehicles that hold ten. The best way takes the ten
// farthest ones together, then the ten farthest ones of the rest: 60 + 50 + 40 + 30 + 20 + 10 minutes, and back.
func TestVehiclesReload(t *testing.T) {
	t.Parallel()
	const best = 2 * 60 * (60 + 50 + 40 + 30 + 20 + 10)
	for _, vehicles := range []int{1, 2, 3} {
		p := terminal(60, 600, 30)
		p.Shifts[0].Capacity[0] = 10
		for range vehicles - 1 {
			p.Shifts = append(p.Shifts, p.Shifts[0])
		}
		for k := range p.Shifts {
			p.Shifts[k].End = 86_400 / int64(vehicles)
		}
		result, err := routing.Improve(p, routing.Frozen(p), routing.Options{Seed: 1, Spent: routing.Iterations(5_000)})
		require.NoError(t, err)
		require.Empty(t, routing.Check(p, result.Plan))
		require.Empty(t, result.Plan.Unplanned(len(p.Requests)))
		require.EqualValues(t, best, result.Cost.Driving, "%d vehicles", vehicles)
	}
}

// TestALorryTakesLongerToSetUp makes a visit of two deliveries, and two of one, with a van and with a lorry.
func TestALorryTakesLongerToSetUp(t *testing.T) {
	t.Parallel()
	p := terminal(3, 600, 30)
	p.Requests[1].Delivery.Place, p.Requests[1].Delivery.Site = p.Requests[0].Delivery.Place, p.Requests[0].Delivery.Site
	var visits []routing.Visit
	for r := range 3 {
		visits = append(visits, routing.PickupOf(r))
	}
	for r := range 3 {
		visits = append(visits, routing.DeliveryOf(r))
	}
	van := p.Timetable(0, visits)
	p.Shifts[0].ExtraSetup = 180
	lorry := p.Timetable(0, visits)
	for i, longer := range []int64{180, 0, 0, 180, 0, 180} {
		require.Equal(t, longer, lorry.Stops[i].Setup-van.Stops[i].Setup, "stop %d", i)
	}
	require.Equal(t, van.Ends-van.Leaves+3*180, lorry.Ends-lorry.Leaves)
	require.Equal(t, van.Setup+3*180, routing.Price(p, routing.Plan{Routes: [][]routing.Visit{visits}}).Setup)
	terms := routing.ChargeRoute(p, 0, visits)
	require.Equal(t, p.Objective.Second*(van.Setup+3*180), terms.Setup)

	p.Shifts[0].Loading = routing.Loading{Site: 1, Seconds: 300}
	require.EqualValues(t, 300, p.Timetable(0, visits).Stops[0].Setup, "the loading takes what it takes")
}

// TestVansMakeManyVisits gives the deliveries of a day, each at a place of its own, to a van, and not to a lorry that
// takes longer to set up.
func TestVansMakeManyVisits(t *testing.T) {
	t.Parallel()
	p := terminal(8, 600, 30)
	p.Objective.Shift = 0
	lorry, van := p.Shifts[0], p.Shifts[0]
	lorry.ExtraSetup = 300
	p.Shifts = []routing.Shift{lorry, van}
	result, err := routing.Improve(p, routing.Frozen(p), routing.Options{Seed: 1, Spent: routing.Iterations(500)})
	require.NoError(t, err)
	require.Empty(t, result.Plan.Routes[0])
	require.Len(t, result.Plan.Routes[1], 16)
}

func TestSmallProblemsWithVehiclesThatSetUpLongerAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 500, func(seed int) *routing.Problem {
		if seed%3 == 0 {
			return asking(seed, routingtest.Limit, routingtest.Maneuver)
		}
		return asking(seed, routingtest.Maneuver)
	})
}

func TestADriverTakesLongerForVisits(t *testing.T) {
	t.Parallel()
	p := terminal(3, 600, 30)
	p.Requests[1].Delivery.Place, p.Requests[1].Delivery.Site = p.Requests[0].Delivery.Place, p.Requests[0].Delivery.Site
	var visits []routing.Visit
	for r := range 3 {
		visits = append(visits, routing.PickupOf(r))
	}
	for r := range 3 {
		visits = append(visits, routing.DeliveryOf(r))
	}
	usual := p.Timetable(0, visits)
	p.Shifts[0].VisitPercent = 150
	slow := p.Timetable(0, visits)
	for i, at := range slow.Stops {
		was := usual.Stops[i]
		require.Equal(t, was.Setup*3/2, at.Setup, "stop %d", i)
		require.Equal(t, (was.Leaves-was.Starts)*3/2, at.Leaves-at.Starts, "stop %d", i)
	}
	require.Equal(t, (usual.Setup+usual.Service)*3/2, slow.Setup+slow.Service)
	plan := routing.Plan{Routes: [][]routing.Visit{visits}}
	require.Empty(t, routing.Check(p, plan))
	require.Equal(t, p.Objective.Second*usual.Setup*3/2, routing.ChargeRoute(p, 0, visits).Setup)

	p.Shifts[0].ExtraSetup = 180
	require.Equal(t, (usual.Stops[0].Setup+180)*3/2, p.Timetable(0, visits).Stops[0].Setup, "with the vehicle's")
	p.Shifts[0].Loading = routing.Loading{Site: 1, Seconds: 300}
	require.EqualValues(t, 300, p.Timetable(0, visits).Stops[0].Setup, "the loading takes what it takes")

	for percent, valid := range map[int64]bool{-1: false, 0: true, 9: false, 10: true, 1000: true, 1001: false} {
		p.Shifts[0].VisitPercent = percent
		require.Equal(t, valid, p.Validate() == nil, "%d percent", percent)
	}
}

// TestQuickDriversMakeManyVisits gives the deliveries of a day to the driver who takes half as long for each, and not
// to the one who takes twice as long.
func TestQuickDriversMakeManyVisits(t *testing.T) {
	t.Parallel()
	p := terminal(8, 600, 30)
	p.Objective.Shift = 0
	slow, quick := p.Shifts[0], p.Shifts[0]
	slow.VisitPercent, quick.VisitPercent = 200, 50
	p.Shifts = []routing.Shift{slow, quick}
	result, err := routing.Improve(p, routing.Frozen(p), routing.Options{Seed: 1, Spent: routing.Iterations(500)})
	require.NoError(t, err)
	require.Empty(t, result.Plan.Routes[0])
	require.Len(t, result.Plan.Routes[1], 16)
}
