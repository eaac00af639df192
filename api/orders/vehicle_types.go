package orders

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store"
)

// GetOrderVehicleType reads the vehicle type that an order requires.
func (h *Handlers) GetOrderVehicleType(
	ctx context.Context, request contract.GetOrderVehicleTypeRequestObject,
) (contract.GetOrderVehicleTypeResponseObject, error) {
	number := request.Params.ExternalID
	if err := edge.CheckOrderNumber(number); err != nil {
		return nil, err
	}
	v, err := h.store.OrderVehicleType(ctx, edge.PrincipalOf(ctx).OrgID, number)
	if err != nil {
		return nil, err
	}
	return contract.GetOrderVehicleType200JSONResponse{
		VehicleType: contract.NamedRecord{ID: v.ID, Name: v.Name},
	}, nil
}

// SetOrderVehicleType returns an order another vehicle type.
func (h *Handlers) SetOrderVehicleType(
	ctx context.Context, request contract.SetOrderVehicleTypeRequestObject,
) (contract.SetOrderVehicleTypeResponseObject, error) {
	number, org := request.Body.ExternalID, edge.PrincipalOf(ctx).OrgID
	if err := edge.CheckOrderNumber(number); err != nil {
		return nil, err
	}
	if _, err := h.store.OrderVehicleType(ctx, org, number); err != nil {
		return nil, err
	}
	v, err := h.vehicleType(ctx, org, request.Body.VehicleType)
	if err != nil {
		return nil, err
	}
	if err := h.operations.Orders.ChangeVehicleType(ctx, edge.Caller(ctx), number, v.ID); err != nil {
		return nil, err
	}
	return contract.SetOrderVehicleType200JSONResponse{
		VehicleType: contract.NamedRecord{ID: v.ID, Name: v.Name},
	}, nil
}

// vehicleType finds the type that a caller names; an identifier takes
// precedence over a name.
func (h *Handlers) vehicleType(
	ctx context.Context, org int64, named contract.VehicleTypeReference,
) (order.Named, error) {
	name := ""
	if named.Name != nil {
		name = strings.TrimSpace(*named.Name)
	}
	switch {
	case !edge.IsText(name):
		return order.Named{}, fault.Field("vehicleType.name", fault.Say("request.not_text"))
	case named.ID == nil && name == "":
		return order.Named{}, fault.Field("vehicleType", fault.Say("vehicle_type.unnamed"))
	}
	v, err := h.store.VehicleType(ctx, org, named.ID, name)
	if errors.Is(err, store.ErrNotFound) {
		if named.ID != nil {
			name = strconv.FormatInt(*named.ID, 10)
		}
		return v, &fault.Error{
			Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"),
			Violations: []fault.Violation{{Field: "vehicleType", Text: fault.Say("vehicle_type.not_found", "name", name)}},
		}
	}
	return v, err
}
