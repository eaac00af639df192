package orders

import (
	"context"
	"encoding/json"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store"
)

// erpOrder is an ERP order with its request as the store wrote it: numbers keep
// their digits.
type erpOrder struct {
	ExternalID string                 `json:"externalId"`
	State      contract.ErpOrderState `json:"state"`
	OrderID    *int64                 `json:"orderId"`
	DraftID    *int64                 `json:"draftId"`
	IsMerged   bool                   `json:"isMerged"`
	Request    json.RawMessage        `json:"request"`
}

// VisitGetErpOrderResponse responds with the ERP order.
func (e erpOrder) VisitGetErpOrderResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, e)
}

// VisitDetachErpOrderResponse responds with the ERP order.
func (e erpOrder) VisitDetachErpOrderResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, e)
}

type erpOrderList struct {
	Items []erpOrder `json:"items"`
}

// VisitListErpOrdersResponse responds with the ERP orders.
func (l erpOrderList) VisitListErpOrdersResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

func newERPOrder(e *store.ERPOrder) erpOrder {
	out := erpOrder{
		ExternalID: e.Number, State: contract.ErpOrderStateACTIVE, OrderID: edge.IDOrNone(e.OrderID),
		DraftID: edge.IDOrNone(e.DraftID), IsMerged: e.Shared, Request: e.Request,
	}
	switch {
	case e.DraftID != 0:
		out.State = contract.ErpOrderStateDRAFT
	case e.Cancelled:
		out.State = contract.ErpOrderStateCANCELLED
	}
	return out
}

// GetErpOrder returns what was sent for one number.
func (h *Handlers) GetErpOrder(
	ctx context.Context, request contract.GetErpOrderRequestObject,
) (contract.GetErpOrderResponseObject, error) {
	e, err := h.store.ERPOrder(ctx, edge.PrincipalOf(ctx).OrgID, request.ExternalID)
	if err != nil {
		return nil, err
	}
	return newERPOrder(&e), nil
}

// ListErpOrders reads the numbers that lead to an order.
func (h *Handlers) ListErpOrders(
	ctx context.Context, request contract.ListErpOrdersRequestObject,
) (contract.ListErpOrdersResponseObject, error) {
	found, err := h.store.ERPOrders(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	list := erpOrderList{Items: make([]erpOrder, len(found))}
	for i := range found {
		list.Items[i] = newERPOrder(&found[i])
	}
	return list, nil
}

// DetachErpOrder gives a merged number its own order.
func (h *Handlers) DetachErpOrder(
	ctx context.Context, request contract.DetachErpOrderRequestObject,
) (contract.DetachErpOrderResponseObject, error) {
	number := request.ExternalID
	outcome, _, err := h.operations.Orders.DetachOrder(ctx, edge.Caller(ctx), number)
	if err != nil {
		return nil, err
	}
	switch outcome {
	case order.DetachNotFound:
		return nil, fault.Missing("erp_order", number)
	case order.DetachAlone:
		return nil, fault.Illegal("order.not_shared", "order", number)
	case order.DetachCancelled:
		return nil, fault.Illegal("order.already_cancelled", "order", number)
	case order.DetachUnderWay:
		return nil, fault.Illegal("order.already_under_way", "order", number)
	case order.Detached:
	}
	e, err := h.store.ERPOrder(ctx, edge.PrincipalOf(ctx).OrgID, number)
	if err != nil {
		return nil, err
	}
	return newERPOrder(&e), nil
}
