package workflows

import (
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/housekeeping"
)

// houses names the activities for the compiler; it stays nil.
var houses *activities.Housekeeping

// mostTurns is how often a duty is gone on with before the next one has its turn; what
// is left then waits for the next time.
const mostTurns = 20

// Kept is what came of a duty.
type Kept struct {
	Duty housekeeping.Duty `json:"duty"`
	// Done counts what was deleted, made or started again, and Left says that there is
	// more.
	Done int  `json:"done"`
	Left bool `json:"left,omitempty"`
	// Failed says that the duty was broken off; its activity says why.
	Failed bool `json:"failed,omitempty"`
}

// HousekeepingInput says what is to be done. It is the schedule's, so that a run
// replays with the duties that it began with.
type HousekeepingInput struct {
	Duties []housekeeping.Duty `json:"duties"`
}

// Housekeeping is run by a schedule. It carries out one duty after the other, each
// in steps that hold nobody up, and says what came of them. One that fails does
// not keep the others from their turn; then the workflow fails in the end, so that
// operators find it.
func Housekeeping(ctx workflow.Context, in HousekeepingInput) ([]Kept, error) {
	var done []Kept
	err := workflow.SetQueryHandler(ctx, StatusQuery, func() ([]Kept, error) { return done, nil })
	if err != nil {
		return nil, err
	}
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
	for range mostTurns {
		var turn housekeeping.Batch
		in := activities.HouseInput{Duty: kept.Duty}
		err := workflow.ExecuteActivity(inTurns(ctx, kept.Duty.Words()), houses.KeepHouse, in).Get(ctx, &turn)
		if err != nil {
			return err
		}
		kept.Done, kept.Left = kept.Done+turn.Done, turn.Left
		if !turn.Left {
			return nil
		}
	}
	return nil
}

// inTurns suits a turn of housekeeping: nobody waits for it, and a database that is
// away for an hour is left to the next time.
func inTurns(ctx workflow.Context, summary string) workflow.Context {
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
		lines[i] = fmt.Sprintf("- %s: **%d** %s", k.Duty.Words(), k.Done, k.Duty.Done())
		if k.Left {
			lines[i] += "; there is more, which the next run takes"
		}
		if k.Failed {
			lines[i] += "; then it failed"
		}
	}
	return strings.Join(lines, "\n")
}
