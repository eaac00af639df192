package masterdata

import (
	"context"
	"fmt"

	"waybill/domain/driver"
	"waybill/domain/event"
	"waybill/domain/organization"
	"waybill/store"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) drivers(ctx context.Context) (counts, error) {
	n, err := a.fleet(ctx)
	if err != nil {
		return counts{}, err
	}
	params := a.driverColumns(n)
	about := a.aboutDrivers(n)
	if err := n.err(); err != nil {
		return counts{}, err
	}
	rows, err := a.q.ApplyDrivers(ctx, params)
	if err != nil {
		return counts{}, err
	}
	c := newChanges()
	for _, r := range rows {
		c.note(r.ID, r.Created)
	}
	ids, err := a.q.DriversOfDocument(ctx, queries.DriversOfDocumentParams{
		OrgID: a.org, ExternalIds: params.ExternalIds, Names: params.Names,
	})
	if err != nil {
		return counts{}, err
	}
	if err := about.write(ctx, a, ids, c); err != nil {
		return counts{}, err
	}
	a.note(c, func(id int64, created bool) event.Event {
		if created {
			return event.Driver{ID: id}.Event(event.DriverCreated)
		}
		return event.Driver{ID: id}.Event(event.DriverUpdated)
	})
	return c.counts(), nil
}

func (a *applier) driverColumns(n *naming) queries.ApplyDriversParams {
	params := queries.ApplyDriversParams{OrgID: a.org}
	for i := range a.document.Drivers {
		d, path := &a.document.Drivers[i], fmt.Sprintf("drivers[%d]", i)
		columns.Add(&params.ExternalIds, d.ExternalID)
		columns.Add(&params.Names, d.Name)
		columns.Add(&params.PhoneNumbers, d.PhoneNumber)
		columns.Add(&params.EmailAddresses, d.EmailAddress)
		columns.Add(&params.DepartmentIds, n.findAny("department", d.Department, path+".department"))
		columns.Add(&params.VehicleIds, n.findAny("vehicle", d.Vehicle, path+".vehicle"))
		columns.Add(&params.StartLocationIds, n.findAny("location", d.StartLocation, path+".startLocation"))
		columns.Add(&params.EndLocationIds, n.findAny("location", d.EndLocation, path+".endLocation"))
		columns.Add(&params.DrivingFactors, d.DrivingFactor)
		columns.Add(&params.VisitFactors, d.VisitFactor)
	}
	return params
}

// aboutDrivers are the ids that the drivers of a document refer to, in its
// order.
type aboutDrivers struct {
	skills, customers, locations [][]int64
	preferences                  []driver.Preferences
	// hours are those of the rules of each driver, with the locations of their breaks.
	hours [][]driver.Hours
}

func (a *applier) aboutDrivers(n *naming) aboutDrivers {
	var about aboutDrivers
	for i := range a.document.Drivers {
		d, path := &a.document.Drivers[i], fmt.Sprintf("drivers[%d]", i)
		about.skills = append(about.skills, n.findAll("skill", d.Skills, path+".skills"))
		about.customers = append(about.customers, n.findAll("customer", d.ProhibitedCustomers, path+".prohibitedCustomers"))
		about.locations = append(about.locations, n.findAll("location", d.ProhibitedLocations, path+".prohibitedLocations"))
		about.preferences = append(about.preferences, preferencesOf(n, d, path))
		about.hours = append(about.hours, hoursOf(n, d, path))
	}
	return about
}

// write saves the drivers' skills, prohibitions and working hours.
func (d aboutDrivers) write(ctx context.Context, a *applier, ids []int64, c changes) error {
	drivers, skills := pairs(ids, d.skills)
	err := c.add(a.q.ApplyDriverSkills(ctx, queries.ApplyDriverSkillsParams{
		OrgID: a.org, AllIds: ids, DriverIds: drivers, SkillIds: skills,
	}))
	if err != nil {
		return fmt.Errorf("skills: %w", err)
	}
	drivers, customers := pairs(ids, d.customers)
	err = c.add(a.q.ApplyProhibitedCustomers(ctx, queries.ApplyProhibitedCustomersParams{
		OrgID: a.org, AllIds: ids, DriverIds: drivers, CustomerIds: customers,
	}))
	if err != nil {
		return fmt.Errorf("prohibited customers: %w", err)
	}
	drivers, locations := pairs(ids, d.locations)
	err = c.add(a.q.ApplyProhibitedLocations(ctx, queries.ApplyProhibitedLocationsParams{
		OrgID: a.org, AllIds: ids, DriverIds: drivers, LocationIds: locations,
	}))
	if err != nil {
		return fmt.Errorf("prohibited locations: %w", err)
	}
	if err := d.prefer(ctx, a, ids, c); err != nil {
		return fmt.Errorf("preferences: %w", err)
	}
	if err := c.add(a.q.ApplyWorkdayRules(ctx, a.workdayColumns(ids, d.hours))); err != nil {
		return fmt.Errorf("workdays: %w", err)
	}
	return nil
}

