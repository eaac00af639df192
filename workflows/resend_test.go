package workflows_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"waybill/activities"
	"waybill/domain/notification"
	"waybill/workflows"
)

var resendingInput = workflows.ResendingInput{OrgID: 1, ID: 7}

// resendingTurns are a resending of 120 messages in three batches, with how it ends.
func resendingTurns(ends notification.ResendingState) []activities.ResendingProgress {
	return []activities.ResendingProgress{
		{State: notification.ResendingRunning, Total: 120, Sent: 50},
		{State: notification.ResendingRunning, Total: 120, Sent: 98, Refused: 2},
		{State: ends, Total: 120, Sent: 118, Refused: 2},
	}
}

func TestResendMessages(t *testing.T) {
	t.Parallel()
	for _, ends := range []notification.ResendingState{notification.ResendingCompleted, notification.ResendingStopped} {
		t.Run(string(ends), func(t *testing.T) {
			t.Parallel()
			var suite testsuite.WorkflowTestSuite
			env := newEnvironment(&suite)
			workflows.Register(env)
			turns, asked := resendingTurns(ends), 0
			acts := &activities.Resendings{}
			env.OnActivity(acts.ResendBatch, mock.Anything, resendingInput).Return(
				func(context.Context, activities.ResendingInput) (activities.ResendingProgress, error) {
					asked++
					if asked == 2 {
						return activities.ResendingProgress{}, errors.New("the database is away")
					}
					turn := turns[0]
					turns = turns[1:]
					return turn, nil
				})
			env.ExecuteWorkflow(workflows.ResendMessages, resendingInput)
			require.NoError(t, env.GetWorkflowError())
			require.Empty(t, turns, "until it has ended, and no further")
			require.Equal(t, 4, asked, "an attempt that failed is made again")
			said, err := env.QueryWorkflow(workflows.StatusQuery)
			require.NoError(t, err)
			var status workflows.ResendingStatus
			require.NoError(t, said.Get(&status))
			require.Equal(t, activities.ResendingProgress{State: ends, Total: 120, Sent: 118, Refused: 2}, status)
		})
	}
}
