package planning_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// aStreet returns so many unassigned orders from one terminal to stops of a street, 140 m
// apart and a good three kilometers away.
func aStreet(from, n int) []planning.Order {
	var all []planning.Order
	for i := range n {
		o := carried(int64(from+i), order.Registered, 59.93, 59.90-float64(i)*0.00126)
		o.DriverID = 0
		all = append(all, o)
	}
	return all
}

// together gives driver 1 orders at once, limited only by steps.
func together(day planning.Day, orders ...int64) (*planning.Draft, planning.Rearranged, *planning.Refusal) {
	var moves []planning.Move
	for _, id := range orders {
		moves = append(moves, planning.Move{OrderID: id, DriverID: 1})
	}
	draft := day.Locked(moves, nil).Draft()
	for range draft.Profiles {
		draft.Problem.Travel = append(draft.Problem.Travel, roads(draft.Points))
	}
	r, refusal := draft.Move(moves, &day, func() bool { return false })
	return draft, r, refusal
}

// kept requires that a plan stays the same once the accepted requirements apply, and
// returns the meters of the first route.
func kept(t *testing.T, day planning.Day, draft *planning.Draft, r planning.Rearranged, orders ...int64) int64 {
	t.Helper()
	var moves []planning.Move
	for _, id := range orders {
		moves = append(moves, planning.Move{OrderID: id, DriverID: 1})
	}
	after := day.Locked(moves, r.Accepted).Draft()
	for range after.Profiles {
		after.Problem.Travel = append(after.Problem.Travel, roads(after.Points))
	}
	plan := after.Carry(draft, r.Plan)
	require.Empty(t, routing.Broken(&after.Problem, plan))
	for _, id := range orders {
		at := slices.Index(after.Orders, id)
		require.GreaterOrEqual(t, at, 0)
		require.Contains(t, plan.Routes[0], routing.DeliveryOf(at))
	}
	return after.Problem.Timetable(0, plan.Routes[0]).Meters
}

// loadings counts how often a route goes to a pickup after a delivery.
func loadings(route []routing.Visit) int {
	n := 0
	for i, v := range route {
		if !v.Delivers() && (i == 0 || route[i-1].Delivers()) {
			n++
		}
	}
	return n
}

func TestOrdersOfAStreetAreLoadedOnce(t *testing.T) {
	t.Parallel()
	for _, latest := range []time.Time{clock(16), hm(7, 5)} { // on time, and with windows that cannot be met
		t.Run(latest.Format(time.TimeOnly), func(t *testing.T) {
			t.Parallel()
			day := aDay(6, aStreet(1, 5), unpaused(1))
			for i := range day.Orders {
				day.Orders[i].Delivery.Window.Earliest = clock(6)
				day.Orders[i].Delivery.Window.Latest = latest
			}
			one, alone, refusal := together(day, 5)
			require.Nil(t, refusal)
			trip := kept(t, day, one, alone, 5)

			draft, all, refusal := together(day, 1, 2, 3, 4, 5)
			require.Nil(t, refusal)
			require.Equal(t, 1, loadings(all.Plan.Routes[0]), "%v", all.Plan.Routes[0])
			require.InDelta(t, trip, kept(t, day, draft, all, 1, 2, 3, 4, 5), 100, "the way is that of one trip")
			if latest.Equal(clock(16)) {
				require.Empty(t, all.Breaks)
				require.Empty(t, all.Accepted)
				return
			}
			require.Len(t, all.Breaks, 5)
			for _, b := range all.Breaks {
				require.Equal(t, planning.Late, b.Code)
				require.Less(t, b.By, float64(60*60))
			}
		})
	}
}

func TestOnTimeOrdersStayOnTimeNextToALateOne(t *testing.T) {
	t.Parallel()
	day := aDay(6, aStreet(1, 6), unpaused(1))
	day.Orders[3].Delivery.Window = order.Window{Earliest: clock(5), Latest: clock(6)} // before work begins
	for i := range day.Orders {
		if i != 3 {
			day.Orders[i].Delivery.Window.Latest = hm(8, 30)
		}
	}
	draft, r, refusal := together(day, 1, 2, 3, 4, 5, 6)
	require.Nil(t, refusal)
	require.Len(t, r.Breaks, 1)
	require.Equal(t, int64(4), r.Breaks[0].OrderID)
	kept(t, day, draft, r, 1, 2, 3, 4, 5, 6)
}

