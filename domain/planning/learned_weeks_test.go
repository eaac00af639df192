package planning_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/learning"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/domain/traffic"
)

// truth is how long driving takes for certain on days of which the road data knows nothing.
var truth = []traffic.RushHours{
	{Days: []string{"MO", "TU", "WE", "TH", "FR"}, From: "06:00", Until: "09:00", Factor: 1.6},
	{Days: []string{"MO", "TU", "WE", "TH", "FR"}, From: "09:00", Until: "14:00", Factor: 1.15},
	{Days: []string{"MO", "TU", "WE", "TH", "FR"}, From: "14:00", Until: "17:00", Factor: 1.4},
}

// workday is a day of some weeks on which drivers follow the plan of the morning.
type workday struct {
	day   planning.Day
	plan  []planning.Route
	draft *planning.Draft
	roads routing.Travel
	rng   *rand.Rand
}

// planWorkday plans a day with these rush hours.
func planWorkday(t *testing.T, ahead int, hours []traffic.RushHours) *workday {
	t.Helper()
	w := &workday{day: aDay(4, nil), rng: rand.New(rand.NewPCG(uint64(ahead), 1))}
	w.day.Date, w.day.Now = w.day.Date.AddDate(0, 0, ahead), w.day.Now.AddDate(0, 0, ahead)
	w.day.RushHours = hours
	for id := range int64(3) {
		d := unpaused(id + 1)
		d.Hours.Starts, d.Hours.Ends, d.Vehicle.Home, d.Vehicle.MaxRouteKm = 360, 1200, nil, nil
		w.day.Drivers = append(w.day.Drivers, d)
	}
	for n := range 36 {
		w.day.Orders = append(w.day.Orders, w.order(n, ahead))
	}
	w.draft = w.day.Draft()
	w.roads = roads(w.draft.Points)
	for range w.draft.Profiles {
		w.draft.Problem.Travel = append(w.draft.Problem.Travel, roads(w.draft.Points))
	}
	w.draft.Hasten()
	w.draft.Rush()
	options := routing.Options{Seed: 1, Spent: routing.Iterations(60)}
	found, err := routing.Improve(&w.draft.Problem, w.draft.Present, options)
	require.NoError(t, err)
	w.plan = w.draft.Solution(found.Plan, time.Second).Routes
	return w
}

// order is loaded at a terminal in the morning, and delivered somewhere in the town until the evening.
func (w *workday) order(n, ahead int) planning.Order {
	at := func(hour int) time.Time { return clock(hour).AddDate(0, 0, ahead) }
	return planning.Order{
		ID: int64(n + 1), Number: "DAY", Status: order.Registered, VehicleTypeID: 2, Load: routing.Load{1, 1, 1},
		Pickup: planning.Stop{
			Point: &planning.Point{Latitude: 59.9, Longitude: 10.8}, Service: 3 * time.Minute,
			Window: order.Window{Earliest: at(6), Latest: at(11)},
		},
		Delivery: planning.Stop{
			Point:   &planning.Point{Latitude: 59.88 + w.rng.Float64()/10, Longitude: 10.68 + w.rng.Float64()/5},
			Service: 10 * time.Minute, Window: order.Window{Earliest: at(6), Latest: at(20)},
		},
	}
}

// drive drives the routes as they are planned, in the traffic that there is, and returns by how much the ETAs of
// deliveries are off, and the legs.
func (w *workday) drive() (off []time.Duration, legs []learning.Leg) {
	where := w.day.Orders[0].Delivery.Postal
	for i := range w.plan {
		r := &w.plan[i]
		now := r.Starts
		for n := range r.Stops {
			s := &r.Stops[n]
			if n > 0 {
				leg := learning.Leg{Day: w.day.Date, DriverID: r.DriverID, Left: now, Base: w.base(r.Stops[n-1].Point, s.Point)}
				leg.Took = traffic.NewRoad(truth, time.UTC, where, where).Takes(leg.Base, now)
				leg.Took = time.Duration(float64(leg.Took) * math.Exp(w.rng.NormFloat64()*0.1))
				now, legs = now.Add(leg.Took), append(legs, leg)
			}
			now = now.Add(s.Setup)
			if s.Kind == order.Delivery {
				off = append(off, s.Starts.Sub(now).Abs())
			}
			now = now.Add(s.Leaves.Sub(s.Starts))
		}
	}
	return off, legs
}

// base returns how long a leg takes by the road data.
func (w *workday) base(from, to planning.Point) time.Duration {
	a, b := slices.Index(w.draft.Points, from), slices.Index(w.draft.Points, to)
	return time.Duration(w.roads.Leg(a, b).Seconds) * time.Second
}

// TestLearnedHoursHalveTheErrorOfETAs drives three weeks with the road data alone, and a week with what was learned.
func TestLearnedHoursHalveTheErrorOfETAs(t *testing.T) {
	t.Parallel()
	isWorkday := func(ahead int) bool {
		day := date.AddDate(0, 0, ahead).Weekday()
		return day != time.Saturday && day != time.Sunday
	}
	var before []time.Duration
	var legs []learning.Leg
	for ahead := range 21 {
		if isWorkday(ahead) {
			off, driven := planWorkday(t, ahead, nil).drive()
			before, legs = append(before, off...), append(legs, driven...)
		}
	}
	trial := learning.Try(legs, time.UTC, nil)
	require.True(t, trial.Improves(), "%+v", trial)
	hours := learning.Hours(legs, time.UTC)
	var after []time.Duration
	for ahead := 21; ahead < 28; ahead++ {
		if isWorkday(ahead) {
			off, _ := planWorkday(t, ahead, hours).drive()
			after = append(after, off...)
		}
	}
	median := func(all []time.Duration) time.Duration { return slices.Sorted(slices.Values(all))[len(all)/2] }
	t.Logf("half of the ETAs are off by %s before, and by %s after", median(before), median(after))
	t.Logf("learned of %d legs: %+v", len(legs), hours)
	require.LessOrEqual(t, 2*median(after), median(before))
}
