package orders

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/store"
)

// ListAllErpOrders lists numbers, each once.
func (h *Handlers) ListAllErpOrders(
	ctx context.Context, request contract.ListAllErpOrdersRequestObject,
) (contract.ListAllErpOrdersResponseObject, error) {
	query, err := erpOrderQuery(&request.Params)
	if err != nil {
		return nil, err
	}
	found, more, err := h.store.ERPOrderPage(ctx, edge.PrincipalOf(ctx).OrgID, query)
	if err != nil {
		return nil, err
	}
	page := contract.ListAllErpOrders200JSONResponse{Items: make([]contract.ErpOrderRow, len(found)), HasMore: more}
	for i := range found {
		page.Items[i] = newERPOrderRow(&found[i])
	}
	if more {
		page.NextToken = erpOrderToken(&found[len(found)-1])
	}
	return page, nil
}

func erpOrderQuery(p *contract.ListAllErpOrdersParams) (q store.ERPOrderQuery, err error) {
	if q.AtMost, err = overviewSize(p.PageSize); err != nil {
		return q, err
	}
	if p.State != nil {
		switch *p.State {
		case contract.ErpOrderStateACTIVE:
			q.State = store.ActiveERPOrder
		case contract.ErpOrderStateCANCELLED:
			q.State = store.CancelledERPOrder
		case contract.ErpOrderStateDRAFT:
			q.State = store.DraftERPOrder
		default:
			return q, fault.Field("state", fault.Say("request.not_one_of", "allowed", "ACTIVE, CANCELLED, DRAFT"))
		}
	}
	if p.UpdatedSince != nil {
		if q.UpdatedSince = p.UpdatedSince; !keepable(*q.UpdatedSince) {
			return q, fault.Field("updatedSince", fault.Say("param.timestamp"))
		}
	}
	if p.Date != nil {
		if q.Day = &p.Date.Time; !keepable(*q.Day) {
			return q, fault.Field("date", fault.Say("param.date"))
		}
	}
	if q.CustomerID = p.CustomerID; q.CustomerID != nil && *q.CustomerID < 1 {
		return q, edge.OutOfRange("customerId", 1, math.MaxInt)
	}
	q.Behind, err = erpOrderPlace(edge.OrEmpty(p.Token))
	return q, err
}

// The tokens of pages name the draft, or the number of an order, after which
// they begin.
const (
	behindDraft = "d."
	behindOrder = "o."
)

func erpOrderToken(last *store.ERPOrderRow) string {
	if last.OrderID == 0 {
		return behindDraft + strconv.FormatInt(last.DraftID, 10)
	}
	return fmt.Sprintf("%s%d.%s", behindOrder, last.OrderID, last.Number)
}

func erpOrderPlace(token string) (place store.ERPOrderPlace, err error) {
	if token == "" {
		return place, nil
	}
	bad := fault.Field("token", fault.Say("feed.bad_token"))
	if id, ok := strings.CutPrefix(token, behindDraft); ok {
		if place.DraftID, err = strconv.ParseInt(id, 10, 64); err != nil || place.DraftID < 1 {
			return place, bad
		}
		return place, nil
	}
	rest, ok := strings.CutPrefix(token, behindOrder)
	id, number, both := strings.Cut(rest, ".")
	place.OrderID, err = strconv.ParseInt(id, 10, 64)
	if place.Number = number; !ok || !both || err != nil || place.OrderID < 1 || !edge.IsText(number) {
		return place, bad
	}
	return place, nil
}

func newERPOrderRow(e *store.ERPOrderRow) contract.ErpOrderRow {
	row := contract.ErpOrderRow{
		ExternalID: e.Number, State: contract.ErpOrderStateACTIVE, IsMerged: e.Shared, UpdatedAt: e.UpdatedAt.UTC(),
		OrderID: edge.IDOrNone(e.OrderID), DraftID: edge.IDOrNone(e.DraftID),
	}
	if e.OrderID == 0 {
		row.State = contract.ErpOrderStateDRAFT
		return row
	}
	if e.Cancelled {
		row.State = contract.ErpOrderStateCANCELLED
	}
	status := contract.OrderStatusID(e.Status)
	row.OrderStatusID, row.Date = &status, &openapi_types.Date{Time: e.Date}
	row.Customer = &contract.NamedRecord{ID: e.CustomerID, Name: e.Customer}
	return row
}
