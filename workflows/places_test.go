package workflows_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"waybill/activities"
	"waybill/workflows"
)

func TestAddressesAreAskedForUntilNoneIsLeft(t *testing.T) {
	t.Parallel()
	var suite testsuite.WorkflowTestSuite
	env := newEnvironment(&suite)
	workflows.Register(env)
	start, at := env.Now(), []time.Duration{}
	acts := &activities.Places{}
	env.OnActivity(acts.PlaceTurn, mock.Anything, mock.Anything).Return(
		func(_ context.Context, in activities.PlaceTurnInput) (activities.PlaceOutcome, error) {
			require.EqualValues(t, 7, in.OrgID)
			at = append(at, env.Now().Sub(start).Round(time.Second))
			next := env.Now().Add(time.Hour)
			switch len(at) {
			case 1:
				return activities.PlaceOutcome{Found: 3, Waiting: 5, Failed: 3, Fault: "unavailable", Next: &next}, nil
			case 2:
				return activities.PlaceOutcome{Waiting: 5, Next: &next}, nil
			}
			return activities.PlaceOutcome{Found: 4, Unknown: 1}, nil
		})
	env.RegisterDelayedCallback(func() { env.SignalWorkflow(workflows.PlacesNewsSignal, nil) }, 10*time.Minute)
	env.ExecuteWorkflow(workflows.PlaceAddresses, workflows.PlacesInput{OrgID: 7})
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, []time.Duration{0, 10 * time.Minute, 70 * time.Minute}, at, "news and the time wake it")
	answer, err := env.QueryWorkflow(workflows.StatusQuery)
	require.NoError(t, err)
	var status workflows.PlacesStatus
	require.NoError(t, answer.Get(&status))
	require.Equal(t, []int{7, 1, 0}, []int{status.AllFound, status.AllUnknown, status.Waiting})
}
