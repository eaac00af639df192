package store

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/driver"
	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Driver is a driver as it is kept.
type Driver struct {
	ID int64
	driver.Details
	IsActive             bool
	CreatedAt, UpdatedAt time.Time
}

func newDriver(r *queries.Driver) Driver {
	return Driver{
		ID: r.ID, IsActive: r.IsActive, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
		Details: driver.Details{
			ExternalID: orZero(r.ExternalID), Name: r.Name,
			PhoneNumber: orZero(r.PhoneNumber), EmailAddress: orZero(r.EmailAddress),
		},
	}
}

// Drivers returns one page of the drivers, by id, and how many there are in all.
// With active nil it returns those of either kind.
func (s *Store) Drivers(ctx context.Context, org int64, active *bool, page Page) ([]Driver, int64, error) {
	rows, err := s.of(org).ListDrivers(ctx, queries.ListDriversParams{
		OrgID: org, IsActive: active, PageSize: page.Size, Skip: page.skip(),
	})
	if err == nil && len(rows) == 0 && page.Number > 1 {
		_, total, err := s.Drivers(ctx, org, active, countOnly)
		return nil, total, err
	}
	drivers := make([]Driver, len(rows))
	total := int64(0)
	for i := range rows {
		total, drivers[i] = rows[i].Total, newDriver(&rows[i].Driver)
	}
	return drivers, total, translate(err)
}

// Driver reads one driver.
func (s *Store) Driver(ctx context.Context, org, id int64) (Driver, error) {
	row, err := s.of(org).ReadDriver(ctx, queries.ReadDriverParams{OrgID: org, ID: id})
	return newDriver(&row), absent("driver", id, err)
}

// SaveNewDriver adds a driver, with its event. An external id that is taken is
// a Duplicate fault.
func (t *Tx) SaveNewDriver(ctx context.Context, d driver.Details) (Driver, error) {
	row, err := t.q.CreateDriver(ctx, queries.CreateDriverParams{
		OrgID: t.org, ExternalID: orNil(d.ExternalID), Name: d.Name, PhoneNumber: orNil(d.PhoneNumber),
		EmailAddress: orNil(d.EmailAddress),
	})
	if err != nil {
		return Driver{}, taken(d.ExternalID, err)
	}
	created := newDriver(&row)
	return created, t.Append(ctx, event.Driver{ID: created.ID}.Event(event.DriverCreated))
}

// LockDriver reads one driver and locks it for this transaction.
func (t *Tx) LockDriver(ctx context.Context, id int64) (Driver, error) {
	row, err := t.q.LockDriver(ctx, queries.LockDriverParams{OrgID: t.org, ID: id})
	return newDriver(&row), absent("driver", id, err)
}

// SaveDriver writes a driver that changed, with its event. An external id that
// is taken is a Duplicate fault.
func (t *Tx) SaveDriver(ctx context.Context, d *Driver, kind event.Kind) error {
	row, err := t.q.UpdateDriver(ctx, queries.UpdateDriverParams{
		OrgID: t.org, ID: d.ID, ExternalID: orNil(d.ExternalID), Name: d.Name, PhoneNumber: orNil(d.PhoneNumber),
		EmailAddress: orNil(d.EmailAddress), IsActive: d.IsActive,
	})
	if err != nil {
		return taken(d.ExternalID, err)
	}
	*d = newDriver(&row)
	return t.Append(ctx, event.Driver{ID: d.ID}.Event(kind))
}

// CountOrdersOfDriver counts the orders that a driver has still to carry out.
func (t *Tx) CountOrdersOfDriver(ctx context.Context, id int64) (int64, error) {
	return t.q.ActiveOrdersOfDriver(ctx, queries.ActiveOrdersOfDriverParams{OrgID: t.org, DriverID: id})
}

// Workdays reads on which days of a range a driver works.
func (s *Store) Workdays(ctx context.Context, org, id int64, start, end time.Time) ([]driver.Workday, error) {
	if _, err := s.Driver(ctx, org, id); err != nil {
		return nil, err
	}
	rows, err := s.of(org).ListWorkdays(ctx, queries.ListWorkdaysParams{
		OrgID: org, DriverID: id, StartDate: start, EndDate: end,
	})
	if err != nil {
		return nil, fmt.Errorf("list workdays: %w", translate(err))
	}
	return newWorkdays(rows), nil
}

func newWorkdays(rows []queries.ListWorkdaysRow) []driver.Workday {
	days := make([]driver.Workday, len(rows))
	for i, r := range rows {
		days[i] = driver.Workday{Date: r.Date, Starts: order.Clock(r.Starts), Ends: order.Clock(r.Ends)}
	}
	return days
}

// LoadWorkdays reads on which days of a range a driver works.
func (t *Tx) LoadWorkdays(ctx context.Context, id int64, start, end time.Time) ([]driver.Workday, error) {
	rows, err := t.q.ListWorkdays(ctx, queries.ListWorkdaysParams{
		OrgID: t.org, DriverID: id, StartDate: start, EndDate: end,
	})
	return newWorkdays(rows), err
}

// SaveWorkdays replaces the days of work within a range, with an event.
func (t *Tx) SaveWorkdays(ctx context.Context, id int64, schedule driver.Schedule) error {
	p := queries.InsertWorkdaysParams{OrgID: t.org, DriverID: id}
	for _, day := range schedule.Days {
		columns.Add(&p.Dates, day.Date)
		columns.Add(&p.Starts, int16(day.Starts))
		columns.Add(&p.Ends, int16(day.Ends))
	}
	err := t.q.DeleteWorkdays(ctx, queries.DeleteWorkdaysParams{
		OrgID: t.org, DriverID: id, StartDate: schedule.Start, EndDate: schedule.End,
	})
	if err == nil && len(p.Dates) > 0 {
		err = t.q.InsertWorkdays(ctx, p)
	}
	if err != nil {
		return err
	}
	return t.Append(ctx, event.Driver{ID: id}.Event(event.DriverScheduled))
}

// lastDay is behind every day that can be written.
var lastDay = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// DeleteWorkdays deletes the days of work of a driver from a day on.
func (t *Tx) DeleteWorkdays(ctx context.Context, id int64, from time.Time) error {
	return t.q.DeleteWorkdays(ctx, queries.DeleteWorkdaysParams{
		OrgID: t.org, DriverID: id, StartDate: from, EndDate: lastDay,
	})
}
