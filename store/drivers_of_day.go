package store

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/planning"
	"waybill/store/queries"
)

// DriverOfDay is a driver who works on a day.
type DriverOfDay struct {
	ID           int64
	Name         string
	DepartmentID *int64
	// Registration and VehicleType are those of the day's vehicle, if any.
	Registration, VehicleType *string
	Starts, Ends              time.Time
}

// DriversOfDay returns the drivers who work on a day in a time zone, from a
// page of drivers after a given one. It also returns the last driver of that
// page, and whether there are more.
func (s *Store) DriversOfDay(
	ctx context.Context, org int64, day planning.Clock, after int64, size int32,
) (working []DriverOfDay, last int64, more bool, err error) {
	rows, err := s.of(org).PageDriversOfDay(ctx, queries.PageDriversOfDayParams{
		OrgID: org, Day: day.Date, AfterDriver: after, PageSize: size + 1,
	})
	if err != nil {
		return nil, 0, false, fmt.Errorf("page drivers of a day: %w", translate(err))
	}
	if more = len(rows) > int(size); more {
		rows = rows[:size]
	}
	closings, err := s.closings(ctx, org, day.Zone)
	if err != nil {
		return nil, 0, false, err
	}
	for i := range rows {
		r := &rows[i]
		last = r.ID
		hours, works, err := workdayRow{
			closings: closings, calendar: r.CalendarID,
			isSaid: r.IsSaid, works: r.Works, rules: r.Rules, hours: newHours(r.Starts, r.Ends, 0, 0, 0, nil),
		}.on(day.Date, day.Zone)
		if err != nil {
			return nil, 0, false, fmt.Errorf("driver %d: %w", r.ID, err)
		}
		if !works || day.RidesAlong(hours, rideOf(r.RidesWithID, r.RidesFrom, r.RidesUntil, r.RiderHasBegun)) {
			continue
		}
		d := DriverOfDay{
			ID: r.ID, Name: r.Name, DepartmentID: r.DepartmentID, Registration: r.Registration, VehicleType: r.VehicleTypeName,
		}
		d.Starts, d.Ends = day.Work(hours)
		working = append(working, d)
	}
	return working, last, more, nil
}
