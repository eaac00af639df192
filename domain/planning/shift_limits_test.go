package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// TestLimitsAreOfTheWholeShift checks that stops and driving that are over count.
func TestLimitsAreOfTheWholeShift(t *testing.T) {
	t.Parallel()
	d := aDriver(1)
	d.Limits = driver.Limits{Stops: 5, DrivingMinutes: 90}
	draft := aDay(6, []planning.Order{anOrder(1)}, d).Draft()
	require.Equal(t, 5, draft.Problem.Shifts[0].MaxStops)
	require.EqualValues(t, 90*60, draft.Problem.Shifts[0].MaxDriving)

	o := anOrder(1)
	o.Status, o.DriverID = order.PickedUp, 1
	day := aDay(9, []planning.Order{o, anOrder(2)}, d)
	day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(12), Stops: []planning.Placed{
		{
			OrderID: 1, Kind: order.Pickup, Arrives: clock(8), Starts: clock(8), Leaves: clock(8), Point: oslo,
			Driving: 20 * time.Minute,
		},
		{OrderID: 1, Kind: order.Delivery, Arrives: clock(10), Starts: clock(10), Leaves: clock(10), Point: lillestrom},
	}}}
	shift := day.Draft().Problem.Shifts[0]
	require.Equal(t, 4, shift.MaxStops)
	require.EqualValues(t, 70*60, shift.MaxDriving)

	day.Drivers[0].Limits = driver.Limits{Stops: 1, DrivingMinutes: 10}
	shift = day.Draft().Problem.Shifts[0]
	require.Equal(t, routing.NoStops, shift.MaxStops)
	require.EqualValues(t, 1, shift.MaxDriving, "none is left, which is not unlimited")
}
