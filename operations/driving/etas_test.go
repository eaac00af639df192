package driving_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/operations/operationstest"
)

// TestConcurrentRenewalsAreAnnouncedOnce has a driver say twice at the same moment where she is.
func TestConcurrentRenewalsAreAnnouncedOnce(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	r.Says(driving.StartRoute, 0)
	var renewals sync.WaitGroup
	for i := range 2 {
		renewals.Go(func() {
			_, err := r.Driving.RecordPositions(t.Context(), operationstest.Clerk(r.Org), r.Nora, []driving.Position{{
				Latitude: 60.3 + float64(i)/1000, Longitude: 10.8, At: r.Now.Add(time.Duration(i-2) * time.Second),
			}})
			assert.NoError(t, err)
		})
	}
	renewals.Wait()

	const told = `select coalesce(max(n), 0) from (select count(*) as n from events
		where org_id = $1 and kind = 'order.eta_changed' group by order_id) x`
	require.Equal(t, 1, operationstest.One[int](r.Office, told, r.Org), "the world hears of each order once")
	const etas = "select array_agg(eta order by order_id, kind) from live_etas where org_id = $1"
	written := operationstest.One[[]time.Time](r.Office, etas, r.Org)
	r.Look()
	require.Equal(t, written, operationstest.One[[]time.Time](r.Office, etas, r.Org), "what was said last counts")
	require.Equal(t, 1, operationstest.One[int](r.Office, told, r.Org))
}

// TestETAsOfALateDriverHaveTheTrafficOfTheHour has the last legs in rush hours that the plan does not meet.
func TestETAsOfALateDriverHaveTheTrafficOfTheHour(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	r.Says(driving.StartRoute, 0)
	const last = "select max(eta) from live_etas where org_id = $1"
	r.Now = r.Stops[len(r.Stops)-1].Eta.Add(time.Hour)
	for i := range 3 {
		r.Says(driving.PickUp, r.Stops[i].ID)
	}
	before := operationstest.One[time.Time](r.Office, last, r.Org)
	require.True(t, before.After(r.Now))
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	begins := r.Now.In(oslo).Truncate(time.Hour).Format("15:04")
	r.Do(`update organizations set rush_hours = jsonb_build_array(jsonb_build_object('days', '[]'::jsonb, 'from', $2::text,
		'until', '24:00', 'factor', 3, 'areas', '[]'::jsonb)) where id = $1`, r.Org, begins)
	r.Look()
	after := operationstest.One[time.Time](r.Office, last, r.Org)
	require.Greater(t, after.Sub(before), 5*time.Minute, "the plan has these legs before the rush hour")
}
