package simulation_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/road"
	"waybill/domain/simulation"
)

var start = time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)

func run(pace int) *simulation.Run {
	return &simulation.Run{OrgID: 1, ID: 3, Day: start.Truncate(24 * time.Hour), Started: start, Pace: pace}
}

// stops are the pickups of orders, ten minutes from one another, and then their
// deliveries, five minutes each.
func stops(numbers ...string) (all []simulation.Stop) {
	for k, kind := range []order.StopKind{order.Pickup, order.Delivery} {
		for i, number := range numbers {
			all = append(all, simulation.Stop{
				ID: int64(100*k + i + 1), Kind: kind, Number: number, Latitude: 59.9 + float64(k), Longitude: 10.7,
				Driving: 10 * time.Minute, Service: 5 * time.Minute,
			})
		}
	}
	return all
}

// told formats steps as minutes after the start, when they happen and are sent.
func told(steps []simulation.Step) (all []string) {
	for _, s := range steps {
		line := fmt.Sprintf("%s %d %.0f", s.Deed, s.StopID, s.At.Sub(start).Minutes())
		if !s.Sent.Equal(s.At) {
			line += fmt.Sprintf(" sent %.0f", s.Sent.Sub(start).Minutes())
		}
		all = append(all, line+s.Reason)
	}
	return all
}

func TestARouteIsDriven(t *testing.T) {
	t.Parallel()
	end := start.Add(24 * time.Hour)
	for _, tc := range []struct {
		number string
		want   []string
	}{
		{"A-1", []string{"ARRIVE 101 25", "DELIVER 101 30", "END_ROUTE 0 30"}},
		{"A-1-fail", []string{"ARRIVE 101 25", "FAIL 101 30The goods are damaged.", "END_ROUTE 0 30"}},
		{"A-1-NOTHOME", []string{"ARRIVE 101 25", "FAIL 101 30Nobody was at home.", "END_ROUTE 0 30"}},
		{"A-1-LATE", []string{"ARRIVE 101 70", "DELIVER 101 75", "END_ROUTE 0 75"}},
		{"A-1-OFFLINE", []string{
			"DELIVER 101 30 sent 50", "ARRIVE 101 25 sent 50", "ARRIVE 101 25 sent 50", "DELIVER 101 30 sent 50",
			"END_ROUTE 0 30 sent 50",
		}},
	} {
		d := &simulation.Driver{ID: 7, Stops: stops(tc.number)}
		due, next := run(1).Steps(d, end)
		require.Equal(t, append([]string{"START_ROUTE 0 0", "ARRIVE 1 10", "PICK_UP 1 15"}, tc.want...), told(due), tc.number)
		require.Zero(t, next)
	}
}

func TestSimulatedTimeFollowsThePace(t *testing.T) {
	t.Parallel()
	d := &simulation.Driver{ID: 7, Turn: 2, Stops: stops("A-1")}
	due, next := run(60).Steps(d, start)
	require.Empty(t, due)
	require.Equal(t, start.Add(2*time.Second), next, "drivers set out one after another")
	due, next = run(60).Steps(d, start.Add(20*time.Second))
	require.Len(t, due, 3)
	require.Equal(t, start.Add(27*time.Second), next)
}

func TestNewStopIsNotServedBeforeItWasAdded(t *testing.T) {
	t.Parallel()
	d := &simulation.Driver{ID: 7, Starts: 1, Last: start, Stops: stops("A-1")}
	d.Stops[0].Known = start.Add(time.Hour)
	due, _ := run(1).Steps(d, start.Add(24*time.Hour))
	require.Equal(t, "ARRIVE 1 70", told(due)[0])
}

func TestDriverContinuesFromCurrentPlace(t *testing.T) {
	t.Parallel()
	d := &simulation.Driver{ID: 7, Starts: 1, Last: start.Add(25 * time.Minute), Stops: stops("A-1")[1:]}
	d.Stops[0].Arrived = true
	due, _ := run(1).Steps(d, start.Add(24*time.Hour))
	require.Equal(t, []string{"DELIVER 101 30", "END_ROUTE 0 30"}, told(due))
	require.Equal(t, "Reception", due[0].Signee)
	require.Less(t, driving.Distance(60.9, 10.7, due[0].Position.Latitude, due[0].Position.Longitude), 35.0)

	d.Stops, d.Last = nil, start.Add(30*time.Minute)
	due, _ = run(1).Steps(d, start.Add(24*time.Hour))
	require.Equal(t, []string{"END_ROUTE 0 30"}, told(due))
	d.Ends = 1
	due, next := run(1).Steps(d, start.Add(24*time.Hour))
	require.Empty(t, due)
	require.Zero(t, next)

	d.Stops = stops("A-2")
	due, _ = run(1).Steps(d, start.Add(31*time.Minute))
	require.Equal(t, []string{"START_ROUTE 0 30"}, told(due), "somebody who is home sets out again")
}

