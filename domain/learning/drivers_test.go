package learning_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/learning"
)

// Drivers of these tests who differ from others.
const (
	slowOnTheRoad  = 3
	quickOnTheRoad = 7
	slowAtTheDoor  = 2
)

// differing are legs and visits of some weeks: one driver takes three tenths longer on the road, one a fifth less, and
// one takes half as long again for visits.
func differing(weeks int) ([]learning.Leg, []learning.Visit) {
	legs, visits := driven(5, weeks, truth), made(6, weeks)
	for i := range legs {
		switch l := &legs[i]; l.DriverID {
		case slowOnTheRoad:
			l.Took = l.Took * 13 / 10
		case quickOnTheRoad:
			l.Took = l.Took * 8 / 10
		}
	}
	for i := range visits {
		if v := &visits[i]; v.DriverID == slowAtTheDoor {
			v.Took = v.Took * 3 / 2
		}
	}
	return legs, visits
}

// known is what plans go by once the times of everybody are learned.
func known(visits []learning.Visit, paces map[int64]driver.Pace) *learning.Predictions {
	empty := &learning.Known{}
	return &learning.Predictions{
		Hours: truth, Zone: time.UTC, Known: empty.With(learning.Visits(visits, empty)), Paces: paces,
	}
}

func TestFactorsOfDriversAreLearned(t *testing.T) {
	t.Parallel()
	legs, visits := differing(4)
	by := known(visits, nil)
	drivers, trial := by.Drivers(legs, visits)
	require.True(t, trial.Improves(), "%+v", trial)
	require.Equal(t, 7, trial.Days)
	paces := map[int64]driver.Pace{}
	for _, d := range drivers {
		paces[d.DriverID] = driver.Pace{Driving: d.Driving, Visits: d.Visits}
		require.InDelta(t, 1, d.DrivingBefore, 0)
		require.Empty(t, paces[d.DriverID].Problems())
	}
	require.Len(t, drivers, 3, "nobody else differs: %+v", drivers)
	require.InDelta(t, 1.3, paces[slowOnTheRoad].Driving, 0.051)
	require.InDelta(t, 0.8, paces[quickOnTheRoad].Driving, 0.051)
	require.InDelta(t, 1.5, paces[slowAtTheDoor].Visits, 0.11)
	require.Zero(t, paces[slowAtTheDoor].Driving)
	require.Equal(t, int64(slowAtTheDoor), drivers[0].DriverID, "first comes who differs most")
	require.Greater(t, drivers[0].VisitsMade, 100)

	again, trial := known(visits, paces).Drivers(legs, visits)
	require.Empty(t, again, "what is known brings nothing new")
	require.Zero(t, trial)
	only, _ := by.Drivers(nil, visits)
	require.Len(t, only, 1, "without legs, nothing is said of driving")

	paces[slowOnTheRoad] = driver.Pace{Driving: 2.5}
	again, _ = known(visits, paces).Drivers(legs, visits)
	require.Len(t, again, 1)
	require.InDelta(t, 1.3, again[0].Driving, 0.051, "a factor that is wrong is learned anew")
	require.InDelta(t, 2.5, again[0].DrivingBefore, 0)
}

func TestWhatIsLearnedOfEverybodyIsAtTheirPace(t *testing.T) {
	t.Parallel()
	legs, visits := differing(4)
	for i := range legs {
		legs[i].Took = legs[i].Took * 6 / 5
	}
	all := map[int64]driver.Pace{}
	for id := range int64(10) {
		all[id] = driver.Pace{Driving: 1.2, Visits: 1.1}
	}
	paced, stays := learning.AtTheirPace(legs, visits, all)
	require.False(t, learning.Try(paced, time.UTC, truth).Improves(), "all drivers have factors already")
	require.True(t, learning.Try(legs, time.UTC, truth).Improves())
	require.InDelta(t, visits[0].Took.Seconds()/1.1, stays[0].Took.Seconds(), 1)
}

func TestFactorsOfDriversNeedEnough(t *testing.T) {
	t.Parallel()
	legs, visits := differing(4)
	few := slices.DeleteFunc(slices.Clone(legs), func(l learning.Leg) bool { return l.Day.After(monday.AddDate(0, 0, 6)) })
	drivers, trial := known(visits, nil).Drivers(few, nil)
	require.Empty(t, drivers, "seven days are too few")
	require.Zero(t, trial)
	n := 0
	few = slices.DeleteFunc(slices.Clone(legs), func(l learning.Leg) bool {
		n++
		return n%10 != 0 && l.DriverID == slowOnTheRoad
	})
	drivers, _ = known(visits, nil).Drivers(few, nil)
	require.Len(t, drivers, 1, "fifty legs are too few")
	same, _ := known(made(6, 4), nil).Drivers(driven(5, 4, truth), made(6, 4))
	require.Empty(t, same, "nothing is learned of noise")
}

func TestProposalsOfDriversThatAreNearlyTheSame(t *testing.T) {
	t.Parallel()
	a := []learning.DriverPace{{DriverID: 1, Driving: 1.2}, {DriverID: 2, Visits: 0.8}}
	b := []learning.DriverPace{{DriverID: 2, Visits: 0.85}, {DriverID: 1, Driving: 1.15}}
	require.True(t, learning.SameDrivers(a, b))
	b[1].Driving = 1.3
	require.False(t, learning.SameDrivers(a, b))
	b[1].Driving, b[1].Visits = 1.2, 1.5
	require.False(t, learning.SameDrivers(a, b), "another factor is new")
	require.False(t, learning.SameDrivers(a, a[:1]))
	require.False(t, learning.SameDrivers(a[:1], a[1:]))
}
