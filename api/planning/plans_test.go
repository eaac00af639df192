package planning_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

const monday = "/v2/plans/2026-03-02"

func TestPlanShowsDriversOrdersAndTimes(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second, left := o.order("P-1"), o.order("P-2"), o.order("P-3")
	plan := o.plan()
	o.route(plan, o.nora, first, second)
	o.leftOver(plan, left, "UNPLANNED", fmt.Sprintf(`[{"code":"WEIGHT","drivers":[%d],"count":1,"by":12.5}]`, o.nora), "")
	o.exec("insert into order_driver_locks (org_id, order_id, driver_id) values ($1, $2, $3)", second, o.nora)

	day := read[contract.PlanPage](o, monday)
	require.Len(t, day.Plans, 1)
	p := day.Plans[0]
	require.Equal(t, "Oslo", p.DepartmentName.MustGet())
	require.Equal(t, [6]int64{3, 1, 2, 1, 3600, 42000},
		[6]int64{p.Version, int64(p.Drivers), int64(p.Orders), int64(p.Unplanned), p.DrivingSeconds, p.Meters})
	require.Equal(t, contract.PlanTravelCROW, p.Travel)

	require.Len(t, day.Routes, 1)
	r := day.Routes[0]
	require.Equal(t, "Nora Berg EB10001 Van 64.1 1200", fmt.Sprint(r.DriverName, " ", r.Registration.MustGet(), " ",
		r.VehicleTypeName.MustGet(), " ", r.WeightKg, " ", r.MaxWeightKg.MustGet()))
	var stops []string
	for _, s := range r.Stops {
		stops = append(stops, fmt.Sprint(s.Sequence, " ", s.ExternalID, " ", s.Stop, " ", s.StartsAt.Format("15:04"), " ",
			s.Eta.Format("15:04"), " ", s.Locked))
	}
	require.Equal(t, []string{
		"1 P-1 PICKUP 07:20 07:18 false", "2 P-2 PICKUP 07:40 07:38 true",
		"3 P-1 DELIVERY 08:00 07:58 false", "4 P-2 DELIVERY 08:20 08:18 true",
	}, stops)

	require.Len(t, day.Unplanned, 1)
	require.Equal(t, "P-3", day.Unplanned[0].ExternalID)
	require.Equal(t, "The order is 12.5 kg too heavy for Nora Berg’s vehicle.",
		*day.Unplanned[0].Planning.Reasons[0].Text)
	require.False(t, day.HasMore)

	require.Empty(t, read[contract.PlanPage](o, "/v2/plans/2026-03-03").Plans, "another day")
	require.Empty(t, read[contract.PlanPage](o, monday+"?departmentId=0").Plans, "another department")
	require.Len(t, read[contract.PlanPage](o, fmt.Sprint(monday, "?departmentId=", o.oslo)).Routes, 1)
	strange := o.Send(http.MethodGet, monday, "", "Authorization", o.outsider)
	require.Contains(t, strange.Body.String(), `"plans":[]`, "another organization")
}

// What was driven stands beside what is planned, and unplanned orders have a position on a map.
func TestPlanShowsWhenDriversWereAtStops(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order, left := o.order("P-1"), o.order("P-2")
	plan := o.plan()
	o.route(plan, o.nora, order)
	o.leftOver(plan, left, "UNPLANNED", `[{"code":"NO_WORKDAY"}]`, "")
	o.exec(`insert into order_progress (org_id, order_id, pickup_status, pickup_arrived_at, pickup_ended_at,
			delivery_status, delivery_arrived_at)
		values ($1, $2, 'completed', '2026-03-02T07:31:00Z', '2026-03-02T07:36:00Z',
			'arrived', '2026-03-02T08:02:00Z')`, order)
	o.exec(`update order_stops set latitude = 59.91, longitude = 10.75, postal_code = '0155', country = 'NO'
		where org_id = $1`)

	day := read[contract.PlanPage](o, monday)
	stops := day.Routes[0].Stops
	require.Equal(t, "07:31", stops[0].ArrivedAt.MustGet().Format("15:04"))
	require.Equal(t, "07:36", stops[0].EndedAt.MustGet().Format("15:04"))
	require.Equal(t, "08:02", stops[1].ArrivedAt.MustGet().Format("15:04"))
	require.True(t, stops[1].EndedAt.IsNull())
	require.Equal(t, "0155 NO", stops[1].PostalCode.MustGet()+" "+stops[1].Country.MustGet())
	require.NotEmpty(t, *stops[1].Customer)
	unplanned := day.Unplanned[0].Delivery
	require.Equal(t, [2]float64{59.91, 10.75}, [2]float64{unplanned.Latitude.MustGet(), unplanned.Longitude.MustGet()})
}

