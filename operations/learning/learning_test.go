package learning_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/domain/learning"
	"waybill/domain/traffic"
	"waybill/operations/operationstest"
	"waybill/store"
)

// weeks are four weeks of days that are alike. On each, drivers took seven tenths of the time of the road data.
type weeks struct{ *operationstest.Dispatch }

const daysDriven = 28

// later copies the rows of a day to days before it, as other orders.
const later = 1_000_000

func newWeeks(t *testing.T) *weeks {
	t.Helper()
	w := &weeks{operationstest.NewDispatch(t)}
	for i, place := range []string{"D-1", "D-2", "D-3", "D-1", "D-2", "D-3"} {
		w.Load(operationstest.Numbered(i), place)
	}
	w.Plan()
	w.Do(`insert into travel_ways (org_id, provider, profile, from_place, to_place, seconds, meters)
		select s.org_id, l.provider, l.profile, l.from_place, l.to_place, s.driving_seconds, s.meters
		from plans p cross join legs_of_plan(p.org_id, p.id, null) l
		join plan_stops s on s.org_id = p.org_id and s.plan_id = p.id and s.driver_id = l.driver_id and s.seq = l.seq
		where p.org_id = $1 and l.from_place is not null on conflict do nothing`, w.Org)
	w.copy("orders", `jsonb_build_object('id', x.id + n * $2::bigint, 'number', x.number || '/' || n,
		'serial', x.serial + n * $2::bigint, 'date', x.date - n)`)
	w.copy("order_stops", `jsonb_build_object('id', x.id + n * $2::bigint, 'order_id', x.order_id + n * $2::bigint,
		'earliest', x.earliest - n * interval '1 day', 'latest', x.latest - n * interval '1 day')`)
	w.copy("plans", `jsonb_build_object('id', x.id + n * $2::bigint, 'day', x.day - n)`)
	w.copy("plan_routes", `jsonb_build_object('plan_id', x.plan_id + n * $2::bigint, 'breaks', '[]'::jsonb)`)
	w.copy("plan_stops", `jsonb_build_object('plan_id', x.plan_id + n * $2::bigint, 'order_id', x.order_id + n * $2::bigint,
		'leaves_at', x.leaves_at - n * interval '1 day')`)
	w.Do("delete from order_progress where org_id = $1", w.Org)
	w.Do(`insert into order_progress (org_id, order_id, pickup_status, delivery_status, pickup_arrived_at, pickup_ended_at,
			delivery_arrived_at, delivery_ended_at)
		select $1, x.order_id, 'completed', 'completed', max(x.arrived) filter (where x.kind = 'pickup'),
			max(x.leaves_at) filter (where x.kind = 'pickup'), max(x.arrived) filter (where x.kind = 'delivery'),
			max(x.leaves_at) filter (where x.kind = 'delivery')
		from (select s.order_id, s.kind, s.leaves_at, coalesce(lag(s.leaves_at) over (partition by s.plan_id, s.driver_id order by s.seq)
				+ s.driving_seconds * interval '0.7 seconds', s.arrives_at) as arrived
			from plan_stops s where s.org_id = $1) x group by x.order_id`, w.Org)
	w.Now = operationstest.PlannedOn.Add(26 * time.Hour)
	return w
}

// copy copies the rows of a table to the days before.
func (w *weeks) copy(table, changed string) {
	w.T.Helper()
	w.copyDays(daysDriven, table, changed)
}

// copyDays copies the rows of a table so that so many days have them.
func (w *weeks) copyDays(days int, table, changed string) {
	w.T.Helper()
	columns := operationstest.One[string](w.Office, `select string_agg(quote_ident(column_name), ', ') from information_schema.columns
		where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`, table)
	w.Do(fmt.Sprintf(`insert into %[1]s (%[2]s) select %[2]s from (select (jsonb_populate_record(x, %[3]s)).*
		from %[1]s x cross join generate_series(1, %[4]d - 1) n where x.org_id = $1) y`,
		table, columns, strings.ReplaceAll(changed, "$2", strconv.Itoa(later)), days), w.Org)
}

func (w *weeks) hours() string {
	return operationstest.One[string](w.Office, "select coalesce(rush_hours::text, '') from organizations where id = $1", w.Org)
}

// proposals are the proposals of a kind, the newest first.
func (w *weeks) proposals(kind learning.Kind) []store.TravelProposal {
	w.T.Helper()
	all, err := w.Store.TravelProposals(w.T.Context(), w.Org)
	require.NoError(w.T, err)
	return slices.DeleteFunc(all, func(p store.TravelProposal) bool { return p.Kind != kind })
}

// stay has the visits of a place take so long, from the arrival to the end of the first order.
func (w *weeks) stay(place string, minutes int) int64 {
	w.T.Helper()
	id := operationstest.One[int64](w.Office, "select id from locations where org_id = $1 and external_id = $2", w.Org, place)
	w.Do(`update order_progress g set delivery_arrived_at = delivery_ended_at - $3 * interval '1 minute'
		from order_stops s where g.org_id = $1 and s.org_id = $1 and s.order_id = g.order_id and s.kind = 'delivery'
			and s.location_id = $2`, w.Org, id, minutes)
	return id
}

