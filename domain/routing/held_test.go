package routing_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// TestHeldVisitsStayInSequence checks that no step of a search drops or reorders held
// visits, that the search prices plans with them as Price does, and that nothing else
// makes them later than necessary.
func TestHeldVisitsStayInSequence(t *testing.T) {
	t.Parallel()
	held, late := 0, 0
	for seed := range 1_500 {
		rng := seeded(seed)
		p := routingtest.Small(rng, 10, 4)
		routingtest.Owe(rng, p)
		drivable(p)
		for k := range p.Shifts {
			p.Shifts[k].Held = rng.IntN(len(p.Shifts[k].Frozen) + 1)
			held += p.Shifts[k].Held
		}
		require.NoError(t, p.Validate(), "seed %d", seed)
		constant := routing.Constant(p)
		for _, known := range []routing.Plan{p.Before, {}} {
			routing.Steps(p, known, uint64(seed), 25, func(total int64, plan routing.Plan, measured bool) {
				require.Empty(t, routing.Broken(p, plan), "seed %d", seed)
				require.Equal(t, routing.Price(p, plan).Total, total+constant, "seed %d", seed)
				require.True(t, measured, "seed %d", seed)
			})
		}
		result, err := routing.Improve(p, p.Before, routing.Options{Seed: 1, Spent: routing.Iterations(30)})
		require.NoError(t, err)
		for k, shift := range p.Shifts {
			if n := len(shift.Frozen); n > 0 {
				require.Equal(t, shift.Frozen, result.Plan.Routes[k][:n], "seed %d", seed)
			}
			alone := routing.Frozen(p)
			alone.Routes[k] = slices.Concat(shift.Frozen, shift.Owed)
			before, _ := p.Soonest(k, alone.Routes[k])
			after, _ := p.Soonest(k, result.Plan.Routes[k])
			for i := shift.Fixed(); i < len(shift.Frozen); i++ {
				closes := p.Requests[shift.Frozen[i].Request()].Pickup.Closes
				if shift.Frozen[i].Delivers() {
					closes = p.Requests[shift.Frozen[i].Request()].Delivery.Closes
				}
				require.LessOrEqual(t, after[i].Starts, max(closes, before[i].Starts), "seed %d", seed)
				if before[i].Starts > closes {
					late++
				}
			}
		}
	}
	require.Greater(t, held, 300)
	require.Greater(t, late, 20)
}

// TestAHeldShiftLeavesLast checks that a shift that holds visits has not left: it leaves
// as late as it can, and yet no later than the windows of the held visits allow.
func TestAHeldShiftLeavesLast(t *testing.T) {
	t.Parallel()
	p := line(3600, 3600)
	p.Shifts[0].OnBoard, p.Shifts[0].Owed, p.Shifts[0].To = nil, nil, routing.Anywhere
	p.Shifts[0].Frozen = []routing.Visit{
		routing.PickupOf(0), routing.PickupOf(1), routing.DeliveryOf(1), routing.DeliveryOf(0),
	}
	p.Requests[0].Pickup.Closes, p.Requests[1].Delivery.Opens = 900, 1800
	p.Shifts[0].Held = len(p.Shifts[0].Frozen)
	require.NoError(t, p.Validate())
	table := p.Timetable(0, p.Shifts[0].Frozen)
	require.Equal(t, int64(900), table.Stops[0].Starts, "the window of the first closes then")
	require.Equal(t, int64(1800), table.Stops[2].Starts)
	p.Shifts[0].Held = 0
	require.Zero(t, p.Timetable(0, p.Shifts[0].Frozen).Stops[0].Starts, "one who has begun has left")
	p.Shifts[0].Held = 5
	require.Error(t, p.Validate())
}
