package masterdata

import (
	"context"

	"waybill/domain/organization"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) vehicleTypes(ctx context.Context) (counts, error) {
	types := a.document.VehicleTypes
	n, err := a.q.ApplyVehicleTypes(ctx, queries.ApplyVehicleTypesParams{
		OrgID:        a.org,
		Names:        columns.Of(types, func(v organization.VehicleType) string { return v.Name }),
		MaxWeightsKg: columns.Of(types, func(v organization.VehicleType) float64 { return columns.OrNaN(v.MaxWeightKg) }),
		MaxVolumesM3: columns.Of(types, func(v organization.VehicleType) float64 { return columns.OrNaN(v.MaxVolumeM3) }),
	})
	return counts(n), err
}

func (a *applier) pruneVehicleTypes(ctx context.Context) (int64, error) {
	names := columns.Of(a.document.VehicleTypes, func(v organization.VehicleType) string { return v.Name })
	return a.q.PruneVehicleTypes(ctx, queries.PruneVehicleTypesParams{OrgID: a.org, Names: names})
}
