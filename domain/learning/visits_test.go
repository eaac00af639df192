package learning_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/learning"
	"waybill/domain/visit"
)

// The places and order types of the visits of these tests.
const (
	terminal = iota + 1
	slowDock
	shop
	parcels = 11
	pallets = 12
)

func of[T any](v T) *T { return &v }

// made returns the visits of some weeks: terminals take twenty minutes and ninety seconds for each order, the slow dock
// half an hour and two minutes; elsewhere, parcels take one minute and pallets twelve, with a minute for each order, as
// plans have it. One in twenty has a wait that nobody reported.
func made(seed uint64, weeks int) (visits []learning.Visit) {
	rng := rand.New(rand.NewPCG(seed, 2))
	stay := func(day time.Time, place, kind int64, orders int, setup, each time.Duration) {
		took := time.Duration(float64(setup+time.Duration(orders)*each) * math.Exp(rng.NormFloat64()*0.15))
		if rng.IntN(20) == 0 {
			took += time.Hour
		}
		visits = append(visits, learning.Visit{
			Day: day, DriverID: int64(rng.IntN(5)), LocationID: place, OrderTypeID: kind, Orders: orders, Took: took,
		})
	}
	for day := range 7 * weeks {
		date := monday.AddDate(0, 0, day)
		for range 4 {
			stay(date, terminal, 0, 5+rng.IntN(20), 20*time.Minute, 90*time.Second)
		}
		stay(date, slowDock, pallets, 1, 30*time.Minute, 2*time.Minute)
		stay(date, shop, parcels, 1+rng.IntN(2), 4*time.Minute, time.Minute)
		for range 10 {
			stay(date, int64(1000+rng.IntN(2000)), parcels, 1, time.Minute, time.Minute)
			stay(date, int64(1000+rng.IntN(2000)), pallets, 1+rng.IntN(2), 12*time.Minute, time.Minute)
		}
	}
	return visits
}

func learnedOf(all []learning.VisitTime, location, orderType int64) *learning.VisitTime {
	n := slices.IndexFunc(all, func(t learning.VisitTime) bool {
		return t.LocationID == location && t.OrderTypeID == orderType
	})
	if n < 0 {
		return nil
	}
	return &all[n]
}

func TestTimesOfVisitsAreLearned(t *testing.T) {
	t.Parallel()
	visits := made(1, 4)
	learned, trial := learning.TryVisits(visits, &learning.Known{})
	require.True(t, trial.Improves())
	require.Equal(t, 7, trial.Days)
	require.Less(t, 2*trial.After, trial.Before, "%+v", trial)
	for _, c := range []struct {
		location, orderType int64
		setup, each         float64
	}{
		{terminal, 0, 1200, 90}, {slowDock, 0, 1860, 60}, {0, parcels, 60, 60}, {0, pallets, 720, 60},
	} {
		found := learnedOf(learned, c.location, c.orderType)
		require.NotNil(t, found, "%+v", c)
		require.InDelta(t, c.setup, found.SetupSeconds, 0.25*c.setup, "%+v", found)
		require.InDelta(t, c.each, found.OrderSeconds, 45, "%+v", found)
		require.InDelta(t, c.setup+c.each, found.SetupSeconds+found.OrderSeconds, 0.12*(c.setup+c.each), "%+v", found)
		require.Equal(t, []int32{240, 60}, []int32{found.SetupSecondsBefore, found.OrderSecondsBefore}, "%+v", found)
	}
	again, _ := learning.TryVisits(visits, (&learning.Known{}).With(learned))
	require.Empty(t, again, "what is learned already brings nothing new")
	require.Equal(t, int64(pallets), learned[0].OrderTypeID, "first come those that change most")
}

func TestTimesOfVisitsNeedEnough(t *testing.T) {
	t.Parallel()
	visits := made(2, 4)
	few := slices.DeleteFunc(slices.Clone(visits), func(v learning.Visit) bool {
		return !v.Day.Before(monday.AddDate(0, 0, 4))
	})
	learned, trial := learning.TryVisits(few, &learning.Known{})
	require.Empty(t, learned, "four days are too few to try")
	require.Zero(t, trial)

	sparse := slices.DeleteFunc(slices.Clone(visits), func(v learning.Visit) bool {
		return v.LocationID == slowDock && v.Day.After(monday.AddDate(0, 0, 8))
	})
	require.Nil(t, learnedOf(learning.Visits(sparse, &learning.Known{}), slowDock, 0), "nine visits are too few")

	for i := range visits {
		visits[i].Took = 5 * time.Second
	}
	require.Empty(t, learning.Visits(visits, &learning.Known{}), "drivers who tap late say nothing")
	for i := range visits {
		visits[i].Took = 3*time.Hour + time.Duration(i%7)*time.Minute
	}
	for _, v := range learning.Visits(visits, &learning.Known{}) {
		require.LessOrEqual(t, v.SetupSeconds, int32(7200))
		require.LessOrEqual(t, v.OrderSeconds, int32(3600))
	}
}

func TestWhatIsSetForVisitsCounts(t *testing.T) {
	t.Parallel()
	visits := made(3, 4)
	rate := &visit.ServiceTime{SecondsPerKg: of(2.0)}
	learned := learning.Visits(visits, &learning.Known{
		Locations:  map[int64]learning.KnownLocation{terminal: {Times: rate}, slowDock: {Minutes: of(int32(32))}},
		OrderTypes: map[int64]*visit.ServiceTime{parcels: rate},
	})
	require.Nil(t, learnedOf(learned, terminal, 0), "nobody knows how much the goods weighed")
	require.Nil(t, learnedOf(learned, 0, parcels))
	require.Nil(t, learnedOf(learned, slowDock, 0), "its minutes are right")
	require.NotNil(t, learnedOf(learned, 0, pallets))

	half := time.Duration(0)
	for i := range visits {
		if visits[i].LocationID == slowDock && visits[i].Day.After(monday.AddDate(0, 0, 20)) {
			visits[i].Took, half = 5*time.Minute, half+1
		}
	}
	kept, _ := learning.TryVisits(visits, &learning.Known{})
	require.NotZero(t, half)
	require.Nil(t, learnedOf(kept, slowDock, 0), "it would have predicted the last week worse")
}

func TestNearlyTheSameVisitsAreTheSame(t *testing.T) {
	t.Parallel()
	one := []learning.VisitTime{{LocationID: 1, SetupSeconds: 600, OrderSeconds: 60}, {OrderTypeID: 1, SetupSeconds: 60}}
	near := []learning.VisitTime{{OrderTypeID: 1, SetupSeconds: 75}, {LocationID: 1, SetupSeconds: 645, OrderSeconds: 80}}
	require.True(t, learning.SameVisits(one, near))
	far := slices.Clone(one)
	far[0].SetupSeconds = 700
	require.False(t, learning.SameVisits(one, far))
	require.False(t, learning.SameVisits(one, one[:1]))
}
