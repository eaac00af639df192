package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"waybill/domain/calendar"
	"waybill/domain/driver"
	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Calendar reads when a driver works in a range of days. An inactive driver has
// no rules, only entries for single days.
func (s *Store) Calendar(
	ctx context.Context, org, id int64, zone *time.Location, start, end time.Time,
) (driver.Calendar, error) {
	d, err := s.Driver(ctx, org, id)
	if err != nil {
		return driver.Calendar{}, err
	}
	days, err := s.of(org).ListWorkdays(ctx, queries.ListWorkdaysParams{
		OrgID: org, DriverID: id, StartDate: start, EndDate: end,
	})
	if err != nil {
		return driver.Calendar{}, fmt.Errorf("list workdays: %w", translate(err))
	}
	var rules []driver.Rule
	if d.IsActive {
		rows, err := s.of(org).ListWorkdayRules(ctx, queries.ListWorkdayRulesParams{OrgID: org, DriverID: id})
		if err != nil {
			return driver.Calendar{}, fmt.Errorf("list rules of workdays: %w", translate(err))
		}
		rules = newRules(rows)
	}
	works, err := driver.NewCalendar(zone, rules, newWorkdays(days))
	if err == nil {
		works.Closed, err = s.closedFor(ctx, org, id, zone)
	}
	return works, err
}

// closedFor reads on which days the department of a driver has closed, nil for none.
func (s *Store) closedFor(ctx context.Context, org, id int64, zone *time.Location) (*calendar.Calendar, error) {
	row, err := s.of(org).CalendarOfDriver(ctx, queries.CalendarOfDriverParams{OrgID: org, DriverID: id})
	if err != nil {
		return nil, fmt.Errorf("calendar of the department: %w", translate(err))
	}
	all, err := calendar.Read(row.Calendars, zone)
	if err != nil {
		return nil, err
	}
	return all.Of(row.CalendarID)
}

func newRules(rows []queries.ListWorkdayRulesRow) []driver.Rule {
	rules := make([]driver.Rule, len(rows))
	for i, r := range rows {
		rules[i] = driver.Rule{
			RRule: r.Rrule,
			Hours: newHours(
				r.Starts, r.Ends, r.BreakMinutes, r.BreakEarliest, r.BreakLatest, []byte(r.MoreBreaks),
			).At(r.BreakLocationIds),
		}
	}
	return rules
}

func newHours(starts, ends, minutes, earliest, latest int16, more []byte) driver.Hours {
	return driver.Hours{Starts: order.Clock(starts), Ends: order.Clock(ends), Break: driver.Break{
		Minutes: int(minutes), Earliest: order.Clock(earliest), Latest: order.Clock(latest),
	}, More: breaksAfter(more)}
}

// workBreak is a break as its column has it, in minutes of the day.
type workBreak struct {
	Minutes  int         `json:"minutes"`
	Earliest order.Clock `json:"earliest"`
	Latest   order.Clock `json:"latest"`
}

// BreaksText is how the breaks of a workday after the first are stored; empty is none.
func BreaksText(more [driver.MostBreaks - 1]driver.Break) string {
	var all []workBreak
	for _, b := range more {
		if b.Minutes > 0 {
			all = append(all, workBreak{Minutes: b.Minutes, Earliest: b.Earliest, Latest: b.Latest})
		}
	}
	return listText(all)
}