func TestActionIDsAreDeterministic(t *testing.T) {
	t.Parallel()
	end := start.Add(24 * time.Hour)
	d := &simulation.Driver{ID: 7, Stops: stops("A-1", "A-2-OFFLINE")}
	first, _ := run(1).Steps(d, end)
	second, _ := run(30).Steps(d, end)
	deeds := map[string]string{}
	for i := range first {
		require.Equal(t, first[i].ID, second[i].ID, "the pace is none of it")
		deed := fmt.Sprint(first[i].Deed, first[i].StopID)
		require.Contains(t, []string{"", deed}, deeds[first[i].ID])
		deeds[first[i].ID] = deed
	}
	require.Len(t, deeds, 10)
	d.Rejected = 1
	again, _ := run(1).Steps(d, end)
	require.NotEqual(t, first[0].ID, again[0].ID, "what was not taken is tried anew")
}

func TestDriverGivesUpAfterManyRefusals(t *testing.T) {
	t.Parallel()
	end := start.Add(24 * time.Hour)
	d := &simulation.Driver{ID: 7, Stops: stops("A-1")}
	for range 100 {
		due, next := run(1).Steps(d, end)
		if len(due) == 0 {
			require.Zero(t, next, "he never tries again")
			require.Equal(t, 50, d.Rejected)
			return
		}
		d.Rejected++
	}
	t.Fatal("he never gives up")
}

// TestSimulatedDriveIsIndependentOfPolling drives the same day in steps of random length, each
// continuing from the one before, and compares the actions with those of a single
// step.
func TestSimulatedDriveIsIndependentOfPolling(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var numbers []string
		for i := range rapid.IntRange(1, 5).Draw(t, "orders") {
			end := rapid.SampledFrom([]string{"", "-FAIL", "-LATE", "-OFFLINE", "-NOTHOME"}).Draw(t, "suffix")
			numbers = append(numbers, fmt.Sprintf("A-%d%s", i, end))
		}
		r := run(rapid.IntRange(1, 600).Draw(t, "pace"))
		whole, _ := r.Steps(&simulation.Driver{ID: 7, Stops: stops(numbers...)}, start.Add(48*time.Hour))

		var sent []simulation.Step
		d := &simulation.Driver{ID: 7, Stops: stops(numbers...)}
		for now := start; d.Ends == 0; now = now.Add(time.Duration(rapid.IntRange(1, 10_000).Draw(t, "s")) * time.Second) {
			due, next := r.Steps(d, now)
			if len(due) == 0 && !next.After(now) {
				t.Fatalf("nothing is done at %s, and nothing after that", now)
			}
			for i := range due {
				if due[i].At.After(now) {
					t.Fatalf("%v is said before it happens", due[i])
				}
				take(d, &due[i])
			}
			sent = append(sent, due...)
		}
		require.Equal(t, told(whole), told(sent))
		for i := range whole {
			require.Equal(t, whole[i].ID, sent[i].ID)
		}
	})
}

// take records a driver's action.
func take(d *simulation.Driver, s *simulation.Step) {
	if s.At.After(d.Last) {
		d.Last = s.At
	}
	switch s.Deed {
	case driving.StartRoute:
		d.Starts++
	case driving.EndRoute:
		d.Ends++
	case driving.Arrive:
		for i := range d.Stops {
			d.Stops[i].Arrived = d.Stops[i].Arrived || d.Stops[i].ID == s.StopID
		}
	default:
		for i := range d.Stops {
			if d.Stops[i].ID == s.StopID {
				d.Stops = append(d.Stops[:i:i], d.Stops[i+1:]...)
				break
			}
		}
	}
}

