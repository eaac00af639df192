package activities

import (
	"context"
	"time"

	"waybill/operations/recurring"
)

// GenerateInput identifies a template whose orders must be updated.
type GenerateInput struct {
	OrgID      int64 `json:"orgId"`
	TemplateID int64 `json:"templateId"`
}

// The states of a template after a step of generating.
const (
	TemplatePaused   = recurring.TemplatePaused
	TemplateInactive = recurring.TemplateInactive
	TemplateComplete = recurring.TemplateComplete
	TemplateGone     = recurring.TemplateGone
	TemplateFailing  = recurring.TemplateFailing
	TemplateActive   = recurring.TemplateActive
)

// ErrorRecurrence is the code of a template whose rule cannot be expanded.
const ErrorRecurrence = recurring.ErrorRecurrence

// Generated is the result of one step of generating, and the next step, in
// the form that histories keep.
type Generated struct {
	State     string `json:"state"`
	Orders    int    `json:"orders,omitempty"` // new ones
	Drafts    int    `json:"drafts,omitempty"` // occurrences that became drafts
	Changed   int    `json:"changed,omitempty"`
	Cancelled int    `json:"cancelled,omitempty"`
	Protected int    `json:"protected,omitempty"`
	Failed    int    `json:"failed,omitempty"` // orders that could not be changed
	// Left is how many occurrences wait for the next step.
	Left int `json:"left,omitempty"`
	// Through is the last completely generated day, Next the day of the next
	// occurrence, both YYYY-MM-DD; WakeAt is when it enters the horizon.
	Through string    `json:"through,omitempty"`
	Next    string    `json:"next,omitempty"`
	WakeAt  time.Time `json:"wakeAt,omitzero"`
	Zone    string    `json:"zone,omitempty"`
	// Error is the code of the last failure.
	Error string `json:"error,omitempty"`
}

// GenerateOrders generates and updates a template's orders, at most a batch
// of occurrences at a time.
func (a *Recurring) GenerateOrders(ctx context.Context, in GenerateInput) (Generated, error) {
	defer heartbeat(ctx)()
	out, err := a.operations.GenerateOrders(ctx, workflowOf(ctx, in.OrgID), in.TemplateID)
	return Generated(out), permanent(ctx, err)
}
