package planning_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// TestServiceBeginsInOneOfSeveralWindows plans a delivery that is only possible after lunch.
func TestServiceBeginsInOneOfSeveralWindows(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	at := func(hour, minute int) string {
		return operationstest.PlannedOn.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute).Format(time.RFC3339)
	}
	d.Load("A-0", "D-1", func(e *order.Request) {
		e.Delivery.TimeWindows = []order.TimeWindowRequest{
			{Earliest: at(1, 0), Latest: at(5, 0)}, {Earliest: at(11, 0), Latest: at(11, 1)}, {Earliest: at(12, 30), Latest: at(13, 0)},
		}
	})
	d.Plan()
	require.NotEmpty(t, d.DriverOf("A-0"))
	starts := operationstest.One[time.Time](d.Office, "select starts_at from plan_stops where org_id = $1 and kind = 'delivery'", d.Org)
	require.Contains(t, []string{"11:00", "11:01", "12:30"}, starts.UTC().Format("15:04"))
	d.Do(`update order_stops set asks = asks #- '{time_windows,1}' where org_id = $1 and kind = 'delivery'`, d.Org)
	d.Plan()
	starts = operationstest.One[time.Time](d.Office, "select starts_at from plan_stops where org_id = $1 and kind = 'delivery'", d.Org)
	require.Equal(t, "12:30", starts.UTC().Format("15:04"), "the window at eleven is gone")
	require.Equal(t, 2, operationstest.One[int](d.Office,
		"select jsonb_array_length(base->'time_windows') from order_stop_documents where org_id = $1 and kind = 'delivery'", d.Org))
}

// TestADeliveryMayBeLate plans an order that no driver reaches in time, and shows how late it is.
func TestADeliveryMayBeLate(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	narrow := `update order_stops set earliest = $2::timestamptz - interval '1 hour', latest = $2::timestamptz where org_id = $1 and kind = 'delivery'`
	d.Load("A-0", "D-3")
	closes := operationstest.PlannedOn.Add(6 * time.Hour)
	d.Do(narrow, d.Org, closes)
	d.Plan()
	require.Empty(t, d.DriverOf("A-0"), "nobody is there in time")
	minutes, price := int32(240), 2.5
	d.Load("A-0", "D-3", func(e *order.Request) {
		e.Delivery.Lateness = &order.LatenessRequest{MaxMinutes: &minutes, PricePerMinute: &price}
	})
	d.Do(narrow, d.Org, closes)
	d.Plan()
	require.NotEmpty(t, d.DriverOf("A-0"))
	late := operationstest.One[int](d.Office, "select late_seconds from plan_stops where org_id = $1 and kind = 'delivery'", d.Org)
	require.Positive(t, late)
	require.LessOrEqual(t, late, 60*int(minutes))
	require.JSONEq(t, fmt.Sprintf(`{"max_minutes": %d, "price_per_minute": 2.5}`, minutes), operationstest.One[string](d.Office,
		"select base->'lateness' from order_stop_documents where org_id = $1 and kind = 'delivery'", d.Org))
}

// TestGoodsOnBoard plans by the time on board, and keeps goods apart.
func TestGoodsOnBoard(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	minutes := int32(1)
	d.Load("A-0", "D-3", func(e *order.Request) { e.MaxMinutesOnBoard = &minutes })
	d.Plan()
	require.Contains(t, d.Reasons("A-0"), "TOO_LONG_ON_BOARD")
	_, err := d.Planning.ExplainDay(t.Context(), caller.Service(d.Org, "plan/test"), planningops.PlanningSlice{Area: operationstest.Area})
	require.NoError(t, err)
	require.Equal(t, []string{"TIME_ON_BOARD"}, operationstest.One[[]string](d.Office,
		"select array_agg(h->>'change') from plan_unplanned, jsonb_array_elements(counterfactuals) h where org_id = $1", d.Org))
	minutes = 300
	d.Load("A-0", "D-3", func(e *order.Request) { e.MaxMinutesOnBoard = &minutes; e.GoodsKinds = []string{"FOOD"} })
	d.Plan()
	require.NotEmpty(t, d.DriverOf("A-0"))
	require.Equal(t, "300 FOOD", operationstest.One[string](d.Office,
		"select concat_ws(' ', base->>'max_minutes_on_board', base->'goods_kinds'->>0) from v1_orders where org_id = $1", d.Org))

	d.Do(`update organizations set goods_apart = '[{"one": "FOOD", "other": "ADR", "same_time": false}]' where id = $1`, d.Org)
	for _, number := range []string{"A-1", "A-2", "A-3"} {
		d.Load(number, "D-1", func(e *order.Request) { e.GoodsKinds = []string{"ADR"} })
	}
	d.Plan()
	require.Zero(t, operationstest.One[int](d.Office, `select count(*) from plan_stops a join plan_stops b on b.plan_id = a.plan_id and b.driver_id = a.driver_id
		join orders o on o.id = a.order_id join orders p on p.id = b.order_id
		where a.org_id = $1 and o.number = 'A-0' and p.number <> 'A-0'`, d.Org), "food has a van of its own")
	d.Do("update drivers set is_active = name = $2 where org_id = $1", d.Org, d.DriverOf("A-0"))
	d.Plan()
	left := operationstest.One[string](d.Office, "select min(number) from orders where org_id = $1 and status_id = 1", d.Org)
	require.Contains(t, d.Reasons(left), "INCOMPATIBLE_GOODS")
}
