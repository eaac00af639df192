package travel_test

import (
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/road"
	"waybill/providers/travel"
)

// noisyDrive is a way through the center of Oslo, past some places, and where a phone said that it
// was: each five seconds, with a noise of ten meters.
type noisyDrive struct {
	way   road.Line
	track road.Track
}

// drivenPast drives past so many places in the center of Oslo, with ways of a provider.
func drivenPast(t *testing.T, tables *travel.Tables, seed uint64, count int) (d noisyDrive) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, seed))
	places := inOslo(count)
	random.Shuffle(count, func(i, j int) { places[i], places[j] = places[j], places[i] })
	for i := range places[1:] {
		route, _, err := tables.Route(t.Context(), planning.Car, places[i], places[i+1])
		require.NoError(t, err)
		line, err := road.Decode(route.Polyline)
		require.NoError(t, err)
		d.way = d.way.Then(line)
	}
	noise := func() float64 { return random.NormFloat64() * 10 / math.Sqrt2 / 111_195 }
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	for along := 0.0; along < d.way.Length(); along += 40 {
		p := d.way.At(along)
		p.Latitude += noise()
		p.Longitude += noise() / math.Cos(p.Latitude*math.Pi/180)
		d.track = append(d.track, road.Fix{Point: p, At: start.Add(time.Duration(along/8) * time.Second), Accuracy: 10})
	}
	return d
}

// inCommon is the share of a line that is on another one.
func inCommon(line, other road.Line) float64 {
	on, all := 0.0, 0.0
	for along := 0.0; along < line.Length(); along += 5 {
		all++
		if _, away := other.Project(line.At(along)); away < 4 {
			on++
		}
	}
	return on / all
}

// streets are those of stretches.
func streets(stretches []road.Stretch) (all road.Line) {
	for i := range stretches {
		all = all.Then(stretches[i].Line)
	}
	return all
}

// drivesAreMatched matches drives past so many places to the streets that they were on.
func drivesAreMatched(t *testing.T, tables *travel.Tables, counts ...int) {
	t.Helper()
	common, length := 0.0, 0.0
	for seed, count := range counts {
		d := drivenPast(t, tables, uint64(seed), count)
		stretches, matches, err := tables.Match(t.Context(), planning.Truck, d.track.Tidy())
		require.NoError(t, err)
		require.True(t, matches)
		found := streets(stretches)
		share := inCommon(d.way, found)
		t.Logf("%d positions on %.0f m: %.1f %% in common, in %d stretches of %.0f m", len(d.track), d.way.Length(),
			100*share, len(stretches), found.Length())
		require.Greater(t, share, 0.9)
		require.Greater(t, inCommon(found, d.way), 0.9, "it was nowhere else")
		require.InEpsilon(t, d.way.Length(), found.Length(), 0.1, "and drove nothing twice")
		common, length = common+share*d.way.Length(), length+d.way.Length()
		for i := range stretches {
			s := &stretches[i]
			require.LessOrEqual(t, s.Confidence, 1.0)
			for _, m := range s.Marks {
				_, away := road.Of(d.track.Tidy()[m.Fix].Point, s.Line.At(m.Along)).Project(s.Line.At(m.Along))
				require.Less(t, away, 0.1)
				require.Less(t, road.Of(d.track.Tidy()[m.Fix].Point, s.Line.At(m.Along)).Length(), 80.0, "marks are where positions are")
			}
		}
	}
	require.GreaterOrEqual(t, common/length, 0.95)
}

