package planning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/load"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

var palletsAndPoints = load.Dimensions{{Name: "PALLETS", Unit: "pallet places"}, {Name: "ADR"}}

func pallets(n float64) load.Amounts { return load.Amounts{{Dimension: "PALLETS", Amount: n}} }

// TestVehiclesHoldSoMuchOfADimension leaves an order out that needs more than the vehicles hold, and says so.
func TestVehiclesHoldSoMuchOfADimension(t *testing.T) {
	t.Parallel()
	one, other := anOrder(1), anOrder(2)
	one.Loads, other.Loads = pallets(2.5), load.Amounts{{Dimension: "PALLETS", Amount: 9}, {Dimension: "PORTS", Amount: 1}}
	small, large := unpaused(1), unpaused(2)
	small.Vehicle.MaxLoads, large.Vehicle.MaxLoads = pallets(6), pallets(8.2)
	day := aDay(6, []planning.Order{one, other}, small, large)
	draft, s := solve(t, day, 50)
	require.Zero(t, draft.Problem.More, "nothing is counted")
	require.Empty(t, s.Unplanned)

	day.LoadDimensions = palletsAndPoints
	draft, s = solve(t, day, 50)
	require.Equal(t, 1, draft.Problem.More, "points are not needed")
	require.Equal(t, []int32{8200}, draft.Problem.Shifts[1].More)
	require.Len(t, s.Unplanned, 1)
	require.Equal(t, planning.Proven, s.Unplanned[0].Certainty)
	require.Equal(t, []planning.Why{{
		Code: "LOAD_DIMENSION", Drivers: []int64{2, 1}, Count: 2, By: 0.8,
		Load: &planning.LoadInWhy{Dimension: "PALLETS", Unit: "pallet places", Needs: 9, Holds: 8.2},
	}}, s.Unplanned[0].Reasons)
	require.Len(t, s.Routes, 1)
	loads := s.Routes[0].Loads
	require.Len(t, loads, 2)
	require.InDelta(t, 2.5, loads[0].Amount, 1e-9)
	require.NotNil(t, loads[0].Max)
	require.Equal(t, planning.RouteLoad{Dimension: "ADR", Unit: "ADR"}, loads[1], "without a limit")

	commit(&day, s)
	day.Drivers[0].Vehicle.MaxLoads, day.Drivers[1].Vehicle.MaxLoads = pallets(12), pallets(12)
	_, s = solve(t, day, 50)
	require.Empty(t, s.Unplanned, "the vehicles hold more now")
	require.InDelta(t, 12, *s.Routes[0].Loads[0].Max, 1e-9)
}

// TestAFullVehicleNamesTheDimension has two orders of which one fits.
func TestAFullVehicleNamesTheDimension(t *testing.T) {
	t.Parallel()
	one, other := anOrder(1), anOrder(2)
	one.Loads, other.Loads = load.Amounts{{Dimension: "ADR", Amount: 1}, {Dimension: "PALLETS", Amount: 4}}, pallets(3)
	for _, o := range []*planning.Order{&one, &other} { // both on board at nine
		o.Pickup.Window = order.Window{Earliest: hm(8, 0), Latest: hm(8, 30)}
		o.Delivery.Window = order.Window{Earliest: hm(9, 0), Latest: hm(14, 0)}
	}
	d := unpaused(1)
	d.Vehicle.MaxLoads = pallets(6)
	day := aDay(6, []planning.Order{one, other}, d)
	day.LoadDimensions = palletsAndPoints
	_, s := solve(t, day, 50)
	require.Len(t, s.Unplanned, 1)
	why := s.Unplanned[0].Reasons[0]
	require.Equal(t, planning.FleetFull, why.Code)
	require.Equal(t, "ROOM", why.Lacks)
	require.Equal(t, "PALLETS", why.Load.Dimension)
	require.InDelta(t, 6, why.Load.Holds, 1e-9)
}

// TestADividedLoadFitsByDimension proves the counterfactual.
func TestADividedLoadFitsByDimension(t *testing.T) {
	t.Parallel()
	day := leftOver(func(o *planning.Order, d *planning.Driver) {
		o.Loads, o.Load = pallets(9), routing.Load{1, 1, 9}
		d.Vehicle.MaxLoads = pallets(5)
	})
	day.LoadDimensions = palletsAndPoints
	require.Equal(t, planning.Help{
		Change: planning.SplitOrder, Parts: 2,
		Load: &planning.LoadInWhy{Dimension: "PALLETS", Unit: "pallet places", Needs: 9, Holds: 5},
	}, helps(t, day)[planning.SplitOrder])
	day.Orders[0].Load = routing.Load{}
	require.Equal(t, 2, helps(t, day)[planning.SplitOrder].Parts, "its goods are not known")
	day.Orders[0].Load = routing.Load{1, 1, 1}
	require.NotContains(t, helps(t, day), planning.SplitOrder, "one colli stays whole")
}

// TestWhatStaysOnBoardTakesPlaces has goods of a cancelled order, and one that its driver has begun although the
// vehicle is too small.
func TestWhatStaysOnBoardTakesPlaces(t *testing.T) {
	t.Parallel()
	a, b := carried(1, order.Cancelled, 60.3, 60.31), carried(2, order.Registered, 59.91, 59.92)
	a.Away, b.DriverID = true, 0
	a.Loads, b.Loads = pallets(4), pallets(3)
	a.Pickup.Standing = was(driving.StopCompleted, hm(8, 5))
	d := unpaused(1)
	d.Vehicle.MaxLoads = pallets(6)
	day := aDay(8, []planning.Order{a, b}, d)
	day.LoadDimensions, day.Now = palletsAndPoints, hm(8, 10)
	day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(12), Stops: []planning.Placed{
		planned(&a, order.Pickup, hm(8, 0)), planned(&a, order.Delivery, hm(9, 0)),
	}}}
	draft, s := solve(t, day, 50)
	require.Equal(t, []int32{2000}, draft.Problem.Shifts[0].More)
	require.Equal(t, planning.TooMuchOfDimension, s.Unplanned[0].Reasons[0].Code)

	started := carried(3, order.PickedUp, 59.91, 59.92)
	started.Loads = pallets(7)
	day = aDay(8, []planning.Order{started}, d)
	day.LoadDimensions = palletsAndPoints
	draft, s = solve(t, day, 50)
	require.Empty(t, s.Unplanned, "it is on board")
	require.Equal(t, []planning.Missed{{OrderID: 3, DriverID: 1, Rule: planning.TooMuchOfDimension}}, draft.Missed())
}
