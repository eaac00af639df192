package workflows

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"waybill/domain/fault"
)

// StartImport starts the workflow of an import, unless it is running. A worker
// of the imports queue that shares the client takes the first step at once. An
// ended workflow of the same ID does not prevent a start: finished chunks are
// skipped, and a restored database reuses numbers.
func StartImport(ctx context.Context, c client.Client, in ImportInput, requestID string) (client.WorkflowRun, error) {
	org, err := OrgName(ctx, c, in.OrgID)
	if err != nil {
		return nil, err
	}
	run, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:                       ImportID(org, in.ImportID),
		TaskQueue:                string(ImportsQueue),
		Priority:                 turnOf(ImportID(org, in.ImportID)),
		EnableEagerStart:         true,
		WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		TypedSearchAttributes:    temporal.NewSearchAttributes(in.searchAttributes()...),
		Memo:                     map[string]any{RequestIDMemo: requestID},
		StaticSummary:            fmt.Sprintf("import of %d orders", in.Entries),
	}, ImportOrders, in)
	if err != nil {
		return nil, outOfReach(err)
	}
	return run, nil
}

// AwaitImport waits until the results of an import are stored: until its
// workflow has ended, or kept is closed, which may be nil. It gives up when ctx
// ends. While the import is still running it returns done as false and no
// error. It does the same when the server becomes unreachable, because the
// import continues.
func AwaitImport(ctx context.Context, run client.WorkflowRun, kept <-chan struct{}) (done bool, err error) {
	following, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- run.Get(following, nil) }()
	select {
	case <-kept:
		return true, nil
	case err = <-ended:
	}
	if err == nil {
		return true, nil
	}
	if ctx.Err() != nil || fault.KindOf(outOfReach(err)) == fault.Unavailable {
		return false, nil // the waiting ended, not the import
	}
	return false, fmt.Errorf("await import: %w", err)
}

// searchAttributes are the initial ones of an import.
func (in ImportInput) searchAttributes() []temporal.SearchAttributeUpdate {
	all := []temporal.SearchAttributeUpdate{searchOrg.ValueSet(in.OrgID)}
	if in.Chunks > 1 {
		all = append(all, searchState.ValueSet(importRunning))
	}
	return all
}

// outOfReach marks errors that mean that the Temporal server is not available:
// it is down, does not respond in time, is overloaded, or does not find its own
// namespace, which existed when this program started.
func outOfReach(err error) error {
	var unavailable *serviceerror.Unavailable
	var late *serviceerror.DeadlineExceeded
	var exhausted *serviceerror.ResourceExhausted
	var unanswered *client.WorkflowUpdateServiceTimeoutOrCanceledError
	var busy *serviceerror.WorkflowNotReady
	var nowhere *serviceerror.NamespaceNotFound
	if errors.As(err, &unavailable) || errors.As(err, &late) || errors.As(err, &exhausted) ||
		errors.As(err, &unanswered) || errors.As(err, &busy) || errors.As(err, &nowhere) || errors.Is(err, context.DeadlineExceeded) {
		return &fault.Error{
			Kind: fault.Unavailable, Text: fault.Say("service.unavailable"),
			Cause: fmt.Errorf("the Temporal server is unavailable: %w", err),
		}
	}
	return err
}
