package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/domain/driving"
	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Plan is the locked plan of an area.
type Plan struct {
	ID, Version int64
	// Fresh reports whether the next plan was requested to start from scratch.
	Fresh bool
	// FreshVersion is the version in which that was last requested, or 0.
	FreshVersion int64
	// Released reports whether it was released to its drivers.
	Released bool
}

// LockPlan creates the plan of an area if needed, and locks it until the end of
// the transaction. A commit holds this lock, and locks orders after it.
func (t *Tx) LockPlan(ctx context.Context, area planning.Area) (Plan, error) {
	find := queries.LockPlanParams{OrgID: t.org, Day: area.Date, DepartmentID: area.DepartmentID}
	row, err := t.q.LockPlan(ctx, find)
	if !errors.Is(err, pgx.ErrNoRows) {
		return Plan(row), err
	}
	err = t.q.AddPlan(ctx, queries.AddPlanParams{OrgID: t.org, Day: area.Date, DepartmentID: area.DepartmentID})
	if err != nil {
		return Plan{}, fmt.Errorf("add the plan: %w", err)
	}
	row, err = t.q.LockPlan(ctx, find)
	return Plan(row), err
}

// LockOrdersOfPlan locks orders until the end of the transaction, so that they
// don't change until the plan is committed.
func (t *Tx) LockOrdersOfPlan(ctx context.Context, ids []int64) error {
	return t.q.LockOrdersOfPlan(ctx, queries.LockOrdersOfPlanParams{OrgID: t.org, Ids: ids})
}

// PlanFacts describe how a plan was made.
type PlanFacts struct {
	Searched time.Duration
	// Travel is the source of the travel times, and TravelFailure the reason
	// why the routing server did not provide them, which has a code for programs.
	Travel, TravelFailure string
	TravelFailureCode     planning.TravelFailure
	// Guessed counts the travel times that were guessed.
	Guessed int
	// LeftOut are drivers left out of the plan, each with the driver who has
	// the same vehicle at the time.
	LeftOut map[int64]int64
	// Day is the day of the plan. Missed are orders that stay with drivers in
	// violation of a rule, which the office must be shown, and Over are such
	// exceptions that are resolved.
	Day    time.Time
	Missed []planning.Missed
	Over   []int64
	// FromScratch is true for a plan that was requested to start from scratch.
	FromScratch bool
	// Again is a plan that was rebased on changes made during planning.
	Again bool
	// Outdated lists the counterfactuals of unplanned orders that no longer
	// hold.
	Outdated planning.Outdated
}

// SavePlan saves the changes of a solution as the plan's next version, with the
// events of the orders that changed for others.
func (t *Tx) SavePlan(ctx context.Context, p Plan, diff *planning.Difference, facts PlanFacts) error {
	s := newSaver(t)
	leftOut := []byte("{}")
	if len(facts.LeftOut) > 0 {
		var err error
		leftOut, err = json.Marshal(facts.LeftOut)
		s.queue(err)
	}
	again := int32(0)
	if facts.Again {
		again = 1
	}
	s.queue(s.q.CommitPlan(ctx, queries.CommitPlanParams{
		OrgID: t.org, ID: p.ID, SearchedMs: milliseconds(facts.Searched), Travel: facts.Travel,
		TravelFailure: facts.TravelFailure, TravelFailureCode: string(facts.TravelFailureCode),
		GuessedLegs: int32(facts.Guessed), LeftOut: leftOut,
		Moved: diff.Moves() || len(diff.Orders) > 0, FromScratch: facts.FromScratch, Again: again,
	}))
	s.planRoutes(ctx, p, diff)
	told := s.tellDrivers(ctx, p, diff, facts.Day)
	s.forgetHelps(ctx, p.ID, &facts.Outdated)
	s.planUnplanned(ctx, p.ID, diff)
	s.planOrders(ctx, diff.Orders)
	s.planMissed(ctx, facts)
	if err := s.send(ctx); err != nil {
		return err
	}
	if err := t.alertOfUnplanned(ctx, diff, facts.Day); err != nil {
		return err
	}
	return t.Append(ctx, told...)
}

