package driving_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
)

// alarmed is a day on the road at noon with two stops ahead: one is 15 minutes late, one is on time.
func alarmed() *driving.Watch {
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	return &driving.Watch{
		Now: noon, Until: noon.Add(8 * time.Hour), Heard: noon.Add(-10 * time.Minute),
		Stops: []driving.Watched{
			{OrderID: 1, ETA: noon.Add(20 * time.Minute), Latest: noon.Add(5 * time.Minute)},
			{OrderID: 2, ETA: noon.Add(time.Hour), Latest: noon.Add(2 * time.Hour)},
		},
	}
}

func TestAlarmsOfLateStops(t *testing.T) {
	t.Parallel()
	w := alarmed()
	late, later := driving.Alarm{RuleID: 7, After: 10 * time.Minute}, driving.Alarm{RuleID: 8, After: 30 * time.Minute}
	raise, over, wake := w.Alarms([]driving.Alarm{late, later}, nil)
	require.Len(t, raise, 1)
	require.Equal(t, []any{int64(7), 0, 15 * time.Minute, w.Now.Add(20 * time.Minute)},
		[]any{raise[0].RuleID, raise[0].Stop, raise[0].By, raise[0].At})
	require.Empty(t, over)
	require.Equal(t, w.Stops[0].Latest.Add(30*time.Minute), wake, "then it would be late enough for the other rule")

	rings := []driving.Ringing{{ID: 70, RuleID: 7, Stop: 0}, {ID: 71, RuleID: 7, Stop: -1}, {ID: 72, RuleID: 9, Stop: 0}}
	raise, over, _ = w.Alarms([]driving.Alarm{late}, rings)
	require.Empty(t, raise, "it rings already")
	require.Equal(t, []int64{71, 72}, over, "a stop that left the route, and a rule that is gone")

	w.Stops[0].ETA = w.Stops[0].Latest.Add(time.Minute)
	_, over, _ = w.Alarms([]driving.Alarm{late}, rings[:1])
	require.Empty(t, over, "less late is still late")
	w.Stops[0].ETA = w.Stops[0].Latest
	_, over, _ = w.Alarms([]driving.Alarm{late}, rings[:1])
	require.Equal(t, []int64{70}, over)

	w.Stops[0].ETA = w.Now.Add(time.Hour)
	w.Stops[0].Standing.Status = driving.StopCompleted
	raise, over, _ = w.Alarms([]driving.Alarm{late}, rings[:1])
	require.Empty(t, raise, "it is over")
	require.Equal(t, []int64{70}, over)
}

func TestAlarmsOfSilentDrivers(t *testing.T) {
	t.Parallel()
	w := alarmed()
	rule := driving.Alarm{RuleID: 7, Silence: true, After: 15 * time.Minute}
	raise, _, wake := w.Alarms([]driving.Alarm{rule}, nil)
	require.Empty(t, raise)
	require.Equal(t, w.Heard.Add(15*time.Minute), wake)

	w.Now = w.Now.Add(5 * time.Minute)
	raise, _, _ = w.Alarms([]driving.Alarm{rule}, nil)
	require.Len(t, raise, 1)
	require.Equal(t, []any{-1, 15 * time.Minute, w.Heard}, []any{raise[0].Stop, raise[0].By, raise[0].At})

	rings := []driving.Ringing{{ID: 70, RuleID: 7, Stop: -1, Silence: true}}
	raise, over, _ := w.Alarms([]driving.Alarm{rule}, rings)
	require.Empty(t, raise)
	require.Empty(t, over)
	w.Heard = w.Now
	_, over, _ = w.Alarms([]driving.Alarm{rule}, rings)
	require.Equal(t, []int64{70}, over)

	w.Heard, w.Ended = w.Now.Add(-time.Hour), w.Now
	raise, over, _ = w.Alarms([]driving.Alarm{rule}, rings)
	require.Empty(t, raise, "the route is ended")
	require.Equal(t, []int64{70}, over)

	w.Ended, w.Simulated, w.Troubled = time.Time{}, true, true
	raise, _, _ = w.Alarms([]driving.Alarm{rule}, nil)
	require.Empty(t, raise, "no phone is expected to report")
}
