package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"waybill/domain/caller"
	"waybill/domain/organization"
	"waybill/store/queries"
)

// ApplyOptions say how far applying a document goes.
type ApplyOptions struct {
	// Prune removes what the document's sections no longer have: it deletes
	// what nothing refers to, and marks the rest inactive. Locations are never
	// removed, because imports create them, nor is what belongs to a section
	// that the document leaves out.
	Prune bool
	// DryRun finds out what would be done, and writes nothing.
	DryRun bool
}

// Applied is what applying a document did.
type Applied struct {
	OrgID int64
	// Sections are those that the document has, in its order.
	Sections []AppliedSection
}

// AppliedSection counts what became of one section.
type AppliedSection struct {
	Name      string
	Created   int
	Updated   int
	Unchanged int
	// Removed counts what is deleted or marked inactive.
	Removed int
}

// applyTries is how often a document is applied that meets a change of the
// same rows by somebody else.
const applyTries = 3

// errDryRun takes back what a dry run did.
var errDryRun = errors.New("dry run")

// ApplyOrganization makes an organization what its document says, in one
// transaction, and creates it when it is new. What is so already is not
// written. A document that refers to something unknown gives
// organization.Problems.
func (s *Store) ApplyOrganization(ctx context.Context, d *organization.Document, options ApplyOptions) (Applied, error) {
	for try := 1; ; try++ {
		applied, err := s.applyOnce(ctx, d, options)
		switch {
		case err == nil, errors.Is(err, errDryRun):
			return applied, nil
		case try < applyTries && overtaken(err):
			continue
		}
		return Applied{}, err
	}
}

func (s *Store) applyOnce(ctx context.Context, d *organization.Document, options ApplyOptions) (Applied, error) {
	org, err := s.anyone().FindOrganization(ctx, d.Organization.Slug)
	if err != nil {
		return Applied{}, translate(err)
	}
	isNew := org == 0
	if isNew {
		if org, err = s.anyone().NextOrganizationID(ctx); err != nil {
			return Applied{}, translate(err)
		}
	}
	a := applier{document: d, options: options, applied: Applied{OrgID: org}}
	err = s.InTx(ctx, caller.Service(org, "waybill apply"), func(tx *Tx) error {
		a.q, a.org = tx.q, tx.org
		if err := a.apply(ctx, isNew); err != nil {
			return err
		}
		if options.DryRun {
			return errDryRun
		}
		return nil
	})
	return a.applied, err
}

// overtaken tells whether somebody else created or referred to the same thing
// at the same moment.
func overtaken(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		return false
	}
	switch refused.Code {
	case "23505", "23503", "40001", "40P01": // unique, foreign key, serialization, deadlock
		return true
	}
	return false
}

// applier applies one document in one transaction.
type applier struct {
	q        *queries.Queries
	org      int64
	document *organization.Document
	options  ApplyOptions
	applied  Applied
}

// counts are the rows that a statement created and updated.
type counts struct{ Created, Updated int32 }

// pruned are the rows that a statement deleted and marked inactive.
type pruned struct{ Deleted, Deactivated int32 }

// section is a part of the document and how it is applied.
type section struct {
	name  string
	given bool
	size  int
	apply func(context.Context) (counts, error)
}

func (a *applier) apply(ctx context.Context, isNew bool) error {
	if err := a.organization(ctx, isNew); err != nil {
		return fmt.Errorf("apply organization: %w", err)
	}
	for _, section := range a.sections() {
		if !section.given {
			continue
		}
		n, err := section.apply(ctx)
		if err != nil {
			return fmt.Errorf("apply %s: %w", section.name, err)
		}
		a.add(section.name, section.size, n)
	}
	if a.options.Prune {
		return a.prune(ctx)
	}
	return nil
}

