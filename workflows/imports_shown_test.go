package workflows_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/mocks"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/fault"
	"waybill/workflows"
)

var state = temporal.NewSearchAttributeKeyKeyword("WaybillState")

// shown runs an import, and returns the states that operators find it by.
func shown(t *testing.T, chunks int, failure error, prepare func(*testsuite.TestWorkflowEnvironment)) []string {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	var states []string
	env := newEnvironment(&suite, &steps{shown: func(all temporal.SearchAttributes) {
		if is, ok := all.GetKeyword(state); ok {
			states = append(states, is)
		}
	}})
	workflows.Register(env)
	acts := &activities.Imports{}
	env.OnActivity(acts.RegisterLocations, mock.Anything, mock.Anything).Maybe().Return(nil)
	env.OnActivity(acts.ImportChunk, mock.Anything, mock.Anything).Return(
		func(context.Context, activities.ChunkInput) (activities.Outcomes, error) {
			return activities.Outcomes{Created: 1}, failure
		})
	prepare(env)
	env.ExecuteWorkflow(workflows.ImportOrders, workflows.ImportInput{OrgID: 1, ImportID: 7, Entries: 900, Chunks: chunks})
	require.Equal(t, failure != nil, env.GetWorkflowError() != nil)
	return states
}

func TestOperatorsFindHowImportsEnded(t *testing.T) {
	t.Parallel()
	refused := temporal.NewNonRetryableApplicationError("refused", activities.ErrTypeRefusedData, nil)
	plain := func(*testsuite.TestWorkflowEnvironment) {}
	require.Equal(t, []string{"completed"}, shown(t, 2, nil, plain))
	require.Equal(t, []string{"failed"}, shown(t, 2, refused, plain))
	require.Equal(t, []string{"failed"}, shown(t, 1, refused, plain))
	require.Empty(t, shown(t, 1, nil, plain), "its caller waits")
	require.Empty(t, shown(t, 2, nil, func(env *testsuite.TestWorkflowEnvironment) {
		env.OnGetVersion("show-imports", workflow.DefaultVersion, workflow.Version(1)).Return(workflow.DefaultVersion)
	}), "an import of v0.2.0")
}

func TestRunningBulkImportIsSearchable(t *testing.T) {
	t.Parallel()
	for chunks, want := range map[int]string{1: "", 2: "running"} {
		c := mocks.NewClient(t)
		c.On("ExecuteWorkflow", mock.Anything, mock.MatchedBy(func(o client.StartWorkflowOptions) bool {
			is, _ := o.TypedSearchAttributes.GetKeyword(state)
			return is == want
		}), mock.Anything, mock.Anything).Return(mocks.NewWorkflowRun(t), nil)
		_, err := workflows.StartImport(t.Context(), c, workflows.ImportInput{OrgID: 1, ImportID: 7, Chunks: chunks}, "r")
		require.NoError(t, err)
	}
}

// A server that has more to do than it takes on is as good as away.
func TestThrottledServerIsUnavailable(t *testing.T) {
	t.Parallel()
	c := mocks.NewClient(t)
	full := &serviceerror.ResourceExhausted{Message: "namespace rate limit exceeded"}
	c.On("ExecuteWorkflow", mock.Anything, mock.Anything, mock.Anything, mock.Anything).Return(nil, full)
	_, err := workflows.StartImport(t.Context(), c, workflows.ImportInput{OrgID: 1, ImportID: 7, Chunks: 1}, "r")
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	c.On("SignalWorkflow", mock.Anything, mock.Anything, mock.Anything, mock.Anything, mock.Anything).Return(full)
	require.Equal(t, fault.Unavailable, fault.KindOf(workflows.ExportClosed(t.Context(), c, 1, 2)))
}
