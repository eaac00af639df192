package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/store/queries"
)

// reference is a record that a field names by its id; 0 is none. A place is a location that must have a position.
type reference struct {
	kind, field string
	id          int64
}

// checkReferences returns violations for references that do not exist or are
// inactive.
func (t *Tx) checkReferences(ctx context.Context, named ...reference) ([]fault.Violation, error) {
	params := queries.UnknownReferencesParams{OrgID: t.org}
	for _, r := range named {
		switch {
		case r.id == 0:
		case r.kind == "department":
			params.Departments = append(params.Departments, r.id)
		case r.kind == "vehicle":
			params.Vehicles = append(params.Vehicles, r.id)
		case r.kind == "place":
			params.Places = append(params.Places, r.id)
		case r.kind == "customer":
			params.Customers = append(params.Customers, r.id)
		default:
			params.Locations = append(params.Locations, r.id)
		}
	}
	rows, err := t.q.UnknownReferences(ctx, params)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	unknown := make(map[queries.UnknownReferencesRow]bool, len(rows))
	for _, r := range rows {
		unknown[r] = true
	}
	var problems []fault.Violation
	for _, r := range named {
		if unknown[queries.UnknownReferencesRow{Kind: r.kind, ID: r.id}] {
			problems = append(problems, fault.Violation{
				Field: r.field, Text: fault.Say("driver.unknown_"+r.kind, "name", fmt.Sprint(r.id)),
			})
		}
	}
	return problems, nil
}

// checkDetails returns the ids of a driver's skills, or violations for missing
// references. References that the driver already has are accepted.
func (t *Tx) checkDetails(ctx context.Context, d Driver, wanted driver.Details) ([]int64, error) {
	named := []reference{}
	for _, r := range []struct {
		reference

		before int64
	}{
		{reference{"department", "department_id", wanted.DepartmentID}, d.DepartmentID},
		{reference{"vehicle", "vehicle_id", wanted.VehicleID}, d.VehicleID},
		{reference{"location", "start_location_id", wanted.StartLocationID}, d.StartLocationID},
		{reference{"location", "end_location_id", wanted.EndLocationID}, d.EndLocationID},
	} {
		if r.id != r.before {
			named = append(named, r.reference)
		}
	}
	named = append(named, newPreferences(&d.Preferences, &wanted.Preferences)...)
	problems, err := t.checkReferences(ctx, named...)
	if err != nil {
		return nil, err
	}
	skills, unknown, err := t.findSkills(ctx, d.ID, wanted.Skills)
	if err != nil {
		return nil, err
	}
	return skills, violated(append(problems, unknown...))
}

// newPreferences are the customers and locations that a driver did not prefer before.
func newPreferences(before, wanted *driver.Preferences) []reference {
	var named []reference
	for _, id := range wanted.Customers {
		if !slices.Contains(before.Customers, id) {
			named = append(named, reference{"customer", "preferences.customer_ids", id})
		}
	}
	for _, id := range wanted.Locations {
		if !slices.Contains(before.Locations, id) {
			named = append(named, reference{"location", "preferences.location_ids", id})
		}
	}
	return named
}

// findSkills returns the ids of skills by their names, and violations for
// unknown ones.
func (t *Tx) findSkills(ctx context.Context, driverID int64, names []string) ([]int64, []fault.Violation, error) {
	rows, err := t.q.FindSkills(ctx, queries.FindSkillsParams{OrgID: t.org, DriverID: driverID, Names: names})
	if err != nil {
		return nil, nil, err
	}
	known := make(map[string]int64, len(rows))
	for _, r := range rows {
		known[strings.ToLower(r.Name)] = r.ID
	}
	var problems []fault.Violation
	ids := []int64{}
	for i, name := range names {
		id, ok := known[strings.ToLower(name)]
		if !ok {
			problems = append(problems, fault.Violation{
				Field: fmt.Sprintf("skills[%d]", i), Text: fault.Say("driver.unknown_skill", "name", name),
			})
		}
		ids = append(ids, id)
	}
	return ids, problems, nil
}

// violated returns a fault with the violations, or nil if there are none.
func violated(problems []fault.Violation) error {
	if len(problems) == 0 {
		return nil
	}
	return &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"), Violations: problems}
}

// saveSkills makes the skills of a driver these, and completes the driver.
func (t *Tx) saveSkills(ctx context.Context, d *Driver, ids []int64) error {
	err := t.q.SetDriverSkills(ctx, queries.SetDriverSkillsParams{OrgID: t.org, DriverID: d.ID, SkillIds: ids})
	if err != nil {
		return fmt.Errorf("set skills: %w", err)
	}
	return withSkills(ctx, t.q, t.org, d)
}
