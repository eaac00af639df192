package activities

import (
	"context"

	"waybill/domain/caller"
	"waybill/operations/recurring"
)

// RecurringOperations are the operations that recurring orders need.
type RecurringOperations interface {
	SaveTemplate(ctx context.Context, c caller.Caller, changeID int64) (recurring.SavedTemplate, error)
	PauseTemplate(ctx context.Context, c caller.Caller, templateID int64, paused bool) error
	GenerateOrders(ctx context.Context, c caller.Caller, templateID int64) (recurring.Generated, error)
}

// Recurring are the activities of the workflow RecurringOrder.
type Recurring struct {
	operations RecurringOperations
}

// NewRecurring returns the activities of recurring orders.
func NewRecurring(o RecurringOperations) *Recurring { return &Recurring{operations: o} }

// SaveInput names a change of a template that waits to be made.
type SaveInput struct {
	OrgID      int64 `json:"orgId"`
	TemplateID int64 `json:"templateId"`
	ChangeID   int64 `json:"changeId"`
}

// SaveOutcome reports whether a change was made. The reason for a refusal is
// stored with the change, because histories contain no texts.
type SaveOutcome struct {
	Refused bool  `json:"refused,omitempty"`
	Version int64 `json:"version,omitempty"`
}

// SaveTemplate applies a change of a template.
func (a *Recurring) SaveTemplate(ctx context.Context, in SaveInput) (SaveOutcome, error) {
	defer heartbeat(ctx)()
	saved, err := a.operations.SaveTemplate(ctx, workflowOf(ctx, in.OrgID), in.ChangeID)
	return SaveOutcome(saved), permanent(ctx, err)
}

// PauseInput identifies a template to pause or resume.
type PauseInput struct {
	OrgID      int64 `json:"orgId"`
	TemplateID int64 `json:"templateId"`
	Paused     bool  `json:"paused"`
}

// PauseTemplate pauses or resumes a template.
func (a *Recurring) PauseTemplate(ctx context.Context, in PauseInput) error {
	defer heartbeat(ctx)()
	return permanent(ctx, a.operations.PauseTemplate(ctx, workflowOf(ctx, in.OrgID), in.TemplateID, in.Paused))
}