// A day is read a page at a time: each route and each unplanned order occurs
// once.
func TestADayIsReadInPages(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	plan := o.plan()
	o.route(plan, o.nora, o.order("P-1"))
	o.route(plan, o.ola, o.order("P-2"))
	for n := range 3 {
		o.leftOver(plan, o.order(fmt.Sprint("L-", n)), "UNPLANNABLE", `[{"code":"NO_WORKDAY"}]`, "")
	}
	for size, pages := range map[int]int{1: 5, 2: 3, 3: 2, 4: 2, 5: 1, 200: 1} {
		var seen []string
		token, asked := "", 0
		for more := true; more; asked++ {
			require.Less(t, asked, 9, "the walk ends")
			page := read[contract.PlanPage](o, fmt.Sprint(monday, "?pageSize=", size, "&token=", token))
			for _, r := range page.Routes {
				seen = append(seen, r.DriverName)
			}
			for _, u := range page.Unplanned {
				seen = append(seen, u.ExternalID)
			}
			require.LessOrEqual(t, len(page.Routes)+len(page.Unplanned), size)
			token, more = page.NextToken, page.HasMore
		}
		require.Equal(t, []string{"Nora Berg", "Ola Nordmann", "L-0", "L-1", "L-2"}, seen, "in pages of %d", size)
		require.Equal(t, pages, asked, "in pages of %d", size)
	}
	list := read[contract.UnplannedPage](o, "/v1/planning/unplanned?date=2026-03-02&pageSize=2")
	require.Len(t, list.Items, 2)
	list = read[contract.UnplannedPage](o, "/v1/planning/unplanned?date=2026-03-02&pageSize=2&token="+list.NextToken)
	require.Len(t, list.Items, 1)
	require.False(t, list.HasMore)
	for _, bad := range []string{"?token=x", "?token=r.1", "?pageSize=0", "?pageSize=201"} {
		require.Equal(t, http.StatusBadRequest, o.get(monday+bad).Code, bad)
	}
	require.Equal(t, http.StatusBadRequest, o.get("/v1/planning/unplanned?date=2026-03-02&token=r.1.2").Code)
}

