package orders

import (
	"context"
	"errors"
	"strings"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/label"
	"waybill/store"
)

// The limits of a search while a user types.
const (
	usuallyFound = 10
	mostFound    = 50
)

// FindOrders finds orders by any part of what people know about them.
func (h *Handlers) FindOrders(
	ctx context.Context, request contract.FindOrdersRequestObject,
) (contract.FindOrdersResponseObject, error) {
	text, limit := strings.TrimSpace(request.Params.Text), int32(usuallyFound)
	if err := edge.CheckTexts(edge.AtMost(longestText, "text", text)); err != nil {
		return nil, err
	}
	if asked := request.Params.Limit; asked != nil {
		limit = *asked
	}
	if limit < 1 || limit > mostFound {
		return nil, edge.OutOfRange("limit", 1, mostFound)
	}
	org := edge.PrincipalOf(ctx).OrgID
	rows, more, err := h.store.FindOrders(ctx, org, store.OrderWords{
		Text: text, Serial: parseSerial(text), Today: h.now(),
	}, limit)
	if err != nil {
		return nil, err
	}
	out := contract.FindOrders200JSONResponse{Items: make([]contract.OrderRow, len(rows)), HasMore: more}
	for i := range rows {
		out.Items[i] = newOrderRow(&rows[i], h.now())
	}
	out.Barcode, err = h.barcode(ctx, org, text)
	return out, err
}

// barcode is a text that is the barcode of goods, and null otherwise.
func (h *Handlers) barcode(ctx context.Context, org int64, text string) (nullable.Nullable[string], error) {
	none := nullable.NewNullNullable[string]()
	if text == "" {
		return none, nil
	}
	_, err := h.store.AtomByBarcode(ctx, org, text, label.Same(text))
	if wrong := (*fault.Error)(nil); errors.As(err, &wrong) {
		if wrong.Kind == fault.NotFound {
			return none, nil
		}
		err = nil // several have it, as the look-up says
	}
	if err != nil {
		return none, err
	}
	return nullable.NewNullableWithValue(text), nil
}
