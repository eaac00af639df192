package masterdata

import (
	"context"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/masterdata"
	"waybill/domain/notification"
)

// ListNotificationRules lists the rules of messages, a page at a time.
func (h *Handlers) ListNotificationRules(
	ctx context.Context, request contract.ListNotificationRulesRequestObject,
) (contract.ListNotificationRulesResponseObject, error) {
	p := request.Params
	return h.page(ctx, masterdata.NotificationRules, p.IsActive, p.Page, p.Limit)
}

// VisitListNotificationRulesResponse responds with the page.
func (l list) VisitListNotificationRulesResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// GetNotificationRule reads one rule of messages.
func (h *Handlers) GetNotificationRule(
	ctx context.Context, request contract.GetNotificationRuleRequestObject,
) (contract.GetNotificationRuleResponseObject, error) {
	return h.one(ctx, masterdata.NotificationRules, request.ID)
}

// VisitGetNotificationRuleResponse responds with the document.
func (d document) VisitGetNotificationRuleResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// CreateNotificationRule adds a rule of messages.
func (h *Handlers) CreateNotificationRule(
	ctx context.Context, request contract.CreateNotificationRuleRequestObject,
) (contract.CreateNotificationRuleResponseObject, error) {
	return h.create(ctx, masterdata.NotificationRules, "notification-rules", request.Body)
}

// VisitCreateNotificationRuleResponse responds with the document.
func (d created) VisitCreateNotificationRuleResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusCreated, d)
}

// UpdateNotificationRule changes the given members of a message rule.
func (h *Handlers) UpdateNotificationRule(
	ctx context.Context, request contract.UpdateNotificationRuleRequestObject,
) (contract.UpdateNotificationRuleResponseObject, error) {
	return h.update(ctx, masterdata.NotificationRules, request.ID, request.Params.IfMatch, request.Body)
}

// VisitUpdateNotificationRuleResponse responds with the document.
func (d document) VisitUpdateNotificationRuleResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// preview is the message that a rule would send.
type preview contract.MessagePreview

// PreviewNotificationRule returns the message that a rule would send,
// without storing the rule.
func (h *Handlers) PreviewNotificationRule(
	ctx context.Context, request contract.PreviewNotificationRuleRequestObject,
) (contract.PreviewNotificationRuleResponseObject, error) {
	said, err := h.operations.Notifications.PreviewRule(ctx, edge.PrincipalOf(ctx).OrgID, request.Body)
	if err != nil {
		return nil, err
	}
	return newPreview(said), nil
}

func newPreview(said notification.Message) preview {
	return preview{Subject: edge.TextOrNull(said.Subject), Text: said.Text, HTML: edge.TextOrNull(said.HTML)}
}

// VisitPreviewNotificationRuleResponse writes the preview.
func (p preview) VisitPreviewNotificationRuleResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, p)
}
