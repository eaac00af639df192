package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/operations/operationstest"
)

// told are the events since one that say when orders are expected.
func toldSince(r *operationstest.Road, event int64) []string {
	r.T.Helper()
	return operationstest.One[[]string](r.Office, `select coalesce(array_agg(concat_ws(' ', kind, external_id) order by id), '{}')
		from events where org_id = $1 and id > $2 and kind in ('order.planned', 'order.eta_changed')`, r.Org, event)
}

func lastEvent(r *operationstest.Road) int64 {
	return operationstest.One[int64](r.Office, "select max(id) from events where org_id = $1", r.Org)
}

// TestDelayIsAnnouncedOnce, from the road or by the plan: both know what the world has heard.
func TestDelayIsAnnouncedOnce(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	r.Do("update order_stops set latest = latest + interval '6 hours' where org_id = $1 and kind = 'delivery'", r.Org)
	r.Now = r.Stops[0].Eta
	r.Says(driving.StartRoute, 0)
	loads(r)
	r.Plan()
	r.Now = r.Now.Add(25 * time.Minute)
	r.Look()
	for n := range 3 { // she stands in a queue
		last := lastEvent(r)
		r.Now = r.Now.Add(25 * time.Minute)
		r.Look()
		r.Plan()
		r.Look()
		r.Plan()
		require.ElementsMatch(t, []string{"order.eta_changed A-0", "order.eta_changed A-1", "order.eta_changed A-2"}, toldSince(r, last), "delay %d, at %s", n, r.Now.Format("15:04"))
	}
}
