package operations_test

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

// plannedOn is the day of the tests, a Monday.
var plannedOn = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// dispatch is an organization with a fleet, and a clock that a test moves.
type dispatch struct {
	*office

	org int64
	now time.Time
}

func newDispatch(t *testing.T, change ...string) *dispatch {
	t.Helper()
	d := &dispatch{office: newOffice(t), now: plannedOn.Add(4 * time.Hour)}
	d.Operations = operations.New(d.store, func() time.Time { return d.now }, operations.Settings{
		Planning: planningops.Planning{Days: 14, Planners: 2},
	})
	text := strings.NewReplacer(append(change, "SLUG", "fleet")...).Replace(fleet)
	d.org = storetest.Apply(t, d.Database, text)
	return d
}

// travelBy has travel times asked at an address.
func (d *dispatch) travelBy(t *testing.T, address string) {
	t.Helper()
	knows, err := travel.Open(address)
	require.NoError(t, err)
	d.Operations = operations.New(d.store, func() time.Time { return d.now }, operations.Settings{
		Planning: planningops.Planning{Days: 14, Planners: 2, Tables: travel.NewTables(knows, time.Now)},
	})
}

var area = planning.Area{Date: plannedOn}

// plan works for a slice on the plan of the day.
func (d *dispatch) plan() planningops.PlannedDay {
	d.t.Helper()
	done, err := d.Planning.PlanDay(d.t.Context(), caller.Service(d.org, "plan/test"), planningops.PlanningSlice{Area: area})
	require.NoError(d.t, err)
	d.holds()
	return done
}

// rest plans until a plan is as good as it gets, and writes nothing then. How often
// that takes depends on how much else the machine does meanwhile.
func (d *dispatch) rest() planningops.PlannedDay {
	d.t.Helper()
	const most = 50
	for range most {
		rows := d.everyRow()
		if done := d.plan(); d.everyRow() == rows {
			require.Zero(d.t, done.Told)
			return done
		}
	}
	require.Failf(d.t, "the plan does not come to rest", "%d slices have each changed it", most)
	return planningops.PlannedDay{}
}

// load adds an order from the terminal to a place.
func (d *dispatch) load(number, to string, change ...func(*order.Request)) {
	d.t.Helper()
	entry := heavyOrder(number)
	entry.Pickup, entry.Delivery = &order.LocationRequest{ExternalID: "T"}, &order.LocationRequest{ExternalID: to}
	for _, change := range change {
		change(&entry)
	}
	require.Len(d.t, d.imported(d.org, entry).Orders, 1)
}

// holds requires of the plan in the database what must be so after every commit.
func (d *dispatch) holds() {
	d.t.Helper()
	day, err := d.store.PlanningDay(d.t.Context(), d.org, area, d.now)
	require.NoError(d.t, err)
	draft := day.Draft()
	for _, profile := range draft.Profiles {
		table, err := crow.Table(d.t.Context(), nil, profile, draft.Points)
		require.NoError(d.t, err)
		draft.Problem.Travel = append(draft.Problem.Travel, table.Travel)
	}
	if len(draft.Drivers) > 0 {
		require.NoError(d.t, draft.Problem.Validate())
		require.Empty(d.t, routing.Broken(&draft.Problem, draft.Present))
		explainer := routing.NewExplainer(&draft.Problem, draft.Present)
		for _, r := range draft.Present.Unplanned(len(draft.Orders)) {
			for _, refusal := range explainer.Why(r).Shifts {
				require.NotEmpty(d.t, refusal.Code, "order %d has a place with driver %d", draft.Orders[r], draft.Drivers[refusal.Shift])
			}
		}
	}
	require.Zero(d.t, one[int](d.office, `
		select count(*) from orders o where o.org_id = $1 and o.status_id = 2 and o.driver_id is distinct from
			(select max(s.driver_id) from plan_stops s where s.org_id = o.org_id and s.order_id = o.id)`, d.org),
		"a planned order is with the driver whose route has it")
	require.Zero(d.t, one[int](d.office, `
		select count(*) from (select s.order_id from plan_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id
			where s.org_id = $1 and o.status_id <= 5 group by s.order_id
			having count(*) <> 2 or count(distinct s.driver_id) > 1) broken`, d.org), "both stops are in one route")
}

// driverOf is who has an order by its number, "" when nobody has.
func (d *dispatch) driverOf(number string) string {
	d.t.Helper()
	return one[string](d.office, `select coalesce((select r.name from drivers r
		where r.org_id = o.org_id and r.id = o.driver_id), '') from orders o where o.org_id = $1 and o.number = $2`, d.org, number)
}

// told are the events of orders that planning wrote, such as "A-1 order.planned 2 Nora".
func (d *dispatch) told() []string {
	d.t.Helper()
	return one[[]string](d.office, `
		select coalesce(array_agg(concat_ws(' ', e.external_id, e.kind, e.order_status_id, r.name) order by e.id), '{}')
		from events e left join drivers r on r.org_id = e.org_id and r.id = e.driver_id
		where e.org_id = $1 and e.kind in ('order.planned', 'order.unplanned')`, d.org)
}

func (d *dispatch) do(sql string, args ...any) {
	d.t.Helper()
	_, err := d.owner.Exec(context.WithoutCancel(d.t.Context()), sql, args...)
	require.NoError(d.t, err)
}

// reasons are why an order is left over, such as "UNPLANNABLE PROVEN NO_COORDINATES".
func (d *dispatch) reasons(number string) string {
	d.t.Helper()
	return one[string](d.office, `
		select concat_ws(' ', u.state, u.certainty, (select string_agg(x->>'code', ' ' order by x->>'code') from jsonb_array_elements(u.reasons) x))
		from plan_unplanned u join orders o on o.org_id = u.org_id and o.id = u.order_id
		where o.org_id = $1 and o.number = $2`, d.org, number)
}

func numbered(n int) string { return fmt.Sprintf("A-%d", n) }
