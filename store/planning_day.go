package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"waybill/domain/driver"
	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/pricing"
	"waybill/domain/simulation"
	"waybill/store/columns"
	"waybill/store/queries"
)

// PlanningDay reads the input of planning for an area, and its plan, all as of
// one moment. A plan that does not exist has version 0. A simulated day shows
// the time of its own clock.
func (s *Store) PlanningDay(ctx context.Context, org int64, area planning.Area, now time.Time) (planning.Day, error) {
	day, _, err := s.PlanningDaySince(ctx, org, area, now, nil)
	return day, err
}

// PlanningPart reads the same as LoadPlanningPart, as of one moment and without
// locks.
func (s *Store) PlanningPart(
	ctx context.Context, org int64, area planning.Area, now time.Time, orders, drivers []int64,
) (planning.Day, error) {
	var part planning.Day
	err := s.InReadOnlyTx(ctx, org, func(t *Tx) (err error) {
		part, err = t.LoadPlanningPart(ctx, area, now, orders, drivers)
		return err
	})
	return part, err
}

// LoadPlanningPart reads of a planning day only some orders and drivers, and all routes that
// have any of the orders, at a time that the clock of the day has shown.
func (t *Tx) LoadPlanningPart(
	ctx context.Context, area planning.Area, now time.Time, orders, drivers []int64,
) (planning.Day, error) {
	return t.loadPlanningDay(ctx, scope{area: area, orders: columns.Of(orders, same), drivers: columns.Of(drivers, same)},
		func(simulation.Clock) time.Time { return now })
}

// scope is the part of a planning day that is read.
type scope struct {
	area   planning.Area
	planID int64
	// every reads the whole day; otherwise only these orders and drivers are read, and the
	// routes of routed.
	every                   bool
	orders, drivers, routed []int64
	// closings are the closed days, and calendar is that of the department, 0 for none.
	closings *closings
	calendar int64
	// read reads the day with the help of an earlier reading; nil reads
	// everything.
	read *planningReader
}

func (t *Tx) loadPlanningDay(
	ctx context.Context, of scope, now func(simulation.Clock) time.Time,
) (planning.Day, error) {
	area := of.area
	plan, err := t.q.FindPlan(ctx, queries.FindPlanParams{OrgID: t.org, Day: area.Date, DepartmentID: area.DepartmentID})
	if err != nil {
		return planning.Day{}, fmt.Errorf("find the plan: %w", err)
	}
	zone, err := time.LoadLocation(plan.Timezone)
	if err != nil {
		return planning.Day{}, err
	}
	clock := newClock(plan.ClockFrom, plan.ClockSince, plan.Pace)
	day := planning.Day{
		Clock: planning.Clock{
			Date: area.Date,
			Zone: zone,
		}, Now: now(clock).UTC().Truncate(time.Second),
		Loading: loadingBeforeShift(plan.LoadingMinutes), Release: releaseOf(&plan),
		Version: plan.Version, Fresh: plan.Fresh, Searched: time.Duration(plan.SearchedMs) * time.Millisecond,
	}
	day.ForTwo = plan.ForTwo
	if err := readRules(&plan, &day); err != nil {
		return planning.Day{}, err
	}
	if of.closings, err = readClosings(plan.Calendars, zone); err != nil {
		return planning.Day{}, err
	}
	of.planID, of.calendar = plan.ID, plan.CalendarID
	if err := t.loadParts(ctx, &of, &day); err != nil {
		return planning.Day{}, err
	}
	showBy(clock, &day)
	return day, nil
}

// loadParts reads what is on the day.
func (t *Tx) loadParts(ctx context.Context, of *scope, day *planning.Day) error {
	for _, step := range []struct {
		name string
		load func(context.Context, *scope, *planning.Day) error
	}{
		{"orders", t.loadOrdersToPlan},
		{"drivers", t.loadDriversToPlan},
		{"nights", t.loadNights},
		{"routes", t.loadRoutes},
		{"unplanned", t.loadUnplanned},
		{"missed rules", t.loadMissed},
	} {
		if err := step.load(ctx, of, day); err != nil {
			return fmt.Errorf("%s to plan: %w", step.name, err)
		}
	}
	return nil
}