// planMissed opens and closes the exceptions of orders that stay against a rule.
func (s *saver) planMissed(ctx context.Context, facts PlanFacts) {
	if len(facts.Missed) > 0 {
		s.queue(s.q.OpenMissedRules(ctx, queries.OpenMissedRulesParams{
			OrgID: s.org, Day: facts.Day,
			DriverIds: columns.Of(facts.Missed, func(m planning.Missed) int64 { return m.DriverID }),
			OrderIds:  columns.Of(facts.Missed, func(m planning.Missed) int64 { return m.OrderID }),
			Rules:     columns.Of(facts.Missed, func(m planning.Missed) string { return string(m.Rule) }),
		}))
	}
	if len(facts.Over) > 0 {
		s.queue(s.q.CloseExceptions(ctx, queries.CloseExceptionsParams{
			OrgID: s.org, Ids: facts.Over, Resolution: string(driving.CameRight),
		}))
	}
}

func milliseconds(d time.Duration) int32 { return int32(min(d.Milliseconds(), 1<<31-1)) }

// planRoutes saves routes before the stops that move to them, and deletes empty
// routes after their stops have moved.
func (s *saver) planRoutes(ctx context.Context, p Plan, diff *planning.Difference) {
	planID := p.ID
	if len(diff.GoneStops) > 0 {
		s.queue(s.q.DeletePlanStops(ctx, queries.DeletePlanStopsParams{
			OrgID: s.org, PlanID: planID, OrderIds: diff.GoneStops,
		}))
	}
	if len(diff.Routes) > 0 {
		s.queue(s.q.PutPlanRoutes(ctx, routeColumns(s.org, planID, diff.Routes)))
	}
	if len(diff.Stops) > 0 {
		stops := stopColumns(s.org, p, diff.Stops)
		s.queue(s.q.PutPlanStops(ctx, stops))
		s.queue(s.q.TellByPlan(ctx, queries.TellByPlanParams{
			OrgID: s.org, OrderIds: stops.OrderIds, Kinds: stops.Kinds, DriverIds: stops.DriverIds, Etas: stops.Etas,
		}))
	}
	if len(diff.GoneRoutes) > 0 {
		s.queue(s.q.DeletePlanRoutes(ctx, queries.DeletePlanRoutesParams{
			OrgID: s.org, PlanID: planID, DriverIds: diff.GoneRoutes,
		}))
	}
}

func routeColumns(org, planID int64, routes []planning.Route) queries.PutPlanRoutesParams {
	p := queries.PutPlanRoutesParams{OrgID: org, PlanID: planID}
	for i := range routes {
		r := &routes[i]
		columns.Add(&p.DriverIds, r.DriverID)
		columns.Add(&p.VehicleIds, r.VehicleID)
		columns.Add(&p.StartsAts, r.Starts)
		columns.Add(&p.EndsAts, r.Ends)
		columns.Add(&p.DrivingSeconds, inSeconds(r.Driving))
		columns.Add(&p.WaitingSeconds, inSeconds(r.Waiting))
		columns.Add(&p.Meters, int32(r.Meters))
		columns.Add(&p.WeightKgs, r.WeightKg)
		columns.Add(&p.VolumeM3s, r.VolumeM3)
		columns.Add(&p.BreakStartsAts, r.BreakStarts)
		columns.Add(&p.BreakEndsAts, r.BreakEnds)
		columns.Add(&p.Breaks, breaksText(r.Breaks))
		columns.Add(&p.DrivingLeftSeconds, drivingLeft(r.DrivingLeft))
		columns.Add(&p.LoadAmounts, routeLoadsText(r.Loads))
		columns.Add(&p.Costs, costsOfRoute(r.Costs))
		columns.Add(&p.CoDriverIds, r.CoDriverID)
		columns.Add(&p.SharesDriving, r.SharesDriving)
	}
	return p
}

// breaksText is how the breaks of a route are stored.
func breaksText(breaks []planning.Rest) []byte {
	if len(breaks) == 0 {
		return []byte("[]")
	}
	text, err := json.Marshal(breaks)
	if err != nil { // it contains only times
		panic(err)
	}
	return text
}

// drivingLeft is how long a driver may still drive, in seconds; -1 is without a rule.
func drivingLeft(left *time.Duration) int32 {
	if left == nil {
		return -1
	}
	return inSeconds(*left)
}

