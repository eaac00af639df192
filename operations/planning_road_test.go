package operations_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
)

// ahead are the deliveries of Nora's route that are not over, such as "A-1 4".
func (r *road) ahead() []string {
	r.t.Helper()
	return one[[]string](r.office, `
		select coalesce(array_agg(concat_ws(' ', o.number, o.status_id) order by o.number), '{}')
		from plan_stops p join orders o on o.org_id = p.org_id and o.id = p.order_id
		where p.org_id = $1 and p.kind = 'delivery' and o.status_id <= 5`, r.org)
}

// loads has Nora pick up at every stop where she can, two minutes apart.
func (r *road) loads() {
	r.t.Helper()
	for i := range r.stops {
		if r.stops[i].Kind == "pickup" {
			r.says(driving.PickUp, r.stops[i].ID)
			r.now = r.now.Add(2 * time.Minute)
		}
	}
}

// TestWhatIsOnBoardStaysOnTheRoute has a driver stand in a queue until all that she
// has on board is late. The plan is made again and again, and nothing vanishes.
func TestWhatIsOnBoardStaysOnTheRoute(t *testing.T) {
	t.Parallel()
	r := newRoad(t)
	r.now = r.stops[0].Eta
	r.says(driving.StartRoute, 0)
	r.loads()
	r.do("update order_stops set latest = $2 where org_id = $1 and kind = 'delivery'", r.org, r.now.Add(30*time.Minute))
	for range 6 {
		r.plan()
		r.look()
		require.Equal(t, []string{"A-0 4", "A-1 4", "A-2 4"}, r.ahead(), "at %s", r.now.Format("15:04"))
		r.now = r.now.Add(9 * time.Minute)
	}
	require.Zero(t, one[int](r.office, "select count(*) from plan_unplanned where org_id = $1", r.org))
	require.Equal(t, 3, one[int](r.office, "select count(*) from plan_stops where org_id = $1 and late_seconds > 0", r.org))
	require.Equal(t, 3, one[int](r.office,
		"select count(*) from exceptions where org_id = $1 and kind = 'LATE_STOP' and resolved_at is null", r.org), "and they stay late")
}

// TestAPickupThatFailsEndsItsDeliveryOnTheRoad: it is no stop of the route any more, and
// nobody is told that the driver is near.
func TestAPickupThatFailsEndsItsDeliveryOnTheRoad(t *testing.T) {
	t.Parallel()
	r := newRoad(t)
	r.now = r.stops[0].Eta
	r.says(driving.StartRoute, 0)
	r.says(driving.Arrive, r.stops[0].ID)
	r.now = r.now.Add(2 * time.Minute)
	r.says(driving.Fail, r.stops[0].ID)
	failed := r.stops[0].OrderID
	require.Equal(t, "failed dropped", one[string](r.office,
		"select pickup_status || ' ' || delivery_status from order_progress where org_id = $1 and order_id = $2", r.org, failed))
	r.stops = r.stops[1:]
	r.loads()
	before := one[time.Time](r.office, "select max(eta) from live_etas where org_id = $1 and ahead > 0", r.org)
	r.plan()
	require.Len(t, r.ahead(), 2)
	require.Equal(t, "pickup", one[string](r.office,
		"select string_agg(kind, ' ') from plan_stops where org_id = $1 and order_id = $2", r.org, failed), "she was there")
	r.look()
	after := one[time.Time](r.office, `select max(e.eta) from live_etas e join plan_stops p on p.org_id = e.org_id
		and p.order_id = e.order_id and p.kind = e.kind where e.org_id = $1`, r.org)
	require.WithinDuration(t, before, after, 20*time.Minute)
	for range 4 {
		r.now = r.now.Add(15 * time.Minute)
		r.look()
	}
	require.Zero(t, one[int](r.office, "select count(*) from stop_approaches where org_id = $1 and order_id = $2", r.org, failed))
	require.Zero(t, one[int](r.office, "select count(*) from exceptions where org_id = $1 and order_id = $2", r.org, failed))
}

// TestADaySaysWhoIsLeftOut: two drivers have one vehicle at the same time.
func TestADaySaysWhoIsLeftOut(t *testing.T) {
	t.Parallel()
	d := newDispatch(t)
	d.do("update drivers set vehicle_id = (select vehicle_id from drivers where org_id = $1 and external_id = 'nora') where org_id = $1 and external_id = 'jens'", d.org)
	d.load("A-1", "D-1")
	d.plan()
	leftOut := `select left_out::text = jsonb_build_object((select id from drivers where org_id = $1 and external_id = 'jens'),
		(select id from drivers where org_id = $1 and external_id = 'nora'))::text from plans where org_id = $1`
	require.True(t, one[bool](d.office, leftOut, d.org))
	d.do("update drivers set is_active = false where org_id = $1 and external_id = 'jens'", d.org)
	d.plan()
	require.Equal(t, "{}", one[string](d.office, "select left_out::text from plans where org_id = $1", d.org))
}

// TestTheOfficeHearsOfARuleThatIsMissed: an order that begins soon needs a skill from now
// on that its driver lacks, and nobody else works. It stays, and the office is told once.
func TestTheOfficeHearsOfARuleThatIsMissed(t *testing.T) {
	t.Parallel()
	r := newRoad(t)
	r.now = r.stops[0].Eta.Add(-10 * time.Minute)
	r.plan()
	require.Empty(t, r.exceptions())
	first := r.stops[0]
	r.do("insert into skills (org_id, id, name) values ($1, 99, 'Falconry')", r.org)
	needs := func() {
		r.do("insert into stop_skills (org_id, stop_id, skill_id, type) values ($1, $2, 99, 'REQUIRED')", r.org, first.ID)
	}
	needs()
	r.plan()
	r.plan()
	require.Equal(t, []string{"RULE_MISSED"}, r.exceptions(), "once, however often the plan is made")
	require.Equal(t, "SKILL_MISSING", one[string](r.office, "select rule from exceptions where org_id = $1 and order_id = $2", r.org, first.OrderID))
	require.Equal(t, 2, one[int](r.office, "select count(*) from plan_stops where org_id = $1 and order_id = $2", r.org, first.OrderID), "it stays")
	r.do("delete from stop_skills where org_id = $1", r.org)
	r.plan()
	r.plan()
	require.Equal(t, []string{"RULE_MISSED OVER system"}, r.exceptions())

	needs()
	r.plan()
	r.do("update exceptions set resolution = 'DISMISSED', resolved_at = now(), resolved_by = 'user:1' where org_id = $1 and resolved_at is null", r.org)
	r.plan()
	require.Equal(t, []string{"RULE_MISSED OVER system", "RULE_MISSED DISMISSED user:1"}, r.exceptions(), "who has dismissed it is left alone")
	require.Equal(t, []string{"exception.opened", "exception.resolved", "exception.opened"}, one[[]string](r.office,
		"select array_agg(kind order by id) from events where org_id = $1 and kind like 'exception.%'", r.org))
}
