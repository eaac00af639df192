package followers

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"waybill/domain/event"
	"waybill/domain/planning"
	"waybill/relay"
	"waybill/store"
	"waybill/workflows"
)

// newPlanning returns the follower that signals changed data to plans.
func newPlanning(d Deps) relay.Follower {
	kinds := []event.Kind{event.ExceptionOpened}
	for _, some := range []map[event.Kind]bool{plannedOf, planned, ofDay} {
		kinds = slices.AppendSeq(kinds, maps.Keys(some))
	}
	return relay.Follower{Name: "planning", Kinds: kinds, Hand: plans{d}.hand}
}

// newFleet returns the follower that signals changes of drivers, vehicles and
// locations to plans. One change may affect all plans of an organization, and
// many arrive at once, so it collects them. Urgent changes go through
// newPlanning.
func newFleet(d Deps) relay.Follower {
	kinds := []event.Kind{event.DriverUpdated, event.LocationUpdated, event.CustomerUpdated}
	return relay.Follower{
		Name: "fleet", Kinds: slices.AppendSeq(kinds, maps.Keys(plannedBy)), Hand: plans{d}.hand,
		Pause: fleetPause, Longest: fleetLongest,
	}
}

// How changes of the fleet are gathered.
const (
	fleetPause   = time.Second
	fleetLongest = 10 * time.Second
)

// plannedOf are the order events that require planning.
var plannedOf = map[event.Kind]bool{
	event.OrderCreated: true, event.OrderUpdated: true, event.OrderMerged: true, event.OrderCancelled: true,
	event.OrderReactivated: true, event.OrderNumberCancelled: true, event.OrderNumberReplanned: true,
	event.OrderDelivered: true, event.OrderFailed: true, event.OrderBooked: true, event.OrderBookingCancelled: true,
	event.StopPlaced: true, event.StopArrived: true, event.OrderPickedUp: true, event.OrderCorrected: true, event.OrderDriversProhibited: true,
	event.OrderLocked: true, event.OrderUnlocked: true, event.ExportAcknowledged: true,
}

// planned are events that plans append themselves, and people, too.
var planned = map[event.Kind]bool{event.OrderPlanned: true, event.OrderUnplanned: true}

// ofDay are the events of a day that a user wants planned from scratch, or of which a
// route is released; their name is the day.
var ofDay = map[event.Kind]bool{event.PlanFreshStart: true, event.PlanRouteReleased: true}

// single are the events that affect only the plans that read the changed
// record: those of a driver, of a location, of a customer, or of a driver who
// deviates from the plan.
var single = map[event.Kind]bool{
	event.DriverUpdated: true, event.LocationUpdated: true, event.CustomerUpdated: true, event.ExceptionOpened: true,
}

// plannedBy are the events that may affect all plans of an organization,
// because drivers, vehicles, locations or the rules of departments changed.
var plannedBy = map[event.Kind]bool{
	event.DriverCreated: true, event.DriverDeactivated: true, event.DriverReactivated: true,
	event.DriverScheduled: true, event.VehicleCreated: true, event.VehicleUpdated: true, event.VehicleDeactivated: true,
	event.OrganizationApplied: true, event.OrganizationZoneChanged: true, event.DepartmentUpdated: true,
	event.SkillUpdated:     true, // it may take two people now
	event.OrderTypeUpdated: true, // its orders may take longer now
	event.CalendarUpdated:  true, event.CalendarDeactivated: true,
}

type plans struct{ Deps }

// Plans get signals from the day before yesterday, whose work may last until
// today, to as far ahead as orders usually come.
const (
	planDaysBefore = 2
	planDaysAhead  = 400
	planStarts     = 4
)

// hand signals each plan once, however many events affect it.
func (p plans) hand(ctx context.Context, events []store.Event) error {
	today := time.Now().UTC().Truncate(24 * time.Hour)
	since, until := today.AddDate(0, 0, -planDaysBefore), today.AddDate(0, 0, planDaysAhead)
	orders, days, changes := map[int64]concerned{}, map[daysOf]bool{}, map[int64][]store.Event{}
	for i := range events {
		switch e := &events[i]; {
		case single[e.Kind]:
			if _, isRecent := dayNamed(e, since); e.Kind != event.ExceptionOpened || isRecent {
				changes[e.OrgID] = append(changes[e.OrgID], *e)
			}
		case plannedBy[e.Kind]:
			days[daysOf{e.OrgID, since, until}] = true
		case ofDay[e.Kind]:
			if day, isRecent := dayNamed(e, since); isRecent {
				days[daysOf{e.OrgID, day, day}] = true
			}
		case e.OrderID != 0:
			orders[e.OrgID] = orders[e.OrgID].with(e)
		}
	}
	areas, err := p.areasOf(ctx, orders, days, changes, span{since, until})
	if err != nil {
		return err
	}
	return p.tell(ctx, areas)
}

// span is the days from one on until another.
type span struct{ since, until time.Time }

// areasOf returns the areas of the plans that orders, fleets and single changes concern.
func (p plans) areasOf(
	ctx context.Context, orders map[int64]concerned, days map[daysOf]bool, changes map[int64][]store.Event, within span,
) (map[int64]map[planning.Area]bool, error) {
	areas := map[int64]map[planning.Area]bool{}
	for org, ids := range orders {
		found, err := p.Store.PlansOfOrders(ctx, org, ids.changed, ids.planned, within.since)
		if err != nil {
			return nil, err
		}
		join(areas, org, found)
	}
	for of := range days {
		found, err := p.Store.PlansOfFleet(ctx, of.org, of.since, of.until)
		if err != nil {
			return nil, err
		}
		join(areas, of.org, found)
	}
	for org, of := range changes {
		found, err := p.Store.PlansOfChanges(ctx, org, of, within.since, within.until)
		if err != nil {
			return nil, err
		}
		join(areas, org, found)
	}
	return areas, nil
}

// dayNamed returns the day in an event's name, and whether its plans still get
// signals.
func dayNamed(e *store.Event, since time.Time) (day time.Time, isRecent bool) {
	day, err := time.Parse(time.DateOnly, e.ExternalID)
	return day, err == nil && !day.Before(since)
}

// daysOf are days of an organization whose plans are all concerned.
type daysOf struct {
	org          int64
	since, until time.Time
}

// concerned are the orders of an organization that events speak of.
type concerned struct{ changed, planned []int64 }

func (c concerned) with(e *store.Event) concerned {
	if planned[e.Kind] {
		c.planned = append(c.planned, e.OrderID)
	} else {
		c.changed = append(c.changed, e.OrderID)
	}
	return c
}

func join(areas map[int64]map[planning.Area]bool, org int64, found []planning.Area) {
	if areas[org] == nil {
		areas[org] = map[planning.Area]bool{}
	}
	for _, area := range found {
		areas[org][area] = true
	}
}

func (p plans) tell(ctx context.Context, areas map[int64]map[planning.Area]bool) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(planStarts)
	for org, of := range areas {
		for area := range of {
			group.Go(func() error { return workflows.PlanChanged(within, p.Temporal, org, area) })
		}
	}
	return errors.Join(group.Wait(), ctx.Err())
}
