package operationstest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/operations"
	planningops "waybill/operations/planning"
	"waybill/providers/travel"
	"waybill/store/storetest"
)

// fleet is an organization with two vans and a truck in Oslo, and addresses
// around it.
const fleet = `
organization: {slug: SLUG, name: Fleet AS, timezone: Europe/Oslo}
customers:
  - {externalId: C-100, businessName: Fjord Møbler AS}
vehicleTypes:
  - {name: Van, maxWeightKg: 1000}
  - {name: Truck, alsoServes: [Van]}
orderTypes:
  - {name: Standard, readyFrom: "08:00", pickUpBefore: "12:00", deliverBefore: "16:00"}
  - {name: Carrier, readyFrom: "08:00", pickUpBefore: "12:00", deliverBefore: "16:00", exportCarrier: postnord}
carriers:
  - {name: postnord, secretEnv: WAYBILL_CARRIER_POSTNORD}
skills:
  - {name: ADR}
locations:
  - {externalId: T, name: Terminal, address: {postalCode: "0668", city: Oslo, country: "NO", latitude: 59.92, longitude: 10.84}}
  - {externalId: D-1, name: One, address: {postalCode: "0461", city: Oslo, country: "NO", latitude: 59.93, longitude: 10.75}}
  - {externalId: D-2, name: Two, address: {postalCode: "0484", city: Oslo, country: "NO", latitude: 59.95, longitude: 10.77}}
  - {externalId: D-3, name: Three, address: {postalCode: "1366", city: Lysaker, country: "NO", latitude: 59.91, longitude: 10.63}}
  - {externalId: D-4, name: Nowhere, address: {address1: Strandveien 1, city: Atlantis, country: "NO"}}
vehicles:
  - {registration: V-1, vehicleType: Van, homeLocation: T}
  - {registration: V-2, vehicleType: Van, homeLocation: T}
  - {registration: V-3, vehicleType: Truck, homeLocation: T}
drivers:
  - {externalId: nora, name: Nora, vehicle: V-1, skills: [ADR], workdays: &day [{rrule: FREQ=DAILY, starts: "07:00", ends: "16:00", break: {minutes: 30, earliest: "10:30", latest: "13:00"}}]}
  - {externalId: jens, name: Jens, vehicle: V-2, workdays: *day}
  - {externalId: amir, name: Amir, vehicle: V-3, workdays: *day}
`

// crow are travel times as the crow flies.
var crow = travel.NewTables(travel.Crow{}, time.Now)

// PlannedOn is the day of the tests, a Monday.
var PlannedOn = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// Dispatch is an organization with a fleet, and a clock that a test moves.
type Dispatch struct {
	*Office

	Org int64
	Now time.Time
	// onRoads says that travel times are those of a server, not of the crow.
	onRoads bool
}

// NewDispatch returns the organization in a database of its own. change are texts of its document,
// each followed by what replaces it.
func NewDispatch(t *testing.T, change ...string) *Dispatch {
	t.Helper()
	d := &Dispatch{Office: NewOffice(t), Now: PlannedOn.Add(4 * time.Hour)}
	d.Operations = operations.New(d.Store, func() time.Time { return d.Now }, operations.Settings{
		Planning: planningops.Planning{Days: 14, Planners: 2},
	})
	text := strings.NewReplacer(append(change, "SLUG", "fleet")...).Replace(fleet)
	d.Org = storetest.Apply(t, d.Database, text)
	return d
}

// TravelBy has travel times asked at an address.
func (d *Dispatch) TravelBy(t *testing.T, address string) {
	t.Helper()
	knows, err := travel.Open(address)
	require.NoError(t, err)
	d.onRoads = true
	d.Operations = operations.New(d.Store, func() time.Time { return d.Now }, operations.Settings{
		Planning: planningops.Planning{Days: 14, Planners: 2, Tables: travel.NewTables(knows, func() time.Time { return d.Now })},
	})
}

// Area is what is planned: the whole day.
var Area = planning.Area{Date: PlannedOn}

// Plan works for a slice on the plan of the day.
func (d *Dispatch) Plan() planningops.PlannedDay {
	d.T.Helper()
	done, err := d.Planning.PlanDay(d.T.Context(), caller.Service(d.Org, "plan/test"), planningops.PlanningSlice{Area: Area})
	require.NoError(d.T, err)
	d.Holds()
	return done
}

// Rest plans until a plan is as good as it gets, and writes nothing then. How often
// that takes depends on how much else the machine does meanwhile.
func (d *Dispatch) Rest() planningops.PlannedDay {
	d.T.Helper()
	const most = 50
	for range most {
		rows := d.EveryRow()
		if done := d.Plan(); d.EveryRow() == rows {
			require.Zero(d.T, done.Told)
			return done
		}
	}
	require.Failf(d.T, "the plan does not come to rest", "%d slices have each changed it", most)
	return planningops.PlannedDay{}
}

// Load adds an order from the terminal to a place.
func (d *Dispatch) Load(number, to string, change ...func(*order.Request)) {
	d.T.Helper()
	entry := HeavyOrder(number)
	entry.Pickup, entry.Delivery = &order.LocationRequest{ExternalID: "T"}, &order.LocationRequest{ExternalID: to}
	for _, change := range change {
		change(&entry)
	}
	require.Len(d.T, d.Imported(d.Org, entry).Orders, 1)
}

