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

// mostTurns is how often a duty continues before the next one starts; the rest waits
// for the next run.
const mostTurns = 20

// Kept is the result of a duty.
type Kept struct {
	Duty housekeeping.Duty `json:"duty"`
	// Done counts what was deleted, created or restarted, and Left reports that more
	// remains.
	Done int  `json:"done"`
	Left bool `json:"left,omitempty"`
	// Failed reports that the duty was aborted; its activity has the
	// reason.
	Failed bool `json:"failed,omitempty"`
}

// HousekeepingInput lists the duties. It is part of the schedule, so that a run
// replays with the duties that it began with.
type HousekeepingInput struct {
	Duties []housekeeping.Duty `json:"duties"`
}

// Housekeeping is run by a schedule. It carries out one duty after the other, each
// in short steps, and returns their results. A failed duty does not stop the
// others; the workflow then fails at the end, so that operators notice.
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

// inTurns sets the activity options for housekeeping: nothing waits for it, and
// if the database is down for an hour, the next run does the work.
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

// houseStory describes the results of the duties so far.
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
