package activity

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/store"
	"waybill/workflows"
)

// GetOrderStory lists the events of an order, oldest first.
func (h *Handlers) GetOrderStory(
	ctx context.Context, request contract.GetOrderStoryRequestObject,
) (contract.GetOrderStoryResponseObject, error) {
	at, size, err := part(request.Params.Token, request.Params.Limit)
	if err != nil {
		return nil, err
	}
	org := edge.PrincipalOf(ctx).OrgID
	read, goOn, err := h.store.Story(ctx, org, request.OrderID, at, size)
	if err != nil {
		return nil, err
	}
	name, err := h.store.WorkflowName(ctx, org)
	if err != nil {
		return nil, err
	}
	story := contract.GetOrderStory200JSONResponse{
		Items: make([]contract.StoryItem, len(read)), HasMore: goOn != 0, NextToken: nullable.NewNullNullable[string](),
	}
	if goOn != 0 {
		story.NextToken.Set(fmt.Sprint(goOn))
	}
	for i, moment := range read {
		if story.Items[i], err = h.storyItem(name, request.OrderID, moment); err != nil {
			return nil, err
		}
	}
	return story, nil
}

// storyItem is an event of an order with the workflow that did it, of an
// organization with this name in workflow IDs.
func (h *Handlers) storyItem(org string, order int64, m store.Moment) (item contract.StoryItem, err error) {
	if err := json.Unmarshal(m.Document, &item); err != nil {
		return item, fmt.Errorf("read event %d: %w", m.ID, err)
	}
	if item.WorkflowID.IsNull() {
		if id := workflowOf(org, order, &item); id != "" {
			item.WorkflowID.Set(id)
		}
	}
	if id, err := item.WorkflowID.Get(); err == nil && h.ui != "" {
		item.WorkflowURL.Set(h.workflowURL(id))
	}
	return item, nil
}

// workflowOf returns the workflow that an event belongs to, or "". It never
// accepts request ids that callers send.
func workflowOf(org string, order int64, item *contract.StoryItem) string {
	switch {
	case item.About == contract.StoryItemAboutExport:
		return workflows.ExportID(org, order)
	case item.Actor == (caller.Caller{}).Actor() && workflows.IsID(org, item.Cause):
		return item.Cause
	}
	return ""
}

// workflowURL is where people see a workflow.
func (h *Handlers) workflowURL(id string) string {
	namespace := strings.TrimSuffix(h.ui, "/") + "/namespaces/" + url.PathEscape(h.namespace)
	return namespace + "/workflows/" + url.PathEscape(id)
}
