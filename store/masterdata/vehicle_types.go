package masterdata

import (
	"context"
	"fmt"

	"waybill/domain/organization"
	"waybill/store"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) vehicleTypes(ctx context.Context) (counts, error) {
	types := a.document.VehicleTypes
	number := func(of func(organization.VehicleType) *float64) []float64 {
		return columns.Of(types, func(v organization.VehicleType) float64 { return columns.OrNaN(of(v)) })
	}
	rows, err := a.q.ApplyVehicleTypes(ctx, queries.ApplyVehicleTypesParams{
		OrgID:             a.org,
		Names:             columns.Of(types, func(v organization.VehicleType) string { return v.Name }),
		MaxWeightsKg:      number(func(v organization.VehicleType) *float64 { return v.MaxWeightKg }),
		MaxVolumesM3:      number(func(v organization.VehicleType) *float64 { return v.MaxVolumeM3 }),
		MaxRoutesKm:       number(func(v organization.VehicleType) *float64 { return v.MaxRouteKm }),
		MaxStops:          columns.Of(types, func(v organization.VehicleType) int32 { return limitOf(v.MaxStops) }),
		MaxDrivingMinutes: columns.Of(types, func(v organization.VehicleType) int32 { return limitOf(v.MaxDrivingMinutes) }),
		DrivingRules:      columns.Of(types, func(v organization.VehicleType) string { return v.DrivingRule }),
		MaxLoads:          columns.Of(types, func(v organization.VehicleType) string { return store.LoadsText(v.MaxLoads) }),
		ExtraSetupSeconds: columns.Of(types, func(v organization.VehicleType) int32 { return int32(v.ExtraSetupSeconds) }),
		TravelsAs:         columns.Of(types, func(v organization.VehicleType) string { return v.TravelsAs }),

		HeightsM:       number(func(v organization.VehicleType) *float64 { return v.HeightM }),
		WidthsM:        number(func(v organization.VehicleType) *float64 { return v.WidthM }),
		LengthsM:       number(func(v organization.VehicleType) *float64 { return v.LengthM }),
		GrossWeightsKg: number(func(v organization.VehicleType) *float64 { return v.GrossWeightKg }),
		AxleLoadsKg:    number(func(v organization.VehicleType) *float64 { return v.AxleLoadKg }),
		TopSpeedsKmh:   number(func(v organization.VehicleType) *float64 { return v.TopSpeedKmh }),
		CostsPerShift:  number(func(v organization.VehicleType) *float64 { return v.CostPerShift }),
		CostsPerHour:   number(func(v organization.VehicleType) *float64 { return v.CostPerHour }),
		CostsPerKm:     number(func(v organization.VehicleType) *float64 { return v.CostPerKm }),
		HazardousGoods: columns.Of(types, func(v organization.VehicleType) bool { return v.HazardousGoods }),
		AvoidsFerries:  columns.Of(types, func(v organization.VehicleType) bool { return v.AvoidsFerries }),
		AvoidsTolls:    columns.Of(types, func(v organization.VehicleType) bool { return v.AvoidsTolls }),
	})
	if err != nil {
		return counts{}, err
	}
	return a.typesServe(ctx, rows)
}

// typesServe counts the types that were written, and saves which others' orders they may carry.
func (a *applier) typesServe(ctx context.Context, rows []queries.ApplyVehicleTypesRow) (counts, error) {
	c := newChanges()
	for _, r := range rows {
		c.note(r.ID, r.Created)
	}
	if err := a.alsoServes(ctx, c); err != nil {
		return counts{}, err
	}
	return c.counts(), nil
}

// limitOf returns a limit, or 0 without one.
func limitOf(limit *int) int32 {
	if limit == nil {
		return 0
	}
	return int32(*limit)
}

// alsoServes saves which other vehicle types' orders the types may carry.
func (a *applier) alsoServes(ctx context.Context, c changes) error {
	n, err := a.fleet(ctx)
	if err != nil {
		return err
	}
	params := queries.ApplyAlsoServesParams{OrgID: a.org}
	for i, v := range a.document.VehicleTypes {
		id := n.id("vehicleType", v.Name)
		columns.Add(&params.AllIds, id)
		for j, name := range v.AlsoServes {
			columns.Add(&params.VehicleTypeIds, id)
			columns.Add(&params.ServedTypeIds, n.find("vehicleType", name, fmt.Sprintf("vehicleTypes[%d].alsoServes[%d]", i, j)))
		}
	}
	if err := n.err(); err != nil {
		return err
	}
	return c.add(a.q.ApplyAlsoServes(ctx, params))
}

func (a *applier) pruneVehicleTypes(ctx context.Context) (int64, error) {
	names := columns.Of(a.document.VehicleTypes, func(v organization.VehicleType) string { return v.Name })
	return a.q.PruneVehicleTypes(ctx, queries.PruneVehicleTypesParams{OrgID: a.org, Names: names})
}

// fleet resolves the references of the fleet's sections.
func (a *applier) fleet(ctx context.Context) (*naming, error) {
	params := queries.NamedForFleetParams{OrgID: a.org, Customers: []string{}, Locations: []string{}}
	for _, v := range a.document.Vehicles {
		columns.Add(&params.Locations, v.HomeLocation)
	}
	for i := range a.document.Drivers {
		d := &a.document.Drivers[i]
		params.Locations = append(append(params.Locations, d.ProhibitedLocations...), d.StartLocation, d.EndLocation)
		params.Locations = append(params.Locations, d.PreferredLocations...)
		params.Customers = append(params.Customers, d.PreferredCustomers...)
		params.Customers = append(params.Customers, d.ProhibitedCustomers...)
	}
	rows, err := a.q.NamedForFleet(ctx, params)
	known := named{}
	for _, r := range rows {
		known.add(r.Kind, r.Name, r.ID)
	}
	return &naming{named: known, document: a.document}, err
}
