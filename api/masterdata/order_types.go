package masterdata

import (
	"context"
	"strings"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
)

// SearchOrderTypes finds an order type by its name.
func (h *Handlers) SearchOrderTypes(
	ctx context.Context, request contract.SearchOrderTypesRequestObject,
) (contract.SearchOrderTypesResponseObject, error) {
	name := strings.TrimSpace(request.Params.Name)
	if name == "" {
		return nil, fault.Field("name", fault.Say("order_type.missing"))
	}
	t, err := h.store.OrderType(ctx, edge.PrincipalOf(ctx).OrgID, name)
	if err != nil {
		return nil, err
	}
	return contract.SearchOrderTypes200JSONResponse{
		OrderTypeID: t.ID, OrderTypeName: t.Name, Priority: t.Priority, IsActive: t.IsActive,
		PickUpBefore: edge.TextOrNull(t.PickUpBefore), DeliverBefore: edge.TextOrNull(t.DeliverBefore),
		MinBookAheadMinutes: edge.OrNull(t.MinBookAheadMinutes), MaxBookAheadMinutes: edge.OrNull(t.MaxBookAheadMinutes),
	}, nil
}