func TestOrderShowsItsPlan(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	planned, waiting, left, over, away := o.order("P-1"), o.order("P-2"), o.order("P-3"), o.order("P-4"), o.order("P-5")
	plan := o.plan()
	o.route(plan, o.nora, planned, over)
	o.exec("update orders set status_id = 6 where org_id = $1 and id = $2", over)
	o.exec("insert into order_exports (org_id, order_id, state, exported_version) values ($1, $2, 'exported', 1)", away)
	skill := o.id("select id from skills where org_id = $1 and name = 'Tail lift'")
	o.leftOver(plan, left, "UNPLANNED", fmt.Sprintf(
		`[{"code":"SKILL_MISSING","drivers":[%d],"count":2,"skillId":%d},
		{"code":"CANNOT_REACH_DELIVERY_IN_TIME","drivers":[%d],"count":1,"by":1170},
		{"code":"FLEET_FULL","drivers":[%[1]d],"count":3,"lacks":"ROOM"}]`, o.ola, skill, o.nora), fmt.Sprintf(
		`[{"change":"DELIVERY_LATEST","seconds":1200},{"change":"WORKDAY_END","seconds":1500,"driverId":%d},
		{"change":"EXTRA_DRIVER","starts":"2026-03-02T08:10:00Z","ends":"2026-03-02T10:05:00Z","vehicleTypeId":%d,"serves":2},
		{"change":"WITHOUT_ORDER","orderId":%d}]`, o.nora, o.truck, planned))

	of := func(id int64, headers ...string) contract.OrderPlanning {
		return read[contract.OrderPlanning](o, fmt.Sprintf("/v2/orders/%d/planning", id), headers...)
	}
	p := of(planned)
	require.Equal(t, contract.PlanningStatePLANNED, p.State)
	require.Equal(t, "Nora Berg EB10001 07:20 08:00", fmt.Sprint(p.Driver.Name, " ", p.Vehicle.Registration, " ",
		p.Pickup.StartsAt.Format("15:04"), " ", p.Delivery.StartsAt.Format("15:04")))
	require.Equal(t, "2026-03-02", p.Date.String())
	require.Equal(t, contract.PlanningStatePENDING, of(waiting).State)
	require.Equal(t, contract.PlanningStateNONE, of(over).State)
	require.Equal(t, contract.PlanningStateNONE, of(away).State)
	require.Equal(t, http.StatusNotFound, o.get("/v2/orders/999999/planning").Code)
	strange := o.Send(http.MethodGet, fmt.Sprintf("/v2/orders/%d/planning", left), "", "Authorization", o.outsider)
	require.Equal(t, http.StatusNotFound, strange.Code)

	p = of(left)
	require.Equal(t, contract.PlanningCertaintyNOTFOUND, *p.Certainty)
	require.EqualValues(t, 1170, *p.Reasons[1].LateBySeconds)
	require.Equal(t, "Tail lift", *p.Reasons[0].Skill)
	texts := func(p contract.OrderPlanning) (said []string) {
		for _, r := range p.Reasons {
			said = append(said, *r.Text)
		}
		for _, c := range p.Counterfactuals {
			said = append(said, *c.Text)
		}
		return said
	}
	require.Equal(t, []string{
		"2 drivers or their vehicles lack the skill “Tail lift”.",
		"Nora Berg would arrive 20 min late at the delivery, even without other orders.",
		"The vehicles of 3 drivers have no room left for the order.",
		"The order would fit if the delivery could begin as late as 16:20, which is 20 min later.",
		"The order would fit if Nora Berg worked 25 min longer.",
		"Another driver with the vehicle type Truck, from 09:10 to 11:05, could take 2 unplanned orders, " +
			"including this one.",
		"The order would fit in place of order P-1.",
	}, texts(p))
	require.Equal(t, "2026-03-02T08:10:00Z/2026-03-02T10:05:00Z", p.Counterfactuals[2].Value)
	require.Contains(t, texts(of(left, "Accept-Language", "nb")),
		"Nora Berg ville komme 20 min for sent til leveringen, selv uten andre ordrer.")
	require.Contains(t, texts(of(left, "Accept-Language", "da")),
		"De biler, som 3 chauffører kører, har ikke plads til ordren.")
}