// readRules reads what a plan's row says about its organization and its drivers.
func readRules(plan *queries.FindPlanRow, day *planning.Day) (err error) {
	if err := json.Unmarshal(plan.LeftOut, &day.LeftOut); err != nil {
		return fmt.Errorf("read orders left out of the plan: %w", err)
	}
	if err := json.Unmarshal(plan.LoadDimensions, &day.LoadDimensions); err != nil {
		return fmt.Errorf("read load dimensions: %w", err)
	}
	if day.GoodsApart, err = readGoodsApart(plan.GoodsApart); err != nil {
		return err
	}
	if err := json.Unmarshal(plan.RushHours, &day.RushHours); err != nil {
		return fmt.Errorf("read rush hours: %w", err)
	}
	day.Costs, err = readCosts(plan.Costs)
	return err
}

// showBy converts the times of drivers' actions and positions to a simulated
// clock.
func showBy(clock simulation.Clock, day *planning.Day) {
	for i := range day.Orders {
		for _, stop := range []*planning.Stop{&day.Orders[i].Pickup, &day.Orders[i].Delivery} {
			stop.Standing.Arrived, stop.Standing.Ended = clock.At(stop.Standing.Arrived), clock.At(stop.Standing.Ended)
		}
	}
	for i := range day.Routes {
		r := &day.Routes[i]
		r.Seen.At, r.Ended = clock.At(r.Seen.At), clock.At(r.Ended)
	}
}

// loadMissed reads the rules that are missed on a whole day.
func (t *Tx) loadMissed(ctx context.Context, of *scope, day *planning.Day) error {
	if !of.every {
		return nil
	}
	rows, err := t.q.MissedRules(
		ctx,
		queries.MissedRulesParams{OrgID: t.org, Day: of.area.Date, DepartmentID: of.area.DepartmentID},
	)
	for _, r := range rows {
		day.Missed = append(day.Missed, planning.NotedMiss{
			ID: r.ID, Open: r.Open,
			Missed: planning.Missed{OrderID: r.OrderID, DriverID: r.DriverID, Rule: planning.Reason(r.Rule)},
		})
	}
	return err
}

// point is a position, or nil if it is unknown.
func point(latitude, longitude float64) *planning.Point {
	p := planning.Point{Latitude: latitude, Longitude: longitude}
	if !p.Valid() {
		return nil
	}
	return &p
}

// pointOf is a position; both coordinates may be null.
func pointOf(latitude, longitude *float64) *planning.Point {
	if latitude == nil || longitude == nil {
		return nil
	}
	return point(*latitude, *longitude)
}

// pointOrNone is a place of which both coordinates may be NaN.
func pointOrNone(latitude, longitude float64) *planning.Point {
	if math.IsNaN(latitude) || math.IsNaN(longitude) {
		return nil
	}
	return point(latitude, longitude)
}

// postal is a postal code in its country.
type postal struct{ country, code string }

// guesses are the stops without a position, by postal code.
type guesses map[postal][]*planning.Stop

func (g guesses) add(s *planning.Stop, country, code string) {
	if s.Point == nil && code != "" {
		g[postal{country, code}] = append(g[postal{country, code}], s)
	}
}

// make guesses where the stops are.
func (g guesses) make(ctx context.Context, t *Tx) error {
	if len(g) == 0 {
		return nil
	}
	p := queries.PostalPlacesParams{OrgID: t.org}
	for at := range g {
		p.Countries, p.PostalCodes = append(p.Countries, at.country), append(p.PostalCodes, at.code)
	}
	rows, err := t.q.PostalPlaces(ctx, p)
	for _, r := range rows {
		for _, s := range g[postal{r.Country, r.PostalCode}] {
			s.Point, s.Guessed = point(r.Latitude, r.Longitude), true
		}
	}
	return err
}

func (t *Tx) loadDriversToPlan(ctx context.Context, of *scope, day *planning.Day) error {
	rows, err := t.q.DriversToPlan(ctx, queries.DriversToPlanParams{
		OrgID: t.org, Day: of.area.Date, NextDay: of.area.Date.AddDate(0, 0, 1), DepartmentID: of.area.DepartmentID,
		Every: of.every, DriverIds: of.drivers,
	})
	if err != nil {
		return err
	}
	working, err := thoseWorking(rows, of.closings, of.area.Date, day.Zone)
	if err != nil {
		return err
	}
	places, err := t.placesOfDrivers(ctx, working)
	if err != nil {
		return err
	}
	closings := of.closings
	for _, w := range working {
		r := w.row
		of := newDriverToPlan(r, w.hours, places)
		limits, err := readLoads(r.MaxLoads)
		if err != nil {
			return fmt.Errorf("driver %d: %w", r.ID, err)
		}
		of.Vehicle.MaxLoads = limits.Within(day.LoadDimensions)
		if of.Next, err = nextWork(r, closings, day); err != nil {
			return fmt.Errorf("driver %d: %w", r.ID, err)
		}
		if of.Preferences, err = readPreferences(r.ID, r.Preferences); err != nil {
			return err
		}
		day.Drivers = append(day.Drivers, of)
	}
	return t.loadCrews(ctx, closings, day, rows)
}

