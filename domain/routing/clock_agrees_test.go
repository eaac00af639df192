package routing_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// TestCheckAgreesWithTheClock compares Check with rules that share no code with it.
func TestCheckAgreesWithTheClock(t *testing.T) {
	t.Parallel()
	held, refused := 0, 0
	for seed := range 30_000 {
		rng := seeded(seed)
		p := routingtest.Small(rng, 5, 2)
		if seed%2 == 0 {
			routingtest.Owe(rng, p)
			drivable(p)
		}
		if len(p.Shifts) == 0 || len(p.Requests) == 0 {
			continue
		}
		k := rng.IntN(len(p.Shifts))
		visits := shuffled(rng, p, k)
		for _, r := range p.Shifts[k].OnBoard {
			visits = append(visits, routing.DeliveryOf(r))
		}
		if len(visits) > 1 && rng.IntN(3) == 0 {
			i, j := rng.IntN(len(visits)), rng.IntN(len(visits))
			visits[i], visits[j] = visits[j], visits[i]
		}
		if slices.ContainsFunc(visits, func(v routing.Visit) bool {
			r := p.Requests[v.Request()]
			return v.Delivers() && r.Delivery.Place == routing.Anywhere || !v.Delivers() && r.Pickup.Place == routing.Anywhere
		}) {
			continue
		}
		plan := routing.Frozen(p)
		plan.Routes[k] = visits
		broken := slices.DeleteFunc(routing.Broken(p, plan), func(v routing.Violation) bool { return v.Shift != k })
		require.Equal(t, len(broken) == 0, canDrive(p, k, visits), "seed %d: %v", seed, broken)
		if len(broken) == 0 {
			held++
		} else {
			refused++
		}
	}
	require.Greater(t, held, 1_500)
	require.Greater(t, refused, 1_500)
}
