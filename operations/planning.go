package operations

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"waybill/domain/caller"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
	"waybill/store"
)

// Planning is how days are planned.
type Planning struct {
	// Tables makes tables of travel times; nil is as the crow flies.
	Tables *travel.Tables
	// Days is how many days after today are planned.
	Days int
	// Planners is how many plans a process searches at a time.
	Planners int
}

// PlanningSlice is one stretch of work on the plan of an area.
type PlanningSlice struct {
	Area planning.Area
	// Length is for how long is searched; 0 is as long as what is new needs.
	Length time.Duration
	// Patient does not wait for a bulk import to be done.
	Patient bool
	// Ended, when it is closed, ends the search; what was found by then is
	// committed.
	Ended <-chan struct{}
}

// PlannedDay is where the plan of an area stands after a slice.
type PlannedDay struct {
	State planning.DayState
	// Planned and Unplanned count orders, Drivers those who have any.
	Planned, Unplanned, Drivers int
	// Fresh counts the orders that were new.
	Fresh int
	// Told counts the orders that the world heard of.
	Told int
	// Written holds when a plan was written, and Refused counts how often one was not,
	// because the day had changed meanwhile.
	Written bool
	Refused int
	// Gain is the share of the way that this slice has saved, and 1 when more orders
	// are planned or fewer drivers needed.
	Gain float64
	// Why counts the orders that are left over by their first reason.
	Why map[planning.Reason]int
	// Travel is where the travel times are from, TravelFailure why not from the
	// server that was asked.
	Travel, TravelFailure string
	// Guessed counts the travel times that the server did not say.
	Guessed int
	// Wake is when the plan is to be looked at again, even if nothing happens; zero
	// is never.
	Wake       time.Time
	Iterations int
}

// commitTries is how often a plan is carried over to what changed meanwhile.
const commitTries = 3

// rebaseSteps is how long is searched for a place of what changed meanwhile.
const rebaseSteps = 200

// errPlanChanged says that what a plan was made from has changed.
var errPlanChanged = errors.New("what the plan was made from has changed")

// PlanDay works for a slice on the plan of an area: it takes out what is gone,
// gives all that is new a place, looks for something better, and commits what
// came of it. What changed meanwhile is respected. Done again, it changes only
// what can be made better.
func (o *Operations) PlanDay(ctx context.Context, c caller.Caller, slice PlanningSlice) (PlannedDay, error) {
	done, err := o.planDay(ctx, c, slice)
	if err != nil {
		return PlannedDay{}, fmt.Errorf("plan %s of department %d: %w",
			slice.Area.Date.Format(time.DateOnly), slice.Area.DepartmentID, err)
	}
	return done, nil
}

func (o *Operations) planDay(ctx context.Context, c caller.Caller, slice PlanningSlice) (PlannedDay, error) {
	if !slice.Patient {
		if working, err := o.store.BulkImportAtWork(ctx, c.OrgID); err != nil || working {
			return PlannedDay{State: planning.DayBehindImport}, err
		}
	}
	day, err := o.planningDay(ctx, c.OrgID, slice.Area)
	if err != nil {
		return PlannedDay{}, err
	}
	if state, wake := o.due(&day); state != planning.DayPlanned {
		return PlannedDay{State: state, Wake: wake}, nil
	}
	release, err := o.planners.take(ctx, slice.Length == 0, slice.Ended)
	if err != nil {
		return PlannedDay{}, err
	}
	defer release()
	w := &planner{operations: o, caller: c, area: slice.Area}
	if err := w.begin(ctx, day, slice.Ended); err != nil {
		return PlannedDay{}, err
	}
	before := routing.Price(&w.drawn.Problem, routing.Repair(&w.drawn.Problem, w.drawn.Present))
	if err := w.search(slice); err != nil {
		return PlannedDay{}, err
	}
	w.done.Gain = gain(before, routing.Price(&w.drawn.Problem, w.plan))
	return w.done, w.commit(ctx)
}

