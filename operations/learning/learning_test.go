package learning_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/learning"
	"waybill/domain/traffic"
	"waybill/operations/operationstest"
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
	columns := operationstest.One[string](w.Office, `select string_agg(quote_ident(column_name), ', ') from information_schema.columns
		where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`, table)
	w.Do(fmt.Sprintf(`insert into %[1]s (%[2]s) select %[2]s from (select (jsonb_populate_record(x, %[3]s)).*
		from %[1]s x cross join generate_series(1, %[4]d - 1) n where x.org_id = $1) y`,
		table, columns, strings.ReplaceAll(changed, "$2", strconv.Itoa(later)), daysDriven), w.Org)
}

func (w *weeks) hours() string {
	return operationstest.One[string](w.Office, "select coalesce(rush_hours::text, '') from organizations where id = $1", w.Org)
}

func TestTravelIsLearnedAndProposed(t *testing.T) {
	t.Parallel()
	w := newWeeks(t)
	service := caller.Service(w.Org, "learn-travel/test")
	night, err := w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Equal(t, learning.Propose, night.Mode)
	require.Equal(t, daysDriven, night.Days)
	require.Greater(t, night.Legs, 2*daysDriven)
	require.Less(t, 5*night.Trial.After, night.Trial.Before)
	require.NotZero(t, night.Proposal)
	require.False(t, night.Accepted)
	require.Equal(t, operationstest.PlannedOn.Add(49*time.Hour), night.Next, "at two in Oslo")
	require.Empty(t, w.hours(), "nobody has accepted it")

	again, err := w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Zero(t, again.Proposal, "the same is not proposed twice")
	all, err := w.Store.TravelProposals(t.Context(), w.Org)
	require.NoError(t, err)
	require.Len(t, all, 1)
	for _, h := range all[0].Hours {
		require.InDelta(t, 0.7, h.Factor, 0.051, "%+v", h)
	}

	dispatcher := operationstest.Clerk(w.Org)
	require.NoError(t, w.Learning.Accept(t.Context(), dispatcher, night.Proposal))
	require.Contains(t, w.hours(), `"factor": 0.7`)
	require.Equal(t, 1, operationstest.One[int](w.Office, `select count(*) from events where org_id = $1
		and kind = 'organization.updated' and data::text like '%rush_hours%'`, w.Org), "plans follow")
	err = w.Learning.Accept(t.Context(), dispatcher, night.Proposal)
	require.Equal(t, fault.NotFound, fault.KindOf(err), "it is decided")
	night, err = w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Zero(t, night.Proposal, "what is known already brings nothing")
}

func TestOrganizationsLearnAsTheyWant(t *testing.T) {
	t.Parallel()
	w := newWeeks(t)
	service := caller.Service(w.Org, "learn-travel/test")
	w.Do("update organizations set learn_travel = 'OFF' where id = $1", w.Org)
	night, err := w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Equal(t, learning.Off, night.Mode)
	require.Zero(t, night.Legs)

	w.Do("update organizations set learn_travel = 'PROPOSE' where id = $1", w.Org)
	night, err = w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.NoError(t, w.Learning.Dismiss(t.Context(), operationstest.Clerk(w.Org), night.Proposal))
	night, err = w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Zero(t, night.Proposal, "what was dismissed is not proposed again")

	w.Do("delete from travel_proposals where org_id = $1", w.Org)
	w.Do("update organizations set learn_travel = 'ACCEPT' where id = $1", w.Org)
	night, err = w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.True(t, night.Accepted)
	require.NotEmpty(t, w.hours())
	all, err := w.Store.TravelProposals(t.Context(), w.Org)
	require.NoError(t, err)
	require.Equal(t, learning.Accepted, all[0].State)
	require.Empty(t, traffic.Problems("x", all[0].Hours))

	w.Do("update organizations set rush_hours = null where id = $1", w.Org)
	w.Do("update order_progress set pickup_arrived_at = null, delivery_arrived_at = null where org_id = $1", w.Org)
	night, err = w.Learning.Learn(t.Context(), service)
	require.NoError(t, err)
	require.Zero(t, night.Legs, "nobody said when they arrived")
	require.Zero(t, night.Proposal)
}
