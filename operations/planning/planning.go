// Package planning plans days: who drives which order, and when. It searches routes, explains why
// an order is on none, and takes the moves of people.
package planning

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"waybill/domain/caller"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
	"waybill/store"
)

// Operations carries out what callers ask for.
type Operations struct {
	store    *store.Store
	now      func() time.Time
	settings Planning
	// tables say how long ways are, and planners who may search now.
	tables   *travel.Tables
	planners *planners
	// areas keep what is known of those that were planned of late.
	areas *areas
}

// New makes the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time, settings Planning) *Operations {
	tables := settings.Tables
	if tables == nil {
		tables = travel.NewTables(travel.Crow{}, now)
	}
	return &Operations{
		store: s, now: now, settings: settings, tables: tables,
		planners: newPlanners(settings.Planners), areas: newAreas(mostRemembered),
	}
}

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
	// Several counts the orders of which the day may be chosen.
	Several int
	// Told counts the orders that the world heard of.
	Told int
	// CaughtUp counts how often the plan was carried over to changes before it was committed.
	CaughtUp int
	// Written holds when some of a plan was written, and Refused counts how often not all of it was,
	// because the day had changed meanwhile.
	Written bool
	Refused int
	// Locked is for how long the plan, and what was written of it, was locked.
	Locked time.Duration
	// Gain is the share of the way that this slice has saved, and 1 when more orders
	// are planned or fewer drivers needed. A slice for what is new does not count it.
	Gain float64
	// Why counts the orders that are left over by their first reason.
	Why map[planning.Reason]int
	// Travel is where the travel times are from, TravelFailure why not from the
	// server that was asked, and TravelFailureCode the same for programs.
	Travel, TravelFailure string
	TravelFailureCode     planning.TravelFailure
	// Guessed counts the legs of the plan whose times the server did not say.
	Guessed int
	// Wake is when the plan is to be looked at again, even if nothing happens; zero
	// is never.
	Wake       time.Time
	Iterations int
}

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
	release, err := o.seatFor(ctx, c.OrgID, slice)
	if err != nil {
		return PlannedDay{}, err
	}
	release = sync.OnceFunc(release)
	defer release()
	day, err := o.planningDay(ctx, c.OrgID, slice.Area)
	if err != nil {
		return PlannedDay{}, err
	}
	if state, wake := o.due(&day); state != planning.DayPlanned {
		return PlannedDay{State: state, Wake: wake}, nil
	}
	w := &planner{operations: o, caller: c, area: slice.Area, slice: slice, keeps: true}
	if day.Large() {
		release() // each district takes a seat of its own
		err = w.planDistricts(ctx, day)
	} else {
		err = w.planAll(ctx, day)
	}
	if err != nil {
		return w.done, err
	}
	err = w.releaseWhenDue(ctx)
	w.done.Several = day.SeveralDays()
	return w.done, err
}

// seatFor waits for a seat for a slice. One that only improves a plan may be refused with ErrSeatsTaken.
func (o *Operations) seatFor(ctx context.Context, org int64, slice PlanningSlice) (release func(), err error) {
	if slice.Length > 0 {
		return o.planners.takeSpare(ctx, org, slice.Ended)
	}
	return o.planners.take(ctx, org, true, slice.Ended)
}

// planAll searches the whole of a day, or of a district, and commits what came of it.
func (w *planner) planAll(ctx context.Context, day planning.Day) error {
	err := w.begin(ctx, day, w.slice.Ended)
	switch {
	case err != nil:
		return err
	case w.slice.Length == 0:
		err = w.search(w.slice)
	default:
		err = w.gains(w.slice)
	}
	if err == nil {
		err = w.ascertain(ctx)
	}
	if err == nil {
		err = w.commit(ctx)
	}
	return err
}

// gains searches, and notes what that saves.
func (w *planner) gains(slice PlanningSlice) error {
	before := routing.Price(&w.drawn.Problem, routing.Repair(&w.drawn.Problem, w.drawn.Present))
	err := w.search(slice)
	w.done.Gain = gain(before, routing.Price(&w.drawn.Problem, w.plan))
	return err
}

