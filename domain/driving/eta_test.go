package driving_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/freight"
	"waybill/domain/road"
	"waybill/domain/traffic"
)

// route returns three stops, each ten minutes and five kilometres after the one
// before, with five minutes of service; the last may not begin before 9:00.
func route() []driving.Ahead {
	stops := make([]driving.Ahead, 3)
	for i := range stops {
		arrives := minuteOf(10 + 15*i)
		stops[i] = driving.Ahead{
			OrderID: int64(i + 1), Latitude: 59.9 + 0.045*float64(i), Longitude: 10.7,
			Arrives: arrives, Starts: arrives, Leaves: arrives.Add(5 * time.Minute),
			Driving: 10 * time.Minute, Meters: 5000, Standing: driving.StopStanding{Status: driving.StopPending},
		}
	}
	stops[2].Earliest = minuteOf(60)
	return stops
}

// minuteOf is a minute after eight.
func minuteOf(minute int) time.Time { return morning.Add(time.Duration(minute) * time.Minute) }

// minutes are ETAs as minutes after eight, by stop.
func minutes(etas []driving.ETA) map[int]int {
	m := map[int]int{}
	for _, e := range etas {
		m[e.Stop] = int(e.At.Sub(morning).Minutes())
	}
	return m
}

func TestETAs(t *testing.T) {
	t.Parallel()
	require.Empty(t, driving.ETAs(route(), nil, minuteOf(0)), "the plan's hold as long as nothing is known")

	late := route()
	late[0].Standing = driving.StopStanding{Status: driving.StopCompleted, Ended: minuteOf(45)}
	etas := driving.ETAs(late, nil, minuteOf(46))
	require.Equal(t, map[int]int{1: 55, 2: 70}, minutes(etas), "half an hour late")
	require.Equal(t, []int{0, 1}, []int{etas[0].Ahead, etas[1].Ahead})

	early := route()
	early[0].Standing = driving.StopStanding{Status: driving.StopCompleted, Ended: minuteOf(5)}
	require.Equal(t, map[int]int{1: 15, 2: 60}, minutes(driving.ETAs(early, nil, minuteOf(5))), "not before it opens")

	there := route()
	there[0].Standing = driving.StopStanding{Status: driving.StopArrived, Arrived: minuteOf(20)}
	require.Equal(t, map[int]int{0: 20, 1: 35, 2: 60}, minutes(driving.ETAs(there, nil, minuteOf(21))))
	require.Equal(t, map[int]int{0: 20, 1: 60, 2: 75}, minutes(driving.ETAs(there, nil, minuteOf(50))),
		"he has not left yet")

	overdue := driving.ETAs(early, nil, minuteOf(40))
	require.Equal(t, map[int]int{1: 40, 2: 60}, minutes(overdue), "never in the past")
}

// TestETAsFollowTheRushHour has a late driver leave after the rush hour for which the plan has the legs, and one on the
// way drive on in it.
func TestETAsFollowTheRushHour(t *testing.T) {
	t.Parallel()
	hours := []traffic.RushHours{{From: "08:00", Until: "09:00", Factor: 2}}
	stops := route()
	for i := range stops {
		stops[i].Traffic = traffic.NewRoad(hours, morning.Location(), freight.Place{}, freight.Place{})
		stops[i].Earliest = time.Time{}
	}
	stops[0].Standing = driving.StopStanding{Status: driving.StopCompleted, Ended: minuteOf(15)}
	require.Equal(t, map[int]int{1: 25, 2: 40}, minutes(driving.ETAs(stops, nil, minuteOf(16))), "as planned")
	stops[0].Standing.Ended = minuteOf(60)
	require.Equal(t, map[int]int{1: 65, 2: 75}, minutes(driving.ETAs(stops, nil, minuteOf(60))), "in half the time")

	stops[1].Way = road.Of(road.Point{Latitude: 59.9, Longitude: 10.7}, road.Point{Latitude: 59.945, Longitude: 10.7})
	was := &driving.Where{Latitude: 59.9225, Longitude: 10.7, At: minuteOf(62)}
	require.Equal(t, 64, minutes(driving.ETAs(stops, was, minuteOf(62)))[1], "half of five minutes are left")
}

