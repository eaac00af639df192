package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/operations/operationstest"
)

// TestRushHoursArePlanned reads the rush hours of the organization. What is kept with them is what is planned.
func TestRushHoursArePlanned(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	d.Load(operationstest.Numbered(1), "D-1")
	driving := func() time.Duration {
		require.Equal(t, 1, d.Plan().Planned)
		day, err := d.Store.PlanningDay(t.Context(), d.Org, operationstest.Area, d.Now)
		require.NoError(t, err)
		d.Rest()
		return day.Routes[0].Driving
	}
	usual := driving()
	require.Positive(t, usual)
	d.Do(`update organizations set rush_hours =
		'[{"days": [], "from": "00:00", "until": "24:00", "factor": 2, "areas": []}]' where id = $1`, d.Org)
	require.Equal(t, 2*usual, driving())
	d.Do("update organizations set rush_hours = null where id = $1", d.Org)
	require.Equal(t, usual, driving())
}
