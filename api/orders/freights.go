package orders

import (
	"context"
	"math"
	"strconv"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/overview"
	"waybill/store"
)

// ListFreights lists freights, newest first.
func (h *Handlers) ListFreights(
	ctx context.Context, request contract.ListFreightsRequestObject,
) (contract.ListFreightsResponseObject, error) {
	p := request.Params
	size, err := overviewSize(p.PageSize)
	if err != nil {
		return nil, err
	}
	before := int64(math.MaxInt64)
	if token := edge.OrEmpty(p.Token); token != "" {
		if before, err = strconv.ParseInt(token, 10, 64); err != nil || before < 1 {
			return nil, fault.Field("token", fault.Say("feed.bad_token"))
		}
	}
	number := edge.OrEmpty(p.InternalFreightNumber)
	if err := edge.CheckTexts(edge.AtMost(longestText, "internalFreightNumber", number)); err != nil {
		return nil, err
	}
	found, more, err := h.store.Freights(
		ctx, edge.PrincipalOf(ctx).OrgID, p.InternalFreightNumber, p.CustomerID, before, size)
	if err != nil {
		return nil, err
	}
	page := contract.ListFreights200JSONResponse{Items: make([]contract.Freight, len(found)), HasMore: more}
	for i := range found {
		page.Items[i] = newFreight(&found[i])
	}
	if more {
		page.NextToken = strconv.FormatInt(found[len(found)-1].ID, 10)
	}
	return page, nil
}

// GetFreight reads a freight with its orders.
func (h *Handlers) GetFreight(
	ctx context.Context, request contract.GetFreightRequestObject,
) (contract.GetFreightResponseObject, error) {
	f, orders, err := h.store.Freight(ctx, edge.PrincipalOf(ctx).OrgID, request.FreightID)
	if err != nil {
		return nil, err
	}
	carried := []overview.Order{}
	out := contract.GetFreight200JSONResponse{
		Freight: newFreight(&f), Orders: make([]contract.OrderOfFreight, len(orders)),
	}
	for i := range orders {
		o := &orders[i]
		out.Orders[i] = contract.OrderOfFreight{
			OrderID: o.ID, ExternalIds: o.Numbers, OrderStatusID: contract.OrderStatusID(o.Status),
			Date: openapi_types.Date{Time: o.Date},
		}
		if o.Status != order.Cancelled {
			carried = append(carried, *o)
		}
	}
	total, _ := overview.SumUp(carried, nil, h.now())
	out.WeightKg, out.VolumeM3 = total.Load.WeightKg.InexactFloat64(), total.Load.VolumeM3.InexactFloat64()
	out.Colli = total.Load.Colli.InexactFloat64()
	return out, nil
}

func newFreight(f *store.Freight) contract.Freight {
	return contract.Freight{
		FreightID: f.ID, InternalFreightNumber: f.InternalFreightNumber, OrderCount: f.Orders, CreatedAt: f.CreatedAt.UTC(),
		Consignee: contract.NamedRecord{ID: f.ConsigneeID, Name: f.Consignee},
		Consignor: contract.NamedRecord{ID: f.ConsignorID, Name: f.Consignor},
	}
}
