package recurring

import (
	"context"
	"math"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/store"
)

type recurringOrderList struct {
	RecurringOrders []*recurringOrder `json:"recurringOrders"`
	Total           int64             `json:"total"`
	Limit           int32             `json:"limit"`
	Offset          int32             `json:"offset"`
}

// VisitListRecurringOrdersResponse responds with the list.
func (l recurringOrderList) VisitListRecurringOrdersResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// ListRecurringOrders lists the templates that pass the filters.
func (h *Handlers) ListRecurringOrders(
	ctx context.Context, request contract.ListRecurringOrdersRequestObject,
) (contract.ListRecurringOrdersResponseObject, error) {
	p := request.Params
	out := recurringOrderList{Limit: edge.DefaultLimit}
	if p.Limit != nil {
		out.Limit = *p.Limit
	}
	if p.Offset != nil {
		out.Offset = *p.Offset
	}
	if out.Limit < 1 || out.Limit > edge.MaxLimit {
		return nil, edge.OutOfRange("limit", 1, edge.MaxLimit)
	}
	if out.Offset < 0 {
		return nil, edge.OutOfRange("offset", 0, math.MaxInt32)
	}
	filter := store.RecurringOrderFilter{
		Active: p.IsActive, CustomerID: p.CustomerID, StartFrom: p.StartDateFrom, StartTo: p.StartDateTo,
	}
	found, total, err := h.store.RecurringOrders(ctx, edge.PrincipalOf(ctx).OrgID, filter, out.Limit, out.Offset)
	if err != nil {
		return nil, err
	}
	out.Total, out.RecurringOrders = total, make([]*recurringOrder, len(found))
	for i := range found {
		if out.RecurringOrders[i], err = newRecurringOrder(&found[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}