// asPlanned gives the legs between stops of a plan the times that the plan has for them.
func asPlanned(day *planning.Day, draft *planning.Draft) {
	type stop struct {
		order int64
		kind  order.StopKind
	}
	planned := map[stop]routing.Leg{}
	for _, route := range day.Routes {
		for _, s := range route.Stops {
			planned[stop{s.OrderID, s.Kind}] = routing.Leg{Seconds: int32(s.Driving / time.Second), Meters: int32(s.Meters)}
		}
	}
	for k, visits := range draft.Present.Routes {
		shift := &draft.Problem.Shifts[k]
		travel, from := &draft.Problem.Travel[shift.Profile], shift.From
		for _, v := range visits {
			request := &draft.Problem.Requests[v.Request()]
			to, kind := request.Pickup.Place, order.Pickup
			if v.Delivers() {
				to, kind = request.Delivery.Place, order.Delivery
			}
			if leg, ok := planned[stop{draft.Orders[v.Request()], kind}]; ok && from >= 0 {
				travel.Legs[from*travel.Places+to] = leg
			}
			from = to
		}
	}
}

// Holds requires of the plan in the database what must be so after every commit.
func (d *Dispatch) Holds() {
	d.T.Helper()
	day, err := d.Store.PlanningDay(d.T.Context(), d.Org, Area, d.Now)
	require.NoError(d.T, err)
	draft := day.Draft()
	for _, profile := range draft.Profiles {
		table, err := crow.Table(d.T.Context(), nil, profile, draft.Points)
		require.NoError(d.T, err)
		draft.Problem.Travel = append(draft.Problem.Travel, table.Travel)
	}
	if d.onRoads {
		asPlanned(&day, draft)
	}
	if len(draft.Drivers) > 0 {
		require.NoError(d.T, draft.Problem.Validate())
		require.Empty(d.T, routing.Broken(&draft.Problem, draft.Present))
		if d.onRoads { // other legs are unknown here
			return
		}
		explainer := routing.NewExplainer(&draft.Problem, draft.Present)
		for _, r := range draft.Present.Unplanned(len(draft.Orders)) {
			for _, refusal := range explainer.Why(r).Shifts {
				require.NotEmpty(d.T, refusal.Code, "order %d has a place with driver %d", draft.Orders[r], draft.Drivers[refusal.Shift])
			}
		}
	}
	require.Zero(d.T, One[int](d.Office, `
		select count(*) from orders o where o.org_id = $1 and o.status_id = 2 and o.driver_id is distinct from
			(select max(s.driver_id) from plan_stops s where s.org_id = o.org_id and s.order_id = o.id)`, d.Org),
		"a planned order is with the driver whose route has it")
	require.Zero(d.T, One[int](d.Office, `
		select count(*) from (select s.order_id from plan_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id
			where s.org_id = $1 and o.status_id <= 5 group by s.order_id
			having count(*) <> 2 or count(distinct s.driver_id) > 1) broken`, d.Org), "both stops are in one route")
}

// DriverOf is who has an order by its number, "" when nobody has.
func (d *Dispatch) DriverOf(number string) string {
	d.T.Helper()
	return One[string](d.Office, `select coalesce((select r.name from drivers r
		where r.org_id = o.org_id and r.id = o.driver_id), '') from orders o where o.org_id = $1 and o.number = $2`, d.Org, number)
}

// Told are the events of orders that planning wrote, such as "A-1 order.planned 2 Nora".
func (d *Dispatch) Told() []string {
	d.T.Helper()
	return One[[]string](d.Office, `
		select coalesce(array_agg(concat_ws(' ', e.external_id, e.kind, e.order_status_id, r.name) order by e.id), '{}')
		from events e left join drivers r on r.org_id = e.org_id and r.id = e.driver_id
		where e.org_id = $1 and e.kind in ('order.planned', 'order.unplanned')`, d.Org)
}

// Do runs a statement as the owner.
func (d *Dispatch) Do(sql string, args ...any) {
	d.T.Helper()
	_, err := d.Owner.Exec(context.WithoutCancel(d.T.Context()), sql, args...)
	require.NoError(d.T, err)
}

// Reasons are why an order is left over, such as "UNPLANNABLE PROVEN NO_COORDINATES".
func (d *Dispatch) Reasons(number string) string {
	d.T.Helper()
	return One[string](d.Office, `
		select concat_ws(' ', u.state, u.certainty, (select string_agg(x->>'code', ' ' order by x->>'code') from jsonb_array_elements(u.reasons) x))
		from plan_unplanned u join orders o on o.org_id = u.org_id and o.id = u.order_id
		where o.org_id = $1 and o.number = $2`, d.Org, number)
}

// Numbered returns the number of the nth order.
func Numbered(n int) string { return fmt.Sprintf("A-%d", n) }

// NewSandbox is a dispatch whose organization drives by itself, with orders that are
// planned.
func NewSandbox(t *testing.T, numbers ...string) *Dispatch {
	t.Helper()
	d := NewDispatch(t, "timezone: Europe/Oslo}", "timezone: Europe/Oslo}\nsettings: {sandbox: true}")
	for i, number := range numbers {
		d.Load(number, []string{"D-1", "D-2", "D-3"}[i%3])
	}
	d.Do("update orders set created_at = $1", d.Now.Add(-time.Hour)) // by the clock of the test
	d.Plan()
	return d
}
