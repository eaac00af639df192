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
	// Visits is the same for the times of visits; nil without any.
	Visits *VisitsOutcome `json:"visits,omitempty"`
	// Drivers is the same for how drivers differ; nil if none are known to.
	Drivers *DriversOutcome `json:"drivers,omitempty"`
	// Next is when the next night begins.
	Next time.Time `json:"next,omitzero"`
}

// VisitsOutcome is what one night has brought of the times of visits.
type VisitsOutcome struct {
	Visits        int   `json:"visits"`
	Days          int   `json:"days"`
	Predicted     int   `json:"predicted,omitempty"`
	BeforeSeconds int   `json:"beforeSeconds,omitempty"`
	AfterSeconds  int   `json:"afterSeconds,omitempty"`
	ProposalID    int64 `json:"proposalId,omitempty"`
	Accepted      bool  `json:"accepted,omitempty"`
}

// DriversOutcome is what one night has brought of how drivers differ.
type DriversOutcome struct {
	// Facts counts the legs and visits of all drivers.
	Facts         int   `json:"facts"`
	Days          int   `json:"days"`
	Predicted     int   `json:"predicted,omitempty"`
	BeforeSeconds int   `json:"beforeSeconds,omitempty"`
	AfterSeconds  int   `json:"afterSeconds,omitempty"`
	ProposalID    int64 `json:"proposalId,omitempty"`
	Accepted      bool  `json:"accepted,omitempty"`
}

// LearnTravel learns from the last weeks.
func (a *Learning) LearnTravel(ctx context.Context, in LearningInput) (LearningOutcome, error) {
	defer heartbeat(ctx)()
	night, err := a.operations.Learn(ctx, workflowOf(ctx, in.OrgID))
	if err != nil {
		return LearningOutcome{}, permanent(ctx, err)
	}
	legs, visits := &night.Travel, &night.Visits
	out := LearningOutcome{
		Off: night.Mode == learning.Off, Legs: legs.Facts, Days: legs.Days, Predicted: legs.Trial.Predicted,
		BeforeSeconds: int(legs.Trial.Before / time.Second), AfterSeconds: int(legs.Trial.After / time.Second),
		ProposalID: legs.Proposal, Accepted: legs.Accepted, Next: night.Next,
	}
	if visits.Facts > 0 {
		out.Visits = &VisitsOutcome{
			Visits: visits.Facts, Days: visits.Days, Predicted: visits.Trial.Predicted,
			BeforeSeconds: int(visits.Trial.Before / time.Second), AfterSeconds: int(visits.Trial.After / time.Second),
			ProposalID: visits.Proposal, Accepted: visits.Accepted,
		}
	}
	if drivers := &night.Drivers; drivers.Trial.Predicted > 0 {
		out.Drivers = &DriversOutcome{
			Facts: drivers.Facts, Days: drivers.Days, Predicted: drivers.Trial.Predicted,
			BeforeSeconds: int(drivers.Trial.Before / time.Second), AfterSeconds: int(drivers.Trial.After / time.Second),
			ProposalID: drivers.Proposal, Accepted: drivers.Accepted,
		}
	}
	return out, nil
}
