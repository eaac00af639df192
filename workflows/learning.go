package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
)

// learning names the activities for the compiler; it stays nil.
var learning *activities.Learning

// LearnTravelInput names an organization.
type LearnTravelInput struct {
	OrgID int64 `json:"orgId"`
}

// nightsOfRun is after how many nights the workflow continues as new.
const nightsOfRun = 60

// LearnTravel learns the travel times, the times of visits and the factors of drivers of an organization, night by
// night. It ends when the organization learns nothing, or when nobody has driven for weeks; housekeeping starts it
// again.
func LearnTravel(ctx workflow.Context, in LearnTravelInput) error {
	var status activities.LearningOutcome
	err := workflow.SetQueryHandler(ctx, StatusQuery, func() (activities.LearningOutcome, error) { return status, nil })
	if err != nil {
		return err
	}
	for range nightsOfRun {
		if err := workflow.ExecuteActivity(
			learningIn(ctx), learning.LearnTravel, activities.LearningInput{OrgID: in.OrgID},
		).Get(ctx, &status); err != nil {
			return err
		}
		workflow.SetCurrentDetails(ctx, learningStory(status))
		state := learningState(status)
		if err := workflow.UpsertTypedSearchAttributes(ctx, searchState.ValueSet(state)); err != nil {
			return err
		}
		if status.Off || status.Legs == 0 && status.Visits == nil {
			return nil
		}
		wait := max(status.Next.Sub(workflow.Now(ctx)), time.Minute)
		if err := awaitFor(ctx, wait, "until the next night", func() bool { return false }); err != nil {
			return err
		}
	}
	return workflow.NewContinueAsNewError(ctx, LearnTravel, in)
}

// learningIn sets the activity options for learning. Nothing waits for it: if it does not succeed within an hour, the
// workflow fails, and housekeeping starts it again a day later.
func learningIn(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		Summary:                "learn from the last weeks",
		StartToCloseTimeout:    10 * time.Minute,
		ScheduleToCloseTimeout: time.Hour,
		HeartbeatTimeout:       15 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: 5 * time.Minute,
			NonRetryableErrorTypes: []string{activities.ErrTypeNotFound},
		},
	})
}
