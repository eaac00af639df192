package api

import (
	"context"
	"slices"
	"strings"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/operations"
)

// ApplyTransformations runs the organization's rules on one order.
func (s *Server) ApplyTransformations(
	ctx context.Context, request ApplyTransformationsRequestObject,
) (ApplyTransformationsResponseObject, error) {
	trigger := order.Trigger(request.Body.Trigger)
	if !slices.Contains(order.Triggers, trigger) {
		return nil, fault.Field("trigger", fault.Say("request.not_one_of", "allowed", triggerNames()))
	}
	how := operations.Transforming{Trigger: trigger, DryRun: isTrue(request.Body.DryRun), Preview: isTrue(request.Body.IncludePreview)}
	done, err := s.operations.TransformOrder(ctx, CallerOf(ctx), request.OrderID, how)
	if err != nil {
		return nil, err
	}
	out := ApplyTransformations200JSONResponse{
		AppliedRules: make([]AppliedRule, len(done.Applied)), SkippedRules: make([]SkippedRule, len(done.Skipped)),
	}
	for i, rule := range done.Applied {
		out.AppliedRules[i] = AppliedRule{RuleName: rule.Rule}
		if how.Preview {
			input, output := string(rule.Input), string(rule.Output)
			out.AppliedRules[i].InputJSON, out.AppliedRules[i].OutputJSON = &input, &output
		}
	}
	for i, rule := range done.Skipped {
		out.SkippedRules[i] = SkippedRule{RuleName: rule.Rule, Reason: rule.Reason}
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

func isTrue(flag *bool) bool { return flag != nil && *flag }