// TestADelayCountsOnce plans again after a driver waited in a queue: the next stop is planned for
// when the driver can be there, and the stop they left keeps its original planned time.
func TestADelayCountsOnce(t *testing.T) {
	t.Parallel()
	late := route()
	late[0].Standing = driving.StopStanding{Status: driving.StopCompleted, Ended: minuteOf(45)}
	for i := range late[1:] {
		s := &late[i+1]
		s.Arrives, s.Starts, s.Leaves = minuteOf(55+15*i), minuteOf(55+15*i), minuteOf(60+15*i)
	}
	require.Equal(t, map[int]int{1: 55, 2: 70}, minutes(driving.ETAs(late, nil, minuteOf(46))))

	s := &late[1]
	s.Break, s.BreakStarts = 20*time.Minute, minuteOf(45)
	require.Equal(t, map[int]int{1: 75, 2: 90}, minutes(driving.ETAs(late, nil, minuteOf(46))), "with a break on the way")
	s.BreakStarts = minuteOf(60)
	require.Equal(t, map[int]int{1: 80, 2: 95}, minutes(driving.ETAs(late, nil, minuteOf(46))), "which begins later")
}

func TestETAsFromWhereTheDriverIs(t *testing.T) {
	t.Parallel()
	r := route()
	half := &driving.Where{Latitude: 59.9225, Longitude: 10.7, At: minuteOf(20)}
	r[0].Standing = driving.StopStanding{Status: driving.StopCompleted, Ended: minuteOf(15)}
	etas := driving.ETAs(r, half, minuteOf(20))
	require.InDelta(t, 26.5, etas[0].At.Sub(morning).Minutes(), 1, "half of the way, with a detour")
	half.At = minuteOf(10)
	require.Equal(t, map[int]int{1: 25, 2: 60}, minutes(driving.ETAs(r, half, minuteOf(20))),
		"an older place says nothing")
	nearer := &driving.Where{Latitude: 59.94, Longitude: 10.7, At: minuteOf(20)}
	require.True(t, driving.ETAs(r, nearer, minuteOf(20))[0].At.Before(etas[0].At))
}

// TestETAsOfAVisit sets up once for three orders at one place, for which the driver arrives at once.
func TestETAsOfAVisit(t *testing.T) {
	t.Parallel()
	visit := func() []driving.Ahead {
		stops := route()
		for i := range stops {
			s := &stops[i]
			s.Latitude, s.Earliest = 59.9, time.Time{}
			s.Starts = minuteOf(20 + i)
			s.Arrives, s.Leaves, s.Driving, s.Meters, s.Setup = s.Starts, s.Starts.Add(time.Minute), 0, 0, 0
		}
		first := &stops[0]
		first.Arrives, first.Driving, first.Meters, first.Setup = minuteOf(10), 10*time.Minute, 5000, 10*time.Minute
		before := driving.Ahead{
			OrderID: 9, Latitude: 59.85, Longitude: 10.7, Starts: minuteOf(-5), Leaves: minuteOf(0),
			Standing: driving.StopStanding{Status: driving.StopCompleted, Ended: minuteOf(30)},
		}
		return append([]driving.Ahead{before}, stops...)
	}
	late := map[int]int{1: 50, 2: 51, 3: 52}
	require.Equal(t, late, minutes(driving.ETAs(visit(), nil, minuteOf(31))), "half an hour late")

	there := visit()
	for i := range there[1:] {
		there[1+i].Standing = driving.StopStanding{Status: driving.StopArrived, Arrived: minuteOf(40)}
	}
	require.Equal(t, late, minutes(driving.ETAs(there, nil, minuteOf(41))), "one after the other")
}

// TestETAsGoByThePlaceOfABreak has a break of twenty minutes from 8:45 on, ten minutes from the first stop.
func TestETAsGoByThePlaceOfABreak(t *testing.T) {
	t.Parallel()
	stops := route()
	stops[0].Standing = driving.StopStanding{Status: driving.StopCompleted, Ended: minuteOf(15)}
	s := &stops[1]
	s.Break, s.BreakStarts = 20*time.Minute, minuteOf(45)
	s.BreakPlace = &driving.BreakPlace{Latitude: 59.9, Longitude: 10.8, Driving: 10 * time.Minute}
	require.Equal(t, 75, minutes(driving.ETAs(stops, nil, minuteOf(16)))[1], "he waits for the break, and drives on")

	stops[0].Standing.Ended = minuteOf(50)
	require.Equal(t, 90, minutes(driving.ETAs(stops, nil, minuteOf(51)))[1], "he gets there at nine")

	near := &driving.Where{Latitude: 59.9, Longitude: 10.8, At: minuteOf(52)}
	s.BreakStarts = minuteOf(55)
	require.Equal(t, 85, minutes(driving.ETAs(stops, near, minuteOf(52)))[1])
	near.At = minuteOf(60)
	require.Equal(t, 85, minutes(driving.ETAs(stops, near, minuteOf(60)))[1], "he is in the break")
	near.At = minuteOf(76)
	require.Equal(t, 95, minutes(driving.ETAs(stops, near, minuteOf(76)))[1], "it is over")
}