func TestIncidentsAreAShareAndAlwaysTheSame(t *testing.T) {
	t.Parallel()
	met := 0
	for i := range 2000 {
		number := fmt.Sprintf("SO-%d", i)
		outcome := simulation.OutcomeOf(number, 10)
		require.Equal(t, outcome, simulation.OutcomeOf(number, 10))
		require.Zero(t, simulation.OutcomeOf(number, 0))
		if outcome != (simulation.Outcome{}) {
			met++
		}
	}
	require.InDelta(t, 200, met, 50)
}

func TestSimulatedDriversFollowStreets(t *testing.T) {
	t.Parallel()
	r := run(1)
	d := &simulation.Driver{ID: 7, Starts: 1, Last: start, Stops: stops("A-1")[1:]}
	s := &d.Stops[0]
	s.Latitude, s.Longitude = 59.91, 10.72
	s.Line = road.Of(
		road.Point{Latitude: 59.9, Longitude: 10.7}, road.Point{Latitude: 59.91, Longitude: 10.7},
		road.Point{Latitude: 59.91, Longitude: 10.72},
	)
	for minute := range 9 {
		at := r.Position(d, start.Add(time.Duration(minute+1)*time.Minute))
		along, away := s.Line.Project(road.Point{Latitude: at.Latitude, Longitude: at.Longitude})
		require.InDelta(t, 0, away, 1, "minute %d", minute)
		require.InDelta(t, float64(minute+1)/10*s.Line.Length(), along, 2, "minute %d", minute)
		d.Was = at
	}
	require.Nil(t, r.Position(d, start.Add(10*time.Minute)), "he is there")

	d.Was = &driving.Position{Latitude: 59.95, Longitude: 10.7, At: start.Add(time.Minute)}
	at := r.Position(d, start.Add(5*time.Minute+30*time.Second))
	require.InDelta(t, 59.93, at.Latitude, 1e-9, "who left the way gets to the stop in a straight line")
	d.Was.At = start.Add(-time.Hour)
	at = r.Position(d, start.Add(time.Minute))
	_, away := s.Line.Project(road.Point{Latitude: at.Latitude, Longitude: at.Longitude})
	require.InDelta(t, 0, away, 1, "where he was before he set out does not matter")
}

func TestSimulatedPositionIsOnAStraightLine(t *testing.T) {
	t.Parallel()
	r := run(1)
	d := &simulation.Driver{ID: 7, Starts: 1, Last: start, Stops: stops("A-1")[1:]}
	require.Nil(t, r.Position(d, start.Add(time.Minute)), "nobody knows where he was")
	d.Was = &driving.Position{Latitude: 59.9, Longitude: 10.5, At: start}
	at := r.Position(d, start.Add(5*time.Minute))
	require.InDelta(t, 60.4, at.Latitude, 1e-9)
	require.InDelta(t, 10.6, at.Longitude, 1e-9)
	d.Was = at
	require.InDelta(t, 60.8, r.Position(d, start.Add(9*time.Minute)).Latitude, 1e-9, "from there it is the same line")
	require.Nil(t, r.Position(d, start.Add(10*time.Minute)), "he is there")
	d.Stops[0].Number = "A-1-OFFLINE"
	require.Nil(t, r.Position(d, start.Add(6*time.Minute)), "without a signal he says nothing")
}

func TestSimulatedPhonesNoteTheWholeWay(t *testing.T) {
	t.Parallel()
	r := run(60)
	d := &simulation.Driver{ID: 7, Starts: 1, Last: start, Stops: stops("A-1")[1:]}
	s := &d.Stops[0]
	s.Latitude, s.Longitude = 59.91, 10.7
	s.Line = road.Of(road.Point{Latitude: 59.9, Longitude: 10.7}, road.Point{Latitude: 59.91, Longitude: 10.7})
	noted := r.Positions(d, start.Add(5*time.Second)) // half of the way
	require.Len(t, noted, 20, "one each 15 seconds of the day")
	require.Equal(t, start.Add(5*time.Second), noted[19].At)
	for i := range noted {
		require.InDelta(t, 59.9+0.005*float64(i+1)/20, noted[i].Latitude, 1e-6)
	}
	d.Was = &noted[19]
	require.Empty(t, r.Positions(d, noted[19].At), "each once")
	require.Len(t, r.Positions(d, start.Add(7*time.Second)), 8)
	require.LessOrEqual(t, len(r.Positions(d, start.Add(time.Hour))), 100)
}
