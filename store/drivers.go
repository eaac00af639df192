package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"waybill/domain/caller"
	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store/queries"
)

// Driver is a driver as it is kept.
type Driver struct {
	ID int64
	driver.Details
	IsActive             bool
	CreatedAt, UpdatedAt time.Time
}

func newDriver(r queries.ReadDriverRow) Driver {
	return Driver{
		ID: r.ID, IsActive: r.IsActive, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
		Details: driver.Details{
			ExternalID: orZero(r.ExternalID), Name: r.Name, PhoneNumber: orZero(r.PhoneNumber), EmailAddress: orZero(r.EmailAddress),
		},
	}
}

// Drivers gives one page of the drivers, by id, and how many there are in all.
// With active nil it gives those of either kind.
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
	for i, r := range rows {
		total = r.Total
		drivers[i] = newDriver(queries.ReadDriverRow{
			ID: r.ID, ExternalID: r.ExternalID, Name: r.Name, PhoneNumber: r.PhoneNumber, EmailAddress: r.EmailAddress,
			IsActive: r.IsActive, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
		})
	}
	return drivers, total, translate(err)
}

// Driver reads one driver.
func (s *Store) Driver(ctx context.Context, org, id int64) (Driver, error) {
	row, err := s.of(org).ReadDriver(ctx, queries.ReadDriverParams{OrgID: org, ID: id})
	return newDriver(row), absent("driver", id, err)
}

// CreateDriver adds a driver, whose external id nobody else may have.
func (s *Store) CreateDriver(ctx context.Context, by caller.Caller, d driver.Details) (created Driver, err error) {
	err = s.InTx(ctx, by, func(t *Tx) error {
		row, err := t.q.CreateDriver(ctx, queries.CreateDriverParams{
			OrgID: by.OrgID, ExternalID: orNil(d.ExternalID), Name: d.Name, PhoneNumber: orNil(d.PhoneNumber), EmailAddress: orNil(d.EmailAddress),
		})
		if err != nil {
			return err
		}
		created = newDriver(queries.ReadDriverRow(row))
		return t.driverEvent(ctx, created.ID, driver.EventCreated)
	})
	return created, takenDriver(err, d.ExternalID)
}

// takenDriver says that another driver has the external id.
func takenDriver(err error, externalID string) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.ConstraintName == "drivers_external_id_key" {
		return &fault.Error{
			Kind: fault.Duplicate, Text: fault.Say("driver.exists", "name", externalID), Resource: "driver", Name: externalID,
		}
	}
	return err
}

func (t *Tx) driverEvent(ctx context.Context, id int64, kind driver.EventKind) error {
	return t.q.AppendDriverEvent(ctx, queries.AppendDriverEventParams{OrgID: t.org, Kind: string(kind), DriverID: id})
}

// ChangeDriver lets change make of a driver what it shall be, and writes that
// when it differs.
func (s *Store) ChangeDriver(ctx context.Context, by caller.Caller, id int64, change func(driver.Details) (driver.Details, error)) (changed Driver, err error) {
	var wanted driver.Details
	err = s.InTx(ctx, by, func(t *Tx) error {
		if changed, err = t.lockDriver(ctx, id); err != nil {
			return err
		}
		if wanted, err = change(changed.Details); err != nil || wanted == changed.Details {
			return err
		}
		changed.Details = wanted
		return t.putDriver(ctx, &changed, driver.EventUpdated)
	})
	return changed, takenDriver(err, wanted.ExternalID)
}

func (t *Tx) lockDriver(ctx context.Context, id int64) (Driver, error) {
	row, err := t.q.LockDriver(ctx, queries.LockDriverParams{OrgID: t.org, ID: id})
	return newDriver(queries.ReadDriverRow(row)), absent("driver", id, err)
}