// BreakLocationsText is how the locations of the breaks of a workday are stored, as an array; empty is none.
func BreakLocationsText(hours driver.Hours) string {
	ids := hours.BreakLocations()
	if len(ids) == 0 {
		return ""
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return "{" + strings.Join(texts, ",") + "}"
}

// breaksAfter reads the breaks of a workday after the first. What this process wrote is readable.
func breaksAfter(text []byte) (more [driver.MostBreaks - 1]driver.Break) {
	var all []workBreak
	if json.Unmarshal(text, &all) != nil {
		return more
	}
	for i := range min(len(all), len(more)) {
		more[i] = driver.Break{Minutes: all[i].Minutes, Earliest: all[i].Earliest, Latest: all[i].Latest}
	}
	return more
}

func newWorkdays(rows []queries.ListWorkdaysRow) []driver.Workday {
	days := make([]driver.Workday, len(rows))
	for i, r := range rows {
		days[i] = driver.Workday{
			Date: r.Date, Off: !r.Works, VehicleID: orZero(r.VehicleID),
			StartLocationID: orZero(r.StartLocationID), EndLocationID: orZero(r.EndLocationID),
			Hours: newHours(
				r.Starts, r.Ends, r.BreakMinutes, r.BreakEarliest, r.BreakLatest, []byte(r.MoreBreaks),
			).At(r.BreakLocationIds),
			Limits: driver.Limits{Stops: int(r.MaxStops), DrivingMinutes: int(r.MaxDrivingMinutes)},
			Second: driver.Second{CoDriverID: r.CoDriverID, SharesDriving: r.SharesDriving},
		}
	}
	return days
}

// LoadWorkdays reads the entries for a range of days.
func (t *Tx) LoadWorkdays(ctx context.Context, id int64, start, end time.Time) ([]driver.Workday, error) {
	rows, err := t.q.ListWorkdays(ctx, queries.ListWorkdaysParams{
		OrgID: t.org, DriverID: id, StartDate: start, EndDate: end,
	})
	return newWorkdays(rows), err
}

// SaveWorkdays replaces the present entries for a range of days, with an event. An
// unknown vehicle or location, and a crew that cannot be, are violations. The
// colleagues are those that LockCrews returned.
func (t *Tx) SaveWorkdays(
	ctx context.Context, id int64, schedule driver.Schedule, present []driver.Workday, colleagues []driver.Colleague,
) error {
	if err := t.checkSchedule(ctx, schedule); err != nil {
		return err
	}
	if err := t.checkCrews(ctx, id, schedule, present, colleagues); err != nil {
		return err
	}
	p := queries.InsertWorkdaysParams{OrgID: t.org, DriverID: id}
	for _, day := range schedule.All() {
		columns.Add(&p.Dates, day.Date)
		columns.Add(&p.Works, !day.Off)
		columns.Add(&p.Starts, int16(day.Starts))
		columns.Add(&p.Ends, int16(day.Ends))
		columns.Add(&p.BreakMinutes, int16(day.Break.Minutes))
		columns.Add(&p.BreakEarliests, int16(day.Break.Earliest))
		columns.Add(&p.BreakLatests, int16(day.Break.Latest))
		columns.Add(&p.MoreBreaks, BreaksText(day.More))
		columns.Add(&p.BreakLocationIds, BreakLocationsText(day.Hours))
		columns.Add(&p.VehicleIds, day.VehicleID)
		columns.Add(&p.StartLocationIds, day.StartLocationID)
		columns.Add(&p.EndLocationIds, day.EndLocationID)
		columns.Add(&p.MaxStops, int32(day.Limits.Stops))
		columns.Add(&p.MaxDrivingMinutes, int32(day.Limits.DrivingMinutes))
		columns.Add(&p.CoDriverIds, day.CoDriverID)
		columns.Add(&p.SharesDriving, day.SharesDriving)
	}
	err := t.q.DeleteWorkdays(ctx, queries.DeleteWorkdaysParams{
		OrgID: t.org, DriverID: id, StartDate: schedule.Start, EndDate: schedule.End,
	})
	if err != nil {
		return fmt.Errorf("delete workdays: %w", err)
	}
	if err := t.q.InsertWorkdays(ctx, p); err != nil {
		return fmt.Errorf("insert workdays: %w", err)
	}
	return t.Append(ctx, event.Driver{ID: id}.Event(event.DriverScheduled))
}

// checkCrews reports the co-drivers of a schedule who cannot ride along.
func (t *Tx) checkCrews(
	ctx context.Context, id int64, schedule driver.Schedule, present []driver.Workday, colleagues []driver.Colleague,
) error {
	if colleagues == nil {
		return nil
	}
	ids := append(schedule.CoDrivers(), id)
	found, err := t.q.RidesOfDrivers(ctx, queries.RidesOfDriversParams{
		OrgID: t.org, But: id, Ids: ids, StartDate: schedule.Start, EndDate: schedule.End,
	})
	if err != nil {
		return fmt.Errorf("read crews: %w", err)
	}
	rides := columns.Of(found, func(r queries.RidesOfDriversRow) driver.Ride { return driver.Ride(r) })
	of := driver.Colleague{ID: id}
	for _, c := range colleagues {
		if c.ID == id {
			of = c
		}
	}
	return schedule.CheckCrews(of, present, colleagues, rides)
}

// LockCrews locks a driver and the co-drivers of a schedule by their ids, so that nobody makes other crews of them
// meanwhile, and returns them; nil for a schedule without co-drivers.
func (t *Tx) LockCrews(ctx context.Context, id int64, schedule driver.Schedule) ([]driver.Colleague, error) {
	ids := schedule.CoDrivers()
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := t.q.LockColleagues(ctx, queries.LockColleaguesParams{OrgID: t.org, Ids: append(ids, id)})
	if err != nil {
		return nil, fmt.Errorf("lock co-drivers: %w", err)
	}
	return columns.Of(rows, func(r queries.LockColleaguesRow) driver.Colleague { return driver.Colleague(r) }), nil
}

// LeaveCrews takes a driver off all crews from a day on, with an event for each driver who is alone then.
func (t *Tx) LeaveCrews(ctx context.Context, id int64, from time.Time) error {
	alone, err := t.q.LeaveCrews(ctx, queries.LeaveCrewsParams{OrgID: t.org, DriverID: id, StartDate: from})
	if err != nil {
		return fmt.Errorf("leave crews: %w", err)
	}
	for _, other := range alone {
		if err := t.Append(ctx, event.Driver{ID: other}.Event(event.DriverScheduled)); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tx) checkSchedule(ctx context.Context, schedule driver.Schedule) error {
	var named []reference
	for i, day := range schedule.Days {
		at := fmt.Sprintf("workdays[%d]", i)
		named = append(named,
			reference{"vehicle", at + ".vehicle_id", day.VehicleID},
			reference{"location", at + ".start_location_id", day.StartLocationID},
			reference{"location", at + ".end_location_id", day.EndLocationID},
		)
		named = append(named, placesOfBreaks(at, &day.Hours)...)
	}
	problems, err := t.checkReferences(ctx, named...)
	if err != nil {
		return err
	}
	return violated(problems)
}

// placesOfBreaks are the locations of the breaks of a workday, which must have a position.
func placesOfBreaks(at string, hours *driver.Hours) (named []reference) {
	name := func(field string, b *driver.Break) {
		field = at + field + ".location_id"
		named = append(named, reference{"location", field, b.LocationID}, reference{"place", field, b.LocationID})
	}
	name(".break", &hours.Break)
	for i := range hours.More {
		name(fmt.Sprintf(".more_breaks[%d]", i), &hours.More[i])
	}
	return named
}

// lastDay is behind every day that can be written.
var lastDay = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// DeleteWorkdays deletes a driver's entries from a day on.
func (t *Tx) DeleteWorkdays(ctx context.Context, id int64, from time.Time) error {
	return t.q.DeleteWorkdays(ctx, queries.DeleteWorkdaysParams{
		OrgID: t.org, DriverID: id, StartDate: from, EndDate: lastDay,
	})
}
