package planning

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"waybill/domain/fault"
	"waybill/domain/planning"
)

// Districts are searched for at least shortestPart, and one in which nothing has changed is planned again after longestQuiet.
const (
	shortestPart = 100 * time.Millisecond
	longestQuiet = 5 * time.Minute
)

// districts are how a large day is divided, and what is known of each part.
type districts struct {
	mu       sync.Mutex
	ground   *planning.Map
	memories []*areaMemory
	// turns counts the other maps that were searched by.
	turns int
}

// district is a part of a large day, with what is known of it.
type district struct {
	day    planning.Day
	memory *areaMemory
}

// lastSlice is what a district was planned from the last time, and what came of it.
type lastSlice struct {
	day  planning.Day
	done PlannedDay
}

// present divides a day as before. The map is made again when a district has become too large.
func (d *districts) present(day *planning.Day) []district {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ground == nil {
		d.remap(day)
	}
	days := d.ground.Districts(day)
	if slices.ContainsFunc(days, func(one planning.Day) bool { return len(one.Orders) > planning.LargeDay }) {
		d.remap(day)
		days = d.ground.Districts(day)
	}
	return paired(days, d.memories)
}

func (d *districts) remap(day *planning.Day) {
	d.ground = planning.MapOf(day, 0)
	d.memories = memoriesOf(d.ground)
}

// memoriesOf are memories of the districts of a map, of which nothing is known yet.
func memoriesOf(ground *planning.Map) []*areaMemory {
	memories := make([]*areaMemory, ground.Count())
	for n := range memories {
		memories[n] = newAreaMemory(areaOf{})
	}
	return memories
}

// turned divides a day by other lines than the last time, so that orders get to drivers across the borders. Nothing
// is kept of these districts.
func (d *districts) turned(day *planning.Day) []district {
	d.mu.Lock()
	d.turns++
	ground := planning.MapOf(day, d.turns)
	d.mu.Unlock()
	return paired(ground.Districts(day), memoriesOf(ground))
}

func paired(days []planning.Day, memories []*areaMemory) []district {
	all := make([]district, len(days))
	for n := range days {
		all[n] = district{days[n], memories[n]}
	}
	return all
}

// around returns the districts with some drivers and orders as one day.
func (d *districts) around(day *planning.Day, about concern) planning.Day {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ground == nil {
		d.remap(day)
	}
	return d.ground.Around(day, about.drivers, about.orders, about.more)
}

// bytes is about how much is known of the districts.
func (d *districts) bytes() (sum int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, memory := range d.memories {
		sum += memory.bytes()
	}
	return sum
}

// forget has the ways of the districts made again.
func (d *districts) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, memory := range d.memories {
		memory.forgetWays()
	}
}

// concern is what a person's change of a large plan is about. Only the districts of these drivers and orders are looked at,
// and so many more nearby.
type concern struct {
	drivers, orders []int64
	more            int
	// all is the whole plan.
	all bool
}

// districtsAsked is in how many further districts a driver for an order is looked for.
const districtsAsked = 2

// concerned is what moves are about.
func concerned(moves []planning.Move) (about concern) {
	for _, m := range moves {
		about.orders = append(about.orders, m.OrderID)
		if m.DriverID != 0 {
			about.drivers = append(about.drivers, m.DriverID)
		}
	}
	return about
}

// around returns what a change is about of a large day, and a smaller day as it is. It refuses a change that is about
// so many districts that one search does not take all of their orders in.
func (o *Operations) around(
	org int64, area planning.Area, day *planning.Day, about concern,
) (planning.Day, error) {
	if about.all || !day.Large() {
		return *day, nil
	}
	known := o.areas.of(org, area)
	for {
		part := known.districts.around(day, about)
		switch {
		case !part.Overfull():
			return part, nil
		case about.more == 0:
			return part, tooLarge(area)
		}
		about.more--
	}
}

// tooLarge refuses what cannot be done with so large a plan at once.
func tooLarge(area planning.Area) error {
	return fault.Illegal("plan.too_large", "plan", area.Date.Format(time.DateOnly))
}