// sections are those of the document, in the order in which they refer to one
// another.
func (a *applier) sections() []section {
	d := a.document
	return []section{
		{"departments", d.Departments != nil, len(d.Departments), a.departments},
		{"customers", d.Customers != nil, len(d.Customers), a.customers},
		{"vehicleTypes", d.VehicleTypes != nil, len(d.VehicleTypes), a.vehicleTypes},
		{"orderTypes", d.OrderTypes != nil, len(d.OrderTypes), a.orderTypes},
		{"carriers", d.Carriers != nil, len(d.Carriers), a.carriers},
		{"skills", d.Skills != nil, len(d.Skills), a.skills},
		{"groups", d.Groups != nil, len(d.Groups), a.groups},
		{"drivers", d.Drivers != nil, len(d.Drivers), a.drivers},
		{"customFields", d.CustomFields != nil, len(d.CustomFields), a.customFields},
		{"transformations", d.Transformations != nil, len(d.Transformations), a.transformations},
		{"locations", d.Locations != nil, len(d.Locations), a.locations},
		{"zones", d.Zones != nil, len(d.Zones), a.zones},
		{"freightLevels", d.FreightLevels != nil, len(d.FreightLevels), a.freightLevels},
		{"intervals", d.Intervals != nil, len(d.Intervals), a.intervals},
		{"priceLists", d.PriceLists != nil, len(d.PriceLists), a.priceLists},
		{"messaging", d.Messaging != nil, 1, a.messaging},
		{"notifications", d.Notifications != nil, len(d.Notifications), a.notificationRules},
	}
}

func (a *applier) add(name string, size int, n counts) {
	created, updated := int(n.Created), int(n.Updated)
	a.applied.Sections = append(a.applied.Sections, AppliedSection{
		Name: name, Created: created, Updated: updated, Unchanged: size - created - updated,
	})
}

// organization also locks the row, so that documents take turns.
func (a *applier) organization(ctx context.Context, isNew bool) error {
	o := a.document.Organization
	settings := a.document.Settings
	if isNew {
		create := queries.CreateOrganizationParams{OrgID: a.org, Slug: o.Slug, Name: o.Name, Timezone: o.Timezone, Language: o.Language}
		if settings != nil {
			create.AllowMerge, create.Reexport = settings.AllowMerge, settings.Reexport
		}
		a.add("organization", 1, counts{Created: 1})
		return a.q.CreateOrganization(ctx, create)
	}
	if _, err := a.q.LockOrganization(ctx, a.org); err != nil {
		return err
	}
	update := queries.UpdateOrganizationParams{OrgID: a.org, Name: o.Name, Timezone: o.Timezone, Language: o.Language}
	if settings != nil {
		update.AllowMerge, update.Reexport = &settings.AllowMerge, &settings.Reexport
	}
	changed, err := a.q.UpdateOrganization(ctx, update)
	a.add("organization", 1, counts{Updated: int32(changed)})
	return err
}

func (a *applier) departments(ctx context.Context) (counts, error) {
	n, err := a.q.ApplyDepartments(ctx, queries.ApplyDepartmentsParams{
		OrgID: a.org, Names: column(a.document.Departments, nameOf),
	})
	return counts(n), err
}

func (a *applier) customers(ctx context.Context) (counts, error) {
	if err := a.knowDepartments(ctx); err != nil {
		return counts{}, err
	}
	customers := a.document.Customers
	n, err := a.q.ApplyCustomers(ctx, queries.ApplyCustomersParams{
		OrgID:          a.org,
		ExternalIds:    column(customers, func(c organization.Customer) string { return c.ExternalID }),
		BusinessNames:  column(customers, func(c organization.Customer) string { return c.BusinessName }),
		Departments:    column(customers, func(c organization.Customer) string { return c.Department }),
		EmailAddresses: column(customers, func(c organization.Customer) string { return c.EmailAddress }),
		PhoneNumbers:   column(customers, func(c organization.Customer) string { return c.PhoneNumber }),
	})
	return counts(n), err
}

