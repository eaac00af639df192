package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/operations/operationstest"
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
