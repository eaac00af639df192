package exceptions

import (
	"context"
	"strconv"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/alert"
	"waybill/domain/driving"
	"waybill/store"
)

// ListAlertRules lists the rules by which alerts are raised.
func (h *Handlers) ListAlertRules(
	ctx context.Context, _ contract.ListAlertRulesRequestObject,
) (contract.ListAlertRulesResponseObject, error) {
	rules, err := h.store.AlertRules(ctx, edge.PrincipalOf(ctx).OrgID)
	if err != nil {
		return nil, err
	}
	out := contract.ListAlertRules200JSONResponse{Items: make([]contract.AlertRule, len(rules))}
	for i := range rules {
		out.Items[i] = newAlertRule(&rules[i])
	}
	return out, nil
}

// CreateAlertRule creates a rule.
func (h *Handlers) CreateAlertRule(
	ctx context.Context, request contract.CreateAlertRuleRequestObject,
) (contract.CreateAlertRuleResponseObject, error) {
	id, err := h.operations.Driving.CreateAlertRule(ctx, edge.Caller(ctx), ruleOf(0, request.Body))
	if err != nil {
		return nil, err
	}
	rule, err := h.store.AlertRule(ctx, edge.PrincipalOf(ctx).OrgID, id)
	if err != nil {
		return nil, err
	}
	edge.CreatedAt(ctx, "/v1/alert-rules/"+strconv.FormatInt(id, 10))
	return contract.CreateAlertRule201JSONResponse(newAlertRule(&rule)), nil
}

// GetAlertRule returns a rule.
func (h *Handlers) GetAlertRule(
	ctx context.Context, request contract.GetAlertRuleRequestObject,
) (contract.GetAlertRuleResponseObject, error) {
	rule, err := h.store.AlertRule(ctx, edge.PrincipalOf(ctx).OrgID, request.AlertRuleID)
	return contract.GetAlertRule200JSONResponse(newAlertRule(&rule)), err
}

// UpdateAlertRule replaces a rule.
func (h *Handlers) UpdateAlertRule(
	ctx context.Context, request contract.UpdateAlertRuleRequestObject,
) (contract.UpdateAlertRuleResponseObject, error) {
	err := h.operations.Driving.UpdateAlertRule(ctx, edge.Caller(ctx), ruleOf(request.AlertRuleID, request.Body))
	if err != nil {
		return nil, err
	}
	rule, err := h.store.AlertRule(ctx, edge.PrincipalOf(ctx).OrgID, request.AlertRuleID)
	if err != nil {
		return nil, err
	}
	return contract.UpdateAlertRule200JSONResponse(newAlertRule(&rule)), nil
}

// DeleteAlertRule deletes a rule.
func (h *Handlers) DeleteAlertRule(
	ctx context.Context, request contract.DeleteAlertRuleRequestObject,
) (contract.DeleteAlertRuleResponseObject, error) {
	if err := h.operations.Driving.DeleteAlertRule(ctx, edge.Caller(ctx), request.AlertRuleID); err != nil {
		return nil, err
	}
	return contract.DeleteAlertRule204Response{}, nil
}

func ruleOf(id int64, body *contract.AlertRuleRequest) alert.Rule {
	r := alert.Rule{ID: id, Kind: alert.Kind(body.Kind)}
	if body.Emails != nil {
		r.Emails = *body.Emails
	}
	r.DepartmentID, _ = body.DepartmentID.Get()
	r.Minutes, _ = body.Minutes.Get()
	if body.ExceptionKind != nil {
		r.ExceptionKind = driving.ExceptionKind(*body.ExceptionKind)
	}
	for _, c := range body.Channels {
		r.Channels = append(r.Channels, alert.Channel(c))
	}
	return r
}

func newAlertRule(r *store.AlertRule) contract.AlertRule {
	out := contract.AlertRule{
		ID: r.ID, DepartmentID: edge.IDOrNull(r.DepartmentID), Department: edge.OrNull(r.Department),
		Kind:    contract.AlertKind(r.Kind),
		Minutes: orNone(r.Minutes), ExceptionKind: edge.TextOrNull(string(r.ExceptionKind)),
		Channels: []contract.AlertChannel{},
		Emails:   append([]string{}, r.Emails...), CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	for _, c := range r.Channels {
		out.Channels = append(out.Channels, contract.AlertChannel(c))
	}
	return out
}

func orNone(value int64) nullable.Nullable[int64] {
	if value == 0 {
		return nullable.NewNullNullable[int64]()
	}
	return nullable.NewNullableWithValue(value)
}