func (t *Tx) putDriver(ctx context.Context, d *Driver, kind driver.EventKind) error {
	row, err := t.q.UpdateDriver(ctx, queries.UpdateDriverParams{
		OrgID: t.org, ID: d.ID, ExternalID: orNil(d.ExternalID), Name: d.Name, PhoneNumber: orNil(d.PhoneNumber),
		EmailAddress: orNil(d.EmailAddress), IsActive: d.IsActive,
	})
	if err != nil {
		return err
	}
	*d = newDriver(queries.ReadDriverRow(row))
	return t.driverEvent(ctx, d.ID, kind)
}

// DeactivateDriver makes a driver inactive and takes away the days of work from
// today on. One who has orders that are still to be carried out stays.
func (s *Store) DeactivateDriver(ctx context.Context, by caller.Caller, id int64, today time.Time) (d Driver, err error) {
	err = s.InTx(ctx, by, func(t *Tx) error {
		if d, err = t.lockDriver(ctx, id); err != nil || !d.IsActive {
			return err
		}
		active, err := t.q.ActiveOrdersOfDriver(ctx, queries.ActiveOrdersOfDriverParams{OrgID: by.OrgID, DriverID: id})
		if err != nil {
			return err
		}
		if active > 0 {
			return driverState("driver.has_orders", id)
		}
		err = t.q.DeleteWorkdays(ctx, queries.DeleteWorkdaysParams{OrgID: by.OrgID, DriverID: id, StartDate: today, EndDate: lastDay})
		if err != nil {
			return err
		}
		d.IsActive = false
		return t.putDriver(ctx, &d, driver.EventDeactivated)
	})
	return d, err
}

// lastDay is behind every day that can be written.
var lastDay = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

func driverState(text string, id int64) error {
	name := strconv.FormatInt(id, 10)
	return &fault.Error{Kind: fault.IllegalState, Text: fault.Say(text, "name", name), Resource: "driver", Name: name}
}

// ReactivateDriver makes a driver active again, without days of work.
func (s *Store) ReactivateDriver(ctx context.Context, by caller.Caller, id int64) (d Driver, err error) {
	err = s.InTx(ctx, by, func(t *Tx) error {
		if d, err = t.lockDriver(ctx, id); err != nil || d.IsActive {
			return err
		}
		d.IsActive = true
		return t.putDriver(ctx, &d, driver.EventReactivated)
	})
	return d, err
}

// Workdays reads on which days of a range a driver works.
func (s *Store) Workdays(ctx context.Context, org, id int64, start, end time.Time) ([]driver.Workday, error) {
	if _, err := s.Driver(ctx, org, id); err != nil {
		return nil, err
	}
	rows, err := s.of(org).ListWorkdays(ctx, queries.ListWorkdaysParams{OrgID: org, DriverID: id, StartDate: start, EndDate: end})
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

// ScheduleDriver replaces the days of work within a range. The same schedule
// again changes nothing.
func (s *Store) ScheduleDriver(ctx context.Context, by caller.Caller, id int64, schedule driver.Schedule) error {
	return s.InTx(ctx, by, func(t *Tx) error {
		d, err := t.lockDriver(ctx, id)
		if err != nil {
			return err
		}
		if !d.IsActive {
			return driverState("driver.inactive", id)
		}
		present, err := t.q.ListWorkdays(ctx, queries.ListWorkdaysParams{
			OrgID: by.OrgID, DriverID: id, StartDate: schedule.Start, EndDate: schedule.End,
		})
		if err != nil || schedule.Same(newWorkdays(present)) {
			return err
		}
		p := queries.InsertWorkdaysParams{OrgID: by.OrgID, DriverID: id}
		for _, day := range schedule.Days {
			put(&p.Dates, day.Date)
			put(&p.Starts, int16(day.Starts))
			put(&p.Ends, int16(day.Ends))
		}
		err = t.q.DeleteWorkdays(ctx, queries.DeleteWorkdaysParams{
			OrgID: by.OrgID, DriverID: id, StartDate: schedule.Start, EndDate: schedule.End,
		})
		if err == nil && len(p.Dates) > 0 {
			err = t.q.InsertWorkdays(ctx, p)
		}
		if err != nil {
			return err
		}
		return t.driverEvent(ctx, id, driver.EventScheduled)
	})
}
