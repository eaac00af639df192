package road_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/road"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// north is so many meters to the north of a place in Oslo.
func north(meters float64) road.Point {
	return road.Point{Latitude: 59.9 + meters/111_195, Longitude: 10.7}
}

// driven is a track to the north with a position each five seconds, at 10 m/s.
func driven(count int) (track road.Track) {
	for i := range count {
		track = append(track, road.Fix{Point: north(float64(i) * 50), At: noon.Add(time.Duration(i) * 5 * time.Second)})
	}
	return track
}

func TestTracksAreTidied(t *testing.T) {
	t.Parallel()
	require.Empty(t, road.Track(nil).Tidy())
	require.Equal(t, driven(20), driven(20).Tidy())

	t.Run("positions that nobody can have driven to are left out", func(t *testing.T) {
		t.Parallel()
		for _, jumps := range [][]int{{7}, {0}, {19}, {3, 4, 5}, {0, 1, 12}} {
			track, want := driven(20), road.Track{}
			for _, i := range jumps {
				track[i].Point = road.Point{Latitude: 58.3 + float64(i)/100, Longitude: 9.5}
			}
			for _, fix := range track {
				if fix.Latitude > 59 {
					want = append(want, fix)
				}
			}
			require.Equal(t, want, track.Tidy(), "%v", jumps)
		}
	})
	t.Run("standing is one position", func(t *testing.T) {
		t.Parallel()
		track := driven(4)
		for i := range 60 {
			track = append(track, road.Fix{
				Point: north(150 + float64(i%3)*4), At: noon.Add(time.Minute + time.Duration(i)*time.Second),
			})
		}
		require.Equal(t, driven(4), track.Tidy())
	})
	t.Run("inaccurate positions say nothing", func(t *testing.T) {
		t.Parallel()
		track := driven(4)
		track[2].Accuracy = 800
		require.Len(t, track.Tidy(), 3)
	})
}

func TestTracksAreDivided(t *testing.T) {
	t.Parallel()
	require.Empty(t, driven(0).Spans(100, 1e6))
	require.Empty(t, driven(1).Spans(100, 1e6), "one position is no way")
	require.Equal(t, []road.Span{{0, 100}}, driven(100).Spans(100, 1e6))

	for _, count := range []int{101, 190, 191, 250, 1000} {
		spans := driven(count).Spans(100, 1e6)
		require.Zero(t, spans[0].First)
		require.Equal(t, count, spans[len(spans)-1].End)
		for i, span := range spans {
			require.LessOrEqual(t, span.End-span.First, 100)
			if i > 0 {
				require.Equal(t, 10, spans[i-1].End-span.First, "they overlap")
			}
		}
	}
	for _, span := range driven(500).Spans(10_000, 5000) {
		require.LessOrEqual(t, driven(500)[span.First:span.End].Line().Length(), 5051.0)
	}
	sparse := driven(5)
	for i := range sparse {
		sparse[i].Point, sparse[i].At = north(float64(i)*9000), noon.Add(time.Duration(i)*150*time.Second)
	}
	require.Equal(t, 5, sparse.Spans(100, 5000)[len(sparse.Spans(100, 5000))-1].End, "each position is longer than a part")

	silent := driven(20)
	for i := 10; i < 20; i++ {
		silent[i].Point, silent[i].At = north(2000+float64(i)*50), silent[i].At.Add(10*time.Minute)
	}
	require.Equal(t, []road.Span{{0, 10}, {10, 20}}, silent.Spans(100, 1e6), "nobody knows the way between them")
}

func TestLinesAreCutAndSimplified(t *testing.T) {
	t.Parallel()
	part := corner.Part(500, 1300)
	require.InDelta(t, 800, part.Length(), 1)
	require.Len(t, part.Points(), 3, "with the corner")
	require.InDelta(t, corner.Length(), corner.Part(0, 700).Then(corner.Part(700, corner.Length())).Length(), 1)

	require.Equal(t, driven(2).Line().Encode(), road.Of(north(0), north(20), north(50)).Simplified(1).Encode())
	require.Equal(t, corner.Encode(), corner.Simplified(10).Encode(), "a corner stays")

	there := road.Of(north(0), north(1000), north(0), north(1000)) // and back, and there again
	require.InDelta(t, 400, there.ProjectAfter(north(400), 0), 1)
	require.InDelta(t, 1600, there.ProjectAfter(north(400), 500), 1)
	require.InDelta(t, 2400, there.ProjectAfter(north(400), 1700), 1)
}

// stretch is one on the track of driven, with marks at each position from one to another. It
// leads straight along it.
func stretch(first, last int) road.Stretch {
	s := road.Stretch{Line: driven(last + 1)[first:].Line(), Confidence: 0.9}
	for i := first; i <= last; i++ {
		s.Marks = append(s.Marks, road.Mark{Fix: i, Along: float64(i-first) * 50})
	}
	return s
}

func TestStretchesAreJoined(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, next []road.Stretch
		want         [][2]int // the first and the last position of each
	}{
		"one is as good as two": {[]road.Stretch{stretch(0, 99)}, []road.Stretch{stretch(90, 189)}, [][2]int{{0, 189}}},
		"parts stay apart": {
			[]road.Stretch{stretch(0, 80)}, []road.Stretch{stretch(90, 120)}, [][2]int{{0, 80}, {90, 120}},
		},
		"the first ends early": {[]road.Stretch{stretch(0, 92)}, []road.Stretch{stretch(90, 120)}, [][2]int{{0, 120}}},
		"some lie within the overlap": {
			[]road.Stretch{stretch(0, 91), stretch(93, 95)}, []road.Stretch{stretch(90, 120)}, [][2]int{{0, 120}},
		},
		"the second has two": {
			[]road.Stretch{stretch(0, 99)}, []road.Stretch{stretch(90, 94), stretch(96, 120)}, [][2]int{{0, 120}},
		},
		"nothing came": {[]road.Stretch{stretch(0, 99)}, nil, [][2]int{{0, 99}}},
	} {
		joined := road.Joined(c.before, c.next)
		require.Len(t, joined, len(c.want), name)
		for i, s := range joined {
			require.Equal(t, c.want[i], [2]int{s.First(), s.Last()}, name)
			require.InDelta(t, float64(s.Last()-s.First())*50, s.Line.Length(), 1, name)
			for _, m := range s.Marks {
				require.InDelta(t, float64(m.Fix-s.First())*50, m.Along, 1, name)
			}
		}
	}

	elsewhere := stretch(90, 120)
	elsewhere.Line = road.Of(road.Point{Latitude: 59.95, Longitude: 10.75}, road.Point{Latitude: 59.96, Longitude: 10.75})
	joined := road.Joined([]road.Stretch{stretch(0, 99)}, []road.Stretch{elsewhere})
	require.Len(t, joined, 2, "the next one is on another street")
	require.Equal(t, 99, joined[0].Last())
	require.Equal(t, 100, joined[1].First())
}