// The reads of orders show driver, status, ETA, duration and how they are planned.
func TestReadsOfOrdersShowThePlan(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id, waiting := o.order("P-1"), o.order("P-2")
	o.route(o.plan(), o.nora, id)
	path := fmt.Sprintf("/v1/orders/%d", id)
	order := read[contract.Order](o, path+"?loads=Planning,OrderLocations,Driver,OrderStatus")
	require.Equal(t, o.nora, order.DriverID.MustGet())
	require.EqualValues(t, 2, order.OrderStatusID)
	require.Equal(t, contract.PlanningStatePLANNED, order.Planning.State)
	require.Equal(t, "07:18 07:38", fmt.Sprint((*order.OrderLocations)[0].Eta.MustGet().Format("15:04"), " ",
		(*order.OrderLocations)[1].Eta.MustGet().Format("15:04")))
	require.Nil(t, read[contract.Order](o, path).Planning, "nobody asked")
	require.Equal(t, "PT40M", read[contract.OrderDuration](o, path+"/duration").TotalTime)
	unplanned := fmt.Sprintf("/v1/orders/%d", waiting)
	require.Equal(t, "PT20M", read[contract.OrderDuration](o, unplanned+"/duration").TotalTime, "its stops alone")
	order = read[contract.Order](o, unplanned+"?loads=Planning,OrderLocations")
	require.Equal(t, contract.PlanningStatePENDING, order.Planning.State)
	require.True(t, (*order.OrderLocations)[0].Eta.IsNull())

	list := "/v1/orders?startDate=2026-03-02&endDate=2026-03-02&loads=Planning&filters="
	mine := read[[]contract.Order](o, fmt.Sprint(list, "driver_id=", o.nora))
	require.Len(t, mine, 1)
	require.Equal(t, "Nora Berg", mine[0].Planning.Driver.Name)
	require.Empty(t, read[[]contract.Order](o, fmt.Sprint(list, "driver_id=", o.ola)))
	require.Len(t, read[[]contract.Order](o, list+"order_status_id=2"), 1)
}

// Every code that planning may keep has words in every language.
func TestEveryReasonHasWords(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := o.order("P-1")
	o.leftOver(o.plan(), id, "UNPLANNED", `[]`, "")
	for _, code := range codes(t) {
		for _, lacks := range []string{"TIME", "ROOM", "STOPS", "DRIVING"} {
			o.exec(`update plan_unplanned set reasons = $2 where org_id = $1`,
				fmt.Sprintf(`[{"code":%q,"drivers":[%d],"count":1,"by":60,"lacks":%q}]`, code, o.nora, lacks))
			for _, language := range []string{"en", "nb", "da"} {
				p := read[contract.OrderPlanning](o, fmt.Sprintf("/v2/orders/%d/planning", id), "Accept-Language", language)
				require.NotContains(t, *p.Reasons[0].Text, "planning.", "%s in %s", code, language)
				require.NotContains(t, *p.Reasons[0].Text, "<no value>", "%s in %s", code, language)
			}
		}
	}
}

// TestARouteNamesItsCoDriver names who rides along, and whether they drive.
func TestARouteNamesItsCoDriver(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	plan := o.plan()
	o.route(plan, o.nora, o.order("P-1"))
	page := read[contract.PlanPage](o, monday)
	require.True(t, page.Routes[0].CoDriver.IsNull())
	o.exec("update plan_routes set co_driver_id = $2, shares_driving = true where org_id = $1", o.ola)
	page = read[contract.PlanPage](o, monday)
	with := contract.CoDriver{ID: o.ola, Name: "Ola Nordmann", SharesDriving: true}
	require.Equal(t, with, page.Routes[0].CoDriver.MustGet())
}

// TestWhoRidesAlongGetsNoOrders leaves a co-driver out of the drivers to whom orders can be moved.
func TestWhoRidesAlongGetsNoOrders(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	drivers := func() (ids []int64) {
		for _, d := range o.workers(monday + "/drivers").Items {
			ids = append(ids, d.DriverID)
		}
		return ids
	}
	o.exec(`insert into driver_workdays (org_id, driver_id, date, starts, ends)
		select org_id, id, '2026-03-02', 420, 900 from drivers where org_id = $1`)
	require.Contains(t, drivers(), o.ola)
	o.exec("update driver_workdays set co_driver_id = $2 where org_id = $1 and driver_id = $3", o.ola, o.nora)
	require.NotContains(t, drivers(), o.ola)
	require.Contains(t, drivers(), o.nora)
	o.exec("update drivers set is_active = false where org_id = $1 and id = $2", o.nora)
	require.Contains(t, drivers(), o.ola, "nobody rides with one who has left")
}
