package learning_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/freight"
	"waybill/domain/learning"
	"waybill/domain/traffic"
)

var (
	monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	places = []freight.Place{
		{Country: "NO", PostalCode: "0155"},
		{Country: "NO", PostalCode: "0182"},
		{Country: "NO", PostalCode: "1430"},
		{Country: "NO", PostalCode: "1470"},
		{},
	}
)

// truth is how long driving takes for certain: everything a little less, mornings of workdays much longer, and those in
// the middle of town longer still.
var truth = []traffic.RushHours{
	{From: "00:00", Until: "24:00", Factor: 0.9},
	{Days: []string{"MO", "TU", "WE", "TH", "FR"}, From: "07:00", Until: "09:00", Factor: 1.4},
	{
		Days: []string{"MO", "TU", "WE", "TH", "FR"}, From: "07:00", Until: "09:00", Factor: 2,
		Areas: []freight.Area{{Country: "NO", From: "01", To: "01"}},
	},
}

// driven returns the legs of some weeks. One in fifty has a break that nobody reported.
func driven(seed uint64, weeks int, hours []traffic.RushHours) (legs []learning.Leg) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for day := range 7 * weeks {
		date := monday.AddDate(0, 0, day)
		for n := range 150 {
			l := learning.Leg{
				Day: date, DriverID: int64(n % 10), From: places[rng.IntN(len(places))], To: places[rng.IntN(len(places))],
				Left: date.Add(6*time.Hour + time.Duration(rng.IntN(10*60))*time.Minute),
				Base: time.Duration(2+rng.IntN(20)) * time.Minute,
			}
			l.Took = l.Base
			if road := traffic.NewRoad(hours, time.UTC, l.From, l.To); road != nil {
				l.Took = road.Takes(l.Base, l.Left)
			}
			l.Took = time.Duration(float64(l.Took) * math.Exp(rng.NormFloat64()*0.1))
			if rng.IntN(50) == 0 {
				l.Took += 45 * time.Minute
			}
			legs = append(legs, l)
		}
	}
	return legs
}

func TestHoursAreLearned(t *testing.T) {
	t.Parallel()
	hours := learning.Hours(driven(1, 6, truth), time.UTC)
	require.Empty(t, traffic.Problems("x", hours))
	factor := func(at time.Time, where freight.Place) float64 {
		most := 0.0
		for i := range hours {
			from, until := hours[i].Hours()
			minute := at.Hour()*60 + at.Minute()
			if hours[i].On(at.Weekday()) && int(from) <= minute && minute < int(until) && hours[i].Covers(where) {
				most = max(most, hours[i].Factor)
			}
		}
		if most == 0 {
			return 1
		}
		return most
	}
	for name, c := range map[string]struct {
		at    time.Time
		where freight.Place
		want  float64
	}{
		"in town in the morning":  {monday.Add(8 * time.Hour), places[0], 2},
		"elsewhere":               {monday.Add(8 * time.Hour), places[2], 1.4},
		"at noon":                 {monday.Add(12 * time.Hour), places[0], 0.9},
		"on a Sunday morning":     {monday.AddDate(0, 0, 6).Add(8 * time.Hour), places[0], 0.9},
		"at night, as on the day": {monday.Add(3 * time.Hour), places[2], 0.9},
	} {
		require.InDelta(t, c.want, factor(c.at, c.where), 0.16, name)
	}
}

func TestLearningIsTriedOnOtherDays(t *testing.T) {
	t.Parallel()
	legs := driven(2, 4, truth)
	trial := learning.Try(legs, time.UTC, nil)
	require.Equal(t, 7, trial.Days)
	require.Greater(t, trial.Predicted, 900)
	require.Less(t, 10*trial.After, 7*trial.Before, "%+v", trial)
	require.True(t, trial.Improves())
	again := learning.Try(legs, time.UTC, learning.Hours(legs, time.UTC))
	require.False(t, again.Improves(), "what is learned already brings nothing new: %+v", again)
	still := learning.Try(driven(3, 4, nil), time.UTC, nil)
	require.False(t, still.Improves(), "nothing is learned of noise: %+v", still)
	require.Zero(t, learning.Try(legs[:200], time.UTC, nil), "two days are too few")
}

func TestLearningNeedsEnough(t *testing.T) {
	t.Parallel()
	require.Empty(t, learning.Hours(nil, time.UTC))
	legs := driven(4, 1, truth)
	require.Empty(t, learning.Hours(legs[:300], time.UTC), "two days are not enough")
	broken := slices.Clone(legs)
	for i := range broken {
		broken[i].Base = 10 * time.Second
	}
	require.Empty(t, learning.Hours(broken, time.UTC), "parking says nothing of traffic")
	for i := range broken {
		broken[i].Base, broken[i].Took = 10*time.Minute, 45*time.Minute
	}
	for _, h := range learning.Hours(broken, time.UTC) {
		require.LessOrEqual(t, h.Factor, float64(traffic.MostFactor))
	}
}
