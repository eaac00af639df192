package operations_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
)

// told are the events since one that say when orders are expected.
func (r *road) toldSince(event int64) []string {
	r.t.Helper()
	return one[[]string](r.office, `select coalesce(array_agg(concat_ws(' ', kind, external_id) order by id), '{}')
		from events where org_id = $1 and id > $2 and kind in ('order.planned', 'order.eta_changed')`, r.org, event)
}

func (r *road) lastEvent() int64 {
	return one[int64](r.office, "select max(id) from events where org_id = $1", r.org)
}

// TestADelayIsToldOnce, from the road or by the plan: both know what the world has heard.
func TestADelayIsToldOnce(t *testing.T) {
	t.Parallel()
	r := newRoad(t)
	r.do("update order_stops set latest = latest + interval '6 hours' where org_id = $1 and kind = 'delivery'", r.org)
	r.now = r.stops[0].Eta
	r.says(driving.StartRoute, 0)
	r.loads()
	r.plan()
	r.now = r.now.Add(25 * time.Minute)
	r.look()
	for n := range 3 { // she stands in a queue
		last := r.lastEvent()
		r.now = r.now.Add(25 * time.Minute)
		r.look()
		r.plan()
		r.look()
		r.plan()
		require.ElementsMatch(t, []string{"order.eta_changed A-0", "order.eta_changed A-1", "order.eta_changed A-2"}, r.toldSince(last), "delay %d, at %s", n, r.now.Format("15:04"))
	}
}
