package visit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/visit"
)

func of[T any](v T) *T { return &v }

// TestTimesOfAStop has what is known of a stop, and how long it takes.
func TestTimesOfAStop(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stop           visit.Stop
		setup, service time.Duration
	}{
		"nothing is known":         {visit.Stop{}, 4 * time.Minute, time.Minute},
		"the order says two":       {visit.Stop{Minutes: of(int32(2))}, 2 * time.Minute, 0},
		"the order says ten":       {visit.Stop{Minutes: of(int32(10))}, 4 * time.Minute, 6 * time.Minute},
		"the location says twenty": {visit.Stop{LocationMinutes: of(int32(20))}, 4 * time.Minute, 16 * time.Minute},
		"the order outweighs it": {
			visit.Stop{Minutes: of(int32(6)), LocationMinutes: of(int32(20))}, 4 * time.Minute, 2 * time.Minute,
		},
		"the location has a setup": {
			visit.Stop{LocationMinutes: of(int32(20)), Location: &visit.ServiceTime{SetupSeconds: of(int32(900))}},
			15 * time.Minute, 5 * time.Minute,
		},
		"and a time for each order": {
			visit.Stop{
				LocationMinutes: of(int32(20)),
				Location:        &visit.ServiceTime{SetupSeconds: of(int32(900)), OrderSeconds: of(int32(45))},
			},
			15 * time.Minute, 45 * time.Second,
		},
		"the order type has times": {
			visit.Stop{OrderType: &visit.ServiceTime{SetupSeconds: of(int32(120)), OrderSeconds: of(int32(30))}},
			2 * time.Minute, 30 * time.Second,
		},
		"the location comes first": {
			visit.Stop{
				Location:  &visit.ServiceTime{OrderSeconds: of(int32(10))},
				OrderType: &visit.ServiceTime{SetupSeconds: of(int32(120)), OrderSeconds: of(int32(30))},
			},
			2 * time.Minute, 10 * time.Second,
		},
		"goods take time": {
			visit.Stop{
				OrderType: &visit.ServiceTime{
					OrderSeconds: of(int32(60)), SecondsPerKg: of(0.1), SecondsPerM3: of(30.0), SecondsPerCollo: of(5.0),
				},
				WeightKg: 200, VolumeM3: 1.5, Colli: 4,
			},
			4 * time.Minute, time.Minute + 20*time.Second + 45*time.Second + 20*time.Second,
		},
		"but not when the order says how long it takes": {
			visit.Stop{Minutes: of(int32(7)), Location: &visit.ServiceTime{SecondsPerKg: of(10.0)}, WeightKg: 200},
			4 * time.Minute, 3 * time.Minute,
		},
	} {
		setup, service := c.stop.Times()
		require.Equal(t, c.setup, setup, name)
		require.Equal(t, c.service, service, name)
	}
}

func TestTimesOutOfRangeAreRefused(t *testing.T) {
	t.Parallel()
	require.Empty(t, (*visit.ServiceTime)(nil).Problems("service_time"))
	require.Empty(t, (&visit.ServiceTime{SetupSeconds: of(int32(86_400)), SecondsPerKg: of(0.5)}).Problems("service_time"))
	bad := visit.ServiceTime{SetupSeconds: of(int32(-1)), OrderSeconds: of(int32(86_401)), SecondsPerCollo: of(3601.0)}
	var fields []string
	for _, problem := range bad.Problems("service_time") {
		fields = append(fields, problem.Field)
	}
	require.Equal(t, []string{
		"service_time.setup_seconds", "service_time.order_seconds", "service_time.seconds_per_collo",
	}, fields)
}
