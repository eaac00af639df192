package workflows_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/sdk/v1"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

const day = 24 * time.Hour

var quiet = log.NewStructuredLogger(slog.New(slog.DiscardHandler))

// newEnvironment runs one workflow on skipped time. A busy machine may hold a
// step up for longer than the second that is allowed by default.
func newEnvironment(
	suite *testsuite.WorkflowTestSuite, watchers ...interceptor.WorkerInterceptor,
) *testsuite.TestWorkflowEnvironment {
	suite.SetLogger(quiet)
	env := suite.NewTestWorkflowEnvironment()
	env.SetWorkerOptions(worker.Options{DeadlockDetectionTimeout: time.Minute, Interceptors: watchers})
	env.SetTestTimeout(time.Minute)
	return env
}

// details is what the Temporal UI shows of a workflow.
func details(t *testing.T, env *testsuite.TestWorkflowEnvironment) string {
	t.Helper()
	answer, err := env.QueryWorkflow("__temporal_workflow_metadata")
	require.NoError(t, err)
	var metadata sdk.WorkflowMetadata
	require.NoError(t, answer.Get(&metadata))
	return metadata.CurrentDetails
}

// steps records which local activities a workflow begins, and which search
// attributes it sets; either may be nil.
type steps struct {
	interceptor.WorkerInterceptorBase
	begun func(name string)
	shown func(temporal.SearchAttributes)
}

func (s *steps) InterceptWorkflow(
	_ workflow.Context, next interceptor.WorkflowInboundInterceptor,
) interceptor.WorkflowInboundInterceptor {
	return &stepsInbound{WorkflowInboundInterceptorBase: interceptor.WorkflowInboundInterceptorBase{Next: next}, steps: s}
}

type stepsInbound struct {
	interceptor.WorkflowInboundInterceptorBase
	steps *steps
}

func (i *stepsInbound) Init(next interceptor.WorkflowOutboundInterceptor) error {
	base := interceptor.WorkflowOutboundInterceptorBase{Next: next}
	return i.Next.Init(&stepsOutbound{WorkflowOutboundInterceptorBase: base, steps: i.steps})
}

type stepsOutbound struct {
	interceptor.WorkflowOutboundInterceptorBase
	steps *steps
}

func (o *stepsOutbound) ExecuteLocalActivity(ctx workflow.Context, name string, args ...any) workflow.Future {
	if o.steps.begun != nil {
		o.steps.begun(name)
	}
	return o.Next.ExecuteLocalActivity(ctx, name, args...)
}

func (o *stepsOutbound) UpsertTypedSearchAttributes(
	ctx workflow.Context, updates ...temporal.SearchAttributeUpdate,
) error {
	if o.steps.shown != nil {
		o.steps.shown(temporal.NewSearchAttributes(updates...))
	}
	return o.Next.UpsertTypedSearchAttributes(ctx, updates...)
}
