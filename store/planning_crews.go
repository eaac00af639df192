package store

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/driver"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/store/queries"
)

// loadCrews reads who rides along on the day, makes the crews, and reads what they did before. The rows are those of
// the drivers.
func (t *Tx) loadCrews(
	ctx context.Context, closings *closings, day *planning.Day, rows []queries.DriversToPlanRow,
) error {
	said, ids := make(map[int64]*queries.DriversToPlanRow, len(rows)), []int64(nil)
	for i := range rows {
		said[rows[i].ID] = &rows[i]
	}
	for i := range day.Drivers {
		r := said[day.Drivers[i].ID]
		day.Drivers[i].Rides = rideOf(r.RidesWithID, r.RidesFrom, r.RidesUntil, r.RiderHasBegun)
		if r.CoDriverID != 0 {
			ids = append(ids, r.CoDriverID)
		}
	}
	with, err := t.coDrivers(ctx, closings, day, ids)
	if err != nil {
		return err
	}
	for i := range day.Drivers {
		r := said[day.Drivers[i].ID]
		if of, known := with[r.CoDriverID]; known {
			of.SharesDriving, day.Drivers[i].CoDriver = r.SharesDriving, of
		}
	}
	day.Crew()
	return t.loadDriven(ctx, day)
}

// rideOf is the work of the driver with whom somebody rides, nil without one.
func rideOf(with int64, from, until int16, begun bool) *planning.Ride {
	if with == 0 {
		return nil
	}
	return &planning.Ride{
		DriverID: with, Hours: driver.Hours{Starts: order.Clock(from), Ends: order.Clock(until)}, Begun: begun,
	}
}

// coDrivers reads those who ride along, by id. One who was deactivated meanwhile does not.
func (t *Tx) coDrivers(
	ctx context.Context, closings *closings, day *planning.Day, ids []int64,
) (map[int64]*planning.CoDriver, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := t.q.CoDriversToPlan(ctx, queries.CoDriversToPlanParams{
		OrgID: t.org, Day: day.Date, NextDay: day.Date.AddDate(0, 0, 1), Ids: ids,
	})
	if err != nil {
		return nil, err
	}
	all := make(map[int64]*planning.CoDriver, len(rows))
	for i := range rows {
		if all[rows[i].ID], err = newCoDriver(&rows[i], closings, day); err != nil {
			return nil, fmt.Errorf("co-driver %d: %w", rows[i].ID, err)
		}
	}
	return all, nil
}

func newCoDriver(r *queries.CoDriversToPlanRow, closings *closings, day *planning.Day) (*planning.CoDriver, error) {
	with := planning.CoDriver{ID: r.ID, Skills: r.Skills, Begun: r.HasBegun}
	hours, works, err := workdayRow{
		closings: closings, calendar: r.CalendarID,
		isSaid: r.IsSaid, works: r.Works, rules: r.Rules, hours: newHours(r.Starts, r.Ends, 0, 0, 0, nil),
	}.on(day.Date, day.Zone)
	if err != nil {
		return nil, err
	}
	if works {
		with.Hours = &hours
	}
	next := planning.Clock{Date: day.Date.AddDate(0, 0, 1), Zone: day.Zone}
	hours, works, err = workdayRow{
		closings: closings, calendar: r.CalendarID,
		isSaid: r.NextIsSaid, works: r.NextWorks, rules: r.Rules, hours: newHours(r.NextStarts, r.NextEnds, 0, 0, 0, nil),
	}.on(next.Date, day.Zone)
	if err != nil {
		return nil, err
	}
	with.Next = firstWork(next, hours, works, r.NextRidesFrom)
	with.Preferences, err = readPreferences(r.ID, r.Preferences)
	return &with, err
}

// firstWork returns when somebody begins to work on a day, alone or as a co-driver from a minute of the day on, which
// is -1 without that; zero if they do not work.
func firstWork(day planning.Clock, hours driver.Hours, works bool, rides int16) (first time.Time) {
	if works {
		first, _ = day.Work(hours)
	}
	if rides >= 0 {
		if begins := day.At(order.Clock(rides), 0); first.IsZero() || begins.Before(first) {
			first = begins
		}
	}
	return first
}

// coDriverNight is the night of somebody who rides along with a driver, who has none otherwise.
func coDriverNight(coDriver int64, ends time.Time) []planning.Night {
	if coDriver == 0 {
		return nil
	}
	return []planning.Night{{DriverID: coDriver, Ends: ends.UTC()}}
}
