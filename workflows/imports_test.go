package workflows_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"waybill/activities"
	"waybill/domain/order"
	"waybill/workflows"
)

type imports struct {
	env *testsuite.TestWorkflowEnvironment

	mu       sync.Mutex
	story    []string // the activities in sequence
	running  int
	atOnce   int
	failures map[int]int // how often a chunk fails before it succeeds
}

func setup(t *testing.T) *imports {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	b := &imports{env: newEnvironment(&suite), failures: map[int]int{}}
	b.env.SetWorkflowRunTimeout(24 * time.Hour) // the bound of activities that set none
	workflows.Register(b.env)
	acts := &activities.Imports{}
	b.env.OnActivity(acts.RegisterLocations, mock.Anything, mock.Anything).Maybe().Return(
		func(context.Context, activities.RegisterInput) error {
			b.note("locations")
			return nil
		})
	b.env.OnActivity(acts.ImportChunk, mock.Anything, mock.Anything).Maybe().Return(
		func(_ context.Context, in activities.ChunkInput) (activities.Outcomes, error) {
			return b.chunk(in)
		})
	b.env.RegisterActivity(acts)
	return b
}

func (b *imports) note(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.story = append(b.story, what)
}

func (b *imports) chunk(in activities.ChunkInput) (activities.Outcomes, error) {
	b.mu.Lock()
	b.running++
	b.atOnce = max(b.atOnce, b.running)
	fail := b.failures[in.Chunk] > 0
	if fail {
		b.failures[in.Chunk]--
	}
	b.mu.Unlock()
	time.Sleep(time.Millisecond) // lets others overlap
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running--
	if fail {
		return activities.Outcomes{}, errors.New("connection refused")
	}
	b.story = append(b.story, "chunk")
	return activities.Outcomes{Created: 1}, nil
}

func (b *imports) status(t *testing.T) workflows.ImportStatus {
	t.Helper()
	answer, err := b.env.QueryWorkflow(workflows.StatusQuery)
	require.NoError(t, err)
	var status workflows.ImportStatus
	require.NoError(t, answer.Get(&status))
	return status
}

func TestImportOrders(t *testing.T) {
	t.Parallel()

	t.Run("ASmallImportIsOneStep", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.env.ExecuteWorkflow(workflows.ImportOrders, workflows.ImportInput{OrgID: 1, ImportID: 7, Entries: 1, Chunks: 1})
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, []string{"chunk"}, b.story)
		require.Equal(t, workflows.ImportStatus{
			State: "COMPLETED", Entries: 1, Chunks: 1, ChunksDone: 1, Outcomes: activities.Outcomes{Created: 1},
		}, b.status(t))
	})

	t.Run("ALargeImportRegistersLocationsBeforeItsChunks", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.env.ExecuteWorkflow(workflows.ImportOrders, workflows.ImportInput{OrgID: 1, ImportID: 7, Entries: 4000, Chunks: 8})
		require.NoError(t, b.env.GetWorkflowError())
		require.Len(t, b.story, 9)
		require.Equal(t, "locations", b.story[0])
		require.LessOrEqual(t, b.atOnce, 4)
		require.Equal(t, 8, b.status(t).ChunksDone)
	})

	t.Run("ChunksThatMayMergeTakeTurns", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.env.ExecuteWorkflow(workflows.ImportOrders,
			workflows.ImportInput{OrgID: 1, ImportID: 7, Entries: 4000, Chunks: 8, InOrder: true})
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, 1, b.atOnce)
	})

	t.Run("AChunkIsNeverGivenUp", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.failures[1] = 9 // the test environment allows ten attempts where we set no bound
		start := b.env.Now()
		b.env.ExecuteWorkflow(workflows.ImportOrders, workflows.ImportInput{OrgID: 1, ImportID: 7, Entries: 1000, Chunks: 2})
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, 2, b.status(t).ChunksDone)
		require.Greater(t, b.env.Now().Sub(start), 15*time.Second, "it waits longer and longer")
	})

	t.Run("ASmallImportOutlastsADatabaseThatIsAway", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.failures[0] = 25 // more than the short way tries
		b.env.ExecuteWorkflow(workflows.ImportOrders, workflows.ImportInput{OrgID: 1, ImportID: 7, Entries: 1, Chunks: 1})
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, []string{"chunk"}, b.story)
	})

	t.Run("AnImportThatDoesNotExistEndsAtOnce", func(t *testing.T) {
		t.Parallel()
		var suite testsuite.WorkflowTestSuite
		env := newEnvironment(&suite)
		workflows.Register(env)
		acts := &activities.Imports{}
		tries := 0
		env.OnActivity(acts.ImportChunk, mock.Anything, mock.Anything).Return(
			func(context.Context, activities.ChunkInput) (activities.Outcomes, error) {
				tries++
				return activities.Outcomes{}, temporal.NewNonRetryableApplicationError("not found", activities.ErrTypeNotFound, nil)
			})
		env.ExecuteWorkflow(workflows.ImportOrders, workflows.ImportInput{OrgID: 1, ImportID: 7, Entries: 1, Chunks: 1})
		var failure *temporal.ApplicationError
		require.ErrorAs(t, env.GetWorkflowError(), &failure)
		require.Equal(t, activities.ErrTypeNotFound, failure.Type())
		require.LessOrEqual(t, tries, 2)
	})
}

// TestAnImportThatDoesNotCompleteEnds records how an import ended that failed
// or was cancelled, once its chunks are over.
func TestAnImportThatDoesNotCompleteEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		as     order.ImportEnd
		chunks int
		cancel bool
	}{
		{order.ImportFailed, 1, false},
		{order.ImportFailed, 3, false},
		{order.ImportCancelled, 3, true},
	} {
		t.Run(fmt.Sprintf("%sOf%d", c.as, c.chunks), func(t *testing.T) {
			t.Parallel()
			var suite testsuite.WorkflowTestSuite
			env := newEnvironment(&suite)
			workflows.Register(env)
			acts := &activities.Imports{}
			env.OnActivity(acts.RegisterLocations, mock.Anything, mock.Anything).Maybe().Return(nil)
			env.OnActivity(acts.ImportChunk, mock.Anything, mock.Anything).Return(
				func(_ context.Context, in activities.ChunkInput) (activities.Outcomes, error) {
					switch {
					case in.Chunk < c.chunks-1:
						return activities.Outcomes{Created: 1}, nil
					case c.cancel:
						env.CancelWorkflow()
					}
					return activities.Outcomes{}, temporal.NewNonRetryableApplicationError("poison", activities.ErrTypeRefusedData, nil)
				})
			var ended []activities.EndInput
			env.OnActivity(acts.EndImport, mock.Anything, mock.Anything).Return(func(_ context.Context, in activities.EndInput) error {
				ended = append(ended, in)
				return nil
			})
			env.ExecuteWorkflow(workflows.ImportOrders,
				workflows.ImportInput{OrgID: 1, ImportID: 7, Entries: c.chunks, Chunks: c.chunks, InOrder: true})
			require.Error(t, env.GetWorkflowError())
			require.Equal(t, c.cancel, temporal.IsCanceledError(env.GetWorkflowError()))
			require.Equal(t, []activities.EndInput{{OrgID: 1, ImportID: 7, As: c.as}}, ended)
		})
	}
}
