package planning

import (
	"context"
	"encoding/json"
	"fmt"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/store"
)

// GetOrderPlanning reads how one order is planned.
func (h *Handlers) GetOrderPlanning(
	ctx context.Context, request contract.GetOrderPlanningRequestObject,
) (contract.GetOrderPlanningResponseObject, error) {
	doc, err := h.store.OrderPlanning(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	var out contract.OrderPlanning
	if err := json.Unmarshal(doc, &out); err != nil {
		return nil, fmt.Errorf("planning of order %d: %w", request.OrderID, err)
	}
	var w words
	w.learn(out.Reasons, out.Counterfactuals)
	if err := w.lookUp(ctx, h.store); err != nil {
		return nil, err
	}
	w.say(out.Reasons, out.Counterfactuals)
	w.sayNothing(out.NothingHelps)
	return contract.GetOrderPlanning200JSONResponse(out), nil
}

// leftOver converts unplanned orders to the contract's form, with texts.
func (h *Handlers) leftOver(
	ctx context.Context, rows []store.LeftOver, of map[int64]*int64,
) ([]contract.UnplannedOrder, error) {
	out := make([]contract.UnplannedOrder, len(rows))
	var w words
	for i := range rows {
		r, u := &rows[i], &out[i]
		*u = contract.UnplannedOrder{
			DepartmentID: edge.OrNull(of[r.PlanID]), OrderID: r.OrderID, ExternalID: r.Number,
			Planning: contract.Unplanned{
				State: contract.PlanningState(r.State), Certainty: contract.PlanningCertainty(r.Certainty),
				SearchedMs: r.SearchedMs,
			},
		}
		if err := json.Unmarshal(r.Reasons, &u.Planning.Reasons); err != nil {
			return nil, fmt.Errorf("reasons of order %d: %w", r.OrderID, err)
		}
		if err := json.Unmarshal(r.Lock, &u.Lock); err != nil {
			return nil, fmt.Errorf("lock of order %d: %w", r.OrderID, err)
		}
		if err := json.Unmarshal(r.Counterfactuals, &u.Planning.Counterfactuals); err != nil {
			return nil, fmt.Errorf("counterfactuals of order %d: %w", r.OrderID, err)
		}
		if len(r.UnknownAddresses) > 0 {
			if err := json.Unmarshal(r.UnknownAddresses, &u.UnknownAddresses); err != nil {
				return nil, fmt.Errorf("addresses of order %d: %w", r.OrderID, err)
			}
		}
		if err := json.Unmarshal(r.NothingHelps, &u.Planning.NothingHelps); err != nil {
			return nil, fmt.Errorf("what does not help order %d: %w", r.OrderID, err)
		}
		w.learn(u.Planning.Reasons, u.Planning.Counterfactuals)
	}
	if err := w.lookUp(ctx, h.store); err != nil {
		return nil, err
	}
	for i := range out {
		w.say(out[i].Planning.Reasons, out[i].Planning.Counterfactuals)
		w.sayNothing(out[i].Planning.NothingHelps)
	}
	return out, nil
}
