package planning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/operations/operationstest"
)

// TestCostsArePlanned reads the prices of the organization and of vehicle types, and keeps what routes cost.
func TestCostsArePlanned(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	d.Load(operationstest.Numbered(1), "D-1")
	require.Equal(t, 1, d.Plan().Planned)
	day, err := d.Store.PlanningDay(t.Context(), d.Org, operationstest.Area, d.Now)
	require.NoError(t, err)
	require.Equal(t, planning.DrivingSeconds, day.Routes[0].Costs.Unit)
	require.Positive(t, day.Routes[0].Costs.Driving)
	d.Rest() // what is kept is what is planned

	d.Do(`update organizations set costs = '{"balance_hours_price": 5}' where id = $1`, d.Org)
	d.Plan()
	day, err = d.Store.PlanningDay(t.Context(), d.Org, operationstest.Area, d.Now)
	require.NoError(t, err)
	hours := day.Routes[0].Ends.Sub(day.Routes[0].Starts).Hours()
	require.InDelta(t, 5*60*hours*hours, day.Routes[0].Costs.Balance, 1)
	d.Rest()

	d.Do(`update organizations set costs = '{"per_shift": 400, "per_hour": 540, "per_km": 4.5, "overtime_minutes": 60}'
		where id = $1`, d.Org)
	d.Do("update vehicle_types set cost_per_hour = 720 where org_id = $1", d.Org)
	d.Plan()
	day, err = d.Store.PlanningDay(t.Context(), d.Org, operationstest.Area, d.Now)
	require.NoError(t, err)
	require.InDelta(t, 540, *day.Costs.PerHour, 0)
	require.InDelta(t, 60, *day.Costs.OvertimeMinutes, 0)
	require.Nil(t, day.Costs.OvertimePrice)
	for i := range day.Drivers {
		require.InDelta(t, 720, *day.Drivers[i].Vehicle.Costs.CostPerHour, 0)
		require.Nil(t, day.Drivers[i].Vehicle.Costs.CostPerKm)
	}
	route := day.Routes[0]
	require.Equal(t, planning.Hundredths, route.Costs.Unit)
	require.EqualValues(t, 40_000, route.Costs.Shift)
	require.InDelta(t, route.Driving.Hours()*72_000, route.Costs.Driving, 1)
	require.InDelta(t, float64(route.Meters)*0.45, route.Costs.Distance, 1)
	d.Rest()
}

// TestPreferencesArePlanned gives an order to the driver whom its customer should have.
func TestPreferencesArePlanned(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	d.Load(operationstest.Numbered(1), "D-1")
	require.Equal(t, 1, d.Plan().Planned)
	day, err := d.Store.PlanningDay(t.Context(), d.Org, operationstest.Area, d.Now)
	require.NoError(t, err)
	require.Greater(t, len(day.Drivers), 1)
	other := day.Drivers[0].ID
	if other == day.Routes[0].DriverID {
		other = day.Drivers[1].ID
	}
	d.Do(`update drivers set preferences = jsonb_build_object('customers', jsonb_build_array(o.customer_id),
		'territory', '[{"country": "NO", "from": "99", "to": "99"}]'::jsonb) from orders o where o.org_id = $1 and drivers.id = $2`, d.Org, other)
	d.Do("update order_stops set country = 'NO', postal_code = '0150' where org_id = $1", d.Org)
	d.Plan()
	day, err = d.Store.PlanningDay(t.Context(), d.Org, operationstest.Area, d.Now)
	require.NoError(t, err)
	require.Equal(t, "0150", day.Orders[0].Delivery.Postal.PostalCode)
	require.NotZero(t, day.Orders[0].CustomerID)
	for i := range day.Drivers {
		if of := &day.Drivers[i]; of.ID == other {
			require.Equal(t, []int64{day.Orders[0].CustomerID}, of.Preferences.Customers)
			require.Equal(t, "99", of.Preferences.Territory[0].From)
		}
	}
}
