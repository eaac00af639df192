package planning_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/operations/operationstest"
)

// retold is how many announcements say only that an order has other times, at most for one order.
func retold(d *operationstest.Dispatch) (all, most int) {
	d.T.Helper()
	counts := operationstest.One[[]int](d.Office, `
		select coalesce(array_agg(x.again order by x.again desc), '{}') from (
			select count(*) filter (where e.kind = e.kind_before and e.driver_id = e.driver_before) as again from (
				select y.*, lag(y.kind) over w as kind_before, lag(y.driver_id) over w as driver_before from events y
				where y.org_id = $1 and y.kind in ('order.planned', 'order.unplanned')
				window w as (partition by y.order_id order by y.id)) e
			group by e.order_id) x`, d.Org)
	for _, n := range counts {
		all, most = all+n, max(most, n)
	}
	return all, most
}

// unannounced are the stops whose announced time is not that of the plan.
func unannounced(d *operationstest.Dispatch) int {
	d.T.Helper()
	return operationstest.One[int](d.Office,
		"select count(*) from plan_stops where org_id = $1 and abs(extract(epoch from starts_at - eta)) > 300", d.Org)
}

// arrive plans orders that arrive one after the other, a second apart.
func arrive(d *operationstest.Dispatch, from, to int) {
	d.T.Helper()
	for n := from; n < to; n++ {
		d.Load(operationstest.Numbered(n), fmt.Sprintf("D-%d", n%3+1))
		d.Now = d.Now.Add(time.Second)
		d.Plan()
	}
}

// TestNewTimesAreHeldBackWhileOrdersArrive plans a day of many small imports: nobody hears of a new time until the
// last of them, and then of the last one.
func TestNewTimesAreHeldBackWhileOrdersArrive(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	arrive(d, 0, 12)
	all, _ := retold(d)
	require.Zero(t, all)
	require.Positive(t, unannounced(d))

	require.Positive(t, d.Plan().Told)
	require.Zero(t, unannounced(d))
	_, most := retold(d)
	require.LessOrEqual(t, most, 1)
}

// TestNewTimesAreHeldBackForAMoment has orders arrive for longer than times are held back.
func TestNewTimesAreHeldBackForAMoment(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	arrive(d, 0, 8)
	require.Positive(t, unannounced(d))
	d.Load("A-8", "D-1")
	woken := d.Plan().Wake
	require.WithinRange(t, woken, d.Now, d.Now.Add(20*time.Second), "the plan says when to announce them")

	d.Now = woken
	d.Load("A-9", "D-2")
	require.Positive(t, d.Plan().Told)
	require.Zero(t, unannounced(d))
}
