package planning_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/operations/operationstest"
	"waybill/operations/planning"
)

// TestManyPlannersAndPeopleAtOnce has several planners work on the plan of one
// day, while orders come, are cancelled, change and are locked, and drivers go
// home. No order is in two routes, no change is lost, and nothing is told twice.
func TestManyPlannersAndPeopleAtOnce(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	for n := range 20 {
		d.Load(operationstest.Numbered(n), []string{"D-1", "D-2", "D-3"}[n%3])
	}
	ended := make(chan struct{})
	var working sync.WaitGroup
	for n := range 3 {
		working.Go(func() {
			for {
				select {
				case <-ended:
					return
				default:
				}
				_, err := d.Planning.PlanDay(t.Context(), caller.Service(d.Org, "plan/test"), planning.PlanningSlice{
					Area: operationstest.Area, Length: time.Duration(20+30*n) * time.Millisecond,
				})
				if err != nil {
					t.Errorf("plan: %v", err)
					return
				}
			}
		})
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		meddle(d, rng, n)
	}
	close(ended)
	working.Wait()
	d.Plan()
	require.Zero(t, operationstest.One[int](d.Office, `
		select count(*) from (
			select e.kind, e.driver_id, e.data, lag(e.kind) over w as kind_before, lag(e.driver_id) over w as driver_before,
				lag(e.data) over w as data_before
			from events e where e.org_id = $1 and e.kind in ('order.planned', 'order.unplanned')
			window w as (partition by e.order_id order by e.id)
		) x where kind = kind_before and driver_id is not distinct from driver_before and data = data_before
			and kind <> 'order.planned'`, d.Org), "nobody is taken off twice")
	require.Positive(t, operationstest.One[int](d.Office, "select max(version) from plans where org_id = $1", d.Org))
	d.Rest()
}

// meddle is one change by somebody else.
func meddle(d *operationstest.Dispatch, rng *rand.Rand, n int) {
	d.T.Helper()
	const some = "(select id from orders where org_id = $1 and status_id <= 2 order by random() limit 1)"
	switch rng.IntN(6) {
	case 0:
		d.Load(operationstest.Numbered(100+n), "D-2")
	case 1:
		d.Do("update orders set status_id = 8, cancelled_at = now() where org_id = $1 and id = "+some, d.Org)
	case 2:
		d.Do("update order_stops set latest = latest + interval '10 minutes' where org_id = $1 and order_id = "+some, d.Org)
	case 3:
		d.Do(`insert into order_driver_locks (org_id, order_id, driver_id) select $1, o.id, r.id from drivers r, `+some+` o
			where r.org_id = $1 order by random() limit 1 on conflict do nothing`, d.Org)
	case 4:
		d.Do("update drivers set is_active = not is_active where org_id = $1 and name = 'Jens'", d.Org)
	case 5:
		d.Do("update orders set status_id = 1, driver_id = null where org_id = $1 and id = "+some, d.Org)
	}
	time.Sleep(time.Duration(rng.IntN(30)) * time.Millisecond)
}

// TestUnavailableTravelServerStopsNoPlan plans as the crow flies, and says so.
func TestUnavailableTravelServerStopsNoPlan(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	d.TravelBy(t, "osrm+http://127.0.0.1:1")
	d.Load("A-0", "D-1")
	done := d.Plan()
	require.Equal(t, 1, done.Planned)
	require.Equal(t, "osrm", done.Travel)
	require.NotEmpty(t, done.TravelFailure)
	require.Equal(t, "osrm "+done.TravelFailure,
		operationstest.One[string](d.Office, "select travel || ' ' || travel_failure from plans where org_id = $1", d.Org))
}