// working is a driver who works on a day, and when.
type working struct {
	row   *queries.DriversToPlanRow
	hours driver.Hours
}

func thoseWorking(
	rows []queries.DriversToPlanRow, closings *closings, date time.Time, zone *time.Location,
) (all []working, err error) {
	for i := range rows {
		r := &rows[i]
		hours, works, err := workdayRow{
			closings: closings, calendar: r.CalendarID,
			isSaid: r.IsSaid, works: r.Works, rules: r.Rules,
			hours: newHours(
				r.Starts, r.Ends, r.BreakMinutes, r.BreakEarliest, r.BreakLatest, []byte(r.MoreBreaks),
			).At(r.BreakLocationIds),
		}.on(date, zone)
		if err != nil {
			return nil, fmt.Errorf("driver %d: %w", r.ID, err)
		}
		if works {
			all = append(all, working{row: r, hours: hours})
		}
	}
	return all, nil
}

// loadDriven reads what drivers with a rule for driving time did on the days before.
func (t *Tx) loadDriven(ctx context.Context, day *planning.Day) error {
	worked, ids := map[int64][]*[]driver.Worked{}, []int64(nil)
	for i := range day.Drivers {
		of := &day.Drivers[i]
		if of.Rule == nil {
			continue
		}
		worked[of.ID], ids = append(worked[of.ID], &of.Worked), append(ids, of.ID)
		if with := of.CoDriver; with != nil {
			worked[with.ID], ids = append(worked[with.ID], &with.Worked), append(ids, with.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := t.q.DrivenBefore(ctx, queries.DrivenBeforeParams{
		OrgID: t.org, FirstDay: day.Date.AddDate(0, 0, -planning.DaysOfHistory), LastDay: day.Date.AddDate(0, 0, -1),
		DriverIds: ids,
	})
	for i := range rows {
		for _, of := range worked[rows[i].DriverID] {
			*of = append(*of, workedOf(&rows[i]))
		}
	}
	return err
}

// workedOf is what somebody did on a day before. Two who drove in turns drove half each, and one who rode along did
// not drive.
func workedOf(r *queries.DrivenBeforeRow) driver.Worked {
	w := driver.Worked{
		Date: r.Day.UTC(), Driving: seconds(r.DrivingSeconds), Night: seconds(r.NightSeconds),
		Starts: r.StartsAt.UTC(), Ends: r.EndsAt.UTC(), Shared: r.SharesDriving,
	}
	switch {
	case r.SharesDriving:
		w.Driving, w.Night = w.Driving/2, w.Night/2
	case r.RodeAlong:
		w.Driving, w.Night = 0, 0
	}
	return w
}

// nextWork returns when the workday of a driver on the next day begins; zero when there is none.
func nextWork(r *queries.DriversToPlanRow, closings *closings, day *planning.Day) (time.Time, error) {
	next := planning.Clock{Date: day.Date.AddDate(0, 0, 1), Zone: day.Zone}
	hours, works, err := workdayRow{
		closings: closings, calendar: r.CalendarID,
		isSaid: r.NextIsSaid, works: r.NextWorks, rules: r.Rules, hours: newHours(r.NextStarts, r.NextEnds, 0, 0, 0, nil),
	}.on(next.Date, day.Zone)
	if err != nil {
		return time.Time{}, err
	}
	return firstWork(next, hours, works, r.NextRidesFrom), nil
}

// workdayRow has the exceptions for a driver's day and the rules that otherwise
// apply, unless the driver's department has closed that day.
type workdayRow struct {
	closings      *closings
	calendar      int64
	isSaid, works bool
	hours         driver.Hours
	rules         []byte
}

// on returns a driver's working hours on a day, if any.
func (w workdayRow) on(date time.Time, zone *time.Location) (driver.Hours, bool, error) {
	if w.isSaid {
		return w.hours, w.works, nil
	}
	if closed, err := w.closings.closed(w.calendar, date); err != nil || closed {
		return driver.Hours{}, false, err
	}
	var rules []struct {
		RRule                                                  string
		Starts, Ends, BreakMinutes, BreakEarliest, BreakLatest int16
		MoreBreaks                                             json.RawMessage
		BreakLocationIDs                                       []int64
	}
	if len(w.rules) > 0 {
		if err := json.Unmarshal(w.rules, &rules); err != nil {
			return driver.Hours{}, false, err
		}
	}
	said := make([]driver.Rule, len(rules))
	for i, rule := range rules {
		said[i] = driver.Rule{
			RRule: rule.RRule,
			Hours: newHours(
				rule.Starts, rule.Ends, rule.BreakMinutes, rule.BreakEarliest, rule.BreakLatest, rule.MoreBreaks,
			).At(rule.BreakLocationIDs),
		}
	}
	calendar, err := driver.NewCalendar(zone, said, nil)
	if err != nil {
		return driver.Hours{}, false, err
	}
	workday, works := calendar.On(date)
	return workday.Hours, works, nil
}

// placesOfDrivers reads where drivers begin, end and have breaks, by location.
func (t *Tx) placesOfDrivers(ctx context.Context, all []working) (map[int64]*planning.Point, error) {
	var ids []int64
	for i := range all {
		r := all[i].row
		ids = append(append(ids, r.HomeID, r.StartID, r.EndID), all[i].hours.BreakLocations()...)
	}
	if ids = once(ids); len(ids) == 0 || ids[len(ids)-1] == 0 {
		return nil, nil
	}
	found, err := t.q.LocationsToPlan(ctx, queries.LocationsToPlanParams{OrgID: t.org, Ids: ids})
	places := make(map[int64]*planning.Point, len(found))
	for i := range found {
		places[found[i].ID] = pointOf(found[i].Latitude, found[i].Longitude)
		if places[found[i].ID] == nil {
			places[found[i].ID] = pointOrNone(found[i].PlacedLatitude, found[i].PlacedLongitude)
		}
	}
	return places, err
}

func newDriverToPlan(
	r *queries.DriversToPlanRow, hours driver.Hours, places map[int64]*planning.Point,
) planning.Driver {
	var breaks map[int64]*planning.Point
	if hours.BreakLocations() != nil {
		breaks = places
	}
	return planning.Driver{
		BreakPlaces: breaks,
		ID:          r.ID, Skills: r.Skills, Hours: hours,
		Rule:   driver.DrivingRuleOf(r.DrivingRule),
		Limits: driver.Limits{Stops: int(r.MaxStops), DrivingMinutes: int(r.MaxDrivingMinutes)},
		Start:  places[r.StartID], End: places[r.EndID],
		Pace: driver.Pace{Driving: r.DrivingFactor, Visits: r.VisitFactor},
		Vehicle: planning.Vehicle{
			ID: r.VehicleID, TypeID: r.VehicleTypeID, AlsoServes: r.AlsoServes, Profile: planning.Profile(r.Profile),
			MaxWeightKg: orNone(r.MaxWeightKg), MaxVolumeM3: orNone(r.MaxVolumeM3), MaxRouteKm: orNone(r.MaxRouteKm),
			Skills: r.VehicleSkills, Home: places[r.HomeID], ExtraSetup: seconds(r.ExtraSetupSeconds), Costs: pricing.OfVehicle{
				CostPerShift: orNone(r.CostPerShift), CostPerHour: orNone(r.CostPerHour), CostPerKm: orNone(r.CostPerKm),
			},
		},
	}
}

func (t *Tx) loadRoutes(ctx context.Context, of *scope, day *planning.Day) error {
	if !of.every {
		having, err := t.q.DriversOfOrders(ctx, queries.DriversOfOrdersParams{
			OrgID: t.org, PlanID: of.planID, OrderIds: of.orders,
		})
		if err != nil {
			return err
		}
		of.routed = slices.Concat(of.drivers, having)
	}
	routes, err := t.q.RoutesOfPlan(ctx, queries.RoutesOfPlanParams{
		OrgID: t.org, PlanID: of.planID, Every: of.every, DriverIds: of.routed,
	})
	if err != nil || len(routes) == 0 {
		return err
	}
	places := make(map[int64]int, len(routes))
	for i := range routes {
		places[routes[i].DriverID] = i
		day.Routes = append(day.Routes, newRouteOfPlan(&routes[i]))
	}
	return t.loadStopsOfRoutes(ctx, of, day, places)
}

// loadStopsOfRoutes reads the stops of routes. places are those of the routes in the day, by driver.
func (t *Tx) loadStopsOfRoutes(ctx context.Context, of *scope, day *planning.Day, places map[int64]int) error {
	day.Joined = map[int64]int64{}
	stops, err := t.q.StopsOfPlan(ctx, queries.StopsOfPlanParams{
		OrgID: t.org, PlanID: of.planID, Every: of.every, DriverIds: of.routed,
	})
	for i := range stops {
		s := &stops[i]
		route := &day.Routes[places[s.DriverID]]
		day.Joined[s.OrderID] = max(day.Joined[s.OrderID], s.Version)
		if !s.Live.IsZero() {
			route.Heading = planning.Heading{OrderID: s.OrderID, Kind: order.StopKind(s.Kind), At: s.Live.UTC()}
		}
		route.Stops = append(route.Stops, planning.Placed{
			OrderID: s.OrderID, Kind: order.StopKind(s.Kind),
			Arrives: s.ArrivesAt.UTC(), Starts: s.StartsAt.UTC(), Leaves: s.LeavesAt.UTC(), ETA: s.Eta.UTC(),
			Slack: seconds(s.SlackSeconds), Late: seconds(s.LateSeconds),
			Driving: seconds(s.DrivingSeconds), Setup: seconds(s.SetupSeconds), Joined: s.Joined, Meters: int64(s.Meters),
			Point:          planning.Point{Latitude: s.Latitude, Longitude: s.Longitude, Curbside: s.Curbside},
			Guessed:        s.Guessed,
			MetersFromRoad: s.MetersFromRoad,
		})
	}
	return err
}

// breaksOf reads the breaks of a route. What this process wrote is readable.
func breaksOf(text []byte) (breaks []planning.Rest) {
	if err := json.Unmarshal(text, &breaks); err != nil || len(breaks) == 0 {
		return nil
	}
	for i := range breaks {
		breaks[i].Starts, breaks[i].Ends = breaks[i].Starts.UTC(), breaks[i].Ends.UTC()
	}
	return breaks
}

func drivingLeftOf(left *int32) *time.Duration {
	if left == nil {
		return nil
	}
	lasts := seconds(*left)
	return &lasts
}

func newRouteOfPlan(r *queries.RoutesOfPlanRow) planning.Route {
	return planning.Route{
		DriverID: r.DriverID, CoDriverID: r.CoDriverID, SharesDriving: r.SharesDriving,
		VehicleID: r.VehicleID, Starts: r.StartsAt.UTC(), Ends: r.EndsAt.UTC(),
		Driving: seconds(r.DrivingSeconds), Waiting: seconds(r.WaitingSeconds), Meters: int64(r.Meters),
		WeightKg: r.WeightKg, VolumeM3: r.VolumeM3,
		BreakStarts: orZero(r.BreakStartsAt).UTC(), BreakEnds: orZero(r.BreakEndsAt).UTC(),
		Loads: routeLoadsOf(r.LoadAmounts), Costs: readCostsOfRoute(r.Costs),
		Breaks: breaksOf(r.Breaks), DrivingLeft: drivingLeftOf(r.DrivingLeftSeconds),
		Seen: seen(r), Ended: orZero(r.EndedAt).UTC(), Hold: holdOf(r.HeldStops, r.IsClosed),
	}
}

// holdOf is the sequence that a person holds, or nil.
func holdOf(stops []int64, closed *bool) *planning.Hold {
	if closed == nil {
		return nil
	}
	return &planning.Hold{Stops: stopRefs(stops), Closed: *closed}
}

// seen is the last position of a driver, or zero.
func seen(r *queries.RoutesOfPlanRow) driving.Where {
	return orZero(whereOf(r.WasLatitude, r.WasLongitude, r.WasAt))
}

func seconds(n int32) time.Duration { return time.Duration(n) * time.Second }

func (t *Tx) loadUnplanned(ctx context.Context, of *scope, day *planning.Day) error {
	rows, err := t.q.UnplannedOfPlan(ctx, queries.UnplannedOfPlanParams{
		OrgID: t.org, PlanID: of.planID, Every: of.every, OrderIds: of.orders,
	})
	for _, r := range rows {
		u := planning.Unplanned{
			OrderID: r.OrderID, State: planning.State(r.State), Certainty: planning.Certainty(r.Certainty),
			Searched: time.Duration(r.SearchedMs) * time.Millisecond,
			Helped:   r.Helped && (r.HelpUntil == nil || r.HelpUntil.After(day.Now)),
		}
		if err := json.Unmarshal(r.Reasons, &u.Reasons); err != nil {
			return fmt.Errorf("reasons of order %d: %w", r.OrderID, err)
		}
		day.Unplanned = append(day.Unplanned, u)
	}
	return err
}
