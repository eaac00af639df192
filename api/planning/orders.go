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

// stopsOf is where the stops of an unplanned order are read into.
type stopsOf struct {
	Pickup   **contract.UnplannedStop `json:"pickup"`
	Delivery **contract.UnplannedStop `json:"delivery"`
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
			DepartmentID: edge.OrNull(of[r.PlanID]), OrderID: r.OrderID, ExternalID: r.Number, Customer: &r.Customer,
			Planning: contract.Unplanned{
				State: contract.PlanningState(r.State), Certainty: contract.PlanningCertainty(r.Certainty),
				SearchedMs: r.SearchedMs,
			},
		}
		if err := readLeftOver(r, u); err != nil {
			return nil, fmt.Errorf("order %d: %w", r.OrderID, err)
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

// readLeftOver reads what is stored as JSON about an unplanned order.
func readLeftOver(r *store.LeftOver, u *contract.UnplannedOrder) error {
	for _, part := range []struct {
		name string
		from []byte
		to   any
	}{
		{"reasons", r.Reasons, &u.Planning.Reasons},
		{"lock", r.Lock, &u.Lock},
		{"counterfactuals", r.Counterfactuals, &u.Planning.Counterfactuals},
		{"unknown addresses", r.UnknownAddresses, &u.UnknownAddresses},
		{"changes that do not help", r.NothingHelps, &u.Planning.NothingHelps},
		{"stops", r.Stops, &stopsOf{&u.Pickup, &u.Delivery}},
	} {
		if len(part.from) == 0 && part.name == "unknown addresses" {
			continue
		}
		if err := json.Unmarshal(part.from, part.to); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}
