package routing_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// limited returns a small problem with limits of stops and driving.
func limited(seed int) *routing.Problem {
	rng := seeded(seed)
	p := routingtest.Small(rng, 4, 3)
	if seed%2 == 0 {
		routingtest.Visit(rng, p)
	}
	routingtest.Limit(rng, p)
	return p
}

func TestLimitedPlansAreOptimal(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 500, limited)
}

// TestCheckAgreesOnLimits compares Check with the arithmetic of the search, and with a count of its own.
func TestCheckAgreesOnLimits(t *testing.T) {
	t.Parallel()
	held, stopped, driven := 0, 0, 0
	for seed := range 20_000 {
		p, rng := limited(seed), seeded(seed)
		if len(p.Shifts) == 0 || len(p.Requests) == 0 {
			continue
		}
		require.NoError(t, p.Validate(), "seed %d", seed)
		k := rng.IntN(len(p.Shifts))
		visits := shuffled(rng, p, k)
		nowhere := func(v routing.Visit) bool { return stopOf(p, v).Place == routing.Anywhere }
		if len(visits) == 0 || slices.ContainsFunc(visits, nowhere) {
			continue
		}
		holds, _ := routing.Measured(p, k, visits)
		accepted := routing.Drivable(p, k, visits)
		require.Equal(t, inOrder(p, k, visits) && routing.Allowed(p, k, visits) && holds, accepted, "seed %d", seed)
		if accepted {
			held++
		}
		if len(p.Shifts[k].Frozen)+len(p.Shifts[k].OnBoard) > 0 {
			continue
		}
		stops, driving := counted(p, k, visits)
		tooMany := p.Shifts[k].MaxStops != 0 && stops > max(0, p.Shifts[k].MaxStops)
		tooLong := p.Shifts[k].MaxDriving > 0 && driving > p.Shifts[k].MaxDriving
		if tooMany || tooLong {
			require.False(t, accepted, "seed %d", seed)
		}
		without := *p
		without.Shifts = slices.Clone(p.Shifts)
		without.Shifts[k].MaxStops, without.Shifts[k].MaxDriving = 0, 0
		if free := routing.Drivable(&without, k, visits); free && !accepted {
			require.True(t, tooMany || tooLong, "seed %d", seed)
			if tooMany {
				stopped++
			} else {
				driven++
			}
		}
	}
	t.Logf("%d held, %d had too many stops, %d drove too long", held, stopped, driven)
	require.Greater(t, held, 500)
	require.Greater(t, stopped, 100)
	require.Greater(t, driven, 50)
}

// counted counts the stops and the driving of a route by looking at it.
func counted(p *routing.Problem, k int, visits []routing.Visit) (stops int, driving int64) {
	s := &p.Shifts[k]
	at, site := s.From, s.Site
	for _, v := range visits {
		next := stopOf(p, v)
		driving += int64(p.Travel[s.Profile].Leg(at, next.Place).Seconds)
		if next.Site == 0 || next.Site != site {
			stops++
		}
		at, site = next.Place, next.Site
	}
	return stops, driving + int64(p.Travel[s.Profile].Leg(at, s.To).Seconds)
}

// TestLimitIsTheReason checks that a full route says which limit it has reached.
func TestLimitIsTheReason(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		limit func(*routing.Shift)
		alone bool
		code  routing.Code
	}{
		{func(s *routing.Shift) { s.MaxStops = 2 }, false, routing.TooManyStops},
		{func(s *routing.Shift) { s.MaxDriving = 150 }, false, routing.DrivingTooLong},
		{func(s *routing.Shift) { s.MaxStops = 1 }, true, routing.TooManyStops},
		{func(s *routing.Shift) { s.MaxDriving = 100 }, true, routing.DrivingTooLong},
	} {
		p := star(3)
		test.limit(&p.Shifts[0])
		plan := routing.Plan{Routes: [][]routing.Visit{{routing.PickupOf(0), routing.DeliveryOf(0)}}}
		if test.alone {
			plan.Routes[0] = nil
		}
		why := routing.NewExplainer(p, plan).Why(1)
		require.Len(t, why.Shifts, 1)
		require.Equal(t, test.alone, why.Shifts[0].Alone)
		if test.alone {
			require.Equal(t, test.code, why.Shifts[0].Code)
			require.True(t, why.Proven)
			continue
		}
		require.Equal(t, routing.ShiftFull, why.Shifts[0].Code)
		require.Equal(t, test.code, why.Shifts[0].Full)
	}
}

// star returns requests from place 0 to places around it, the next one a minute farther away than the
// one before, and one shift from place 0 that ends anywhere.
func star(places int) *routing.Problem {
	p := &routing.Problem{Objective: routing.Objective{Second: 1}}
	n := places + 1
	p.Travel = []routing.Travel{{Places: n, Legs: make([]routing.Leg, n*n)}}
	for a := range n {
		for b := range n {
			if a != b {
				p.Travel[0].Legs[a*n+b].Seconds = int32(60 * (a + b))
			}
		}
	}
	for place := 1; place <= places; place++ {
		p.Requests = append(p.Requests, routing.Request{
			Pickup: routing.Stop{Closes: 10_000}, Delivery: routing.Stop{Place: place, Closes: 10_000}, Penalty: routing.Planned,
		})
	}
	p.Shifts = []routing.Shift{{To: routing.Anywhere, End: 10_000}}
	return p
}
