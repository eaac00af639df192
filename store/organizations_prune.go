package store

import (
	"context"
	"fmt"

	"waybill/domain/organization"
	"waybill/store/queries"
)

// prune removes what the sections of the document no longer have: intervals
// and price lists before what they speak of, customers before the departments
// that they belong to.
func (a *applier) prune(ctx context.Context) error {
	d := a.document
	for _, section := range []struct {
		name  string
		given bool
		prune func(context.Context) (pruned, error)
	}{
		{"intervals", d.Intervals != nil, a.pruneIntervals},
		{"priceLists", d.PriceLists != nil, a.prunePriceLists},
		{"zones", d.Zones != nil, a.pruneZones},
		{"freightLevels", d.FreightLevels != nil, a.pruneFreightLevels},
		{"customers", d.Customers != nil, a.pruneCustomers},
		{"departments", d.Departments != nil, a.pruneDepartments},
		{"vehicleTypes", d.VehicleTypes != nil, a.pruneVehicleTypes},
		{"orderTypes", d.OrderTypes != nil, a.pruneOrderTypes},
		{"carriers", d.Carriers != nil, a.pruneCarriers},
		{"skills", d.Skills != nil, a.pruneSkills},
		{"groups", d.Groups != nil, a.pruneGroups},
		{"drivers", d.Drivers != nil, a.pruneDrivers},
		{"customFields", d.CustomFields != nil, a.pruneCustomFields},
		{"transformations", d.Transformations != nil, a.pruneTransformations},
		{"notifications", d.Notifications != nil, a.pruneNotificationRules},
	} {
		if !section.given {
			continue
		}
		n, err := section.prune(ctx)
		if err != nil {
			return fmt.Errorf("prune %s: %w", section.name, err)
		}
		for i := range a.applied.Sections {
			if a.applied.Sections[i].Name == section.name {
				a.applied.Sections[i].Removed = int(n.Deleted + n.Deactivated)
			}
		}
	}
	return nil
}

func (a *applier) pruneCustomers(ctx context.Context) (pruned, error) {
	params := queries.PruneCustomersParams{OrgID: a.org, ExternalIds: []string{}, Names: []string{}}
	for _, c := range a.document.Customers {
		if c.ExternalID != "" {
			put(&params.ExternalIds, c.ExternalID)
		} else {
			put(&params.Names, c.BusinessName)
		}
	}
	n, err := a.q.PruneCustomers(ctx, params)
	return pruned(n), err
}

func (a *applier) pruneIntervals(ctx context.Context) (pruned, error) {
	names := column(a.document.Intervals, func(v organization.Interval) string { return v.Name })
	n, err := a.q.PruneIntervals(ctx, queries.PruneIntervalsParams{OrgID: a.org, Names: names})
	return pruned(n), err
}

func (a *applier) prunePriceLists(ctx context.Context) (pruned, error) {
	names := column(a.document.PriceLists, func(l organization.PriceList) string { return l.Name })
	n, err := a.q.PrunePriceLists(ctx, queries.PrunePriceListsParams{OrgID: a.org, Names: names})
	return pruned{Deleted: n}, err
}

func (a *applier) pruneZones(ctx context.Context) (pruned, error) {
	names := column(a.document.Zones, func(z organization.Zone) string { return z.Name })
	n, err := a.q.PruneZones(ctx, queries.PruneZonesParams{OrgID: a.org, Names: names})
	return pruned(n), err
}

func (a *applier) pruneFreightLevels(ctx context.Context) (pruned, error) {
	names := column(a.document.FreightLevels, func(l organization.FreightLevel) string { return l.Name })
	n, err := a.q.PruneFreightLevels(ctx, queries.PruneFreightLevelsParams{OrgID: a.org, Names: names})
	return pruned(n), err
}

func (a *applier) pruneDepartments(ctx context.Context) (pruned, error) {
	n, err := a.q.PruneDepartments(ctx, queries.PruneDepartmentsParams{OrgID: a.org, Names: column(a.document.Departments, nameOf)})
	return pruned{Deleted: n}, err
}

func (a *applier) pruneVehicleTypes(ctx context.Context) (pruned, error) {
	names := column(a.document.VehicleTypes, func(v organization.VehicleType) string { return v.Name })
	n, err := a.q.PruneVehicleTypes(ctx, queries.PruneVehicleTypesParams{OrgID: a.org, Names: names})
	return pruned(n), err
}

func (a *applier) pruneOrderTypes(ctx context.Context) (pruned, error) {
	names := column(a.document.OrderTypes, func(t organization.OrderType) string { return t.Name })
	n, err := a.q.PruneOrderTypes(ctx, queries.PruneOrderTypesParams{OrgID: a.org, Names: names})
	return pruned(n), err
}

func (a *applier) pruneCarriers(ctx context.Context) (pruned, error) {
	names := column(a.document.Carriers, func(c organization.Carrier) string { return c.Name })
	n, err := a.q.PruneCarriers(ctx, queries.PruneCarriersParams{OrgID: a.org, Names: names})
	return pruned{Deleted: n}, err
}

func (a *applier) pruneSkills(ctx context.Context) (pruned, error) {
	n, err := a.q.PruneSkills(ctx, queries.PruneSkillsParams{OrgID: a.org, Names: column(a.document.Skills, nameOf)})
	return pruned(n), err
}

func (a *applier) pruneGroups(ctx context.Context) (pruned, error) {
	n, err := a.q.PruneGroups(ctx, queries.PruneGroupsParams{OrgID: a.org, Names: column(a.document.Groups, nameOf)})
	return pruned(n), err
}

func (a *applier) pruneCustomFields(ctx context.Context) (pruned, error) {
	ids := column(a.document.CustomFields, func(f organization.CustomField) string { return f.ExternalID })
	n, err := a.q.PruneCustomFields(ctx, queries.PruneCustomFieldsParams{OrgID: a.org, ExternalIds: ids})
	return pruned(n), err
}
