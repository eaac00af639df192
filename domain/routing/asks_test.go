package routing_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// asks are the rules that orders may ask for.
var asks = []func(*rand.Rand, *routing.Problem){
	routingtest.Due, routingtest.LimitAboard, routingtest.Part, routingtest.LoadMore, routingtest.Close,
}

func asking(seed int, rules ...func(*rand.Rand, *routing.Problem)) *routing.Problem {
	rng := seeded(seed)
	p := routingtest.Small(rng, 4, 3)
	if seed%2 == 0 {
		routingtest.Visit(rng, p)
	}
	for _, rule := range rules {
		rule(rng, p)
	}
	return p
}

func TestSmallProblemsWithPricesOfLatenessAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 2_000, func(seed int) *routing.Problem { return asking(seed, routingtest.Due) })
}

func TestSmallProblemsWithTimesOnBoardAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 2_000, func(seed int) *routing.Problem { return asking(seed, routingtest.LimitAboard) })
}

// TestSmallProblemsWithGoodsApartAreSolvedOptimally misses a few more: requests that must be apart
// from several others make room for them only when they leave all together.
func TestSmallProblemsWithGoodsApartAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	worse, left := missed(t, 2_000, func(seed int) *routing.Problem { return asking(seed, routingtest.Part) })
	require.LessOrEqual(t, worse, 13)
	require.LessOrEqual(t, left, 4)
}

func TestSmallProblemsWithFurtherLoadsAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 2_000, func(seed int) *routing.Problem { return asking(seed, routingtest.LoadMore) })
}

func TestSmallProblemsWithAllAsksAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 2_000, func(seed int) *routing.Problem { return asking(seed, asks...) })
}
