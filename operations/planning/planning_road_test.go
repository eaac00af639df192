package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/operations/operationstest"
)

// ahead are the deliveries of Nora's route that are not over, such as "A-1 4".
func ahead(r *operationstest.Road) []string {
	r.T.Helper()
	return operationstest.One[[]string](r.Office, `
		select coalesce(array_agg(concat_ws(' ', o.number, o.status_id) order by o.number), '{}')
		from plan_stops p join orders o on o.org_id = p.org_id and o.id = p.order_id
		where p.org_id = $1 and p.kind = 'delivery' and o.status_id <= 5`, r.Org)
}

// loads has Nora pick up at every stop where she can, two minutes apart.
func loads(r *operationstest.Road) {
	r.T.Helper()
	for i := range r.Stops {
		if r.Stops[i].Kind == "pickup" {
			r.Says(driving.PickUp, r.Stops[i].ID)
			r.Now = r.Now.Add(2 * time.Minute)
		}
	}
}

// TestLoadStaysOnTheRoute has a driver stand in a queue until all that she
// has on board is late. The plan is made again and again, and nothing vanishes.
func TestLoadStaysOnTheRoute(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	r.Now = r.Stops[0].Eta
	r.Says(driving.StartRoute, 0)
	loads(r)
	r.Do("update order_stops set latest = $2 where org_id = $1 and kind = 'delivery'", r.Org, r.Now.Add(30*time.Minute))
	for range 6 {
		r.Plan()
		r.Look()
		require.Equal(t, []string{"A-0 4", "A-1 4", "A-2 4"}, ahead(r), "at %s", r.Now.Format("15:04"))
		r.Now = r.Now.Add(9 * time.Minute)
	}
	require.Zero(t, operationstest.One[int](r.Office, "select count(*) from plan_unplanned where org_id = $1", r.Org))
	require.Equal(t, 3, operationstest.One[int](r.Office, "select count(*) from plan_stops where org_id = $1 and late_seconds > 0", r.Org))
	require.Equal(t, 3, operationstest.One[int](r.Office,
		"select count(*) from exceptions where org_id = $1 and kind = 'LATE_STOP' and resolved_at is null", r.Org), "and they stay late")
}

// TestAPickupThatFailsEndsItsDeliveryOnTheRoad: it is no stop of the route any more, and
// nobody is told that the driver is near.
func TestAPickupThatFailsEndsItsDeliveryOnTheRoad(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	r.Now = r.Stops[0].Eta
	r.Says(driving.StartRoute, 0)
	r.Says(driving.Arrive, r.Stops[0].ID)
	r.Now = r.Now.Add(2 * time.Minute)
	r.Says(driving.Fail, r.Stops[0].ID)
	failed := r.Stops[0].OrderID
	require.Equal(t, "failed dropped", operationstest.One[string](r.Office,
		"select pickup_status || ' ' || delivery_status from order_progress where org_id = $1 and order_id = $2", r.Org, failed))
	r.Stops = r.Stops[1:]
	loads(r)
	before := operationstest.One[time.Time](r.Office, "select max(eta) from live_etas where org_id = $1 and ahead > 0", r.Org)
	r.Plan()
	require.Len(t, ahead(r), 2)
	require.Equal(t, "pickup", operationstest.One[string](r.Office,
		"select string_agg(kind, ' ') from plan_stops where org_id = $1 and order_id = $2", r.Org, failed), "she was there")
	r.Look()
	after := operationstest.One[time.Time](r.Office, `select max(e.eta) from live_etas e join plan_stops p on p.org_id = e.org_id
		and p.order_id = e.order_id and p.kind = e.kind where e.org_id = $1`, r.Org)
	require.WithinDuration(t, before, after, 20*time.Minute)
	for range 4 {
		r.Now = r.Now.Add(15 * time.Minute)
		r.Look()
	}
	require.Zero(t, operationstest.One[int](r.Office, "select count(*) from stop_approaches where org_id = $1 and order_id = $2", r.Org, failed))
	require.Zero(t, operationstest.One[int](r.Office, "select count(*) from exceptions where org_id = $1 and order_id = $2", r.Org, failed))
}

// TestDayListsDriversLeftOut: two drivers have one vehicle at the same time.
func TestDayListsDriversLeftOut(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	d.Do("update drivers set vehicle_id = (select vehicle_id from drivers where org_id = $1 and external_id = 'nora') where org_id = $1 and external_id = 'jens'", d.Org)
	d.Load("A-1", "D-1")
	d.Plan()
	leftOut := `select left_out::text = jsonb_build_object((select id from drivers where org_id = $1 and external_id = 'jens'),
		(select id from drivers where org_id = $1 and external_id = 'nora'))::text from plans where org_id = $1`
	require.True(t, operationstest.One[bool](d.Office, leftOut, d.Org))
	d.Do("update drivers set is_active = false where org_id = $1 and external_id = 'jens'", d.Org)
	d.Plan()
	require.Equal(t, "{}", operationstest.One[string](d.Office, "select left_out::text from plans where org_id = $1", d.Org))
}

// TestMissedRuleRaisesAnException: an order that begins soon needs a skill from now
// on that its driver lacks, and nobody else works. It stays, and the office is told once.
func TestMissedRuleRaisesAnException(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	r.Now = r.Stops[0].Eta.Add(-10 * time.Minute)
	r.Plan()
	require.Empty(t, r.Exceptions())
	first := r.Stops[0]
	r.Do("insert into skills (org_id, id, name) values ($1, 99, 'Falconry')", r.Org)
	needs := func() {
		r.Do("insert into stop_skills (org_id, stop_id, skill_id, type) values ($1, $2, 99, 'REQUIRED')", r.Org, first.ID)
	}
	needs()
	r.Plan()
	r.Plan()
	require.Equal(t, []string{"RULE_MISSED"}, r.Exceptions(), "once, however often the plan is made")
	require.Equal(t, "SKILL_MISSING", operationstest.One[string](r.Office, "select rule from exceptions where org_id = $1 and order_id = $2", r.Org, first.OrderID))
	require.Equal(t, 2, operationstest.One[int](r.Office, "select count(*) from plan_stops where org_id = $1 and order_id = $2", r.Org, first.OrderID), "it stays")
	r.Do("delete from stop_skills where org_id = $1", r.Org)
	r.Plan()
	r.Plan()
	require.Equal(t, []string{"RULE_MISSED OVER system"}, r.Exceptions())

	needs()
	r.Plan()
	r.Do("update exceptions set resolution = 'DISMISSED', resolved_at = now(), resolved_by = 'user:1' where org_id = $1 and resolved_at is null", r.Org)
	r.Plan()
	require.Equal(t, []string{"RULE_MISSED OVER system", "RULE_MISSED DISMISSED user:1"}, r.Exceptions(), "who has dismissed it is left alone")
	require.Equal(t, []string{"exception.opened", "exception.resolved", "exception.opened"}, operationstest.One[[]string](r.Office,
		"select array_agg(kind order by id) from events where org_id = $1 and kind like 'exception.%'", r.Org))
}
