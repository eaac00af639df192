package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"waybill/domain/driver"
	"waybill/domain/event"
	"waybill/store/queries"
)

// Driver is a stored driver.
type Driver struct {
	ID int64
	driver.Details
	IsActive             bool
	CreatedAt, UpdatedAt time.Time
}

func newDriver(r *queries.Driver) (Driver, error) {
	d := Driver{
		ID: r.ID, IsActive: r.IsActive, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
		Details: driver.Details{
			ExternalID: orZero(r.ExternalID), Name: r.Name,
			PhoneNumber: orZero(r.PhoneNumber), EmailAddress: orZero(r.EmailAddress),
			DepartmentID: orZero(r.DepartmentID), VehicleID: orZero(r.VehicleID),
			StartLocationID: orZero(r.StartLocationID), EndLocationID: orZero(r.EndLocationID),
			Pace: driver.Pace{Driving: orZero(r.DrivingFactor), Visits: orZero(r.VisitFactor)},
		},
	}
	var err error
	d.Preferences, err = readPreferences(r.ID, r.Preferences)
	return d, err
}

// withSkills completes drivers that were read.
func withSkills(ctx context.Context, q *queries.Queries, org int64, drivers ...*Driver) error {
	byID := make(map[int64]*Driver, len(drivers))
	for _, d := range drivers {
		d.Skills, byID[d.ID] = nil, d
	}
	ids := slices.Collect(maps.Keys(byID))
	rows, err := q.SkillsOfDrivers(ctx, queries.SkillsOfDriversParams{OrgID: org, DriverIds: ids})
	for _, r := range rows {
		byID[r.DriverID].Skills = append(byID[r.DriverID].Skills, r.Name)
	}
	return err
}

// Drivers returns one page of the drivers by id, and their total number. A nil
// active returns active and inactive drivers; an external id returns only the
// driver that has it.
func (s *Store) Drivers(
	ctx context.Context, org int64, active *bool, externalID *string, page Page,
) ([]Driver, int64, error) {
	rows, err := s.of(org).ListDrivers(ctx, queries.ListDriversParams{
		OrgID: org, IsActive: active, ExternalID: externalID, PageSize: page.Size, Skip: page.skip(),
	})
	if err == nil && len(rows) == 0 && page.Number > 1 {
		_, total, err := s.Drivers(ctx, org, active, externalID, countOnly)
		return nil, total, err
	}
	if err != nil {
		return nil, 0, translate(err)
	}
	drivers, read := make([]Driver, len(rows)), make([]*Driver, len(rows))
	total := int64(0)
	for i := range rows {
		if drivers[i], err = newDriver(&rows[i].Driver); err != nil {
			return nil, 0, err
		}
		total, read[i] = rows[i].Total, &drivers[i]
	}
	return drivers, total, translate(withSkills(ctx, s.of(org), org, read...))
}

// Driver reads one driver.
func (s *Store) Driver(ctx context.Context, org, id int64) (Driver, error) {
	row, err := s.of(org).ReadDriver(ctx, queries.ReadDriverParams{OrgID: org, ID: id})
	if err != nil {
		return Driver{}, absent("driver", id, err)
	}
	d, err := newDriver(&row)
	if err != nil {
		return Driver{}, err
	}
	return d, translate(withSkills(ctx, s.of(org), org, &d))
}

// SaveNewDriver adds a driver, with its event. A used external id is a
// Duplicate fault; an unknown reference is a violation.
func (t *Tx) SaveNewDriver(ctx context.Context, d driver.Details) (Driver, error) {
	skills, err := t.checkDetails(ctx, Driver{}, d)
	if err != nil {
		return Driver{}, err
	}
	row, err := t.q.CreateDriver(ctx, queries.CreateDriverParams{
		OrgID: t.org, ExternalID: orNil(d.ExternalID), Name: d.Name, PhoneNumber: orNil(d.PhoneNumber),
		EmailAddress: orNil(d.EmailAddress), DepartmentID: orNil(d.DepartmentID), VehicleID: orNil(d.VehicleID),
		StartLocationID: orNil(d.StartLocationID), EndLocationID: orNil(d.EndLocationID),
		Preferences: PreferencesText(d.Preferences), DrivingFactor: d.Pace.Driving, VisitFactor: d.Pace.Visits,
	})
	if err != nil {
		return Driver{}, taken(d.ExternalID, err)
	}
	created, err := newDriver(&row)
	if err != nil {
		return Driver{}, err
	}
	if err := t.saveSkills(ctx, &created, skills); err != nil {
		return Driver{}, err
	}
	return created, t.Append(ctx, event.Driver{ID: created.ID}.Event(event.DriverCreated))
}

// LockDriver reads one driver and locks it for this transaction.
func (t *Tx) LockDriver(ctx context.Context, id int64) (Driver, error) {
	row, err := t.q.LockDriver(ctx, queries.LockDriverParams{OrgID: t.org, ID: id})
	if err != nil {
		return Driver{}, absent("driver", id, err)
	}
	d, err := newDriver(&row)
	if err != nil {
		return Driver{}, err
	}
	return d, withSkills(ctx, t.q, t.org, &d)
}

// SaveDetails updates the details of a driver, with an event. A used external
// id is a Duplicate fault; a new unknown reference is a violation.
func (t *Tx) SaveDetails(ctx context.Context, d *Driver, wanted driver.Details) error {
	skills, err := t.checkDetails(ctx, *d, wanted)
	if err != nil {
		return err
	}
	updated := event.Driver{ID: d.ID}.Event(event.DriverUpdated)
	updated.Data = event.Difference{Changed: d.Changed(wanted)}
	d.Details = wanted
	if err := t.updateDriver(ctx, d); err != nil {
		return err
	}
	if err := t.saveSkills(ctx, d, skills); err != nil {
		return err
	}
	return t.Append(ctx, updated)
}

// SaveDriverActive writes whether a driver is active, with its event.
func (t *Tx) SaveDriverActive(ctx context.Context, d *Driver, active bool) error {
	kind := event.DriverDeactivated
	if active {
		kind = event.DriverReactivated
	}
	d.IsActive = active
	if err := t.updateDriver(ctx, d); err != nil {
		return err
	}
	return t.Append(ctx, event.Driver{ID: d.ID}.Event(kind))
}

// updateDriver writes all of a driver but the skills.
func (t *Tx) updateDriver(ctx context.Context, d *Driver) error {
	row, err := t.q.UpdateDriver(ctx, queries.UpdateDriverParams{
		OrgID: t.org, ID: d.ID, ExternalID: orNil(d.ExternalID), Name: d.Name, PhoneNumber: orNil(d.PhoneNumber),
		EmailAddress: orNil(d.EmailAddress), IsActive: d.IsActive, DepartmentID: orNil(d.DepartmentID),
		VehicleID: orNil(d.VehicleID), StartLocationID: orNil(d.StartLocationID), EndLocationID: orNil(d.EndLocationID),
		Preferences: PreferencesText(d.Preferences), DrivingFactor: d.Pace.Driving, VisitFactor: d.Pace.Visits,
	})
	if err != nil {
		return taken(d.ExternalID, err)
	}
	saved, err := newDriver(&row)
	if err != nil {
		return err
	}
	saved.Skills = d.Skills
	*d = saved
	return nil
}

// CountOrdersOfDriver counts the orders that a driver has begun with.
func (t *Tx) CountOrdersOfDriver(ctx context.Context, id int64) (int64, error) {
	return t.q.ActiveOrdersOfDriver(ctx, queries.ActiveOrdersOfDriverParams{OrgID: t.org, DriverID: id})
}
