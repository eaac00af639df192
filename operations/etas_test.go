package operations_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
)

// TestRenewalsAtOnceAreToldOnce has a driver say twice at the same moment where she is.
func TestRenewalsAtOnceAreToldOnce(t *testing.T) {
	t.Parallel()
	r := newRoad(t)
	r.says(driving.StartRoute, 0)
	var renewals sync.WaitGroup
	for i := range 2 {
		renewals.Go(func() {
			_, err := r.Driving.RecordPositions(t.Context(), clerk(r.org), r.nora, []driving.Position{{
				Latitude: 60.3 + float64(i)/1000, Longitude: 10.8, At: r.now.Add(time.Duration(i-2) * time.Second),
			}})
			assert.NoError(t, err)
		})
	}
	renewals.Wait()

	const told = `select coalesce(max(n), 0) from (select count(*) as n from events
		where org_id = $1 and kind = 'order.eta_changed' group by order_id) x`
	require.Equal(t, 1, one[int](r.office, told, r.org), "the world hears of each order once")
	const etas = "select array_agg(eta order by order_id, kind) from live_etas where org_id = $1"
	written := one[[]time.Time](r.office, etas, r.org)
	r.look()
	require.Equal(t, written, one[[]time.Time](r.office, etas, r.org), "what was said last counts")
	require.Equal(t, 1, one[int](r.office, told, r.org))
}