func inSeconds(d time.Duration) int32 { return int32(d / time.Second) }

func stopColumns(org int64, plan Plan, stops []planning.Sequenced) queries.PutPlanStopsParams {
	p := queries.PutPlanStopsParams{OrgID: org, PlanID: plan.ID, Version: plan.Version + 1}
	for i := range stops {
		s := &stops[i]
		columns.Add(&p.OrderIds, s.OrderID)
		columns.Add(&p.Kinds, string(s.Kind))
		columns.Add(&p.DriverIds, s.DriverID)
		columns.Add(&p.Seqs, int32(s.Seq))
		columns.Add(&p.ArrivesAts, s.Arrives)
		columns.Add(&p.StartsAts, s.Starts)
		columns.Add(&p.LeavesAts, s.Leaves)
		columns.Add(&p.SlackSeconds, inSeconds(s.Slack))
		columns.Add(&p.LateSeconds, inSeconds(s.Late))
		columns.Add(&p.Etas, s.ETA)
		columns.Add(&p.DrivingSeconds, inSeconds(s.Driving))
		columns.Add(&p.SetupSeconds, inSeconds(s.Setup))
		columns.Add(&p.Joineds, s.Joined)
		columns.Add(&p.Meters, int32(s.Meters))
		columns.Add(&p.Latitudes, s.Point.Latitude)
		columns.Add(&p.Longitudes, s.Point.Longitude)
		columns.Add(&p.Guesseds, s.Guessed)
		columns.Add(&p.MetersFromRoads, s.MetersFromRoad)
		columns.Add(&p.Curbsides, s.Point.Curbside)
	}
	return p
}

// forgetHelps deletes counterfactuals that depend on changed routes.
func (s *saver) forgetHelps(ctx context.Context, planID int64, out *planning.Outdated) {
	if out.None() {
		return
	}
	s.queue(s.q.ForgetCounterfactuals(ctx, queries.ForgetCounterfactualsParams{
		OrgID: s.org, PlanID: planID, Every: out.Every,
		DriverIds: columns.Of(out.Drivers, same), OrderIds: columns.Of(out.Orders, same),
	}))
}

// planUnplanned writes why orders are left over.
func (s *saver) planUnplanned(ctx context.Context, planID int64, diff *planning.Difference) {
	if len(diff.Replanned) > 0 {
		s.queue(s.q.DeleteUnplanned(ctx, queries.DeleteUnplannedParams{
			OrgID: s.org, PlanID: planID, OrderIds: diff.Replanned,
		}))
	}
	if len(diff.Unplanned) == 0 {
		return
	}
	p := queries.PutUnplannedParams{OrgID: s.org, PlanID: planID}
	for _, u := range diff.Unplanned {
		reasons, err := json.Marshal(u.Reasons)
		s.queue(err)
		columns.Add(&p.OrderIds, u.OrderID)
		columns.Add(&p.States, string(u.State))
		columns.Add(&p.Certainties, string(u.Certainty))
		columns.Add(&p.SearchedMs, milliseconds(u.Searched))
		columns.Add(&p.Reasons, string(reasons))
	}
	s.queue(s.q.PutUnplanned(ctx, p))
}

// SaveHelps saves the counterfactuals of the orders that a plan leaves
// unplanned.
func (t *Tx) SaveHelps(ctx context.Context, plan Plan, helps map[int64]planning.Helps) error {
	p := queries.SaveHelpsParams{OrgID: t.org, PlanID: plan.ID}
	for id, help := range helps {
		// An empty list, not null, if nothing helps.
		document, err := json.Marshal(append([]planning.Help{}, help.Changes...))
		if err != nil {
			return err
		}
		drivers := "{"
		for i, driver := range help.Drivers {
			if i > 0 {
				drivers += ","
			}
			drivers += strconv.FormatInt(driver, 10)
		}
		columns.Add(&p.OrderIds, id)
		columns.Add(&p.Helps, string(document))
		columns.Add(&p.Drivers, drivers+"}")
		columns.Add(&p.Untils, help.Until)
	}
	return t.q.SaveHelps(ctx, p)
}

