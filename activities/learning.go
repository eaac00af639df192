package activities

import (
	"context"
	"time"

	"waybill/domain/caller"
	"waybill/domain/learning"
	learnops "waybill/operations/learning"
)

// LearningOperations are the operations that learning needs.
type LearningOperations interface {
	Learn(ctx context.Context, c caller.Caller) (learnops.Night, error)
}

// Learning are the activities of the workflow LearnTravel.
type Learning struct {
	operations LearningOperations
}

// NewLearning returns the activities of learning.
func NewLearning(o LearningOperations) *Learning { return &Learning{operations: o} }

// LearningInput names an organization.
type LearningInput struct {
	OrgID int64 `json:"orgId"`
}

// LearningOutcome is what one night has brought.
type LearningOutcome struct {
	// Off is true if the organization learns nothing.
	Off  bool `json:"off,omitempty"`
	Legs int  `json:"legs"`
	Days int  `json:"days"`
	// Predicted counts the legs of the days that nothing was learned from; half of their predictions were off by
	// so many seconds, before and with what was learned.
	Predicted     int `json:"predicted,omitempty"`
	BeforeSeconds int `json:"beforeSeconds,omitempty"`
	AfterSeconds  int `json:"afterSeconds,omitempty"`
	// ProposalID is that of a new proposal, and Accepted is true if it was taken over at once.
	ProposalID int64 `json:"proposalId,omitempty"`
	Accepted   bool  `json:"accepted,omitempty"`
	// Next is when the next night begins.
	Next time.Time `json:"next,omitzero"`
}

// LearnTravel learns from the last weeks.
func (a *Learning) LearnTravel(ctx context.Context, in LearningInput) (LearningOutcome, error) {
	defer heartbeat(ctx)()
	night, err := a.operations.Learn(ctx, workflowOf(ctx, in.OrgID))
	if err != nil {
		return LearningOutcome{}, permanent(ctx, err)
	}
	return LearningOutcome{
		Off: night.Mode == learning.Off, Legs: night.Legs, Days: night.Days, Predicted: night.Trial.Legs,
		BeforeSeconds: int(night.Trial.Before / time.Second), AfterSeconds: int(night.Trial.After / time.Second),
		ProposalID: night.Proposal, Accepted: night.Accepted, Next: night.Next,
	}, nil
}
