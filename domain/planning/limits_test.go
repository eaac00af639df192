package planning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// manyOrders are more orders than a plan takes in.
func manyOrders(orders int) []planning.Order {
	var all []planning.Order
	for id := range orders {
		all = append(all, anOrder(int64(id+1)))
	}
	return all
}

// TestOrdersPerPlanAreLimited checks that the other orders are reported as too
// many, and that these are the latest, except important ones.
func TestOrdersPerPlanAreLimited(t *testing.T) {
	t.Parallel()
	const more = 100
	orders := manyOrders(planning.MostTogether + more)
	last := len(orders)
	orders[last-1].LockedTo = 1
	orders[last-2].Delivery.Priority = order.PriorityCritical
	orders[last-3].DriverID = 1
	orders[0].Pickup.Point = nil
	draft := aDay(6, orders, aDriver(1)).Draft()
	require.Len(t, draft.Orders, planning.MostTogether)
	require.Equal(t, planning.NoCoordinates, draft.Unplannable[1])
	left := 0
	for id, reason := range draft.Unplannable {
		if reason == planning.DayTooLarge {
			left++
			require.Greater(t, id, int64(planning.MostTogether-3), "the first come first")
			require.LessOrEqual(t, id, int64(last-3), "those come first that matter, or that somebody has")
		}
	}
	require.Equal(t, more-1, left)
	draft.Orders = nil // which takes long to explain one by one
	for _, u := range draft.Solution(routing.Plan{}, 0).Unplanned {
		if u.OrderID == int64(last-3) {
			require.Equal(t, planning.Unplanned{
				OrderID: u.OrderID, State: planning.Left, Certainty: planning.NotFound,
				Reasons: []planning.Why{{Code: planning.DayTooLarge}},
			}, u, "another plan could have it")
		}
	}
}

func TestPlacesPerPlanAreLimited(t *testing.T) {
	t.Parallel()
	orders := manyOrders(planning.MostPlaces)
	for i := range orders {
		pickup, delivery := at(59, 10+float64(i)/1e4), at(60, 10+float64(i)/1e4)
		orders[i].Pickup.Point, orders[i].Delivery.Point = &pickup, &delivery
	}
	draft := aDay(6, orders, aDriver(1)).Draft()
	require.Len(t, draft.Orders, planning.MostPlaces/2)
	require.Len(t, draft.Unplannable, planning.MostPlaces/2)
	orders = manyOrders(planning.MostTogether)
	require.Empty(t, aDay(6, orders, aDriver(1)).Draft().Unplannable, "many orders may be at few places")
}

// TestPlanTakesInSoManyOrders leaves out the newest orders of a day that is too large for districts, too.
func TestPlanTakesInSoManyOrders(t *testing.T) {
	t.Parallel()
	day := region(planning.MostOrders + 50)
	day.Orders[planning.MostOrders+49].LockedTo = 1
	left := 0
	for _, district := range planning.MapOf(&day, 0).Districts(&day) {
		for id, reason := range district.Draft().Unplannable {
			require.Equal(t, planning.DayTooLarge, reason)
			require.Greater(t, id, int64(planning.MostOrders-1))
			require.NotEqual(t, int64(planning.MostOrders+50), id, "it is locked")
			left++
		}
	}
	require.Equal(t, 50, left)
}

// TestDistrictsTogetherCanBeTooMany says of districts whose orders one search does not take in that they are too many.
func TestDistrictsTogetherCanBeTooMany(t *testing.T) {
	t.Parallel()
	day := region(6_000)
	m := planning.MapOf(&day, 0)
	few, many := m.Around(&day, nil, []int64{1}, 2), m.Around(&day, nil, []int64{1}, 9)
	require.False(t, few.Overfull())
	require.True(t, many.Overfull())
}
