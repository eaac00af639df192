package e2e_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"waybill/workflows"
)

// searching waits until the plan of a department's tomorrow is being searched.
func (o *organization) searching(t *testing.T, department int64) {
	t.Helper()
	temporal := o.temporalClient(t)
	eventually(t, "the plan is being searched", func() bool {
		d, err := temporal.DescribeWorkflowExecution(t.Context(), workflows.PlanID(o.slug, department, tomorrow()), "")
		return err == nil && len(d.PendingActivities) > 0 && d.PendingActivities[0].State == enums.PENDING_ACTIVITY_STATE_STARTED
	})
}

// TestPlanningSurvivesFaults takes the travel server and workers away in the
// middle of a search, and changes an order during another.
func TestPlanningSurvivesFaults(t *testing.T) {
	t.Parallel()
	i := install(t, "serve")
	away := "WAYBILL_TRAVEL_URL=osrm+http://127.0.0.1:1"
	require.NoError(t, i.start("work", away))
	o := i.organization(t)
	department := one[int64](t, i, "select department_id from customers where org_id = $1 and external_id = 'C-100'", o.id)
	var entries []object
	for n := range 80 {
		entries = append(entries, toPlan(n))
	}
	require.Equal(t, map[string]int{"orderCreated": 80}, kinds(o.importOrders(t, orders(entries...))))
	o.searching(t, department)
	i.kill("work")
	require.NoError(t, i.startAs("work", "work", away))
	require.NoError(t, i.startAs("work2", "work", away))
	const settled = `select count(*) = $2 from orders o where o.org_id = $1 and (o.status_id = 2 and o.driver_id is not null
		or exists (select from plan_unplanned u where u.org_id = o.org_id and u.order_id = o.id))`
	o.planned(t, "each order has a driver, or a reason why not", settled, 80)
	o.requirePlan(t)
	o.requireRoutes(t)
	require.Regexp(t, "^osrm .+", one[string](t, i, "select concat(travel, ' ', travel_failure) from plans where org_id = $1", o.id))

	o.searching(t, department) // for something better, for ten seconds
	const truck = `select o.number from orders o join plan_routes r on r.org_id = o.org_id and r.driver_id = o.driver_id
		join vehicles v on v.org_id = r.org_id and v.id = r.vehicle_id join vehicle_types y on y.org_id = v.org_id and y.id = v.vehicle_type_id
		where o.org_id = $1 and o.status_id = 2 and y.name <> 'Box truck' order by o.id limit 1`
	number := one[string](t, i, truck, o.id)
	o.expect(t, http.StatusOK, http.MethodPut, "/v2/orders/vehicle-type",
		object{"externalId": number, "vehicleType": object{"name": "Box truck"}})
	o.planned(t, "the order is with a truck, or left over", `select exists (
		select from orders o left join plan_routes r on r.org_id = o.org_id and r.driver_id = o.driver_id
			left join vehicles v on v.org_id = r.org_id and v.id = r.vehicle_id
		where o.org_id = $1 and o.number = $2 and (v.vehicle_type_id = o.vehicle_type_id
			or exists (select from plan_unplanned u where u.org_id = o.org_id and u.order_id = o.id)))`, number)
	o.requireRoutes(t)
	o.searching(t, department)
	i.kill("work")
	i.kill("work2")
	require.NoError(t, i.startAs("work3", "work", away))
	o.importOrders(t, orders(toPlan(90))) // which ends the search of the dead one before its death is noticed
	o.planned(t, "another worker goes on", settled, 81)
	o.requirePlan(t)
	o.requireRoutes(t)
}

// TestWorkStopsInTheMiddleOfASearch stops a worker during an improvement that
// would last ten more seconds: it saves the result, and exits.
func TestWorkStopsInTheMiddleOfASearch(t *testing.T) {
	t.Parallel()
	i := install(t, "serve", "work")
	o := i.organization(t)
	department := one[int64](t, i, "select department_id from customers where org_id = $1 and external_id = 'C-100'", o.id)
	var entries []object
	for n := range 60 {
		entries = append(entries, toPlan(n))
	}
	o.importOrders(t, orders(entries...))
	o.planned(t, "each order has a driver, or a reason why not", `select count(*) = 60 from orders o where o.org_id = $1
		and (o.status_id = 2 or exists (select from plan_unplanned u where u.org_id = o.org_id and u.order_id = o.id))`)
	o.searching(t, department)
	began := time.Now()
	require.NoError(t, i.processes["work"].Stop())
	require.Less(t, time.Since(began), 5*time.Second)
	delete(i.processes, "work")
	o.requirePlan(t)
	o.requireRoutes(t)
}