// oddTracksAreMatched matches what real phones say.
func oddTracksAreMatched(t *testing.T, tables *travel.Tables) {
	t.Helper()
	d := drivenPast(t, tables, 3, 3)
	match := func(track road.Track) []road.Stretch {
		stretches, _, err := tables.Match(t.Context(), planning.Car, track.Tidy())
		require.NoError(t, err)
		return stretches
	}
	jump := append(road.Track{}, d.track...)
	jump[10].Point = road.Point{Latitude: 59.95, Longitude: 10.9}
	require.GreaterOrEqual(t, inCommon(d.way, streets(match(jump))), 0.95, "a jump is left out")

	tunnel := append(road.Track{}, d.track[:len(d.track)/3]...)
	for _, fix := range d.track[2*len(d.track)/3:] {
		fix.At = fix.At.Add(20 * time.Minute)
		tunnel = append(tunnel, fix)
	}
	parts := match(tunnel)
	require.GreaterOrEqual(t, len(parts), 2, "nobody knows which way was driven in a silence")
	length := 0.0
	for i := range parts {
		length += parts[i].Line.Length()
	}
	require.InDelta(t, d.way.Length()*2/3, length, 0.1*d.way.Length())

	sea := road.Track{{Point: road.Point{Latitude: 58.3, Longitude: 9.5}, At: d.track[0].At}, {Point: road.Point{Latitude: 58.31, Longitude: 9.5}, At: d.track[0].At.Add(time.Minute)}}
	require.Empty(t, match(sea), "there are no streets in the sea")
	require.Empty(t, match(nil))
	require.Empty(t, match(d.track[:1]))
}

func TestOSRMMatchesDrives(t *testing.T) {
	t.Parallel()
	server := newOSRM(t)
	provider, err := travel.Open(server.URL())
	require.NoError(t, err)
	tables := travel.NewTables(provider, time.Now)
	drivesAreMatched(t, tables, 2, 3, 3, 4, 6, 12)
	oddTracksAreMatched(t, tables)

	server.Kill()
	d := northwards()
	_, matches, err := tables.Match(t.Context(), planning.Car, d)
	require.ErrorContains(t, err, "unavailable")
	require.True(t, matches)
	_, matches, err = travel.NewTables(travel.Crow{}, time.Now).Match(t.Context(), planning.Car, d)
	require.NoError(t, err)
	require.False(t, matches, "straight lines know no streets")
}

func TestValhallaMatchesDrives(t *testing.T) {
	t.Parallel()
	server := newValhalla(t)
	provider, err := travel.Open(server.URL())
	require.NoError(t, err)
	tables := travel.NewTables(provider, time.Now)
	drivesAreMatched(t, tables, 2, 3, 3, 4, 6)
	drivesAreMatched(t, travel.NewTables(fewer{provider, provider.(travel.Matcher)}, time.Now), 3, 12)
	oddTracksAreMatched(t, tables)

	server.Kill()
	_, _, err = tables.Match(t.Context(), planning.Car, northwards())
	require.ErrorContains(t, err, "unavailable")
}

// fewer takes fewer positions at a time.
type fewer struct {
	travel.Provider
	travel.Matcher
}

func (fewer) Most() int { return 60 }

func (f fewer) Route(ctx context.Context, profile travel.Profile, from, to travel.Point) (travel.Route, error) {
	return f.Provider.(travel.Router).Route(ctx, profile, from, to)
}

// northwards is a minute in Oslo.
func northwards() road.Track {
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	return road.Track{
		{Point: road.Point{Latitude: 59.91, Longitude: 10.75}, At: noon},
		{Point: road.Point{Latitude: 59.92, Longitude: 10.75}, At: noon.Add(time.Minute)},
	}
}

// TestNonsenseIsNoMatch has a server that answers something else.
func TestNonsenseIsNoMatch(t *testing.T) {
	t.Parallel()
	track := northwards()
	for _, answer := range []string{
		`{}`, `[]`, `{"code": "Ok", "tracepoints": [null]}`, `{"code": "Ok", "tracepoints": [null, {"matchings_index": 3}]}`,
		`{"code": "Ok", "tracepoints": [null, {"matchings_index": -1}], "matchings": [{"geometry": "??"}]}`,
		`{"code": "Ok", "tracepoints": [null, null], "matchings": [{"geometry": "_p~iF"}]}`,
	} {
		for _, kind := range []string{"osrm", "valhalla"} {
			c := newCounterpart(t)
			says := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(answer)) })
			c.breaks.Store(&says)
			_, _, err := travel.NewTables(c.provider(t, kind, ""), time.Now).Match(t.Context(), planning.Car, track)
			var fault *travel.Fault
			require.ErrorAs(t, err, &fault, "%s: %s", kind, answer)
		}
	}
}
