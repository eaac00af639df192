package workflows_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/workflows"
)

// TestTravelIsLearnedNightByNight learns until the organization wants no more.
func TestTravelIsLearnedNightByNight(t *testing.T) {
	t.Parallel()
	var suite testsuite.WorkflowTestSuite
	env := newEnvironment(&suite)
	workflows.Register(env)
	start, at := env.Now(), []time.Duration{}
	acts := &activities.Learning{}
	env.OnActivity(acts.LearnTravel, mock.Anything, mock.Anything).Return(
		func(_ context.Context, in activities.LearningInput) (activities.LearningOutcome, error) {
			require.EqualValues(t, 7, in.OrgID)
			at = append(at, env.Now().Sub(start).Round(time.Second))
			if len(at) == 3 {
				return activities.LearningOutcome{Off: true}, nil
			}
			return activities.LearningOutcome{Legs: 900, Days: 20, ProposalID: int64(len(at)), Next: env.Now().Add(24 * time.Hour)}, nil
		})
	env.ExecuteWorkflow(workflows.LearnTravel, workflows.LearnTravelInput{OrgID: 7})
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, []time.Duration{0, 24 * time.Hour, 48 * time.Hour}, at)
	answer, err := env.QueryWorkflow(workflows.StatusQuery)
	require.NoError(t, err)
	var status activities.LearningOutcome
	require.NoError(t, answer.Get(&status))
	require.True(t, status.Off)
}

// TestLearningGoesOnAsNew keeps its history short, and ends when there is nothing to learn from.
func TestLearningGoesOnAsNew(t *testing.T) {
	t.Parallel()
	for _, of := range []activities.LearningOutcome{{}, {Legs: 12}, {Visits: &activities.VisitsOutcome{Visits: 12}}} {
		var suite testsuite.WorkflowTestSuite
		env := newEnvironment(&suite)
		workflows.Register(env)
		nights := 0
		acts := &activities.Learning{}
		env.OnActivity(acts.LearnTravel, mock.Anything, mock.Anything).Return(
			func(context.Context, activities.LearningInput) (activities.LearningOutcome, error) {
				nights++
				of.Next = env.Now().Add(24 * time.Hour)
				return of, nil
			})
		env.ExecuteWorkflow(workflows.LearnTravel, workflows.LearnTravelInput{OrgID: 7})
		if of.Legs == 0 && of.Visits == nil {
			require.NoError(t, env.GetWorkflowError())
			require.Equal(t, 1, nights)
			continue
		}
		var again *workflow.ContinueAsNewError
		require.ErrorAs(t, env.GetWorkflowError(), &again)
		require.Equal(t, 60, nights)
	}
}
