package simulation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/simulation"
)

// realistic is a run of a realistic day whose clock begins at an hour of it.
func realistic(day time.Time, hour int) *simulation.Run {
	r := run(1)
	r.Day, r.Realistic, r.Started = day, true, day.Add(time.Duration(hour)*time.Hour)
	r.Clock = simulation.Clock{From: r.Started, Since: r.Started, Pace: 1}
	return r
}

// drivenIn returns how long the deliveries of many drivers are away, in minutes of driving on the average.
func drivenIn(r *simulation.Run) (minutes float64) {
	const drivers = 200
	for id := range int64(drivers) {
		d := &simulation.Driver{ID: id + 1, Stops: stops("A-1")[1:]}
		d.Stops[0].Driving, d.Stops[0].Base = 20*time.Minute, 10*time.Minute
		due, _ := r.Steps(d, r.Started.Add(24*time.Hour))
		minutes += due[1].At.Sub(due[0].At).Minutes() / drivers
	}
	return minutes
}

func TestRealisticDaysHaveRushHours(t *testing.T) {
	t.Parallel()
	monday := start.Truncate(24 * time.Hour)
	require.InDelta(t, 16, drivenIn(realistic(monday, 7)), 0.4, "of the road data's ten minutes, whatever the plan says")
	require.InDelta(t, 12, drivenIn(realistic(monday, 11)), 0.4)
	require.InDelta(t, 10, drivenIn(realistic(monday, 20)), 0.4)
	require.InDelta(t, 10, drivenIn(realistic(monday.AddDate(0, 0, 6), 7)), 0.4, "Sunday")
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	r := realistic(monday, 5)
	r.Zone = oslo
	require.InDelta(t, 16, drivenIn(r), 0.4, "it is six in Oslo")
	r.Realistic = false
	require.InDelta(t, 20, drivenIn(r), 0.01, "other days are as the plan says")
}

// stayed returns how long a driver is at each place, once for a visit of two orders, by what the steps say.
func stayed(r *simulation.Run, driver int64, at float64, kind order.StopKind) (first, second time.Duration) {
	d := &simulation.Driver{ID: driver, Stops: stops("A-1", "A-2")[2:]}
	for i := range d.Stops {
		d.Stops[i].Kind, d.Stops[i].Latitude, d.Stops[i].Setup = kind, at, 4*time.Minute
	}
	d.Stops[1].Joined, d.Stops[1].Driving = true, 0
	due, _ := r.Steps(d, r.Started.Add(24*time.Hour))
	return due[2].At.Sub(due[1].At), due[4].At.Sub(due[3].At)
}

func TestRealisticDocksDiffer(t *testing.T) {
	t.Parallel()
	r := realistic(start.Truncate(24*time.Hour), 8)
	slow, places := 0, 300
	for place := range places {
		first, second := stayed(r, 7, 59+float64(place)/100, order.Delivery)
		require.Less(t, second, 3*time.Minute, "a visit is set up once")
		require.GreaterOrEqual(t, second, 40*time.Second)
		if first > 9*time.Minute {
			slow++
		}
	}
	require.InDelta(t, places/3, slow, 30, "a third of all places are slow")
	first, _ := stayed(r, 7, 59, order.Pickup)
	require.Greater(t, first, 8*time.Minute, "loading takes long everywhere")

	later := realistic(r.Day.AddDate(0, 0, 1), 8)
	other, _ := stayed(later, 7, 59, order.Pickup)
	require.NotEqual(t, first, other, "days differ")
	require.InEpsilon(t, first.Seconds(), other.Seconds(), 0.5, "but a place stays what it is")
	again, _ := stayed(realistic(r.Day, 8), 7, 59, order.Pickup)
	require.Equal(t, first, again, "a day is the same again")
	colleague, _ := stayed(r, 8, 59, order.Pickup)
	require.NotEqual(t, first, colleague)
}

func TestOrdersThatSayHowLongTheyTakeAreRight(t *testing.T) {
	t.Parallel()
	r := realistic(start.Truncate(24*time.Hour), 8)
	d := &simulation.Driver{ID: 7, Stops: stops("A-1")[1:]}
	d.Stops[0].OwnTime, d.Stops[0].Service, d.Stops[0].Setup = true, 40*time.Minute, 0
	due, _ := r.Steps(d, r.Started.Add(24*time.Hour))
	require.InEpsilon(t, 40, due[2].At.Sub(due[1].At).Minutes(), 0.35)
}

// TestRealisticDriveIsIndependentOfPolling drives a realistic day at once, and in steps of random length.
func TestRealisticDriveIsIndependentOfPolling(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := realistic(start.Truncate(24*time.Hour), rapid.IntRange(5, 17).Draw(t, "hour"))
		r.Trouble = simulation.UsualTrouble
		r.Clock.Pace = rapid.IntRange(1, 300).Draw(t, "pace")
		r.Pace = r.Clock.Pace
		numbers := []string{"A-1", "A-2", "A-3", "A-4"}
		whole, _ := r.Steps(&simulation.Driver{ID: 7, Stops: stops(numbers...)}, r.Started.Add(48*time.Hour))
		var sent []simulation.Step
		d := &simulation.Driver{ID: 7, Stops: stops(numbers...)}
		for now := r.Started; d.Ends == 0; now = now.Add(time.Duration(rapid.IntRange(1, 2000).Draw(t, "s")) * time.Second) {
			due, _ := r.Steps(d, now)
			for i := range due {
				take(d, &due[i])
				if due[i].Deed == driving.Fail {
					d.Stops = withoutOrder(d.Stops, &due[i], numbers)
				}
			}
			sent = append(sent, due...)
		}
		require.Equal(t, told(whole), told(sent))
	})
}

// withoutOrder are the open stops without those of an order whose pickup failed.
func withoutOrder(open []simulation.Stop, failed *simulation.Step, numbers []string) (left []simulation.Stop) {
	for _, s := range open {
		if failed.StopID > 100 || s.Number != numbers[failed.StopID-1] {
			left = append(left, s)
		}
	}
	return left
}
