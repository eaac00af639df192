package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

func TestOrdersAreGivenToDrivers(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	for n := range 6 {
		d.Load(operationstest.Numbered(n), []string{"D-1", "D-2", "D-3"}[n%3])
	}
	d.Load("A-9", "D-4")
	before := operationstest.One[string](d.Office, "select string_agg(concat(updated_at, edited_at), ',' order by id) from orders where org_id = $1", d.Org)
	done := d.Plan()
	require.Equal(t, planning.DayPlanned, done.State)
	require.Equal(t, 6, done.Planned)
	require.Equal(t, 1, done.Unplanned)
	require.Equal(t, 6, done.Told)
	require.Len(t, d.Told(), 6)
	require.Equal(t, "UNPLANNABLE PROVEN NO_COORDINATES", d.Reasons("A-9"))
	require.Equal(t, before, operationstest.One[string](d.Office,
		"select string_agg(concat(updated_at, edited_at), ',' order by id) from orders where org_id = $1", d.Org), "planning is no edit")
	require.Equal(t, 6, operationstest.One[int](d.Office, "select count(*) from orders where status_id = 2 and planned_seconds > 0"))
	require.Positive(t, d.Rest().Iterations)
}

func TestChangesArePlannedAgain(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	for n := range 4 {
		d.Load(operationstest.Numbered(n), []string{"D-1", "D-2"}[n%2])
	}
	d.Plan()
	told := len(d.Told())

	d.Do("update orders set status_id = 8, cancelled_at = now() where org_id = $1 and number = 'A-0'", d.Org)
	require.Zero(t, d.Plan().Told, "a cancelled order has told so itself")
	require.Empty(t, d.DriverOf("A-0"))

	truck := operationstest.One[int64](d.Office, "select id from vehicle_types where org_id = $1 and name = 'Truck'", d.Org)
	require.NoError(t, d.Orders.ChangeVehicleType(t.Context(), operationstest.Clerk(d.Org), "A-1", truck))
	require.Empty(t, d.DriverOf("A-1"))
	d.Plan()
	require.Equal(t, "Amir", d.DriverOf("A-1"))
	require.Contains(t, d.Told()[told:], "A-1 order.planned 2 Amir")

	d.Do("update orders set date = date + 1 where org_id = $1 and number = 'A-2'", d.Org)
	d.Plan()
	require.Empty(t, d.DriverOf("A-2"))
	require.Contains(t, d.Told(), "A-2 order.unplanned 1")

	d.Do("update drivers set is_active = false where org_id = $1", d.Org)
	d.Plan()
	require.Empty(t, d.DriverOf("A-1"))
	require.Equal(t, "UNPLANNABLE PROVEN NO_WORKDAY", d.Reasons("A-1"))
	d.Do("update drivers set is_active = true where org_id = $1", d.Org)
	d.Plan()
	require.Equal(t, "Amir", d.DriverOf("A-1"))
}

func TestReasonsNameTheObstacle(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	tons := 1500.0
	d.Load("A-0", "D-1", func(e *order.Request) {
		e.Products[0].Weight = &tons
		e.Products[0].Skills = []order.SkillRequest{{Name: "ADR", Type: order.SkillRequired}}
	})
	d.Plan()
	require.Equal(t, "UNPLANNABLE PROVEN SKILL_MISSING WEIGHT", d.Reasons("A-0"))
}

func TestLocksAndProhibitionsAreEnforced(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	d.Load("A-0", "D-1")
	d.Do(`insert into order_driver_locks (org_id, order_id, driver_id) select o.org_id, o.id, r.id from orders o, drivers r
		where o.org_id = $1 and r.org_id = $1 and r.name = 'Jens'`, d.Org)
	d.Load("A-1", "D-1")
	d.Do(`insert into order_prohibited_drivers (org_id, order_id, driver_id) select o.org_id, o.id, r.id from orders o, drivers r
		where o.org_id = $1 and r.org_id = $1 and r.name <> 'Amir' and o.number = 'A-1'`, d.Org)
	d.Plan()
	require.Equal(t, "Jens", d.DriverOf("A-0"))
	require.Equal(t, "Amir", d.DriverOf("A-1"))
}

