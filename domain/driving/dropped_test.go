package driving_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/order"
)

// TestFailedPickupDropsTheDelivery checks that a failed pickup drops the delivery:
// no message says that a driver is near, and no ETA depends on it.
func TestFailedPickupDropsTheDelivery(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	fact := func(id string, deed driving.Deed, m int) driving.Fact {
		moment := at.Add(time.Duration(m) * time.Minute)
		return driving.Fact{ID: id, Deed: deed, At: moment, Clock: moment, DriverID: 1, Stop: order.Pickup}
	}
	h := driving.History{GivenTo: 1, Facts: []driving.Fact{fact("1", driving.Arrive, 0), fact("2", driving.Fail, 5)}}
	failed := h.Standing()
	require.Equal(t, order.Failed, failed.Status)
	require.Equal(t, driving.StopFailed, failed.Pickup.Status)
	require.Equal(t, driving.StopStanding{Status: driving.StopDropped}, failed.Delivery)

	pending := driving.StopStanding{Status: driving.StopPending}
	leg := func(lat float64, m int, s driving.StopStanding) driving.Ahead {
		x := at.Add(time.Duration(m) * time.Minute)
		return driving.Ahead{
			Latitude: lat, Longitude: 10.75, Arrives: x, Starts: x, Leaves: x.Add(5 * time.Minute),
			Driving: 20 * time.Minute, Meters: 20_000, Standing: s,
		}
	}
	route := []driving.Ahead{leg(59.91, 0, failed.Pickup), leg(60.31, 40, failed.Delivery), leg(59.92, 100, pending)}
	etas := driving.ETAs(route, nil, at.Add(6*time.Minute))
	require.Len(t, etas, 1)
	require.Equal(t, 2, etas[0].Stop)
	require.WithinDuration(t, at.Add(8*time.Minute), etas[0].At, time.Minute, "it is a kilometer from the pickup")

	w := driving.Watch{
		Now: at.Add(50 * time.Minute), Until: at.Add(12 * time.Hour),
		Heard: at.Add(49 * time.Minute), Notice: 30 * time.Minute,
		Stops: []driving.Watched{
			{Standing: failed.Pickup, Latest: at.Add(time.Hour)},
			{Standing: failed.Delivery, ETA: at.Add(55 * time.Minute), Latest: at.Add(40 * time.Minute)},
			{Standing: pending, ETA: at.Add(110 * time.Minute), Latest: at.Add(3 * time.Hour)},
		},
	}
	seen := w.Look()
	require.Equal(t, 2, seen.Next)
	require.Equal(t, 2, seen.Done)
	require.Empty(t, seen.Near)
	require.Empty(t, seen.Late)

	back := driving.History{GivenTo: 1, Facts: append(h.Facts, driving.Fact{
		ID: "3", Deed: driving.Undo, Undoes: "2", At: at.Add(5*time.Minute + 30*time.Second),
		Clock: at.Add(5*time.Minute + 30*time.Second), DriverID: 1, Stop: order.Pickup,
	})}
	require.Equal(t, pending, back.Standing().Delivery, "who takes it back has it again")
}

// TestPositionsFromAFastClockKeepTheirSpacing checks positions and facts from a
// clock that is ahead, including facts about an earlier time.
func TestPositionsFromAFastClockKeepTheirSpacing(t *testing.T) {
	t.Parallel()
	received := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	const ahead = 90 * time.Second
	for i := range 40 {
		happened := received.Add(-time.Duration(200-5*i) * time.Second)
		at := driving.Happened(happened.Add(ahead), -ahead, received, received.Add(-24*time.Hour))
		require.Equal(t, happened, at)
	}
	at := driving.Happened(received.Add(-time.Millisecond), -time.Millisecond, received, received.Add(-24*time.Hour))
	require.Equal(t, received.Add(-time.Millisecond), at, "a fraction of a second is no skew")
	at = driving.Happened(received.Add(-time.Minute), 90*time.Second, received, received.Add(-24*time.Hour))
	require.Equal(t, received.Add(-time.Minute), at, "one that seems behind may only have been slow")
}