func TestTravelIsLearnedAndProposed(t *testing.T) {
	t.Parallel()
	w := newWeeks(t)
	service := caller.Service(w.Org, "learn-travel/test")
	night, err := w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Equal(t, learning.Propose, night.Mode)
	require.Equal(t, daysDriven, night.Travel.Days)
	require.Greater(t, night.Travel.Facts, 2*daysDriven)
	require.Less(t, 5*night.Travel.Trial.After, night.Travel.Trial.Before)
	require.NotZero(t, night.Travel.Proposal)
	require.False(t, night.Travel.Accepted)
	require.Equal(t, operationstest.PlannedOn.Add(49*time.Hour), night.Next, "at two in Oslo")
	require.Empty(t, w.hours(), "nobody has accepted it")

	again, err := w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Zero(t, again.Travel.Proposal, "the same is not proposed twice")
	all := w.proposals(learning.OfHours)
	require.Len(t, all, 1)
	for _, h := range all[0].Hours {
		require.InDelta(t, 0.7, h.Factor, 0.051, "%+v", h)
	}

	dispatcher := operationstest.Clerk(w.Org)
	require.NoError(t, w.Learning.Accept(t.Context(), dispatcher, night.Travel.Proposal))
	require.Contains(t, w.hours(), `"factor": 0.7`)
	require.Equal(t, 1, operationstest.One[int](w.Office, `select count(*) from events where org_id = $1
		and kind = 'organization.updated' and data::text like '%rush_hours%'`, w.Org), "plans follow")
	err = w.Learning.Accept(t.Context(), dispatcher, night.Travel.Proposal)
	require.Equal(t, fault.NotFound, fault.KindOf(err), "it is decided")
	night, err = w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Zero(t, night.Travel.Proposal, "what is known already brings nothing")
}

func TestOrganizationsLearnAsTheyWant(t *testing.T) {
	t.Parallel()
	w := newWeeks(t)
	service := caller.Service(w.Org, "learn-travel/test")
	w.Do("update organizations set learn_travel = 'OFF' where id = $1", w.Org)
	night, err := w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Equal(t, learning.Off, night.Mode)
	require.Zero(t, night.Travel.Facts)

	w.Do("update organizations set learn_travel = 'PROPOSE' where id = $1", w.Org)
	night, err = w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.NoError(t, w.Learning.Dismiss(t.Context(), operationstest.Clerk(w.Org), night.Travel.Proposal))
	night, err = w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Zero(t, night.Travel.Proposal, "what was dismissed is not proposed again")

	w.Do("delete from travel_proposals where org_id = $1", w.Org)
	w.Do("update organizations set learn_travel = 'ACCEPT' where id = $1", w.Org)
	night, err = w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.True(t, night.Travel.Accepted)
	require.NotEmpty(t, w.hours())
	all := w.proposals(learning.OfHours)
	require.Equal(t, learning.Accepted, all[0].State)
	require.Empty(t, traffic.Problems("x", all[0].Hours))

	w.Do("update organizations set rush_hours = null where id = $1", w.Org)
	w.Do("update order_progress set pickup_arrived_at = null, delivery_arrived_at = null where org_id = $1", w.Org)
	night, err = w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Zero(t, night.Travel.Facts, "nobody said when they arrived")
	require.Zero(t, night.Visits.Facts, "nor how long they stayed")
	require.Zero(t, night.Travel.Proposal)
}

func TestTimesOfVisitsAreLearnedAndProposed(t *testing.T) {
	t.Parallel()
	w := newWeeks(t)
	for _, place := range []string{"D-2", "D-3"} {
		w.stay(place, 5)
	}
	slow := w.stay("D-1", 14)
	service := caller.Service(w.Org, "learn-travel/test")
	night, err := w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Equal(t, daysDriven, night.Visits.Days)
	require.GreaterOrEqual(t, night.Visits.Facts, 3*daysDriven)
	require.Less(t, 4*night.Visits.Trial.After, night.Visits.Trial.Before, "%+v", night.Visits.Trial)
	require.NotZero(t, night.Visits.Proposal)

	timesOf := func() string {
		return operationstest.One[string](w.Office, "select coalesce(service_time::text, '') from locations where id = $1", slow)
	}
	require.Empty(t, timesOf(), "nobody has accepted it")
	all := w.proposals(learning.OfVisits)
	require.Len(t, all, 1)
	at := slices.IndexFunc(all[0].Visits, func(v learning.VisitTime) bool { return v.LocationID == slow })
	require.GreaterOrEqual(t, at, 0, "%+v", all[0].Visits)
	require.InDelta(t, 13*60, all[0].Visits[at].SetupSeconds, 60, "%+v", all[0].Visits[at])
	require.Equal(t, int32(60), all[0].Visits[at].OrderSeconds, "all visits have as many orders")
	require.Equal(t, int32(240), all[0].Visits[at].SetupSecondsBefore)
	again, err := w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Zero(t, again.Visits.Proposal, "the same is not proposed twice")

	w.Do(`update locations set service_time = '{"seconds_per_kg": 0.5}' where id = $1`, slow)
	require.NoError(t, w.Learning.Accept(t.Context(), operationstest.Clerk(w.Org), night.Visits.Proposal))
	require.Contains(t, timesOf(), fmt.Sprintf(`"setup_seconds": %d`, all[0].Visits[at].SetupSeconds))
	require.Contains(t, timesOf(), `"seconds_per_kg": 0.5`, "what goods take stays")
	require.Equal(t, 1, operationstest.One[int](w.Office, `select count(*) from events where org_id = $1
		and kind = 'location.updated' and subject_id = $2`, w.Org, slow), "plans follow")
	w.Do("update locations set service_time = service_time - 'seconds_per_kg' where id = $1", slow)
	night, err = w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Zero(t, night.Visits.Proposal, "what is known already brings nothing")
}