// planDistricts plans a large day in districts, on all seats that are free. A slice for something new leaves out the districts
// in which nothing has changed, and a search for something better divides the day by other lines than
// the one before.
func (w *planner) planDistricts(ctx context.Context, day planning.Day) error {
	w.day = day
	known := w.known()
	all := known.districts.present(&day)
	urgent := w.slice.Length == 0
	if !urgent {
		all = known.districts.turned(&day)
	}
	slices.SortStableFunc(all, func(a, b district) int { return cmp.Compare(b.day.Waiting(), a.day.Waiting()) })
	parts, done := make([]*planner, 0, len(all)), PlannedDay{State: planning.DayPlanned}
	for n := range all {
		if last := all[n].memory.last.Load(); urgent && last.holds(&all[n].day) {
			done.add(last.done.standing())
			continue
		}
		parts = append(parts, w.part(&all[n], len(all)))
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, part := range parts {
		group.Go(func() error { return part.planDistrict(ctx) })
	}
	err := group.Wait()
	for _, part := range parts {
		done.add(&part.done)
	}
	w.done = done
	return err
}

// part is a planner of one of so many districts.
func (w *planner) part(of *district, count int) *planner {
	slice := w.slice
	if slice.Length > 0 {
		slice.Length = max(slice.Length*time.Duration(w.operations.planners.seats())/time.Duration(count), shortestPart)
	}
	return &planner{
		operations: w.operations, caller: w.caller, area: w.area, slice: slice, keeps: w.keeps, memory: of.memory, day: of.day,
	}
}

// planDistrict plans a district as soon as a seat is free. One that gets none before the slice ends stays as it is, and is
// planned by the next slice.
func (w *planner) planDistrict(ctx context.Context) error {
	release, err := w.operations.planners.take(ctx, w.caller.OrgID, w.slice.Length == 0, w.slice.Ended)
	if errors.Is(err, ErrEndedWaiting) {
		w.done = PlannedDay{Wake: w.day.Now}
		return nil
	}
	if err != nil {
		return err
	}
	defer release()
	from := w.day
	if err = w.planAll(ctx, w.day); errors.Is(err, ErrEndedWaiting) {
		w.done = PlannedDay{Wake: w.day.Now}
		return nil
	}
	if err == nil {
		w.memory.last.Store(&lastSlice{from, w.done})
	}
	return err
}

// holds reports whether a slice would do nothing in a district: it is as it was before, and nothing is due.
func (l *lastSlice) holds(now *planning.Day) bool {
	return l != nil && now.Now.Sub(l.day.Now) < longestQuiet && (l.done.Wake.IsZero() || now.Now.Before(l.done.Wake)) &&
		now.Like(&l.day)
}

// standing is where the plan of a district stands, without what the slice did for that.
func (p *PlannedDay) standing() *PlannedDay {
	return &PlannedDay{
		Planned: p.Planned, Unplanned: p.Unplanned, Drivers: p.Drivers, Guessed: p.Guessed, Why: p.Why, Wake: p.Wake,
		Travel: p.Travel, TravelFailure: p.TravelFailure, TravelFailureCode: p.TravelFailureCode,
	}
}

// add adds what came of a district.
func (p *PlannedDay) add(part *PlannedDay) {
	if sum := p.Planned + part.Planned; sum > 0 {
		p.Gain = (p.Gain*float64(p.Planned) + part.Gain*float64(part.Planned)) / float64(sum)
	}
	p.Planned, p.Unplanned, p.Drivers = p.Planned+part.Planned, p.Unplanned+part.Unplanned, p.Drivers+part.Drivers
	p.Fresh, p.Told, p.Guessed = p.Fresh+part.Fresh, p.Told+part.Told, p.Guessed+part.Guessed
	p.CaughtUp, p.Refused, p.Iterations = p.CaughtUp+part.CaughtUp, p.Refused+part.Refused, p.Iterations+part.Iterations
	p.Written, p.Locked = p.Written || part.Written, max(p.Locked, part.Locked)
	if p.Why == nil {
		p.Why = map[planning.Reason]int{}
	}
	for reason, count := range part.Why {
		p.Why[reason] += count
	}
	p.Travel = cmp.Or(part.Travel, p.Travel)
	if p.TravelFailure == "" {
		p.TravelFailure, p.TravelFailureCode = part.TravelFailure, part.TravelFailureCode
	}
	if p.Wake.IsZero() || !part.Wake.IsZero() && part.Wake.Before(p.Wake) {
		p.Wake = part.Wake
	}
}

// explainDistricts finds out what would help the orders that each district of a large day leaves over.
func (w *planner) explainDistricts(ctx context.Context, day planning.Day) (ExplainedDay, error) {
	var sum ExplainedDay
	for _, of := range w.known().districts.present(&day) {
		if len(of.day.Unplanned) == 0 {
			continue
		}
		done, err := w.part(&of, 1).explainAll(ctx, of.day)
		sum.Explained, sum.Left = sum.Explained+done.Explained, sum.Left+done.Left
		if err != nil {
			return sum, err
		}
	}
	return sum, nil
}
