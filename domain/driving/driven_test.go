package driving_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/road"
)

// trackNorth has a position each ten seconds, 100 meters apart.
func trackNorth(count int) (track road.Track) {
	for i := range count {
		track = append(track, road.Fix{
			Point: road.Point{Latitude: 59.9 + float64(i)*100/111_195, Longitude: 10.7},
			At:    time.Date(2026, 3, 2, 12, 0, 10*i, 0, time.UTC),
		})
	}
	return track
}

// streetNorth is a street three meters to the east of it.
func streetNorth(first, last int) road.Stretch {
	var points []road.Point
	s := road.Stretch{Confidence: 0.8}
	for i, fix := range trackNorth(last + 1)[first:] {
		points = append(points, road.Point{Latitude: fix.Latitude, Longitude: fix.Longitude + 0.00005})
		s.Marks = append(s.Marks, road.Mark{Fix: first + i, Along: float64(i) * 100})
	}
	s.Line = road.Of(points...)
	return s
}

func TestDrivenWaysHaveNoHoles(t *testing.T) {
	t.Parallel()
	type part struct {
		first, last int
		matched     bool
	}
	for name, c := range map[string]struct {
		count   int
		matched []road.Stretch
		want    []part
	}{
		"nobody was heard of": {count: 0},
		"standing":            {count: 1},
		"all is on streets":   {10, []road.Stretch{streetNorth(0, 9)}, []part{{0, 9, true}}},
		"nothing is":          {10, nil, []part{{0, 9, false}}},
		"the beginning and the end": {
			10, []road.Stretch{streetNorth(2, 7)}, []part{{0, 2, false}, {2, 7, true}, {7, 9, false}},
		},
		"a gap": {
			10,
			[]road.Stretch{streetNorth(0, 3), streetNorth(6, 9)},
			[]part{{0, 3, true}, {3, 6, false}, {6, 9, true}},
		},
	} {
		track := trackNorth(c.count)
		ways := driving.DrivenWays(track, c.matched)
		require.Len(t, ways, len(c.want), name)
		for i, w := range ways {
			line, err := road.Decode(w.Polyline)
			require.NoError(t, err)
			require.Equal(t, c.want[i].matched, w.Matched, name)
			require.Equal(t, track[c.want[i].first].At, w.From, name)
			require.Equal(t, track[c.want[i].last].At, w.Until, name)
			require.InDelta(t, 100*(c.want[i].last-c.want[i].first), w.Meters, 2, name)
			require.InDelta(t, w.Meters, line.Length(), 3, name)
			if w.Matched {
				require.InDelta(t, 0.8, w.Confidence, 1e-9)
			} else {
				require.Len(t, line.Points(), 2, "%s: a straight line is simplified", name)
			}
		}
	}
}

func TestFailedMatchesAreTriedAgainAFewTimes(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	var waits []time.Duration
	for failures := 1; ; failures++ {
		again := driving.MatchAgain(failures, now)
		if again.IsZero() {
			break
		}
		waits = append(waits, again.Sub(now))
	}
	require.Equal(t, []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute}, waits)
}