// hoursOf are the hours of the rules of a driver, with the locations of their breaks.
func hoursOf(n *naming, d *organization.Driver, path string) (all []driver.Hours) {
	for i, w := range d.Workdays {
		at := fmt.Sprintf("%s.workdays[%d]", path, i)
		var ids []int64
		if w.Break != nil {
			ids = append(ids, n.findAny("location", w.Break.Location, at+".break.location"))
		}
		for j, b := range w.MoreBreaks {
			ids = append(ids, n.findAny("location", b.Location, fmt.Sprintf("%s.moreBreaks[%d].location", at, j)))
		}
		all = append(all, w.Hours().At(ids))
	}
	return all
}

// preferencesOf are those of a driver of the document.
func preferencesOf(n *naming, d *organization.Driver, path string) driver.Preferences {
	return driver.Preferences{
		Customers: n.findAll("customer", d.PreferredCustomers, path+".preferredCustomers"),
		Locations: n.findAll("location", d.PreferredLocations, path+".preferredLocations"),
		Territory: organization.AreasOf(d.Territory),
	}
}

// prefer saves the drivers' preferences.
func (d aboutDrivers) prefer(ctx context.Context, a *applier, ids []int64, c changes) error {
	params := queries.ApplyDriverPreferencesParams{OrgID: a.org, DriverIds: ids}
	for i := range ids {
		columns.Add(&params.Preferences, store.PreferencesText(d.preferences[i]))
	}
	return c.add(a.q.ApplyDriverPreferences(ctx, params))
}

// pairs returns one row for every driver and reference.
func pairs(ids []int64, named [][]int64) (drivers, others []int64) {
	for i, id := range ids {
		for _, other := range named[i] {
			drivers, others = append(drivers, id), append(others, other)
		}
	}
	return drivers, others
}

func (a *applier) workdayColumns(ids []int64, of [][]driver.Hours) queries.ApplyWorkdayRulesParams {
	params := queries.ApplyWorkdayRulesParams{OrgID: a.org, AllIds: ids}
	for i, id := range ids {
		for seq, w := range a.document.Drivers[i].Workdays {
			hours := of[i][seq]
			columns.Add(&params.DriverIds, id)
			columns.Add(&params.Seqs, int16(seq))
			columns.Add(&params.Rrules, w.RRule)
			columns.Add(&params.Starts, int16(hours.Starts))
			columns.Add(&params.Ends, int16(hours.Ends))
			columns.Add(&params.BreakMinutes, int16(hours.Break.Minutes))
			columns.Add(&params.BreakEarliests, int16(hours.Break.Earliest))
			columns.Add(&params.BreakLatests, int16(hours.Break.Latest))
			columns.Add(&params.MoreBreaks, store.BreaksText(hours.More))
			columns.Add(&params.BreakLocationIds, store.BreakLocationsText(hours))
		}
	}
	return params
}

func (a *applier) pruneDrivers(ctx context.Context) (int64, error) {
	params := queries.PruneDriversParams{OrgID: a.org, ExternalIds: []string{}, Names: []string{}}
	for _, d := range a.document.Drivers {
		if d.ExternalID != "" {
			columns.Add(&params.ExternalIds, d.ExternalID)
		} else {
			columns.Add(&params.Names, d.Name)
		}
	}
	pruned, err := a.q.PruneDrivers(ctx, params)
	for _, id := range pruned.Ids {
		a.events = append(a.events, event.Driver{ID: id}.Event(event.DriverDeactivated))
	}
	return pruned.Removed, err
}