// knowDepartments refuses customers of departments that neither the document
// nor the database knows.
func (a *applier) knowDepartments(ctx context.Context) error {
	var named []string
	for _, c := range a.document.Customers {
		if c.Department != "" {
			named = append(named, c.Department)
		}
	}
	unknown, err := a.q.UnknownDepartments(ctx, queries.UnknownDepartmentsParams{OrgID: a.org, Names: distinct(named)})
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
			problems = append(problems, a.document.Problem(path, "there is no department %q", c.Department))
		}
	}
	return problems
}

func (a *applier) vehicleTypes(ctx context.Context) (counts, error) {
	types := a.document.VehicleTypes
	n, err := a.q.ApplyVehicleTypes(ctx, queries.ApplyVehicleTypesParams{
		OrgID:        a.org,
		Names:        column(types, func(v organization.VehicleType) string { return v.Name }),
		MaxWeightsKg: column(types, func(v organization.VehicleType) float64 { return orNaN(v.MaxWeightKg) }),
		MaxVolumesM3: column(types, func(v organization.VehicleType) float64 { return orNaN(v.MaxVolumeM3) }),
	})
	return counts(n), err
}

func (a *applier) orderTypes(ctx context.Context) (counts, error) {
	params := queries.ApplyOrderTypesParams{OrgID: a.org}
	for _, t := range a.document.OrderTypes {
		put(&params.Names, t.Name)
		put(&params.Priorities, int32(t.Priority))
		put(&params.ReadyFroms, orMinusOne[int16](t.ReadyFrom))
		put(&params.PickUpBefores, orMinusOne[int16](t.PickUpBefore))
		put(&params.DeliverBefores, orMinusOne[int16](t.DeliverBefore))
		put(&params.MinBookAheads, orMinusOne[int32](t.MinBookAheadMinutes))
		put(&params.MaxBookAheads, orMinusOne[int32](t.MaxBookAheadMinutes))
		put(&params.ExportCarriers, t.ExportCarrier)
	}
	n, err := a.q.ApplyOrderTypes(ctx, params)
	return counts(n), err
}

func (a *applier) carriers(ctx context.Context) (counts, error) {
	n, err := a.q.ApplyCarriers(ctx, queries.ApplyCarriersParams{
		OrgID:      a.org,
		Names:      column(a.document.Carriers, func(c organization.Carrier) string { return c.Name }),
		SecretEnvs: column(a.document.Carriers, func(c organization.Carrier) string { return c.SecretEnv }),
	})
	return counts(n), err
}

func (a *applier) skills(ctx context.Context) (counts, error) {
	n, err := a.q.ApplySkills(ctx, queries.ApplySkillsParams{OrgID: a.org, Names: column(a.document.Skills, nameOf)})
	return counts(n), err
}

func (a *applier) groups(ctx context.Context) (counts, error) {
	n, err := a.q.ApplyGroups(ctx, queries.ApplyGroupsParams{OrgID: a.org, Names: column(a.document.Groups, nameOf)})
	return counts(n), err
}

func (a *applier) customFields(ctx context.Context) (counts, error) {
	params := queries.ApplyCustomFieldsParams{OrgID: a.org}
	for i := range a.document.CustomFields {
		f := &a.document.CustomFields[i]
		put(&params.ExternalIds, f.ExternalID)
		put(&params.Labels, f.Label)
		put(&params.Titles, f.Title)
		put(&params.Descriptions, f.Description)
		put(&params.Icons, f.Icon)
		put(&params.ColorBackgrounds, f.ColorScheme.Background)
		put(&params.ColorTexts, f.ColorScheme.Text)
		put(&params.SortOrderBatches, f.SortOrderBatch)
		put(&params.DisplayOns, f.DisplayOn)
		put(&params.DisplayStyles, f.DisplayStyle)
	}
	n, err := a.q.ApplyCustomFields(ctx, params)
	return counts(n), err
}

func nameOf(n organization.Named) string { return n.Name }