func TestLearnedTimesOfOrderTypesAreAccepted(t *testing.T) {
	t.Parallel()
	w := newWeeks(t)
	kind := operationstest.One[int64](w.Office, "select id from order_types where org_id = $1 and name = 'Standard'", w.Org)
	id := operationstest.One[int64](w.Office, `insert into travel_proposals (org_id, kind, hours, visits, legs, days, trial_legs,
			trial_days, before_seconds, after_seconds)
		values ($1, 'VISITS', '[]', jsonb_build_array(jsonb_build_object('orderTypeId', $2::bigint, 'setupSeconds', 90,
			'orderSeconds', 40), jsonb_build_object('locationId', 987654321, 'setupSeconds', 1, 'orderSeconds', 1)), 9, 9, 9, 9, 9, 1)
		returning id`, w.Org, kind)
	require.NoError(t, w.Learning.Accept(t.Context(), operationstest.Clerk(w.Org), id), "a location is gone meanwhile")
	require.JSONEq(t, `{"setup_seconds": 90, "order_seconds": 40}`,
		operationstest.One[string](w.Office, "select service_time::text from order_types where id = $1", kind))
	require.Equal(t, 1, operationstest.One[int](w.Office, `select count(*) from events where org_id = $1
		and kind = 'order_type.updated' and subject_id = $2 and external_id = 'Standard'`, w.Org, kind))
	require.Empty(t, w.hours(), "rush hours stay as they are")
}

func TestLearnedFactorsOfDriversAreAccepted(t *testing.T) {
	t.Parallel()
	w := &weeks{operationstest.NewDispatch(t)}
	id := func(name string) int64 {
		return operationstest.One[int64](w.Office,
			"select id from drivers where org_id = $1 and external_id = $2", w.Org, name)
	}
	nora, jens, amir := id("nora"), id("jens"), id("amir")
	w.Do("update drivers set driving_factor = 1.4, visit_factor = 1.3 where id = $1", jens)
	w.Do("update drivers set is_active = false where id = $1", amir)
	proposal := operationstest.One[int64](w.Office, `insert into travel_proposals (org_id, kind, hours, drivers, legs, days,
			trial_legs, trial_days, before_seconds, after_seconds)
		values ($1, 'DRIVERS', '[]', jsonb_build_array(
			jsonb_build_object('driverId', $2::bigint, 'drivingFactor', 1.15, 'drivingFactorBefore', 1,
				'visitFactorBefore', 1, 'legs', 90),
			jsonb_build_object('driverId', $3::bigint, 'drivingFactor', 1, 'drivingFactorBefore', 1.4, 'visitFactorBefore', 1.3),
			jsonb_build_object('driverId', $4::bigint, 'visitFactor', 2)), 9, 9, 9, 9, 9, 1)
		returning id`, w.Org, nora, jens, amir)
	require.Len(t, w.proposals(learning.OfDrivers), 1)
	require.NoError(t, w.Learning.Accept(t.Context(), operationstest.Clerk(w.Org), proposal))
	paces, err := w.Store.Paces(t.Context(), w.Org)
	require.NoError(t, err)
	require.Equal(t, map[int64]driver.Pace{nora: {Driving: 1.15}, jens: {Visits: 1.3}}, paces,
		"what was not learned stays, and who left meanwhile stays as they are")
	require.Equal(t, 2, operationstest.One[int](w.Office, `select count(*) from events where org_id = $1
		and kind = 'driver.updated' and data::text like '%drivingFactor%'`, w.Org), "plans follow")

	w.Plan()
	day, err := w.Store.PlanningDay(t.Context(), w.Org, operationstest.Area, w.Now)
	require.NoError(t, err)
	planned := map[int64]driver.Pace{}
	for i := range day.Drivers {
		planned[day.Drivers[i].ID] = day.Drivers[i].Pace
	}
	require.Equal(t, paces, planned)
}
