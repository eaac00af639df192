package driver_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
)

func TestPacesAreWithinTheirBounds(t *testing.T) {
	t.Parallel()
	for _, good := range []float64{0, 0.5, 0.55, 0.7, 1, 1.15, 2.95, 3} {
		require.Empty(t, driver.Pace{Driving: good, Visits: good}.Problems(), good)
	}
	for _, bad := range []float64{-1, 0.45, 0.51, 1.001, 3.05, math.NaN(), math.Inf(1)} {
		problems := driver.Pace{Driving: bad}.Problems()
		require.Len(t, problems, 1, bad)
		require.Equal(t, "driving_factor", problems[0].Field)
		require.Equal(t, "visit_factor", driver.Pace{Visits: bad}.Problems()[0].Field)
	}
	require.InDelta(t, 1.15, driver.RoundPace(1.1251), 1e-9)
	require.InDelta(t, 3.0, driver.RoundPace(17), 0)
	require.InDelta(t, 0.5, driver.RoundPace(0.1), 0)
	driving, visits := driver.Pace{Visits: 1.2}.Factors()
	require.Equal(t, []float64{1, 1.2}, []float64{driving, visits})
	require.Equal(t, driver.Pace{Visits: 1.2}, driver.Pace{Driving: 1, Visits: 1.2}.Stored())
}