// planningDay reads what there is to plan for an area, by the clock of its day.
func (o *Operations) planningDay(ctx context.Context, org int64, area planning.Area) (planning.Day, error) {
	return o.store.PlanningDay(ctx, org, area, o.now())
}

// due returns what there is to do for a day, and when more of it.
func (o *Operations) due(day *planning.Day) (planning.DayState, time.Time) {
	opens := day.Date.AddDate(0, 0, -o.settings.Planning.Days)
	first := time.Date(opens.Year(), opens.Month(), opens.Day(), 0, 0, 0, 0, day.Zone)
	switch {
	case day.Now.Before(first):
		return planning.DayNotYet, first
	case len(day.Orders) == 0 && len(day.Routes) == 0 && len(day.Unplanned) == 0:
		return planning.DayEmpty, time.Time{}
	case day.Over():
		return planning.DayOver, time.Time{}
	}
	return planning.DayPlanned, time.Time{}
}

// gain is the share of the way that was saved; more planned orders or fewer
// drivers are all of it.
func gain(before, after routing.Cost) float64 {
	way := func(c routing.Cost) int64 { return c.Total - c.Unplanned - int64(c.Shifts)*routing.FewestShifts }
	switch {
	case after.Unplanned < before.Unplanned || after.Unplanned == before.Unplanned && after.Shifts < before.Shifts:
		return 1
	case way(before) <= 0:
		return 0
	}
	return float64(way(before)-way(after)) / float64(way(before))
}

// planner works on one plan.
type planner struct {
	operations *Operations
	caller     caller.Caller
	area       planning.Area
	day        planning.Day
	drawn      *planning.Draft
	plan       routing.Plan
	searched   time.Duration
	done       PlannedDay
}

// draft makes a problem of a day, with its travel times.
func (w *planner) draft(ctx context.Context, day planning.Day) error {
	w.day, w.drawn = day, day.Draft()
	w.plan = w.drawn.Present
	w.done.Travel, w.done.TravelFailure, w.done.Guessed = travel.Crow{}.Name(), "", 0
	known, legs := w.operations.areas.of(w.caller.OrgID, w.area), w.operations.store.TravelLegs(w.caller.OrgID)
	w.drawn.Reasons = known.reasons
	for _, profile := range w.drawn.Profiles {
		table, err := w.operations.tables.TableOf(ctx, legs, &known.travel, profile, w.drawn.Points)
		if err != nil {
			return err
		}
		w.drawn.Problem.Travel = append(w.drawn.Problem.Travel, table.Travel)
		w.done.Guessed += table.Guessed
		if table.Provider != (travel.Crow{}).Name() { // which is asked where a server does not know a profile
			w.done.Travel = table.Provider
		}
		if table.Fault != nil && w.done.TravelFailure == "" {
			w.done.TravelFailure = table.Fault.Error()
		}
	}
	w.drawn.Bridge(travel.Flight)
	return nil
}

// How long is searched for what is new, and at most in how many steps an order:
// a small plan is as good as it gets long before its time is over.
const (
	sliceOfOrder  = 20 * time.Millisecond
	shortestSlice = 100 * time.Millisecond
	longestSlice  = 3 * time.Second
	stepsOfOrder  = 2_000
)

// search improves the plan until its time is over.
func (w *planner) search(slice PlanningSlice) error {
	w.done.Fresh = w.drawn.Fresh()
	length, urgent := slice.Length, slice.Length == 0
	if urgent {
		length = min(max(sliceOfOrder*time.Duration(w.done.Fresh), shortestSlice), longestSlice)
	}
	began, steps := time.Now(), float64(stepsOfOrder*max(1, len(w.drawn.Orders)))
	spent := func(iterations int) float64 {
		select {
		case <-slice.Ended:
			return 1
		default:
		}
		if !urgent && w.operations.planners.wanted() {
			return 1
		}
		return max(float64(time.Since(began))/float64(length), float64(iterations)/steps)
	}
	var err error
	if urgent {
		err = w.improve(spent)
	} else {
		aside(func() { err = w.improve(spent) })
	}
	w.searched = time.Since(began)
	if w.done.Fresh == 0 {
		w.searched += w.day.Searched
	}
	return err
}

