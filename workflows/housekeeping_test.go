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
	"waybill/workflows"
)

func TestTheHouseIsKeptInBatches(t *testing.T) {
	t.Parallel()
	var suite testsuite.WorkflowTestSuite
	env := newEnvironment(&suite)
	workflows.Register(env)
	batches := 0
	env.OnActivity((&activities.Housekeeping{}).KeepHouse, mock.Anything, mock.Anything).Return(
		func(context.Context, activities.HouseInput) (activities.HouseBatch, error) {
			batches++
			if batches == 2 {
				return activities.HouseBatch{}, errors.New("the database is away")
			}
			return activities.HouseBatch{Gone: 10, Left: batches < 4}, nil
		})
	env.ExecuteWorkflow(workflows.Housekeeping, workflows.HousekeepingInput{Duties: activities.Duties()})
	require.NoError(t, env.GetWorkflowError())
	var done []workflows.Kept
	require.NoError(t, env.GetWorkflowResult(&done))
	require.Equal(t, []workflows.Kept{{Duty: activities.DutyPositions, Gone: 30}}, done)
	require.Equal(t, "- positions of drivers older than 30 days: **30** deleted", details(t, env))
}

// A duty that fails is shown, and does not keep the next one from its turn.
func TestADutyThatFailsHoldsNoOtherUp(t *testing.T) {
	t.Parallel()
	var suite testsuite.WorkflowTestSuite
	env := newEnvironment(&suite)
	workflows.Register(env)
	var asked []activities.Duty
	env.OnActivity((&activities.Housekeeping{}).KeepHouse, mock.Anything, mock.Anything).Return(
		func(_ context.Context, in activities.HouseInput) (activities.HouseBatch, error) {
			asked = append(asked, in.Duty)
			if in.Duty == "poison" {
				return activities.HouseBatch{}, temporal.NewNonRetryableApplicationError("refused", activities.ErrTypeRefusedData, nil)
			}
			return activities.HouseBatch{Gone: 1}, nil
		})
	env.ExecuteWorkflow(workflows.Housekeeping,
		workflows.HousekeepingInput{Duties: []activities.Duty{"poison", activities.DutyPositions}})
	require.Error(t, env.GetWorkflowError(), "operators find it")
	require.Equal(t, []activities.Duty{"poison", activities.DutyPositions}, asked)
	require.Contains(t, details(t, env), "- poison: **0** deleted; then it failed")
}
