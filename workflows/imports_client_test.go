package workflows_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"waybill/domain/fault"
	"waybill/workflows"
)

// running is a workflow run that ends on request with a given result.
type running struct {
	client.WorkflowRun

	ended chan error
}

func (r *running) Get(ctx context.Context, _ any) error {
	select {
	case err := <-r.ended:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestAnImportIsDoneWhenItsResultsAreKeptOrItsWorkflowHasEnded(t *testing.T) {
	t.Parallel()
	kept := make(chan struct{})
	close(kept)
	for name, tc := range map[string]struct {
		run   running
		kept  chan struct{}
		done  bool
		fails bool
	}{
		"the results are kept, the workflow is at work": {run: running{}, kept: kept, done: true},
		"the workflow has ended, elsewhere":             {run: ended(nil), done: true},
		"the workflow has failed":                       {run: ended(errors.New("terminated")), fails: true},
		"nothing has come until the caller must go on":  {run: running{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wait := time.Hour
			if !tc.done && !tc.fails {
				wait = time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), wait)
			defer cancel()
			done, err := workflows.AwaitImport(ctx, &tc.run, tc.kept)
			require.Equal(t, tc.fails, err != nil, "%v", err)
			require.Equal(t, tc.done, done)
		})
	}
}

// ended is a run that has ended.
func ended(with error) running {
	r := running{ended: make(chan error, 1)}
	r.ended <- with
	return r
}

// lost is a server that does not find its namespace for now.
type lost struct{ client.Client }

func (lost) ExecuteWorkflow(
	context.Context, client.StartWorkflowOptions, any, ...any,
) (client.WorkflowRun, error) {
	return nil, serviceerror.NewNamespaceNotFound("default")
}

func TestServerWithoutItsNamespaceIsUnavailable(t *testing.T) {
	t.Parallel()
	named := workflows.Naming(lost{}, func(context.Context, int64) (string, error) { return "acme", nil })
	_, err := workflows.StartImport(t.Context(), named, workflows.ImportInput{OrgID: 1, ImportID: 1}, "")
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
}
