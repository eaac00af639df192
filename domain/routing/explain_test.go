package routing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// told returns a problem for the tests of explanations, with a plan and its
// unplanned requests.
func told(t *testing.T, seed int) (*routing.Problem, routing.Plan, []int) {
	t.Helper()
	rng := seeded(seed)
	p := routingtest.Small(rng, 4, 1+seed%3)
	if seed%2 == 0 {
		routingtest.Visit(rng, p)
	}
	if seed%4 == 0 {
		routingtest.Maneuver(seeded(seed+1), p)
	}
	result, err := routing.Improve(p, routing.Frozen(p), routing.Options{Seed: 1, Spent: routing.Iterations(30)})
	require.NoError(t, err)
	return p, result.Plan, result.Plan.Unplanned(len(p.Requests))
}

func TestReasonsAreTrue(t *testing.T) {
	t.Parallel()
	proven, alone, full := 0, 0, 0
	for seed := range 5_000 {
		p, plan, left := told(t, seed)
		if len(left) == 0 {
			continue
		}
		explainer, o := routing.NewExplainer(p, plan), newOracle(p)
		for _, r := range left {
			why := explainer.Why(r)
			if why.Proven {
				proven++
				for k := range p.Shifts {
					require.False(t, o.serves(k, r), "seed %d: request %d can be served by %d", seed, r, k)
				}
			}
			if why.General != "" {
				require.True(t, why.Proven, "seed %d: request %d: %v", seed, r, why)
				continue
			}
			require.Len(t, why.Shifts, len(p.Shifts), "seed %d: request %d", seed, r)
			for _, refusal := range why.Shifts {
				require.NotEmpty(t, refusal.Code, "seed %d: request %d has a place on shift %d", seed, r, refusal.Shift)
				if refusal.Alone {
					alone++
					require.False(t, o.servesAlone(refusal.Shift, r), "seed %d: request %d, %v", seed, r, refusal)
					continue
				}
				full++
				require.True(t, o.servesAlone(refusal.Shift, r), "seed %d: request %d, %v", seed, r, refusal)
			}
		}
	}
	t.Logf("%d requests proven to be nobody's, %d shifts that could not even alone, %d full ones", proven, alone, full)
	require.Greater(t, proven, 500)
	require.Greater(t, full, 100)
}

// serves reports whether a shift serves a request in any plan, alone whether it
// does if it has nothing else to do.
func (o *oracle) serves(k, r int) bool {
	for set := range o.best[k] {
		if set&(1<<r) != 0 {
			return true
		}
	}
	return false
}

func (o *oracle) servesAlone(k, r int) bool {
	p := *o.p
	p.Requests = append([]routing.Request(nil), p.Requests...)
	for other := range p.Requests {
		if other != r { // goods on board weigh nothing
			p.Requests[other].Load = routing.Load{}
		}
	}
	request := &p.Requests[r]
	if request.Delivery.Place == routing.Anywhere || o.holder[r] < 0 && request.Pickup.Place == routing.Anywhere {
		return false
	}
	plan := routing.Frozen(&p)
	if o.holder[r] != k {
		plan.Routes[k] = append(plan.Routes[k], routing.PickupOf(r))
	}
	plan.Routes[k] = append(plan.Routes[k], routing.DeliveryOf(r))
	return len(routing.Broken(&p, plan)) == 0
}

func TestWhatIfIsProvedAndMinimal(t *testing.T) {
	t.Parallel()
	counts := map[routing.Change]int{}
	for seed := range 3_000 {
		p, plan, left := told(t, seed)
		for _, r := range left {
			for _, what := range routing.NewExplainer(p, plan).WhatIf(r, nil, nil) {
				counts[what.Change]++
				require.Empty(t, routing.Broken(what.Problem, what.Plan), "seed %d: %v", seed, what)
				shifts := what.Plan.ShiftOf(len(p.Requests))
				require.GreaterOrEqual(t, shifts[r], 0, "seed %d: %v", seed, what)
				mustBeLeast(t, seed, p, plan, r, what)
				if what.Change == routing.WithoutRequest {
					require.Negative(t, shifts[what.Without])
				}
			}
		}
	}
	t.Log(counts)
	for _, change := range []routing.Change{
		routing.DeliveryCloses, routing.PickupCloses, routing.ShiftEnds, routing.ExtraShift, routing.WithoutRequest,
	} {
		require.Positive(t, counts[change], change)
	}
}

// mustBeLeast takes a second off the move, and tries every place.
func mustBeLeast(t *testing.T, seed int, p *routing.Problem, plan routing.Plan, r int, what routing.WhatIf) {
	t.Helper()
	less := *p
	less.Requests = append([]routing.Request(nil), p.Requests...)
	less.Shifts = append([]routing.Shift(nil), p.Shifts...)
	by := what.Seconds - 1
	switch what.Change {
	case routing.DeliveryCloses:
		less.Requests[r].Delivery.Closes += by
	case routing.PickupCloses:
		less.Requests[r].Pickup.Closes += by
	case routing.ShiftEnds:
		less.Shifts[what.Shift].End += by
	default:
		return
	}
	_, ok := cheapestInsertion(&less, plan, r)
	require.False(t, ok, "seed %d: request %d: less than %v helps", seed, r, what)
}
