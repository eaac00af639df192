package masterdata

import (
	"context"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/store"
)

func newVehicle(v *store.Vehicle) contract.Vehicle {
	return contract.Vehicle{
		ID: v.ID, Registration: v.Registration, Name: edge.TextOrNull(v.Name),
		VehicleType: contract.VehicleTypeOfVehicle{ID: v.TypeID, Name: v.TypeName},
		MaxWeightKg: edge.OrNull(v.MaxWeightKg), MaxVolumeM3: edge.OrNull(v.MaxVolumeM3),
		MaxRouteKm: edge.OrNull(v.MaxRouteKm), HomeLocationID: edge.IDOrNull(v.HomeLocationID), Skills: listed(v.Skills),
		IsActive: v.IsActive, CreatedAt: v.CreatedAt.UTC(), UpdatedAt: v.UpdatedAt.UTC(),
	}
}

// ListVehicles lists the vehicles, a page at a time.
func (h *Handlers) ListVehicles(
	ctx context.Context, request contract.ListVehiclesRequestObject,
) (contract.ListVehiclesResponseObject, error) {
	p := request.Params
	page, err := edge.PageOf(p.Page, p.Limit)
	if err != nil {
		return nil, err
	}
	vehicles, total, err := h.store.Vehicles(ctx, edge.PrincipalOf(ctx).OrgID, p.IsActive, page)
	if err != nil {
		return nil, err
	}
	out := contract.ListVehicles200JSONResponse{
		Items: make([]contract.Vehicle, len(vehicles)), Total: total, Page: page.Number, Limit: page.Size,
		Pages: int32(edge.Pages(total, page)),
	}
	for i := range vehicles {
		out.Items[i] = newVehicle(&vehicles[i])
	}
	return out, nil
}

// GetVehicle reads one vehicle.
func (h *Handlers) GetVehicle(
	ctx context.Context, request contract.GetVehicleRequestObject,
) (contract.GetVehicleResponseObject, error) {
	v, err := h.store.Vehicle(ctx, edge.PrincipalOf(ctx).OrgID, request.ID)
	return contract.GetVehicle200JSONResponse(newVehicle(&v)), err
}
