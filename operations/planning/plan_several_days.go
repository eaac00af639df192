package planning

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/store"
)

// ChosenDays is what choosing the days of orders came to.
type ChosenDays struct {
	// Moved counts the orders that have another date now, and Left those for which there was no time.
	Moved, Left int
	// Again is when it is worth looking again, even if nothing happens; zero is never.
	Again time.Time
}

// How many orders of an area get a day in one go, how long a choice lasts for an order that has a driver, and for one
// that has none, and how many minutes of driving another day must save.
const (
	mostChosen      = 25
	choiceLasts     = time.Hour
	looksAgain      = 10 * time.Minute
	worthAnotherDay = 10
)

// ChooseDays gives the orders of an area that may be carried out on several days the day that costs least. An order
// that a driver has moves only before its day begins, where that saves enough; one without a driver moves to
// any day that has a place. Done again, it moves only what has become better.
func (o *Operations) ChooseDays(ctx context.Context, c caller.Caller, slice PlanningSlice) (ChosenDays, error) {
	done, err := o.chooseDays(ctx, c, slice)
	if err != nil {
		return done, fmt.Errorf("choose days for orders of %s of department %d: %w",
			slice.Area.Date.Format(time.DateOnly), slice.Area.DepartmentID, err)
	}
	return done, nil
}

func (o *Operations) chooseDays(ctx context.Context, c caller.Caller, slice PlanningSlice) (done ChosenDays, err error) {
	several, err := o.store.OrdersOfSeveralDays(ctx, c.OrgID, slice.Area)
	if err != nil || len(several) == 0 {
		return done, err
	}
	now, known := o.now(), o.areas.of(c.OrgID, slice.Area)
	done.Again = now.Add(choiceLasts)
	if slices.ContainsFunc(several, func(s store.OrderOfSeveralDays) bool { return !s.Planned }) {
		done.Again = now.Add(looksAgain)
	}
	due := slices.DeleteFunc(several, func(s store.OrderOfSeveralDays) bool { return known.chosen.Load().lately(s, now) })
	if len(due) == 0 {
		return done, nil
	}
	release, err := o.planners.takeSpare(ctx, c.OrgID, slice.Ended)
	if err != nil {
		return done, err
	}
	defer release()
	day, err := o.planningDay(ctx, c.OrgID, slice.Area)
	if err != nil {
		return done, err
	}
	stays := !day.Date.After(day.Today()) || day.Large() || day.Release.Released()
	due = slices.DeleteFunc(due, func(s store.OrderOfSeveralDays) bool { return s.Planned && (stays || day.Held(s.ID)) })
	if len(due) == 0 {
		return done, nil
	}
	done.Left = max(0, len(due)-mostChosen)
	ch := chooser{operations: o, caller: c, slice: slice, day: &day, orders: due[:min(len(due), mostChosen)]}
	done.Moved, err = ch.choose(ctx)
	known.chosen.Store(known.chosen.Load().with(ch.orders, now))
	return done, err
}

// chooser chooses the days of some orders of an area.
type chooser struct {
	operations *Operations
	caller     caller.Caller
	slice      PlanningSlice
	day        *planning.Day
	orders     []store.OrderOfSeveralDays
	// here is the plan of the area, nil for one of a large day; there are the plans of the other days.
	here  *planning.Trial
	there []otherDay
}

// otherDay is the plan of a day to which an order may move.
type otherDay struct {
	area     planning.Area
	trial    *planning.Trial
	released bool
}

func (ch *chooser) choose(ctx context.Context) (moved int, err error) {
	if !ch.day.Large() {
		w := &planner{operations: ch.operations, caller: ch.caller, area: ch.slice.Area}
		if err := w.begin(ctx, *ch.day, ch.slice.Ended); err != nil {
			return 0, err
		}
		ch.here = w.drawn.Trial()
	}
	if err := ch.lookAround(ctx); err != nil {
		return 0, err
	}
	for _, s := range ch.orders {
		at := ch.best(s)
		if at == nil {
			continue
		}
		done, err := ch.move(ctx, s.ID, at.area)
		if err != nil {
			return moved, err
		}
		if done {
			moved++
			at.trial.Take(s.ID)
			if ch.here != nil {
				ch.here.Give(s.ID)
			}
		}
	}
	return moved, nil
}