func TestOrdersJoinARouteThatKeepsItsOwn(t *testing.T) {
	t.Parallel()
	day := longDay(10)
	day.Orders = append(day.Orders[:10], aStreet(20, 4)...)
	day.Orders[10].Needs = []int64{77} // and one requires a skill that the driver lacks
	day.Orders[0].Status, day.Now = order.AtPickup, hm(9, 0)
	draft, r, refusal := together(day, 20, 21, 22, 23)
	require.Nil(t, refusal)
	frozen := draft.Problem.Shifts[0].Frozen
	require.NotEmpty(t, frozen)
	require.Equal(t, frozen, r.Plan.Routes[0][:len(frozen)])
	require.Len(t, r.Plan.Routes[0], 27, "all that was on the route is on it")
	require.Equal(t, []planning.Break{{OrderID: 20, DriverID: 1, Code: planning.SkillMissing, SkillID: 77}}, r.Breaks)
	require.Equal(t, map[int64]planning.Accepted{20: {Anyhow: true}}, r.Accepted)
	kept(t, day, draft, r, 20, 21, 22, 23)
}

func TestOrdersThatDoNotFitTogetherAreNamed(t *testing.T) {
	t.Parallel()
	day := aDay(6, aStreet(1, 4), unpaused(1))
	heavy := routing.Load{2_000_000, 1, 1}
	day.Orders[1].Load, day.Orders[2].Load = heavy, heavy
	_, _, refusal := together(day, 1, 2, 3, 4)
	require.Equal(t, planning.NoRoomTogether, refusal.Reason)
	require.Equal(t, []int64{2, 3}, refusal.Orders)

	day = aDay(6, aStreet(1, 24), unpaused(1)) // four hours of service alone
	day.Drivers[0].Hours.Ends = day.Drivers[0].Hours.Starts + 150
	var all []int64
	for i := range day.Orders {
		all = append(all, day.Orders[i].ID)
	}
	_, _, refusal = together(day, all...)
	require.Equal(t, planning.NoRoomTogether, refusal.Reason)
	require.NotEmpty(t, refusal.Orders)
	require.Less(t, len(refusal.Orders), 16, "only those that do not fit: %v", refusal.Orders)
}

func BenchmarkMoveTogether(b *testing.B) {
	for _, n := range []int{5, 20, 45} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			day := aDay(6, aStreet(1, n), unpaused(1))
			var all []int64
			for i := range day.Orders {
				day.Orders[i].Delivery.Window.Latest = hm(7, 15)
				all = append(all, day.Orders[i].ID)
			}
			for b.Loop() {
				together(day, all...)
			}
		})
	}
}

// TestOrdersOfAStreetAreOneVisitOfTheTerminal sets up at the terminal once for all orders of a move.
func TestOrdersOfAStreetAreOneVisitOfTheTerminal(t *testing.T) {
	t.Parallel()
	orders := aStreet(1, 5)
	for i := range orders {
		orders[i].Pickup.Setup, orders[i].Pickup.Service = 10*time.Minute, 30*time.Second
	}
	draft, r, refusal := together(aDay(6, orders, unpaused(1)), 1, 2, 3, 4, 5)
	require.Nil(t, refusal)
	stops := draft.Solution(r.Plan, time.Second).Routes[0].Stops
	require.Len(t, stops, 10)
	for i := range 5 {
		require.Equal(t, order.Pickup, stops[i].Kind)
		require.Equal(t, i > 0, stops[i].Joined)
	}
	require.Equal(t, 10*time.Minute, stops[0].Setup)
	require.Equal(t, 10*time.Minute+5*30*time.Second, stops[4].Leaves.Sub(stops[0].Arrives))
}
