package workflows

import (
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
)

// houses names the activities for the compiler; it stays nil.
var houses *activities.Housekeeping

// mostBatches is how often a duty is gone on with before the next one has its turn;
// what is left then waits for the next time.
const mostBatches = 200

// Kept is what came of a duty.
type Kept struct {
	Duty activities.Duty `json:"duty"`
	// Gone counts what was deleted, and Left says that there is more.
	Gone int  `json:"gone"`
	Left bool `json:"left,omitempty"`
	// Failed says that the duty was broken off; its activity says why.
	Failed bool `json:"failed,omitempty"`
}

// HousekeepingInput says what is to be done. It is the schedule's, so that a run
// replays with the duties that it began with.
type HousekeepingInput struct {
	Duties []activities.Duty `json:"duties"`
}

// Housekeeping is run by a schedule. It carries out one duty after the other, each
// in batches that hold nobody up, and says what came of them. One that fails does
// not keep the others from their turn; then the workflow fails in the end, so that
// operators find it.
func Housekeeping(ctx workflow.Context, in HousekeepingInput) ([]Kept, error) {
	var done []Kept
	var failed error
	for _, duty := range in.Duties {
		kept := Kept{Duty: duty}
		if err := keepHouse(ctx, &kept); err != nil {
			if ctx.Err() != nil {
				return done, err
			}
			kept.Failed, failed = true, err
		}
		done = append(done, kept)
		workflow.SetCurrentDetails(ctx, houseStory(done))
	}
	return done, failed
}

// keepHouse carries out a duty.
func keepHouse(ctx workflow.Context, kept *Kept) error {
	for range mostBatches {
		var batch activities.HouseBatch
		in := activities.HouseInput{Duty: kept.Duty}
		err := workflow.ExecuteActivity(inBatches(ctx, string(kept.Duty)), houses.KeepHouse, in).Get(ctx, &batch)
		if err != nil {
			return err
		}
		kept.Gone, kept.Left = kept.Gone+batch.Gone, batch.Left
		if !batch.Left {
			return nil
		}
	}
	return nil
}

// inBatches suits a batch of housekeeping: nobody waits for it, and a database that
// is away for an hour is left to the next time.
func inBatches(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		Summary:                summary,
		StartToCloseTimeout:    2 * time.Minute,
		ScheduleToCloseTimeout: time.Hour,
		HeartbeatTimeout:       15 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: time.Minute,
			NonRetryableErrorTypes: []string{activities.ErrTypeNotFound, activities.ErrTypeRefusedData},
		},
	})
}

// houseStory says in plain words what came of the duties so far.
func houseStory(done []Kept) string {
	lines := make([]string, len(done))
	for i, k := range done {
		lines[i] = fmt.Sprintf("- %s: **%d** deleted", k.Duty.Words(), k.Gone)
		if k.Left {
			lines[i] += "; there is more, which the next run takes"
		}
		if k.Failed {
			lines[i] += "; then it failed"
		}
	}
	return strings.Join(lines, "\n")
}
