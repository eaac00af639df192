package orders

import (
	"context"
	"slices"
	"strings"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/operations/orders"
)

// ApplyTransformations runs the organization's rules on one order.
func (h *Handlers) ApplyTransformations(
	ctx context.Context, request contract.ApplyTransformationsRequestObject,
) (contract.ApplyTransformationsResponseObject, error) {
	trigger := order.Trigger(request.Body.Trigger)
	if !slices.Contains(order.Triggers, trigger) {
		return nil, fault.Field("trigger", fault.Say("request.not_one_of", "allowed", triggerNames()))
	}
	how := orders.Transforming{
		Trigger: trigger, DryRun: edge.IsTrue(request.Body.DryRun), Preview: edge.IsTrue(request.Body.IncludePreview),
	}
	done, err := h.operations.Orders.TransformOrder(ctx, edge.Caller(ctx), request.OrderID, how)
	if err != nil {
		return nil, err
	}
	out := contract.ApplyTransformations200JSONResponse{
		AppliedRules: make([]contract.AppliedRule, len(done.Applied)),
		SkippedRules: make([]contract.SkippedRule, len(done.Skipped)),
	}
	for i, rule := range done.Applied {
		out.AppliedRules[i] = contract.AppliedRule{RuleName: rule.Rule}
		if how.Preview {
			input, output := string(rule.Input), string(rule.Output)
			out.AppliedRules[i].InputJSON, out.AppliedRules[i].OutputJSON = &input, &output
		}
	}
	for i, rule := range done.Skipped {
		out.SkippedRules[i] = contract.SkippedRule{RuleName: rule.Rule, Reason: rule.Reason}
	}
	return out, nil
}

func triggerNames() string {
	names := make([]string, len(order.Triggers))
	for i, t := range order.Triggers {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}
