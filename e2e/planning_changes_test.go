package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/workflows"
)

// plannedOrders imports orders of tomorrow and waits until all have drivers,
// and improvements have ended.
func plannedOrders(t *testing.T, count int) *organization {
	t.Helper()
	o := shared.organization(t)
	var entries []object
	for n := range count {
		entries = append(entries, toPlan(n))
	}
	require.Equal(t, map[string]int{"orderCreated": count}, kinds(o.importOrders(t, orders(entries...))))
	o.planned(t, "all orders have drivers",
		"select count(*) = $2 from orders where org_id = $1 and status_id = 2 and driver_id is not null", count)
	o.planRests(t)
	return o
}

// planRests waits until the plan of the customer's department is idle.
func (o *organization) planRests(t *testing.T) {
	t.Helper()
	department := one[int64](t, o.installation,
		"select department_id from customers where org_id = $1 and external_id = 'C-100'", o.id)
	temporal, idle := o.temporalClient(t), 0
	eventually(t, "the plan rests", func() bool {
		d, err := temporal.DescribeWorkflowExecution(t.Context(), workflows.PlanID(o.slug, department, tomorrow()), "")
		if idle++; err != nil || len(d.PendingActivities) > 0 {
			idle = 0
		}
		return idle == restful
	})
}

// restful is how often in a row a plan must be found idle: for longer than a
// plan collects signals.
const restful = 25

// becomesPlanned waits until an order is in the route of its driver, and something
// is so: s is its delivery, d the driver, r the route and v the type of the vehicle.
func (o *organization) becomesPlanned(t *testing.T, number, so string) {
	t.Helper()
	o.planned(t, number+" is planned where "+so, `select exists (
		select from orders o
		join plan_stops s on s.org_id = o.org_id and s.order_id = o.id and s.kind = 'delivery' and s.driver_id = o.driver_id
		join plan_routes r on r.org_id = s.org_id and r.plan_id = s.plan_id and r.driver_id = s.driver_id
		join drivers d on d.org_id = s.org_id and d.id = s.driver_id
		join vehicles w on w.org_id = r.org_id and w.id = r.vehicle_id
		join vehicle_types v on v.org_id = w.org_id and v.id = w.vehicle_type_id
		where o.org_id = $1 and o.number = $2 and o.status_id = 2 and (`+so+`))`, number)
}

// leavesThePlan waits until an order is in no route, and has no driver.
func (o *organization) leavesThePlan(t *testing.T, number string) {
	t.Helper()
	o.planned(t, number+" has left the plan", `select o.driver_id is null
		and not exists (select from plan_stops s where s.org_id = o.org_id and s.order_id = o.id)
		and not exists (select from plan_unplanned u where u.org_id = o.org_id and u.order_id = o.id)
		from orders o where o.org_id = $1 and o.number = $2`, number)
}

// driverOf returns an order's driver.
func (o *organization) driverOf(t *testing.T, number string) int64 {
	t.Helper()
	return one[int64](t, o.installation, "select driver_id from orders where org_id = $1 and number = $2", o.id, number)
}

func (o *organization) numbered(t *testing.T, number string) int64 {
	t.Helper()
	return one[int64](t, o.installation, "select id from orders where org_id = $1 and number = $2", o.id, number)
}

// TestChangesLeadToAnotherPlan checks for each input of planning that the plan
// follows a change automatically.
func TestChangesLeadToAnotherPlan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*testing.T, *organization)
	}{
		{"ABookingAndItsEnd", changeByBooking},
		{"AnotherVehicleType", changeByVehicleType},
		{"AnotherWindow", changeByWindow},
		{"ACancelledOrder", changeByCancelling},
		{"AMergedOrder", changeByMerging},
		{"ADriverWhoLeaves", changeByLeaving},
		{"ADayOff", changeByDayOff},
		{"AnExportedOrder", changeByExport},
		{"ADeliveredOrder", changeByDelivery},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := plannedOrders(t, 6)
			c.change(t, o)
			o.requirePlan(t)
			o.requireRoutes(t)
		})
	}
}

