package planning_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/domain/simulation"
)

// aRoute is a day on which driver 1 has a route of n orders, and driver 2 works
// and has none. The route is not the shortest one.
func aRoute(orders int) planning.Day {
	day := longDay(orders)
	day.Orders = day.Orders[:orders]
	day.Drivers = []planning.Driver{unpaused(1), unpaused(2)}
	for i := range day.Routes[0].Stops {
		s := &day.Routes[0].Stops[i]
		s.Starts = hm(8, 0).Add(time.Duration(i) * 10 * time.Minute)
		s.Arrives, s.Leaves, s.ETA = s.Starts, s.Starts.Add(time.Minute), s.Starts
	}
	return day
}

// handOver hands the route of driver 1 to driver 2, and requires a valid plan.
func handOver(
	t *testing.T, day planning.Day, orders ...int64,
) (planning.HandedOver, []planning.Stays, *planning.Draft, routing.Plan) {
	t.Helper()
	h := planning.Handover{From: 1, To: 2, Orders: orders, Stops: day.StopsOf(1)}
	moves, stay := drawn(day).Handed(h)
	asked := map[int64]planning.Accepted{}
	loose := drawn(day.Locked(moves, asked))
	found := loose.HandOver(h, moves, func() bool { return false })
	after := drawn(day.Locked(found.Moves, asked))
	plan := after.Carry(loose, found.Plan)
	require.Empty(t, routing.Broken(&after.Problem, plan))
	return found, stay, after, plan
}

// drawn is the draft of a day, with roads.
func drawn(day planning.Day) *planning.Draft {
	draft := day.Draft()
	for range draft.Profiles {
		draft.Problem.Travel = append(draft.Problem.Travel, roads(draft.Points))
	}
	return draft
}

// sequence is a route as orders, negative where they are picked up.
func sequence(d *planning.Draft, route []routing.Visit) []int64 {
	all := make([]int64, len(route))
	for i, v := range route {
		if all[i] = d.Orders[v.Request()]; !v.Delivers() {
			all[i] = -all[i]
		}
	}
	return all
}

func TestARouteIsHandedOverAsItIs(t *testing.T) {
	t.Parallel()
	found, stay, after, plan := handOver(t, aRoute(8))
	require.Empty(t, stay)
	require.Empty(t, found.Stay)
	require.Len(t, found.Moves, 8)
	require.Empty(t, plan.Routes[0])
	require.Equal(t, []int64{-1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6, -7, 7, -8, 8}, sequence(after, plan.Routes[1]))
	require.Equal(t, planning.Move{OrderID: 1, DriverID: 2}, found.Moves[0])

	found, stay, after, plan = handOver(t, aRoute(8), 3, 5, 77)
	require.Len(t, found.Moves, 2)
	require.Equal(t, []planning.Stays{{OrderID: 77, Why: planning.Why{
		Code: planning.NotOnRoute, Drivers: []int64{1}, Count: 1,
	}}}, stay)
	require.Equal(t, []int64{-3, 3, -5, 5}, sequence(after, plan.Routes[1]))
	require.Len(t, plan.Routes[0], 12)
}

func TestOrdersThatDoNotFitStay(t *testing.T) {
	t.Parallel()
	day := aRoute(8)
	day.Drivers[1].Vehicle.AlsoServes = nil
	for i := range day.Orders {
		day.Orders[i].VehicleTypeID = day.Drivers[1].Vehicle.TypeID
	}
	day.Drivers[0].Skills = append(day.Drivers[0].Skills, 77)
	day.Orders[1].Needs = []int64{77}
	day.Orders[4].Prohibited = []int64{2}
	found, _, after, plan := handOver(t, day)
	require.Len(t, found.Stay, 2)
	require.Equal(t, planning.Stays{OrderID: 2, Why: planning.Why{
		Code: planning.SkillMissing, SkillID: 77, Drivers: []int64{2}, Count: 1,
	}}, found.Stay[0])
	require.Equal(t, int64(5), found.Stay[1].OrderID)
	require.Equal(t, planning.ProhibitedDriver, found.Stay[1].Why.Code)
	require.Equal(t, []int64{-1, 1, -3, 3, -4, 4, -6, 6, -7, 7, -8, 8}, sequence(after, plan.Routes[1]))
	require.Equal(t, []int64{-2, 2, -5, 5}, sequence(after, plan.Routes[0]), "the rest of the route is as it was")
}

func TestShorterDayKeepsWhatFits(t *testing.T) {
	t.Parallel()
	day := aRoute(20)
	for i := range day.Orders {
		day.Orders[i].Pickup.Service, day.Orders[i].Delivery.Service = 10*time.Minute, 10*time.Minute
	}
	day.Drivers[0].Hours.Ends, day.Drivers[1].Hours.Ends = 24*60-1, 7*60+240 // four hours from seven on
	found, _, after, plan := handOver(t, day)
	require.Greater(t, len(found.Moves), 8)
	require.Len(t, found.Stay, 20-len(found.Moves))
	for _, s := range found.Stay {
		require.Equal(t, planning.FleetFull, s.Why.Code)
		require.Equal(t, "TIME", s.Why.Lacks)
	}
	require.Len(t, sequence(after, plan.Routes[0]), 2*len(found.Stay))
}