func (w *planner) improve(spent func(int) float64) error {
	if len(w.drawn.Drivers) == 0 {
		w.plan = routing.Plan{}
		return nil
	}
	result, err := routing.Improve(&w.drawn.Problem, w.plan, routing.Options{Seed: uint64(w.day.Version) + 1, Spent: spent})
	if err != nil {
		return err
	}
	w.plan, w.done.Iterations = result.Plan, w.done.Iterations+result.Iterations
	return nil
}

// commit writes the plan. Where something changed meanwhile, the plan is carried
// over to it.
func (w *planner) commit(ctx context.Context) error {
	for try := 1; ; try++ {
		now, err := w.write(ctx)
		if !errors.Is(err, errPlanChanged) {
			return err
		}
		w.done.Refused++
		if try == commitTries { // the next slice begins with what is so then
			w.done.Told, w.done.Wake = 0, w.day.Now
			return nil
		}
		if now == nil {
			day, err := w.operations.planningDay(ctx, w.caller.OrgID, w.area)
			if err != nil {
				return err
			}
			now = &day
		}
		if err := w.rebase(ctx, *now); err != nil {
			return err
		}
	}
}

// rebase carries the plan over to a day as it is now, and finds places for what
// came or lost its own.
func (w *planner) rebase(ctx context.Context, now planning.Day) error {
	from, plan := w.drawn, w.plan
	if err := w.draft(ctx, now); err != nil {
		return err
	}
	w.plan = w.drawn.Carry(from, plan)
	return w.improve(routing.Iterations(rebaseSteps))
}

// write commits the plan in one transaction, or returns the day as it is now.
func (w *planner) write(ctx context.Context) (now *planning.Day, err error) {
	solution := w.drawn.Solution(w.plan, w.searched)
	diff := w.day.Difference(solution)
	w.note(solution, &diff)
	missed, over := w.day.News(w.drawn.Missed())
	if diff.Empty() && len(missed)+len(over) == 0 && !w.day.Fresh && maps.Equal(w.drawn.LeftOut, w.day.LeftOut) {
		return nil, nil
	}
	err = w.operations.store.InTx(ctx, w.caller, func(t *store.Tx) error {
		now = nil
		plan, err := t.LockPlan(ctx, w.area)
		if err != nil {
			return err
		}
		if plan.Version != w.day.Version {
			return errPlanChanged
		}
		if err := t.LockOrdersOfPlan(ctx, diff.Touched()); err != nil {
			return err
		}
		day, err := t.LoadPlanningDay(ctx, w.area, w.day.Now)
		if err != nil {
			return err
		}
		if !w.day.Same(&day) {
			now = &day
			return errPlanChanged
		}
		return t.SavePlan(ctx, plan, &diff, store.PlanFacts{
			Searched: w.searched, Travel: w.done.Travel, TravelFailure: w.done.TravelFailure,
			Guessed: w.done.Guessed, LeftOut: w.drawn.LeftOut,
			Day: w.area.Date, Missed: missed, Over: over,
		})
	})
	w.done.Written = err == nil
	return now, err
}

// note keeps what the plan came to.
func (w *planner) note(s planning.Solution, diff *planning.Difference) {
	w.done.State, w.done.Why, w.done.Planned, w.done.Told = planning.DayPlanned, map[planning.Reason]int{}, 0, 0
	w.done.Drivers, w.done.Unplanned = len(s.Routes), len(s.Unplanned)
	for i := range s.Routes {
		w.done.Planned += s.Routes[i].Orders()
	}
	for i := range s.Unplanned {
		w.done.Why[s.Unplanned[i].Reasons[0].Code]++
	}
	w.done.Told = len(slices.DeleteFunc(slices.Clone(diff.Orders), func(c planning.OrderChange) bool {
		return c.Told == planning.Nothing
	}))
	w.done.Wake = w.day.Wake(s)
}
