package routing_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// TestCheckAgreesWithTheSearch compares Check with the arithmetic of the search, which
// shares no rule with it: what can be driven, and what it costs.
func TestCheckAgreesWithTheSearch(t *testing.T) {
	t.Parallel()
	held, refused, joined, loaded := 0, 0, 0, 0
	for seed := range 40_000 {
		rng := seeded(seed)
		p := routingtest.Small(rng, 5, 2)
		if seed%2 == 0 {
			routingtest.Owe(rng, p)
			drivable(p)
		}
		if seed%4 > 0 {
			routingtest.Visit(rng, p)
		}
		if rule := seed % (2 * len(asks)); rule < len(asks) {
			asks[rule](rng, p)
		} else if seed%7 == 0 {
			for _, rule := range asks {
				rule(rng, p)
			}
		}
		if len(p.Shifts) == 0 || len(p.Requests) == 0 {
			continue
		}
		require.NoError(t, p.Validate(), "seed %d", seed)
		k := rng.IntN(len(p.Shifts))
		visits := shuffled(rng, p, k)
		for _, r := range p.Shifts[k].OnBoard {
			visits = append(visits, routing.DeliveryOf(r))
		}
		if len(visits) > 1 && rng.IntN(3) == 0 {
			i, j := rng.IntN(len(visits)), rng.IntN(len(visits))
			visits[i], visits[j] = visits[j], visits[i]
		}
		nowhere := func(v routing.Visit) bool { return stopOf(p, v).Place == routing.Anywhere }
		if len(visits) == 0 || slices.ContainsFunc(visits, nowhere) {
			continue
		}
		holds, cost := routing.Measured(p, k, visits)
		at := p.Timetable(k, visits)
		accepted := routing.Drivable(p, k, visits)
		require.Equal(t, inOrder(p, k, visits) && routing.Allowed(p, k, visits) && holds, accepted, "seed %d", seed)
		if !accepted {
			refused++
			continue
		}
		held++
		require.Equal(t, routing.Clocked(p, k, visits), cost, "seed %d", seed)
		o := p.Objective
		price := o.Second*(at.Driving+at.Setup) + o.Meter*at.Meters + o.Waiting*at.Waiting + at.Lateness
		require.Equal(t, price, cost, "seed %d", seed)
		for i := range visits[1:] {
			if site := stopOf(p, visits[i]).Site; site > 0 && site == stopOf(p, visits[i+1]).Site {
				joined++
				require.False(t, at.BreakStarts >= at.Stops[i].Leaves && at.BreakEnds > 0 && at.BreakEnds <= at.Stops[i+1].Starts,
					"seed %d: a break within a visit", seed)
			}
		}
		if site := p.Shifts[k].Loading.Site; site > 0 && site == stopOf(p, visits[0]).Site {
			loaded++
		}
	}
	t.Logf("%d held, %d refused, %d joined a visit, %d were loaded before", held, refused, joined, loaded)
	require.Greater(t, held, 1_500)
	require.Greater(t, refused, 1_500)
	require.Greater(t, joined, 500)
	require.Greater(t, loaded, 100)
}

func stopOf(p *routing.Problem, v routing.Visit) routing.Stop {
	if v.Delivers() {
		return p.Requests[v.Request()].Delivery
	}
	return p.Requests[v.Request()].Pickup
}

// inOrder reports whether a route has each request's visits once, the pickup first, the frozen
// ones before all others, and all that are owed.
func inOrder(p *routing.Problem, k int, visits []routing.Visit) bool {
	s := &p.Shifts[k]
	if len(visits) < len(s.Frozen) || !slices.Equal(visits[:len(s.Frozen)], s.Frozen) {
		return false
	}
	seen, aboard := map[routing.Visit]bool{}, map[int]bool{}
	for _, r := range s.OnBoard {
		seen[routing.PickupOf(r)], aboard[r] = true, true
	}
	for i, v := range visits {
		if seen[v] || v.Delivers() && !aboard[v.Request()] ||
			!v.Delivers() && i >= len(s.Frozen) && !slices.Contains(visits[i:], routing.DeliveryOf(v.Request())) {
			return false
		}
		seen[v], aboard[v.Request()] = true, true
	}
	return !slices.ContainsFunc(s.Owed, func(v routing.Visit) bool { return !seen[v] })
}