func changeByBooking(t *testing.T, o *organization) {
	id := o.numbered(t, "PLAN-1")
	late := o.offer(t, bookable, tomorrow())[37]
	o.planRests(t)
	o.expect(t, http.StatusOK, http.MethodPost, ofOrder(id, "book-on-interval"), on(late))
	o.becomesPlanned(t, "PLAN-1", "d.name = 'Lars Dahl'") // the only one who works in the evening
	o.planRests(t)
	o.expect(t, http.StatusOK, http.MethodPost, ofOrder(id, "cancel-booking"), nil)
	o.becomesPlanned(t, "PLAN-1", "s.starts_at <= '"+tomorrow()+"T14:00:00Z'")
}

func changeByVehicleType(t *testing.T, o *organization) {
	o.expect(t, http.StatusOK, http.MethodPut, "/v2/orders/vehicle-type",
		object{"externalId": "PLAN-1", "vehicleType": object{"name": "Semi-trailer"}})
	o.becomesPlanned(t, "PLAN-1", "v.name = 'Semi-trailer'")
}

func changeByWindow(t *testing.T, o *organization) {
	at := func(clock string) string { return tomorrow() + "T" + clock + ":00Z" }
	delivery := toPlan(1)["delivery"].(object)
	delivery["earliest"], delivery["latest"] = at("12:30"), at("13:00")
	require.Equal(t, map[string]int{"orderUpdated": 1}, kinds(o.importOrders(t, orders(toPlan(1, object{"delivery": delivery})))))
	o.becomesPlanned(t, "PLAN-1", fmt.Sprintf("s.starts_at between '%[1]s' and '%[2]s' and s.eta between '%[1]s' and '%[2]s'",
		at("12:30"), at("13:00")))
}

func changeByCancelling(t *testing.T, o *organization) {
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{"PLAN-1"}})
	o.leavesThePlan(t, "PLAN-1")
}

func changeByMerging(t *testing.T, o *organization) {
	request := orders(toPlan(1, object{"externalId": "MORE", "products": []object{product("MORE-P", object{"weight": 500})}}))
	request["updateConfig"] = object{"allowMerge": true}
	require.Equal(t, map[string]int{"orderMerged": 1}, kinds(o.importOrders(t, request)))
	o.becomesPlanned(t, "PLAN-1", "r.weight_kg >= 1000") // two of them
}

func changeByLeaving(t *testing.T, o *organization) {
	was := o.driverOf(t, "PLAN-1")
	o.expect(t, http.StatusOK, http.MethodPost, fmt.Sprintf("/v1/drivers/%d/deactivate", was), nil)
	o.becomesPlanned(t, "PLAN-1", fmt.Sprintf("d.id <> %d", was))
}

func changeByDayOff(t *testing.T, o *organization) {
	was, day := o.driverOf(t, "PLAN-1"), tomorrow()
	path := fmt.Sprintf("/v1/drivers/%d/workdays", was)
	o.expect(t, http.StatusOK, http.MethodPut, path, object{"start_date": day, "end_date": day, "workdays": []object{}})
	o.becomesPlanned(t, "PLAN-1", fmt.Sprintf("d.id <> %d", was))
}

func changeByExport(t *testing.T, o *organization) {
	o.importOrders(t, orders(toPlan(7, object{"orderType": object{"name": "Carrier"}})))
	o.becomesPlanned(t, "PLAN-7", "true") // as long as no carrier has it
	o.exported(t, o.awaitFeed(t, 1)[0].ExportToken)
	o.leavesThePlan(t, "PLAN-7")
	require.Equal(t, 1, one[int](t, o.installation,
		"select status_id::int from orders where org_id = $1 and number = 'PLAN-7'", o.id))
}

// changeByDelivery has a delivered order stay in its route, while others are
// added.
func changeByDelivery(t *testing.T, o *organization) {
	was := o.driverOf(t, "PLAN-1")
	id := o.numbered(t, "PLAN-1")
	version := one[int64](t, o.installation, "select max(version) from plans where org_id = $1", o.id)
	_, err := o.admin.Exec(t.Context(), "update orders set status_id = 6 where org_id = $1 and id = $2", o.id, id)
	require.NoError(t, err)
	o.reached(t, id, 6)
	o.planned(t, "the plan knows that it is over", "select max(version) > $2 from plans where org_id = $1", version)
	o.importOrders(t, orders(toPlan(8)))
	o.becomesPlanned(t, "PLAN-8", "true")
	require.Equal(t, was, o.driverOf(t, "PLAN-1"))
	require.Equal(t, 2, one[int](t, o.installation, `select count(*) from plan_stops
		where org_id = $1 and order_id = $2 and driver_id = $3`, o.id, id, was))
}
