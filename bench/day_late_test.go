package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWhyADeliveryWasLate has routes of a driver who picks up at eight and then
// delivers.
func TestWhyADeliveryWasLate(t *testing.T) {
	t.Parallel()
	at := func(hour, minute int) time.Time { return time.Date(2026, 3, 2, hour, minute, 0, 0, time.UTC) }
	made := func(number, kind string, arrived, ended, first, until time.Time) visit {
		return visit{
			Number: number, Kind: kind, Earliest: at(8, 0), Latest: until, Arrived: arrived, Ended: ended, Driving: 600, Service: 300,
			Came: at(0, 0), Given: at(0, 0), First: first,
		}
	}
	route := func() []visit {
		return []visit{
			made("A", "pickup", at(8, 0), at(8, 5), at(8, 0), at(9, 0)),
			made("B", "delivery", at(8, 15), at(8, 20), at(8, 15), at(9, 0)),
			made("A", "delivery", at(8, 30), at(8, 35), at(8, 30), at(8, 45)),
		}
	}
	require.Empty(t, lateOf(route()))
	for why, change := range map[cause]func(visits []visit){
		queuesBefore: func(v []visit) {
			v[1].Ended, v[2].Arrived = at(9, 10), at(9, 20)
		},
		waysBefore:    func(v []visit) { v[2].Arrived = at(9, 20) },
		orderCameLate: func(v []visit) { v[2].Arrived, v[2].Came, v[2].Given = at(9, 20), at(8, 21), at(8, 22) },
		plannedLate:   func(v []visit) { v[2].Arrived, v[2].First = at(9, 20), at(9, 20) },
		otherStops: func(v []visit) {
			v[1].Arrived, v[1].Ended, v[1].Driving, v[2].Arrived = at(9, 5), at(9, 10), 3600, at(9, 20)
		},
	} {
		visits := route()
		change(visits)
		late := lateOf(visits)
		require.Len(t, late, 1, why)
		require.Equal(t, why, late[0].why)
		require.Equal(t, 35*time.Minute, late[0].by)
		if why == queuesBefore {
			require.True(t, late[0].aboard, "nobody else could take it")
			require.Equal(t, "50m0s at delivery of B", late[0].delay)
		}
	}
	figures := summarized(lateOf(route()), 3)
	require.Equal(t, []dayFigure{{"stops that were made", "3"}, {"late by more than 15 minutes", "0"}}, figures[:2])
}