// planOrders assigns orders to drivers, with events for those that need them.
func (s *saver) planOrders(ctx context.Context, changes []planning.OrderChange) {
	p, log := queries.PlanOrdersParams{OrgID: s.org}, queries.LogPlannedParams{OrgID: s.org}
	for i := range changes {
		c := &changes[i]
		columns.Add(&p.Ids, c.OrderID)
		columns.Add(&p.DriverIds, c.DriverID)
		columns.Add(&p.StatusIds, int16(c.Status))
		columns.Add(&p.Seconds, c.Seconds)
		if c.Told == planning.Nothing {
			continue
		}
		kind := event.OrderPlanned
		if c.Told == planning.TakenOff {
			kind = event.OrderUnplanned
		}
		data, err := json.Marshal(etas(c))
		s.queue(err)
		columns.Add(&log.Kinds, string(kind))
		columns.Add(&log.OrderIds, c.OrderID)
		columns.Add(&log.Numbers, c.Number)
		columns.Add(&log.StatusIds, int16(c.Status))
		columns.Add(&log.DriverIds, c.DriverID)
		columns.Add(&log.Restateds, c.Restated)
		columns.Add(&log.Datas, string(data))
		columns.Add(&log.Seqs, int32(i))
	}
	if len(p.Ids) > 0 {
		s.queue(s.q.PlanOrders(ctx, p))
	}
	if len(log.OrderIds) > 0 {
		s.queue(s.q.LogPlanned(ctx, log))
	}
}

// etas returns the stops' ETAs for the event of a planned order. Without a
// known pickup it has only the delivery.
func etas(c *planning.OrderChange) map[order.StopKind]time.Time {
	told := map[order.StopKind]time.Time{}
	for kind, stop := range map[order.StopKind]planning.Placed{order.Pickup: c.Pickup, order.Delivery: c.Delivery} {
		if stop.OrderID != 0 {
			told[kind] = stop.ETA
		}
	}
	return told
}

// PlansOfOrders returns the areas whose plans these orders affect, from a day
// on: those that they belong to, and those that still contain them. planned are
// orders that were planned or unplanned; they affect no plan that made that
// change itself. An organization without drivers has no plans.
func (s *Store) PlansOfOrders(
	ctx context.Context, org int64, orderIDs, planned []int64, since time.Time,
) ([]planning.Area, error) {
	rows, err := s.of(org).PlansOfOrders(ctx, queries.PlansOfOrdersParams{
		OrgID: org, OrderIds: columns.Of(orderIDs, same), PlannedIds: columns.Of(planned, same), Since: since,
	})
	return each(rows, func(r queries.PlansOfOrdersRow) planning.Area {
		return planning.Area{DepartmentID: r.DepartmentID, Date: r.Day.UTC()}
	}), translate(err)
}

func same(id int64) int64 { return id }

// PlansOfFleet returns the areas with anything to plan between two days, after
// a change of the fleet. An organization that never had drivers has none.
func (s *Store) PlansOfFleet(ctx context.Context, org int64, since, until time.Time) ([]planning.Area, error) {
	rows, err := s.of(org).PlansOfFleet(ctx, queries.PlansOfFleetParams{OrgID: org, Since: since, Until: until})
	return each(rows, func(r queries.PlansOfFleetRow) planning.Area {
		return planning.Area{DepartmentID: r.DepartmentID, Date: r.Day.UTC()}
	}), translate(err)
}

// PlansOfChanges returns the areas that changes of drivers and locations affect
// between two days, and those of drivers who deviate from their plan. A change
// of a driver that planning does not read affects none.
func (s *Store) PlansOfChanges(
	ctx context.Context, org int64, events []Event, since, until time.Time,
) ([]planning.Area, error) {
	p := queries.PlansOfChangesParams{OrgID: org, Since: since, Until: until}
	for i := range events {
		columns.Add(&p.Ids, events[i].ID)
		columns.Add(&p.Times, events[i].RecordedAt)
	}
	rows, err := s.of(org).PlansOfChanges(ctx, p)
	return each(rows, func(r queries.PlansOfChangesRow) planning.Area {
		return planning.Area{DepartmentID: r.DepartmentID, Date: r.Day.UTC()}
	}), translate(err)
}
