package workflows_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"waybill/activities"
	"waybill/domain/housekeeping"
	"waybill/workflows"
)

func TestHousekeepingRunsInTurns(t *testing.T) {
	t.Parallel()
	var suite testsuite.WorkflowTestSuite
	env := newEnvironment(&suite)
	workflows.Register(env)
	batches := 0
	env.OnActivity((&activities.Housekeeping{}).KeepHouse, mock.Anything, mock.Anything).Return(
		func(context.Context, activities.HouseInput) (housekeeping.Batch, error) {
			batches++
			if batches == 2 {
				return housekeeping.Batch{}, errors.New("the database is away")
			}
			return housekeeping.Batch{Done: 10, Left: batches < 4}, nil
		})
	env.ExecuteWorkflow(workflows.Housekeeping,
		workflows.HousekeepingInput{Duties: []housekeeping.Duty{housekeeping.Positions}})
	require.NoError(t, env.GetWorkflowError())
	var done []workflows.Kept
	require.NoError(t, env.GetWorkflowResult(&done))
	require.Equal(t, []workflows.Kept{{Duty: housekeeping.Positions, Done: 30}}, done)
	answer, err := env.QueryWorkflow(workflows.StatusQuery)
	require.NoError(t, err)
	var shown []workflows.Kept
	require.NoError(t, answer.Get(&shown))
	require.Equal(t, done, shown)
	require.Equal(t, "- driver positions and driven ways older than 30 days: **30** deleted", details(t, env))
}

// A duty that fails is shown, and does not keep the next one from its turn.
func TestFailedDutyDoesNotBlockOthers(t *testing.T) {
	t.Parallel()
	var suite testsuite.WorkflowTestSuite
	env := newEnvironment(&suite)
	workflows.Register(env)
	var asked []housekeeping.Duty
	env.OnActivity((&activities.Housekeeping{}).KeepHouse, mock.Anything, mock.Anything).Return(
		func(_ context.Context, in activities.HouseInput) (housekeeping.Batch, error) {
			asked = append(asked, in.Duty)
			if in.Duty == "poison" {
				return housekeeping.Batch{}, temporal.NewNonRetryableApplicationError("refused", activities.ErrTypeRefusedData, nil)
			}
			return housekeeping.Batch{Done: 1}, nil
		})
	env.ExecuteWorkflow(workflows.Housekeeping,
		workflows.HousekeepingInput{Duties: []housekeeping.Duty{"poison", housekeeping.Positions}})
	require.Error(t, env.GetWorkflowError(), "operators find it")
	require.Equal(t, []housekeeping.Duty{"poison", housekeeping.Positions}, asked)
	require.Contains(t, details(t, env), "- poison: **0** done; then it failed")
}

// A duty that does not finish leaves the rest to the next run.
func TestEndlessDutyYieldsToOthers(t *testing.T) {
	t.Parallel()
	var suite testsuite.WorkflowTestSuite
	env := newEnvironment(&suite)
	workflows.Register(env)
	turns := map[housekeeping.Duty]int{}
	env.OnActivity((&activities.Housekeeping{}).KeepHouse, mock.Anything, mock.Anything).Return(
		func(_ context.Context, in activities.HouseInput) (housekeeping.Batch, error) {
			turns[in.Duty]++
			return housekeeping.Batch{Done: 1, Left: in.Duty == housekeeping.Files}, nil
		})
	env.ExecuteWorkflow(workflows.Housekeeping,
		workflows.HousekeepingInput{Duties: []housekeeping.Duty{housekeeping.Files, housekeeping.Log}})
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, map[housekeeping.Duty]int{housekeeping.Files: 20, housekeeping.Log: 1}, turns)
	require.Contains(t, details(t, env), "**20** deleted; there is more, which the next run takes")
}
