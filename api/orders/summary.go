package orders

import (
	"context"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/overview"
)

// maxGroups is how many groups a sum shows.
const maxGroups = 1000

// GetOrdersSummary sums up the orders of a day.
func (h *Handlers) GetOrdersSummary(
	ctx context.Context, request contract.GetOrdersSummaryRequestObject,
) (contract.GetOrdersSummaryResponseObject, error) {
	p, org, day := request.Params, edge.PrincipalOf(ctx).OrgID, edge.Today(ctx, h.now())
	if p.Date != nil {
		day = p.Date.Time
	}
	if _, _, err := edge.CheckDays("date", day, "date", day); err != nil {
		return nil, err
	}
	by := contract.OrdersSummaryGroupingStatus
	if p.GroupBy != nil {
		by = *p.GroupBy
	}
	if !by.Valid() {
		return nil, fault.Field("groupBy", fault.Say("request.not_one_of",
			"allowed", "status, orderType, department, customer, driver"))
	}
	orders, groupOf, err := h.store.OrdersToSumUp(ctx, org, day, string(by))
	if err != nil {
		return nil, err
	}
	total, groups := overview.SumUp(orders, groupOf, h.now())
	groups = groups[:min(len(groups), maxGroups)]
	ids := make([]int64, len(groups))
	for i, g := range groups {
		ids[i] = g.ID
	}
	names, err := h.store.NamesOfGroups(ctx, org, string(by), ids)
	if err != nil {
		return nil, err
	}
	return newOrdersSummary(openapi_types.Date{Time: day}, by, total, groups, names), nil
}

func newOrdersSummary(
	day openapi_types.Date, by contract.OrdersSummaryGrouping, total overview.Sum, groups []overview.Group,
	names map[int64]string,
) contract.GetOrdersSummary200JSONResponse {
	out := contract.GetOrdersSummary200JSONResponse{
		Date: day, GroupBy: by, Total: total.Orders, Late: total.Late, WeightKg: total.Load.WeightKg.InexactFloat64(),
		VolumeM3: total.Load.VolumeM3.InexactFloat64(), Groups: make([]contract.OrdersSummaryGroup, len(groups)),
	}
	for i, g := range groups {
		out.Groups[i] = contract.OrdersSummaryGroup{
			ID: edge.IDOrNull(g.ID), Name: edge.TextOrNull(names[g.ID]), Total: g.Orders, Late: g.Late,
			WeightKg: g.Load.WeightKg.InexactFloat64(), VolumeM3: g.Load.VolumeM3.InexactFloat64(),
		}
	}
	return out
}

// GetOrderSummary sums up one order.
func (h *Handlers) GetOrderSummary(
	ctx context.Context, request contract.GetOrderSummaryRequestObject,
) (contract.GetOrderSummaryResponseObject, error) {
	o, last, err := h.store.OrderInBrief(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	out := contract.GetOrderSummary200JSONResponse{
		Order: newOrderRow(&o, h.now()), OpenNotifications: last.Waiting, HasProof: last.Proved,
	}
	if last.Kind != "" {
		out.LastEvent = &contract.OrderLastEvent{Kind: last.Kind, OccurredAt: last.OccurredAt.UTC()}
	}
	return out, nil
}