// planningDay reads what there is to plan for an area, by the clock of its day. Of a large day
// it reads again only what may have changed since the last time.
func (o *Operations) planningDay(ctx context.Context, org int64, area planning.Area) (planning.Day, error) {
	known := o.areas.of(org, area)
	day, read, err := o.store.PlanningDaySince(ctx, org, area, o.now(), known.read.Load())
	if err != nil || len(day.Orders) < largeDay {
		read = nil
	}
	known.read.Store(read)
	return day, err
}

// largeDay is the number of orders from which on it pays to keep what was read of a day.
const largeDay = 100

// due returns what there is to do for a day, and when more of it.
func (o *Operations) due(day *planning.Day) (planning.DayState, time.Time) {
	opens := day.Date.AddDate(0, 0, -o.settings.Days)
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
	// like is a planner of the same area, whose travel times hold where the places are the
	// same; nil is none.
	like     *planner
	plan     routing.Plan
	searched time.Duration
	slice    PlanningSlice
	done     PlannedDay
	// land has the places of the draft, tables the travel times by profile, and missing counts the
	// legs that the server was not asked for yet.
	land    *land
	tables  []travel.Table
	missing int
	// keeps is true for a planner that changes a released plan only where it pays.
	keeps bool
	// memory is what is known of the district that it plans; nil is what is known of the area.
	memory *areaMemory
}

// known is what is known of what it plans.
func (w *planner) known() *areaMemory {
	if w.memory != nil {
		return w.memory
	}
	return w.operations.areas.of(w.caller.OrgID, w.area)
}

// draft makes a problem of a day, with its travel times.
func (w *planner) draft(ctx context.Context, day planning.Day) error {
	known := w.known()
	drawn, land := known.roads.draft(day)
	w.day, w.drawn, w.plan = day, drawn, drawn.Present
	w.land, w.drawn.Reasons = land, known.reasons
	if w.alike() {
		w.drawn.Bridge(travel.Flight)
		w.drawn.Rush()
		return nil
	}
	return w.times(ctx, w.drawn.Present, w.asking())
}

// alike takes over the travel times of a draft with the same places, and reports whether
// there is one.
func (w *planner) alike() bool {
	if w.like == nil || !w.like.drawn.SameTravel(w.drawn) {
		return false
	}
	w.drawn.Problem.Travel = slices.Clone(w.like.drawn.Problem.Travel)
	w.tables, w.missing = w.like.tables, w.like.missing
	for i := range w.tables {
		w.drawn.Roads(w.tables[i].Lost, w.tables[i].FromRoad)
	}
	w.done.Travel, w.done.Guessed = w.like.done.Travel, w.like.done.Guessed
	w.done.TravelFailure, w.done.TravelFailureCode = w.like.done.TravelFailure, w.like.done.TravelFailureCode
	return true
}

// How long is searched for what is new, and at most in how many steps an order:
// a small plan is as good as it gets long before its time is over. After a change without
// a new order, such as what a driver reports, little can be won, and more changes follow.
const (
	sliceOfOrder  = 20 * time.Millisecond
	idleSlice     = 30 * time.Millisecond
	shortestSlice = 100 * time.Millisecond
	longestSlice  = 3 * time.Second
	stepsOfOrder  = 2_000
)

// search improves the plan until its time is over.
func (w *planner) search(slice PlanningSlice) error {
	w.done.Fresh = w.drawn.Fresh()
	length, urgent := slice.Length, slice.Length == 0
	if urgent {
		length = idleSlice
		if w.done.Fresh > 0 {
			length = min(max(sliceOfOrder*time.Duration(w.done.Fresh), shortestSlice), longestSlice)
		}
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
		atLowPriority(func() { err = w.improve(spent) })
	}
	w.searched = time.Since(began)
	if w.done.Fresh == 0 {
		w.searched += w.day.Searched
	}
	return err
}

func (w *planner) improve(spent func(int) float64) error {
	return w.improveAround(nil, spent)
}

// improveAround improves the plan around some requests, or everywhere if there are none.
func (w *planner) improveAround(requests []int, spent func(int) float64) error {
	if len(w.drawn.Drivers) == 0 {
		w.plan = routing.Plan{}
		return nil
	}
	result, err := routing.Improve(&w.drawn.Problem, w.plan, routing.Options{
		Seed: uint64(w.day.Version) + 1, Around: requests, Spent: spent,
	})
	if err != nil {
		return err
	}
	w.plan, w.done.Iterations = result.Plan, w.done.Iterations+result.Iterations
	return w.keepReleased()
}
