package driving_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/planning"
	"waybill/domain/road"
	"waybill/internal/osrm"
	"waybill/operations/operationstest"
	"waybill/providers/travel"
	"waybill/store"
	"waybill/testing/stack"
)

// streets is the day of the tests in the center of Oslo, with a real server of road data. The
// test is skipped where OSRM is not installed.
type streets struct {
	*operationstest.Road

	data, dir string
	server    *stack.OSRM
	provider  travel.Provider
	random    *rand.Rand
}

func onStreets(t *testing.T) *streets {
	t.Helper()
	s := &streets{dir: t.TempDir(), random: rand.New(rand.NewPCG(1, 2))}
	var err error
	s.data, err = stack.BuildRoads(t.Context(), "../../demo/regions/oslo-center.osm.pbf", s.dir)
	if errors.Is(err, osrm.ErrMissing) {
		t.Skip(err)
	}
	require.NoError(t, err)
	s.Road = operationstest.NewRoad(t,
		"latitude: 59.92, longitude: 10.84", "latitude: 59.9101, longitude: 10.7570",
		"latitude: 59.93, longitude: 10.75", "latitude: 59.9233, longitude: 10.7369",
		"latitude: 59.95, longitude: 10.77", "latitude: 59.9273, longitude: 10.7601",
		"latitude: 59.91, longitude: 10.63", "latitude: 59.9172, longitude: 10.7311")
	s.start()
	return s
}

// start starts the server, and has it asked.
func (s *streets) start() {
	s.T.Helper()
	server, err := stack.StartOSRM(s.T.Context(), s.data, filepath.Join(s.dir, "osrm.log"))
	require.NoError(s.T, err)
	s.T.Cleanup(func() { _ = server.Stop() })
	s.provider, err = travel.Open(server.URL())
	require.NoError(s.T, err)
	s.server = server
	s.TravelBy(s.T, server.URL())
}

// way is the one along streets from a stop to the next.
func (s *streets) way(from, to int) road.Line {
	s.T.Helper()
	at := func(stop int) travel.Point {
		p := s.Stops[stop].Place
		return travel.Point{Latitude: p.Latitude, Longitude: p.Longitude}
	}
	route, err := s.provider.(travel.Router).Route(s.T.Context(), planning.Car, at(from), at(to))
	require.NoError(s.T, err)
	line, err := road.Decode(route.Polyline)
	require.NoError(s.T, err)
	return line
}

// drives has Nora drive a way from now on, and returns what her phone notes: a position each five
// seconds, to within ten meters.
func (s *streets) drives(way road.Line) (noted []driving.Position) {
	noise := func() float64 { return s.random.NormFloat64() * 10 / math.Sqrt2 / 111_195 }
	for along := 0.0; along < way.Length(); along += 40 {
		p := way.At(along)
		noted = append(noted, driving.Position{
			Latitude: p.Latitude + noise(), Longitude: p.Longitude + noise()/math.Cos(p.Latitude*math.Pi/180),
			Accuracy: 10, At: s.Now,
		})
		s.Now = s.Now.Add(5 * time.Second)
	}
	return noted
}

// finishes has Nora finish a stop.
func (s *streets) finishes(stop int) {
	s.T.Helper()
	deed := driving.Deliver
	if s.Stops[stop].Kind == "pickup" {
		deed = driving.PickUp
	}
	s.Says(deed, s.Stops[stop].ID)
	s.Now = s.Now.Add(30 * time.Second)
}

// begins has Nora pick up all goods, and returns the first delivery.
func (s *streets) begins() int {
	s.T.Helper()
	s.Says(driving.StartRoute, 0)
	s.Now = s.Now.Add(time.Minute)
	for i := range 3 {
		require.Equal(s.T, "pickup", s.Stops[i].Kind)
		s.finishes(i)
	}
	return 3
}

// driven are the parts of the way that the plan shows, as "matched" and "straight".
func (s *streets) driven() (kinds []string, matched road.Line) {
	s.T.Helper()
	for _, w := range operationstest.One[[]string](s.Office, `select coalesce(array_agg(concat_ws(' ', w ->> 'matched', w ->> 'polyline')
			order by l.from_at, w ->> 'from'), '{}')
		from driven_legs l cross join jsonb_array_elements(l.ways) w where l.org_id = $1`, s.Org) {
		if w[:5] == "false" {
			kinds = append(kinds, "straight")
			continue
		}
		line, err := road.Decode(w[5:])
		require.NoError(s.T, err)
		kinds, matched = append(kinds, "matched"), matched.Then(line)
	}
	return kinds, matched
}

func (s *streets) legs() int {
	s.T.Helper()
	return operationstest.One[int](s.Office, "select count(*) from driven_legs where org_id = $1", s.Org)
}

// share is the share of a line that is on another one.
func share(line, other road.Line) float64 {
	on, all := 0.0, 0.0
	for along := 0.0; along < line.Length(); along += 5 {
		all++
		if _, away := other.Project(line.At(along)); away < 4 {
			on++
		}
	}
	return on / all
}

