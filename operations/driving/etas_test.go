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