func TestBegunOrderIsNotHandedOver(t *testing.T) {
	t.Parallel()
	day := aRoute(6)
	day.Now = hm(8, 5)
	day.Orders[0].Status = order.AtDelivery
	found, stay, after, plan := handOver(t, day)
	require.NotEmpty(t, stay)
	for _, s := range stay {
		require.Equal(t, planning.StartedAlready, s.Why.Code)
		require.Equal(t, []int64{1}, s.Why.Drivers)
	}
	require.Equal(t, int64(1), stay[0].OrderID)
	require.Len(t, found.Moves, 6-len(stay))
	require.Len(t, plan.Routes[1], 2*len(found.Moves))
	require.NotContains(t, sequence(after, plan.Routes[1]), int64(1))
}

func TestRouteOfDriverWhoHasNotSetOutIsHandedOver(t *testing.T) {
	t.Parallel()
	day := aRoute(6)
	day.Now = hm(8, 25) // when two orders are delivered by the plan
	found, stay, _, _ := handOver(t, day)
	require.NotEmpty(t, stay)
	require.Len(t, found.Moves, 6-len(stay))

	h := planning.Handover{From: 1, To: 2, Stops: day.StopsOf(1)}
	day.Orders[1].Prohibited = []int64{2}
	unstarted := day.NotStarted(1)
	moves, stay := drawn(unstarted).Handed(h)
	require.Len(t, moves, 6)
	require.Empty(t, stay)
	loose := drawn(unstarted.Locked(moves, map[int64]planning.Accepted{}))
	found = loose.HandOver(h, moves, func() bool { return false })
	require.Len(t, found.Moves, 5)
	require.Len(t, found.Plan.Routes[0], 2, "what does not fit stays")
	require.Empty(t, routing.Broken(&loose.Problem, routing.Plan{Routes: [][]routing.Visit{nil, found.Plan.Routes[1]}}))

	day.Orders[0].Status = order.AtPickup // and one that has been reported is not undone
	require.Len(t, day.NotStarted(1).Routes, 1)
}

func TestRouteIsHandedOverToDriverWithARoute(t *testing.T) {
	t.Parallel()
	day := aRoute(6)
	other := carried(50, order.Planned, 59.95, 59.96)
	other.DriverID, other.Load = 2, routing.Load{1, 1, 1}
	day.Orders = append(day.Orders, other)
	day.Routes = append(day.Routes, planning.Route{
		DriverID: 2, Starts: clock(7), Ends: clock(15), Stops: []planning.Placed{
			planned(&other, order.Pickup, hm(8, 35)), planned(&other, order.Delivery, hm(8, 45)),
		},
	})
	found, _, after, plan := handOver(t, day)
	require.Len(t, found.Moves, 6)
	require.Len(t, plan.Routes[1], 14)
	require.Contains(t, sequence(after, plan.Routes[1]), int64(50))
}

// TestPartOfALargeRouteIsHandedOver hands sixty orders to a driver with as many, and counts how often the search looks
// at the clock: it is over soon, and gives the driver what fits next to the own orders.
func TestPartOfALargeRouteIsHandedOver(t *testing.T) {
	t.Parallel()
	day := fullDay(t, 180, 3)
	looks := 0
	h := planning.Handover{From: 1, To: 2, Stops: day.StopsOf(1)}
	moves, stay := drawn(day).Handed(h)
	require.Empty(t, stay)
	require.Greater(t, len(moves), 50)
	loose := drawn(day.Locked(moves, map[int64]planning.Accepted{}))
	found := loose.HandOver(h, moves, func() bool { looks++; return false })
	require.Greater(t, len(found.Moves), 15)
	require.Len(t, found.Stay, len(moves)-len(found.Moves))
	require.Less(t, looks, 40)
	after := drawn(day.Locked(found.Moves, map[int64]planning.Accepted{}))
	plan := after.Carry(loose, found.Plan)
	require.Empty(t, routing.Broken(&after.Problem, plan))
	served := plan.ShiftOf(len(after.Orders))
	for _, s := range day.StopsOf(2) {
		r := slices.Index(after.Orders, s.OrderID)
		require.Equal(t, int64(2), after.Drivers[served[r]], "the driver keeps order %d", s.OrderID)
	}
}

// fullDay is a planned day whose drivers have as many small orders as they can, and a break.
func fullDay(t *testing.T, orders, drivers int) planning.Day {
	t.Helper()
	w := &wholeDay{t: t, drivers: map[int64]*simulation.Driver{}, came: map[int64]time.Time{}, day: aDay(4, nil)}
	for id := range int64(drivers) {
		d := unpaused(id + 1)
		d.Hours.Starts, d.Hours.Ends, d.Vehicle.Home, d.Vehicle.MaxRouteKm = 360, 1200, nil, nil
		d.Hours.Break = driver.Break{Minutes: 30, Earliest: 660, Latest: 780}
		w.day.Drivers = append(w.day.Drivers, d)
	}
	for n := range orders {
		w.take(n)
		o := &w.day.Orders[n]
		o.Pickup.Service, o.Delivery.Service, o.Load = time.Minute, 3*time.Minute, routing.Load{}
	}
	w.plan(400)
	return w.day
}