// TestADayGoesOn lets the clock run: what is under way stays as it is, and what
// comes in is planned around it.
func TestADayGoesOn(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	for n := range 5 {
		d.Load(operationstest.Numbered(n), []string{"D-1", "D-2", "D-3"}[n%3])
	}
	d.Plan()
	told := len(d.Told())
	for hour := 8; hour <= 15; hour++ {
		d.Now = operationstest.PlannedOn.Add(time.Duration(hour)*time.Hour - 30*time.Minute)
		d.Plan()
	}
	require.Len(t, d.Told(), told, "nobody hears of a day that goes as planned")
	require.Equal(t, planning.DayOver, func() planning.DayState {
		d.Now = operationstest.PlannedOn.AddDate(0, 0, 2)
		return d.Plan().State
	}())
}

// TestCounterfactualsAreStoredWithTheirPlan explains an order whose delivery
// closes before anybody can be there, but only just.
func TestCounterfactualsAreStoredWithTheirPlan(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	d.Load("A-0", "D-3")
	d.Do(`update order_stops set earliest = $2::timestamptz, latest = $2::timestamptz + interval '5 minutes' where org_id = $1 and kind = 'delivery'`,
		d.Org, operationstest.PlannedOn.Add(7*time.Hour+10*time.Minute))
	d.Plan()
	require.Regexp(t, "^UNPLANNABLE PROVEN .*WINDOWS_CONTRADICT", d.Reasons("A-0"))
	explained, err := d.Planning.ExplainDay(t.Context(), caller.Service(d.Org, "plan/test"), planningops.PlanningSlice{Area: operationstest.Area})
	require.NoError(t, err)
	require.Equal(t, 1, explained.Explained)
	require.Equal(t, []string{"DELIVERY_LATEST"}, operationstest.One[[]string](d.Office,
		"select array_agg(h->>'change') from plan_unplanned, jsonb_array_elements(counterfactuals) h where org_id = $1", d.Org))
	later := operationstest.One[int](d.Office,
		"select (counterfactuals->0->>'seconds')::int from plan_unplanned where org_id = $1", d.Org)

	d.Do("update order_stops set latest = latest + make_interval(secs => $2::int - 1) where org_id = $1 and kind = 'delivery'", d.Org, later)
	d.Plan()
	require.Empty(t, d.DriverOf("A-0"), "a second less does not help")
	d.Do("update order_stops set latest = latest + interval '1 second' where org_id = $1 and kind = 'delivery'", d.Org)
	d.Plan()
	require.NotEmpty(t, d.DriverOf("A-0"))
}

// TestCarrierOrderIsNotPlanned takes an order off its route when its carrier has
// it, and puts nothing in its place.
func TestCarrierOrderIsNotPlanned(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	d.Load("A-0", "D-1")
	d.Plan()
	require.NotEmpty(t, d.DriverOf("A-0"))
	d.Do(`insert into order_exports (org_id, order_id, carrier, state, version, fetched_version, exported_version)
		select org_id, id, 'postnord', 'exported', 1, 1, 1 from orders where org_id = $1`, d.Org)
	d.Plan()
	require.Empty(t, d.DriverOf("A-0"))
	require.Equal(t, []string{"A-0 order.planned 2 Nora", "A-0 order.unplanned 1"}, d.Told())
	require.Zero(t, operationstest.One[int](d.Office, "select count(*) from plan_unplanned where org_id = $1", d.Org))
}

// TestPlacesAreGuessedByPostalCode plans an order of which only the postal code is
// known.
func TestPlacesAreGuessedByPostalCode(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	d.Load("A-0", "D-1", func(e *order.Request) {
		e.Delivery = &order.LocationRequest{Name: "Somewhere", Address: &order.Address{
			Address1: "Maridalsveien 1", PostalCode: "0461", City: "Oslo", Country: "NO",
		}}
	})
	d.Plan()
	require.NotEmpty(t, d.DriverOf("A-0"))
	require.Equal(t, "t 59.93", operationstest.One[string](d.Office,
		"select concat_ws(' ', guessed, latitude) from plan_stops where org_id = $1 and kind = 'delivery'", d.Org))
}
