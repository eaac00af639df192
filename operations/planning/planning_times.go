package planning

import (
	"context"
	"fmt"
	"slices"
	"time"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
)

// For how long travel times are asked for before a plan is made: legs that are missing then
// are lower bounds, except those of the plan. A longer search leaves more time.
const (
	shortAsking = 300 * time.Millisecond
	firstAsking = time.Second
	askingShare = 2
)

// How often a plan is made again because its legs took longer than their bounds, how long they are asked
// for each time, and how many steps are searched then.
const (
	mostRounds  = 6
	roundAsking = 2 * time.Second
	roundSteps  = 400
)

// mostHubs is how many places count as hubs, and hubVisits how many visits make one.
const (
	mostHubs  = 30
	hubVisits = 8
)

// asking is for how long the draft of a slice asks for travel times.
func (w *planner) asking() time.Duration {
	switch {
	case w.slice.Area.Date.IsZero():
		return shortAsking
	case w.slice.Length == 0:
		return firstAsking
	}
	return w.slice.Length / askingShare
}

// times gives the draft its travel times: those of some routes first.
func (w *planner) times(ctx context.Context, routes routing.Plan, length time.Duration) error {
	known := w.known()
	wish := travel.Wish{Hubs: w.drawn.Hubs(hubVisits, mostHubs), Until: time.Now().Add(length)}
	w.tables, w.drawn.Problem.Travel = w.tables[:0:0], nil
	w.done.Travel, w.done.Guessed, w.missing = travel.Crow{}.Name(), 0, 0
	w.done.TravelFailure, w.done.TravelFailureCode = "", planning.NoTravelFailure
	for n, profile := range w.drawn.Profiles {
		if same := slices.Index(w.drawn.Profiles, profile); same < n { // for drivers of another pace
			w.tables = append(w.tables, w.tables[same])
			w.drawn.Problem.Travel = append(w.drawn.Problem.Travel, w.drawn.Problem.Travel[same])
			continue
		}
		wish.First = w.drawn.PlacesOf(routes, n)
		table, err := w.table(ctx, known, w.land, profile, wish)
		if err != nil {
			return err
		}
		w.tables = append(w.tables, table)
		w.drawn.Problem.Travel = append(w.drawn.Problem.Travel, table.Travel)
		w.missing += table.Missing
		if table.Provider != (travel.Crow{}).Name() { // which is asked where a server does not know a profile
			w.done.Travel = table.Provider
		}
		if w.done.TravelFailureCode == planning.NoTravelFailure {
			w.done.TravelFailureCode, w.done.TravelFailure = failureOf(profile, &table)
		}
		w.drawn.Roads(table.Lost, table.FromRoad)
	}
	w.drawn.Bridge(travel.Flight)
	w.drawn.Hasten()
	w.drawn.Rush()
	return nil
}

// failureOf is why a table is not what the server was asked for.
func failureOf(profile planning.Profile, table *travel.Table) (planning.TravelFailure, string) {
	switch {
	case table.Fault != nil:
		return planning.TravelUnavailable, table.Fault.Error()
	case table.Profile != profile && table.Provider != (travel.Crow{}).Name():
		return planning.NoDataForClass, fmt.Sprintf("travel times: no road data for vehicles of class %s; the times are those of %s", profile, table.Profile)
	case table.Outside > 0:
		return planning.OutsideOfRegions, fmt.Sprintf("travel times: %d places are outside of all regions; their times are estimates", table.Outside)
	}
	return planning.NoTravelFailure, ""
}

// failing reports whether the server of any table failed.
func (w *planner) failing() bool {
	return slices.ContainsFunc(w.tables, func(t travel.Table) bool { return t.Fault != nil })
}

// legs counts the legs of a plan of which no more than a kind is known, the ends of its routes included.
func (w *planner) legs(plan routing.Plan, kinds ...travel.Kind) (count int) {
	for k, visits := range plan.Routes {
		if len(visits) == 0 {
			continue
		}
		profile := w.drawn.Problem.Shifts[k].Profile
		if profile >= len(w.tables) {
			continue
		}
		places := w.drawn.Route(k, visits)
		for n := 1; n < len(places); n++ {
			if slices.Contains(kinds, w.tables[profile].Kind(places[n-1], places[n])) {
				count++
			}
		}
	}
	return count
}

// ascertain asks for the real times of all legs of the plan, and repairs what they break. What it puts
// elsewhere has legs of its own, so it goes on for some rounds; in the last one, it only takes
// out what does not hold. If the server fails, estimates stand in for the rest.
func (w *planner) ascertain(ctx context.Context) error {
	for round := 1; w.legs(w.plan, travel.Bound) > 0 && !w.failing(); round++ {
		if round > mostRounds {
			return nil
		}
		if err := w.times(ctx, w.plan, roundAsking); err != nil {
			return err
		}
		if err := w.repair(round == mostRounds); err != nil {
			return err
		}
	}
	return nil
}

// repair makes the plan hold with the travel times that are known now.
func (w *planner) repair(isLast bool) error {
	if !isLast {
		return w.improve(routing.Iterations(roundSteps))
	}
	w.plan = routing.Repair(&w.drawn.Problem, w.plan)
	return w.keepReleased()
}

// learn asks for the times of the legs of another planner's plan, if any are missing, and reports
// whether there were.
func (w *planner) learn(ctx context.Context, from *planner) (learned bool, err error) {
	if from.legs(from.plan, travel.Bound) == 0 || from.failing() {
		return false, nil
	}
	if err := from.times(ctx, from.plan, roundAsking); err != nil {
		return false, err
	}
	return true, w.times(ctx, w.plan, 0)
}

// onRealTimes makes a change again as long as its plan has legs whose times are missing and can be
// had, and returns the last plan. A change that moves nothing has none.
func (w *planner) onRealTimes(ctx context.Context, change func() (*planner, error)) (after *planner, err error) {
	for round := 1; ; round++ {
		if after, err = change(); err != nil || after == nil || round == mostRounds {
			return after, err
		}
		if learned, err := w.learn(ctx, after); err != nil || !learned {
			return after, err
		}
	}
}
