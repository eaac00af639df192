package driving_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/driving"
	"waybill/domain/order"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// onTheRoad is a day at noon whose stops are expected so long after it, and may begin
// an hour later.
func onTheRoad(etas ...time.Duration) driving.Watch {
	w := driving.Watch{Now: noon, Until: noon.Add(12 * time.Hour), Heard: noon, Notice: 30 * time.Minute}
	for i, eta := range etas {
		at := noon.Add(eta)
		w.Stops = append(w.Stops, driving.Watched{
			OrderID: int64(i + 1), Stop: order.Delivery, ETA: at, Service: 10 * time.Minute, Latest: at.Add(time.Hour),
			Standing: driving.StopStanding{Status: driving.StopPending},
		})
	}
	return w
}

func TestApproachIsAnnouncedOnce(t *testing.T) {
	t.Parallel()
	w := onTheRoad(10*time.Minute, 30*time.Minute, 31*time.Minute)
	seen := w.Look()
	require.Equal(t, []int{0, 1}, seen.Near)
	require.Equal(t, noon.Add(time.Minute), seen.Wake, "the third is near in a minute")
	w.Stops[0].Told, w.Stops[1].Told = true, true
	require.Empty(t, w.Look().Near)
	w.Stops[1].Told, w.Stops[1].Standing.Status = false, driving.StopArrived
	require.Empty(t, w.Look().Near, "he is there")
	w = onTheRoad(10 * time.Minute)
	w.Ended = noon
	require.True(t, w.Look().Over)
	require.Empty(t, w.Look().Near)
}

func TestAStopIsLateUntilItIsNot(t *testing.T) {
	t.Parallel()
	w := onTheRoad(2 * time.Hour)
	s := &w.Stops[0]
	s.Latest = s.ETA.Add(-driving.LateBy)
	require.Empty(t, w.Look().Late, "five minutes are not worth a word")
	s.Latest = s.Latest.Add(-time.Second)
	require.Equal(t, []int{0}, w.Look().Late)
	s.Late = true
	require.Empty(t, w.Look().Late)
	s.Latest = s.ETA.Add(-time.Second)
	require.Empty(t, w.Look().InTime, "it is still late")
	s.Latest = s.ETA
	require.Equal(t, []int{0}, w.Look().InTime)
	s.Latest, s.Standing.Status = noon.Add(-time.Hour), driving.StopCompleted
	require.Equal(t, []int{0}, w.Look().InTime, "it is done")
	s.Late, s.Excused, s.Standing.Status = false, true, driving.StopPending
	require.Empty(t, w.Look().Late, "somebody knows")
	s.Excused, s.ETA = false, noon.Add(-2*time.Hour)
	require.Equal(t, []int{0}, w.Look().Late, "nobody begins in the past")
}

func TestBusyDriverIsNotSilent(t *testing.T) {
	t.Parallel()
	w := onTheRoad(2 * time.Hour)
	w.Heard = noon.Add(-driving.SilentAfter)
	require.True(t, w.Look().Silent)
	w.Excused = w.Heard
	require.False(t, w.Look().Silent, "somebody knows")
	w.Excused, w.Silent = time.Time{}, true
	require.False(t, w.Look().Silent)
	w.Heard = w.Heard.Add(time.Second)
	require.True(t, w.Look().Heard)

	w = onTheRoad(2 * time.Hour)
	w.Heard = noon.Add(-25 * time.Minute)
	w.Stops[0].Standing = driving.StopStanding{Status: driving.StopArrived, Arrived: w.Heard}
	require.False(t, w.Look().Silent, "he serves a stop")
	require.Equal(t, noon.Add(5*time.Minute), w.Look().Wake)
	w = onTheRoad(2 * time.Hour)
	w.Heard, w.BreakStarts, w.BreakEnds = noon.Add(-25*time.Minute), noon.Add(-20*time.Minute), noon.Add(10*time.Minute)
	require.False(t, w.Look().Silent, "he has his break")
	w.Stops[0].Standing.Status = driving.StopCompleted
	w.BreakStarts, w.Heard = time.Time{}, noon.Add(-time.Hour)
	require.False(t, w.Look().Silent, "he has nothing left to say")
}

func TestASimulatedDayHasNoClock(t *testing.T) {
	t.Parallel()
	w := onTheRoad(20*time.Hour, 21*time.Hour, 25*time.Minute)
	w.Simulated, w.Heard, w.Until = true, noon.Add(-time.Hour), noon.Add(-time.Hour)
	w.Stops[1].Latest = noon.Add(-time.Hour)
	seen := w.Look()
	require.Equal(t, []int{0, 2}, seen.Near, "the next one is near, and what is expected soon")
	require.Empty(t, seen.Late)
	require.False(t, seen.Silent || seen.Over)

	w.Troubled = true
	seen = w.Look()
	require.Equal(t, []int{0, 2}, seen.Near)
	require.Equal(t, []int{1}, seen.Late, "on a troubled day a stop may be late")
	require.False(t, seen.Silent || seen.Over)
	w.Stops[1].Late, w.Stops[1].Latest = true, noon.Add(24*time.Hour)
	require.Equal(t, []int{1}, w.Look().InTime)
}

// TestWatchLooksAgainInTime checks that nothing becomes due between two checks,
// and that checks continue.
func TestWatchLooksAgainInTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var etas []time.Duration
		for range rapid.IntRange(1, 6).Draw(t, "stops") {
			etas = append(etas, time.Duration(rapid.IntRange(-60, 300).Draw(t, "eta"))*time.Minute)
		}
		w := onTheRoad(etas...)
		w.Heard = noon.Add(-time.Duration(rapid.IntRange(0, 19).Draw(t, "heard")) * time.Minute)
		seen := w.Look()
		require.True(t, seen.Wake.After(noon))
		require.False(t, seen.Wake.After(noon.Add(5*time.Minute)))
		for _, i := range seen.Near {
			w.Stops[i].Told = true
		}
		w.Now = seen.Wake.Add(-time.Millisecond)
		between := w.Look()
		require.Empty(t, between.Near)
		require.False(t, between.Silent)
	})
}
