package planning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/routing"
)

// spreadOut gives the route of driver 1 to drivers 2 and 3, and requires a valid plan of the day with the moves.
func spreadOut(t *testing.T, day planning.Day) (planning.HandedOver, *planning.Draft, routing.Plan) {
	t.Helper()
	h := planning.Handover{From: 1, Stops: day.StopsOf(1)}
	moves, stay := drawn(day).Handed(h)
	require.Empty(t, stay)
	ids := make([]int64, len(moves))
	for i, m := range moves {
		ids[i] = m.OrderID
	}
	offered := drawn(day.Offered(h.From, ids))
	best, err := routing.Improve(&offered.Problem, offered.Present, routing.Options{
		Seed: 1, Spent: routing.Iterations(60),
	})
	require.NoError(t, err)
	found := offered.Spread(h, moves, best.Plan)
	after := drawn(day.Locked(found.Moves, map[int64]planning.Accepted{}))
	plan := after.Carry(offered, found.Plan)
	require.Empty(t, routing.Broken(&after.Problem, plan))
	return found, after, plan
}

// threeDrivers is a route of six orders, and two drivers without one.
func threeDrivers() planning.Day {
	day := aRoute(6)
	day.Drivers = append(day.Drivers, unpaused(3))
	return day
}

func TestARouteIsSpread(t *testing.T) {
	t.Parallel()
	day := threeDrivers()
	day.Orders[0].LockedTo = 1
	day.Orders[2].Prohibited = []int64{2}
	day.Orders[3].Prohibited = []int64{3}
	found, after, plan := spreadOut(t, day)
	require.Empty(t, found.Stay)
	require.Len(t, found.Moves, 6, "locked orders go, too")
	require.Empty(t, plan.Routes[0])
	to := map[int64]int64{}
	for i, m := range found.Moves {
		require.Equal(t, int64(i+1), m.OrderID, "in the sequence of the route")
		to[m.OrderID] = m.DriverID
	}
	require.Equal(t, int64(3), to[3])
	require.Equal(t, int64(2), to[4])
	require.ElementsMatch(t, []int64{1, 2, 3, 4, 5, 6}, delivered(after, plan.Routes[1], plan.Routes[2]))
}

func TestOrdersThatFitNobodyStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	day := threeDrivers()
	day.Drivers[0].Skills = append(day.Drivers[0].Skills, 77)
	day.Orders[1].Needs = []int64{77}
	day.Orders[4].Prohibited = []int64{2, 3}
	found, after, plan := spreadOut(t, day)
	require.Len(t, found.Moves, 4)
	require.Equal(t, []planning.Stays{
		{OrderID: 2, Why: planning.Why{Code: planning.SkillMissing, SkillID: 77, Drivers: []int64{2, 3}, Count: 2}},
		{OrderID: 5, Why: planning.Why{Code: planning.ProhibitedDriver, Drivers: []int64{2, 3}, Count: 2}},
	}, found.Stay, "the driver who gives them away is no reason")
	require.Equal(t, []int64{-2, 2, -5, 5}, sequence(after, plan.Routes[0]), "the rest of the route is as it was")
}

// TestOthersKeepTheirOrders has a driver keep an order that would cost less with the driver who gets the route.
func TestOthersKeepTheirOrders(t *testing.T) {
	t.Parallel()
	day := aRoute(7)
	day.Drivers = append(day.Drivers, unpaused(3))
	own := day.Routes[0]
	own.DriverID, own.Stops = 2, own.Stops[12:]
	day.Routes[0].Stops = day.Routes[0].Stops[:12]
	day.Routes = append(day.Routes, own)
	day.Orders[6].DriverID = 2
	for i := range day.Orders[:6] {
		day.Orders[i].Prohibited = []int64{2}
	}
	found, after, plan := spreadOut(t, day)
	require.Len(t, found.Moves, 6)
	require.Equal(t, []int64{-7, 7}, sequence(after, plan.Routes[1]))
}

// delivered are the orders that routes deliver.
func delivered(d *planning.Draft, routes ...[]routing.Visit) (all []int64) {
	for _, route := range routes {
		for _, id := range sequence(d, route) {
			if id > 0 {
				all = append(all, id)
			}
		}
	}
	return all
}
