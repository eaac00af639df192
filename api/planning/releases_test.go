package planning_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

func TestDispatchersReleasePlans(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	plan := o.plan()
	o.route(plan, o.nora, o.order("A-1"), o.order("A-2"))
	o.exec("update departments set release_minute = 17 * 60, release_threshold_minutes = 12 where org_id = $1 and id = $2",
		o.oslo)
	before := read[contract.PlanPage](o, monday).Plans[0].Release
	require.Equal(t, time.Date(2026, 3, 1, 16, 0, 0, 0, time.UTC), before.DueAt.MustGet(), "17:00 in Oslo, the day before")
	require.Equal(t, int32(12), before.ThresholdMinutes)
	require.True(t, before.ReleasedAt.IsNull())
	require.True(t, before.ReleasedBy.IsNull())

	body := fmt.Sprintf(`{"departmentId":%d}`, o.oslo)
	release := func(who, body string) int {
		return o.as(who, http.MethodPost, monday+"/release", body).Code
	}
	for _, who := range []string{o.key, o.support} {
		require.Equal(t, http.StatusForbidden, release(who, body))
	}
	require.Equal(t, http.StatusNotFound, release(o.dispatcher, "{}"), "a department has it")
	require.Equal(t, http.StatusOK, release(o.dispatcher, body))
	require.Equal(t, `4 user:12 4 plan.released {"orders": 2, "routes": 1}`, o.text(
		`select concat_ws(' ', p.version, p.released_by, (select count(*) from plan_released_stops s where s.plan_id = p.id),
			e.kind, e.data)
		from plans p, events e where p.org_id = $1 and p.id = $2 and e.org_id = p.org_id and e.subject_type = 'plan'`, plan))
	again := o.as(o.dispatcher, http.MethodPost, monday+"/release", body)
	require.Equal(t, int64(4), decoded[contract.PlanReleased](t, again).Version)
	require.Equal(t, int64(1), o.id("select count(*) from events where org_id = $1 and kind = 'plan.released'"))

	after := read[contract.PlanPage](o, monday).Plans[0].Release
	require.WithinDuration(t, time.Now(), after.ReleasedAt.MustGet(), time.Minute)
	require.NotEmpty(t, after.ReleasedBy.MustGet())
	require.True(t, after.DueAt.IsNull())
}

func TestReleasedPlansAreCompared(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	plan := o.plan()
	same, moved, late, gone := o.order("A-1"), o.order("A-2"), o.order("A-3"), o.order("A-4")
	o.route(plan, o.nora, same, moved, late, gone)
	path := fmt.Sprintf("%s/release?departmentId=%d", monday, o.oslo)
	empty := read[contract.ReleasedPlanPage](o, path)
	require.True(t, empty.ReleasedAt.IsNull())
	require.Empty(t, empty.Items)
	require.Equal(t, http.StatusNotFound, o.get(monday+"/release").Code)

	body := fmt.Sprintf(`{"departmentId":%d}`, o.oslo)
	require.Equal(t, http.StatusOK, o.as(o.dispatcher, http.MethodPost, monday+"/release", body).Code)
	o.exec("update plan_stops set starts_at = starts_at + interval '4 minutes' where org_id = $1 and order_id = $2", same)
	o.exec(`update plan_stops set starts_at = starts_at + interval '6 minutes'
		where org_id = $1 and order_id = $2 and kind = 'delivery'`, late)
	o.exec("delete from plan_stops where org_id = $1 and order_id = any ($2)", []int64{moved, gone})
	added := o.order("A-5")
	o.route(plan, o.ola, moved, added)

	var changes, numbers []string
	token := ""
	for page := 0; page < 3; page++ {
		got := read[contract.ReleasedPlanPage](o, path+"&pageSize=2&token="+token)
		require.Equal(t, page < 2, got.HasMore)
		for _, item := range got.Items {
			changes, numbers = append(changes, string(item.Change)), append(numbers, item.ExternalID)
			require.Equal(t, item.Change == contract.ReleasedOrderChangeADDED, item.Released.IsNull())
			require.Equal(t, item.Change == contract.ReleasedOrderChangeREMOVED, item.Now.IsNull())
			if item.OrderID == moved {
				require.Equal(t, o.nora, item.Released.MustGet().DriverID)
				require.Equal(t, o.ola, item.Now.MustGet().DriverID)
				require.Equal(t, int32(6), item.Released.MustGet().Sequence)
				require.Equal(t, time.Date(2026, 3, 2, 7, 40, 0, 0, time.UTC), item.Released.MustGet().PickupAt.MustGet())
			}
		}
		token = got.NextToken
	}
	require.Equal(t, []string{"A-1", "A-2", "A-3", "A-4", "A-5"}, numbers)
	require.Equal(t, []string{"NONE", "OTHER_DRIVER", "OTHER_TIMES", "REMOVED", "ADDED"}, changes)

	w := o.get(path + "&token=r.1.1")
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Equal(t, "token PLAN_BAD_TOKEN", apitest.Refusal(t, w))
}
