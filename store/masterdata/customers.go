package masterdata

import (
	"context"
	"fmt"

	"waybill/domain/masterdata"
	"waybill/domain/organization"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) departments(ctx context.Context) (counts, error) {
	params := queries.ApplyDepartmentsParams{OrgID: a.org}
	for i := range a.document.Departments {
		d := &a.document.Departments[i]
		said, usual := d.Release, masterdata.UsualRelease
		if said == nil {
			said = &organization.Release{}
		}
		columns.Add(&params.Names, d.Name)
		columns.Add(&params.SaysReleases, d.Release != nil)
		columns.Add(&params.ReleaseMinutes, columns.OrMinusOne[int16](said.At))
		columns.Add(&params.DaysBefores, orUsual(said.DaysBefore, usual.ReleaseDaysBefore))
		columns.Add(&params.Thresholds, orUsual(said.ThresholdMinutes, usual.ReleaseThresholdMinutes))
	}
	said := columns.Of(a.document.Departments, func(d organization.Department) *string { return d.Calendar })
	kept, err := a.calendarsKept(ctx, "departments", said)
	if err != nil {
		return counts{}, err
	}
	params.CalendarIds = kept
	n, err := a.q.ApplyDepartments(ctx, params)
	return counts(n), err
}

func orUsual(said *int, usual int32) int32 {
	if said == nil {
		return usual
	}
	return int32(*said)
}

func (a *applier) pruneDepartments(ctx context.Context) (int64, error) {
	names := columns.Of(a.document.Departments, func(d organization.Department) string { return d.Name })
	return a.q.PruneDepartments(ctx, queries.PruneDepartmentsParams{OrgID: a.org, Names: names})
}

func (a *applier) customers(ctx context.Context) (counts, error) {
	if err := a.knowDepartments(ctx); err != nil {
		return counts{}, err
	}
	customers := a.document.Customers
	said := columns.Of(customers, func(c organization.Customer) *string { return c.Calendar })
	kept, err := a.calendarsKept(ctx, "customers", said)
	if err != nil {
		return counts{}, err
	}
	n, err := a.q.ApplyCustomers(ctx, queries.ApplyCustomersParams{
		OrgID:          a.org,
		ExternalIds:    columns.Of(customers, func(c organization.Customer) string { return c.ExternalID }),
		BusinessNames:  columns.Of(customers, func(c organization.Customer) string { return c.BusinessName }),
		Departments:    columns.Of(customers, func(c organization.Customer) string { return c.Department }),
		EmailAddresses: columns.Of(customers, func(c organization.Customer) string { return c.EmailAddress }),
		PhoneNumbers:   columns.Of(customers, func(c organization.Customer) string { return c.PhoneNumber }),
		CalendarIds:    kept,
	})
	return counts(n), err
}

// knowDepartments rejects customers whose departments are in neither the
// document nor the database.
func (a *applier) knowDepartments(ctx context.Context) error {
	var named []string
	for _, c := range a.document.Customers {
		if c.Department != "" {
			named = append(named, c.Department)
		}
	}
	unknown, err := a.q.UnknownDepartments(ctx, queries.UnknownDepartmentsParams{OrgID: a.org, Names: named})
	if err != nil || len(unknown) == 0 {
		return err
	}
	isUnknown := make(map[string]bool, len(unknown))
	for _, name := range unknown {
		isUnknown[name] = true
	}
	var problems organization.Problems
	for i, c := range a.document.Customers {
		if isUnknown[c.Department] {
			path := fmt.Sprintf("customers[%d].department", i)
			problems = append(problems, a.document.Problem(path, "department %q not found", c.Department))
		}
	}
	return problems
}

func (a *applier) pruneCustomers(ctx context.Context) (int64, error) {
	params := queries.PruneCustomersParams{OrgID: a.org, ExternalIds: []string{}, Names: []string{}}
	for _, c := range a.document.Customers {
		if c.ExternalID != "" {
			columns.Add(&params.ExternalIds, c.ExternalID)
		} else {
			columns.Add(&params.Names, c.BusinessName)
		}
	}
	return a.q.PruneCustomers(ctx, params)
}
