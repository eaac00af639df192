package simulation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/simulation"
)

func TestASimulatedClockRunsAtThePace(t *testing.T) {
	t.Parallel()
	morning := start.AddDate(0, 0, 1)
	c := simulation.Clock{From: morning, Since: start, Pace: 600}
	require.True(t, c.Runs())
	require.Equal(t, morning.Add(10*time.Minute), c.At(start.Add(time.Second)))
	require.Equal(t, morning, c.At(start.Add(-time.Hour)), "it does not run before it begins")
	require.Equal(t, start.Add(time.Second), c.When(morning.Add(10*time.Minute)))
	require.Equal(t, start, c.When(morning.Add(-time.Hour)))
	require.True(t, c.At(start.AddDate(1, 0, 0)).After(morning), "however long a run lasts")
	require.Zero(t, c.At(time.Time{}))
	require.Zero(t, c.When(time.Time{}))

	none := simulation.Clock{}
	require.False(t, none.Runs())
	require.Equal(t, start, none.At(start))
	require.Equal(t, start, none.When(start))
}

func TestDriverUsesTheSimulatedClock(t *testing.T) {
	t.Parallel()
	r := run(60)
	r.Clock = simulation.Clock{From: start.Add(24 * time.Hour), Since: start, Pace: 60}
	shown := func(minutes int) time.Time { return r.Clock.From.Add(time.Duration(minutes) * time.Minute) }
	d := &simulation.Driver{ID: 7, Turn: 2, SetsOut: shown(20), Stops: stops("A-1")}
	d.Stops[0].Way = 40 * time.Minute // with a break of half an hour
	d.Stops[0].Earliest, d.Stops[1].Earliest = shown(0), shown(120)
	due, next := r.Steps(d, start)
	require.Empty(t, due)
	require.Equal(t, start.Add(20*time.Second), next, "he sets out by the plan")
	due, _ = r.Steps(d, start.Add(time.Hour))
	var at []float64
	for _, s := range due {
		at = append(at, r.Clock.At(s.At).Sub(r.Clock.From).Minutes())
	}
	require.Equal(t, []float64{20, 60, 65, 75, 125, 125}, at, "he waits until the delivery may begin")

	d.Starts, d.Last = 1, start.Add(20*time.Second)
	d.Was = &driving.Position{Latitude: 59.9, Longitude: 10.5, At: d.Last}
	require.Nil(t, r.Position(d, start.Add(45*time.Second)), "he has his break")
	require.NotNil(t, r.Position(d, start.Add(55*time.Second)))

	d.Was.At = start.Add(10 * time.Minute)
	due, _ = r.Steps(d, start.Add(time.Hour))
	require.Equal(t, d.Was.At, due[0].At, "a stop that the plan puts first is not reached before he was sent there")
}