func TestDrivenLegsAreMatchedToStreets(t *testing.T) {
	t.Parallel()
	s := onStreets(t)
	first := s.begins()
	var whole road.Line
	for stop := first; stop < len(s.Stops); stop++ {
		way := s.way(stop-1, stop)
		whole = whole.Then(way)
		s.Was(s.drives(way)...)
		s.finishes(stop)
		require.Positive(t, s.Look().ToMatch)
		require.Zero(t, s.Match().Left)
		require.Equal(t, stop+1, s.legs(), "a leg for each stop")
	}
	kinds, matched := s.driven()
	require.NotContains(t, kinds, "straight")
	t.Logf("%.1f %% of %.0f m in common", 100*share(whole, matched), whole.Length())
	require.GreaterOrEqual(t, share(whole, matched), 0.95)
	require.GreaterOrEqual(t, share(matched, whole), 0.95)

	require.Zero(t, s.Look().ToMatch)
	rows := s.EveryRow()
	s.Match()
	require.Equal(t, rows, s.EveryRow(), "what is matched is not matched again")

	s.Do("update driven_legs set positions = 0 where org_id = $1", s.Org)
	var group sync.WaitGroup
	for range 4 { // workers that died and came back, all at once
		group.Go(func() {
			_, err := s.Driving.MatchDrive(t.Context(), caller.Service(s.Org, "drive/test"), store.DriveDay{DriverID: s.Nora, Day: operationstest.PlannedOn})
			require.NoError(t, err)
		})
	}
	group.Wait()
	again, _ := s.driven()
	require.Equal(t, kinds, again)
	require.Equal(t, len(s.Stops), s.legs(), "one row for each leg")

	page, err := s.Store.PlanDay(t.Context(), s.Org, store.PlanQuery{Day: operationstest.PlannedOn, Size: 50, Geometry: true})
	require.NoError(t, err)
	require.Len(t, page.Routes, 1)
	require.Len(t, page.Routes[0].Driven, len(s.Stops))

	s.Do("update order_progress set delivery_ended_at = null where org_id = $1 and order_id = $2", s.Org, s.Stops[4].OrderID)
	require.Equal(t, 1, s.Look().ToMatch, "two legs have become one")
	s.Match()
	require.Equal(t, len(s.Stops)-1, s.legs())
}

func TestLatePositionsHaveLegsMatchedAgain(t *testing.T) {
	t.Parallel()
	s := onStreets(t)
	stop := s.begins()
	way := s.way(stop-1, stop)
	noted := s.drives(way)
	s.finishes(stop)
	s.Says(driving.EndRoute, 0)
	looked := s.Look()
	require.Equal(t, driving.DayOver, looked.State)
	require.Positive(t, looked.ToMatch)
	s.Match()
	kinds, _ := s.driven()
	require.Empty(t, kinds, "nobody knows which way was driven")
	legs := s.legs()

	events := func() int {
		return operationstest.One[int](s.Office, "select count(*) from events where org_id = $1 and kind = 'driver.positions_late'", s.Org)
	}
	s.Now = s.Now.Add(time.Hour)
	require.Zero(t, s.Was(driving.Position{Latitude: 59.9, Longitude: 10.7, At: s.Now}), "she is off duty")
	require.Zero(t, events())
	require.Equal(t, len(noted), s.Was(noted...), "she was on duty")
	require.Equal(t, 1, events(), "somebody looks at the day that is over")
	require.Zero(t, s.Was(noted...))
	require.Equal(t, 1, events(), "the same again is no news")

	require.Equal(t, 1, s.Look().ToMatch)
	s.Match()
	require.Equal(t, legs, s.legs())
	_, matched := s.driven()
	require.GreaterOrEqual(t, share(way, matched), 0.95)
}

func TestServerThatFailsLeavesStraightLines(t *testing.T) {
	t.Parallel()
	s := onStreets(t)
	stop := s.begins()
	s.Match()
	way := s.way(stop-1, stop)
	s.server.Kill()
	s.Was(s.drives(way)...)
	s.finishes(stop)
	done := s.Match()
	require.Contains(t, done.Failure, "unavailable")
	require.WithinDuration(t, s.Now.Add(time.Minute), done.Again, 0)
	kinds, _ := s.driven()
	require.Equal(t, []string{"straight"}, kinds)
	require.Zero(t, s.Look().ToMatch, "it is not asked all the time")

	s.start()
	s.Now = done.Again
	require.Equal(t, 1, s.Look().ToMatch)
	done = s.Match()
	require.Empty(t, done.Failure)
	require.Zero(t, done.Again)
	kinds, matched := s.driven()
	require.Equal(t, []string{"matched"}, kinds)
	require.GreaterOrEqual(t, share(way, matched), 0.95)

	way = s.way(stop, stop+1)
	s.server.Kill()
	s.Was(s.drives(way)...)
	s.finishes(stop + 1)
	tries := 0
	for done = s.Match(); !done.Again.IsZero(); done = s.Match() {
		tries++
		s.Now = done.Again
	}
	require.Equal(t, driving.MostMatches-1, tries, "then it is left alone")
	kinds, _ = s.driven()
	require.Equal(t, []string{"matched", "straight"}, kinds)
	require.Zero(t, s.Look().ToMatch)
}