// lookAround drafts the plans of the other days on which any of the orders may be carried out.
func (ch *chooser) lookAround(ctx context.Context) error {
	first, latest := ch.orders[0].Days.First, ch.orders[0].Days.Latest
	for _, s := range ch.orders {
		first, latest = min(first, s.Days.First), max(latest, s.Days.Latest)
	}
	from, _ := order.ParseDay(first)
	until, _ := order.ParseDay(latest)
	today := ch.day.Today()
	for date := from; !date.After(until); date = date.AddDate(0, 0, 1) {
		if date.Before(today) || date.Equal(ch.day.Date) {
			continue
		}
		select {
		case <-ch.slice.Ended:
			return nil
		default:
		}
		if err := ch.lookAt(ctx, planning.Area{DepartmentID: ch.slice.Area.DepartmentID, Date: date}); err != nil {
			return err
		}
	}
	return nil
}

func (ch *chooser) lookAt(ctx context.Context, area planning.Area) error {
	var ids []int64
	for _, s := range ch.orders {
		if s.Days.Allow(area.Date) {
			ids = append(ids, s.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	day, err := ch.operations.planningDay(ctx, ch.caller.OrgID, area)
	if err != nil || len(day.Drivers) == 0 || day.Large() {
		return err
	}
	if state, _ := ch.operations.due(&day); state == planning.DayNotYet || state == planning.DayOver {
		return nil
	}
	visitors, err := ch.operations.store.OrdersToTry(ctx, ch.caller.OrgID, area, ids, day.Zone)
	if err != nil {
		return err
	}
	w := &planner{operations: ch.operations, caller: ch.caller, area: area}
	if err := w.begin(ctx, day.Visited(visitors), ch.slice.Ended); err != nil {
		return err
	}
	ch.there = append(ch.there, otherDay{area, w.drawn.Trial(), day.Release.Released()})
	return nil
}

// best returns the other day on which an order costs least, or nil if it is to stay.
func (ch *chooser) best(s store.OrderOfSeveralDays) *otherDay {
	var saved int64
	planned := s.Planned
	if ch.here != nil {
		saved, planned = ch.here.Saves(s.ID)
	}
	var found *otherDay
	var least int64
	for i := range ch.there {
		at := &ch.there[i]
		price, fits := at.trial.Costs(s.ID)
		if !s.Days.Allow(at.area.Date) || !fits ||
			planned && (at.released || price+worthAnotherDay*at.trial.Minute() > saved) {
			continue
		}
		if found == nil || price < least {
			found, least = at, price
		}
	}
	return found
}

// move gives an order another date, as long as that may still be chosen, and reports whether it did.
func (ch *chooser) move(ctx context.Context, id int64, to planning.Area) (moved bool, err error) {
	never := false
	defaults := order.Defaults{UpdateConfig: order.UpdateSettings{AllowMerge: &never}}
	err = ch.operations.store.InTx(ctx, ch.caller, func(t *store.Tx) error {
		moved = false
		locked, err := t.LockOrderOfID(ctx, id)
		if err != nil {
			return err
		}
		if may, err := t.MayChangeDay(ctx, ch.slice.Area, id); err != nil || !may {
			return err
		}
		request := order.MoveTo(locked.Order, to.Date).Request
		snapshot, err := t.Snapshot(ctx, store.Scope{Entries: []order.Request{request}, Defaults: defaults, Lock: true})
		if err != nil {
			return err
		}
		at := slices.IndexFunc(snapshot.Orders, func(o *order.Order) bool { return o.ID == id })
		plan, err := order.MoveToDay(snapshot, snapshot.Orders[at], to.Date)
		if err != nil {
			return err
		}
		moved = true
		return t.Save(ctx, plan, defaults)
	})
	var refused *fault.Error
	if errors.As(err, &refused) { // it cannot be carried out then, or is gone
		return false, nil
	}
	return moved, err
}

// choices are when the days of orders were looked at. They don't change.
type choices map[int64]choice

type choice struct {
	at      time.Time
	planned bool
}

// lately reports whether an order was looked at a short time ago, as it is.
func (c *choices) lately(s store.OrderOfSeveralDays, now time.Time) bool {
	if c == nil {
		return false
	}
	last, known := (*c)[s.ID]
	lasts := looksAgain
	if s.Planned {
		lasts = choiceLasts
	}
	return known && last.planned == s.Planned && now.Sub(last.at) < lasts
}

// with are the choices with those of now, without old ones.
func (c *choices) with(orders []store.OrderOfSeveralDays, now time.Time) *choices {
	next := choices{}
	if c != nil {
		for id, last := range *c {
			if now.Sub(last.at) < choiceLasts {
				next[id] = last
			}
		}
	}
	for _, s := range orders {
		next[s.ID] = choice{now, s.Planned}
	}
	return &next
}
