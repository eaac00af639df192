package orders

import (
	"context"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
)

// GetNextOrderNumber proposes the number after the last one chosen by hand.
func (h *Handlers) GetNextOrderNumber(
	ctx context.Context, _ contract.GetNextOrderNumberRequestObject,
) (contract.GetNextOrderNumberResponseObject, error) {
	number, err := h.store.NextNumber(ctx, edge.PrincipalOf(ctx).OrgID)
	if err != nil {
		return nil, err
	}
	out := contract.GetNextOrderNumber200JSONResponse{Number: nullable.NewNullNullable[string]()}
	if number != "" {
		out.Number = nullable.NewNullableWithValue(number)
	}
	return out, nil
}
