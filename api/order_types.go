package api

import (
	"context"
	"strings"

	"github.com/oapi-codegen/nullable"

	"waybill/domain/fault"
)

// SearchOrderTypes finds an order type by its name.
func (s *Server) SearchOrderTypes(ctx context.Context, request SearchOrderTypesRequestObject) (SearchOrderTypesResponseObject, error) {
	name := strings.TrimSpace(request.Params.Name)
	if name == "" {
		return nil, fault.Field("name", fault.Say("order_type.missing"))
	}
	t, err := s.store.OrderType(ctx, PrincipalOf(ctx).OrgID, name)
	if err != nil {
		return nil, err
	}
	return SearchOrderTypes200JSONResponse{
		OrderTypeID: t.ID, OrderTypeName: t.Name, Priority: t.Priority, IsActive: t.IsActive,
		PickUpBefore: textOrNull(t.PickUpBefore), DeliverBefore: textOrNull(t.DeliverBefore),
		MinBookAheadMinutes: orNull(t.MinBookAheadMinutes), MaxBookAheadMinutes: orNull(t.MaxBookAheadMinutes),
	}, nil
}

func textOrNull(text string) nullable.Nullable[string] {
	if text == "" {
		return nullable.NewNullNullable[string]()
	}
	return nullable.NewNullableWithValue(text)
}

func orNull[T any](value *T) nullable.Nullable[T] {
	if value == nil {
		return nullable.NewNullNullable[T]()
	}
	return nullable.NewNullableWithValue(*value)
}
