package api

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store"
)

// GetOrderVehicleType reads the vehicle type that an order requires.
func (s *Server) GetOrderVehicleType(ctx context.Context, request GetOrderVehicleTypeRequestObject) (GetOrderVehicleTypeResponseObject, error) {
	number := request.Params.ExternalID
	if err := usableNumber(number); err != nil {
		return nil, err
	}
	v, err := s.store.OrderVehicleType(ctx, PrincipalOf(ctx).OrgID, number)
	if err != nil {
		return nil, err
	}
	return GetOrderVehicleType200JSONResponse{VehicleType: RequiredVehicleType{ID: v.ID, Name: v.Name}}, nil
}

// SetOrderVehicleType gives an order another vehicle type.
func (s *Server) SetOrderVehicleType(ctx context.Context, request SetOrderVehicleTypeRequestObject) (SetOrderVehicleTypeResponseObject, error) {
	number, org := request.Body.ExternalID, PrincipalOf(ctx).OrgID
	if err := usableNumber(number); err != nil {
		return nil, err
	}
	if _, err := s.store.OrderVehicleType(ctx, org, number); err != nil {
		return nil, err
	}
	v, err := s.vehicleType(ctx, org, request.Body.VehicleType)
	if err != nil {
		return nil, err
	}
	if err := s.operations.ChangeVehicleType(ctx, CallerOf(ctx), number, v.ID); err != nil {
		return nil, err
	}
	return SetOrderVehicleType200JSONResponse{VehicleType: RequiredVehicleType{ID: v.ID, Name: v.Name}}, nil
}

// vehicleType finds what a caller names; an identifier counts before a name.
func (s *Server) vehicleType(ctx context.Context, org int64, named VehicleTypeReference) (order.Named, error) {
	name := ""
	if named.Name != nil {
		name = strings.TrimSpace(*named.Name)
	}
	switch {
	case !text(name):
		return order.Named{}, fault.Field("vehicleType.name", fault.Say("request.not_text"))
	case named.ID == nil && name == "":
		return order.Named{}, fault.Field("vehicleType", fault.Say("vehicle_type.unnamed"))
	}
	v, err := s.store.VehicleType(ctx, org, named.ID, name)
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
