package workflows

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"waybill/internal/wait"
)

// Executions are all executions of the workflows of organizations in a namespace.
type Executions struct {
	Temporal  client.Client
	Namespace string
}

// How executions are deleted: a page at a time, some of them concurrently. The
// server deletes them in the background, so the list is read again after a
// pause.
const (
	deletedAtOnce  = 8
	deletedPause   = 500 * time.Millisecond
	deletePatience = 5 * time.Minute
)

// ErrStillListed is the error of executions that the server lists long after they were
// deleted.
var ErrStillListed = errors.New("the organization still has workflows")

func executionsOf(org int64) string { return fmt.Sprintf("%s = %d", searchOrg.GetName(), org) }

// Count counts the executions of an organization: running ones, and ended ones
// that the server still keeps.
func (e Executions) Count(ctx context.Context, org int64) (running, all int64, err error) {
	if running, err = e.count(ctx, executionsOf(org)+" AND ExecutionStatus = 'Running'"); err != nil {
		return 0, 0, err
	}
	all, err = e.count(ctx, executionsOf(org))
	return running, all, err
}

func (e Executions) count(ctx context.Context, query string) (int64, error) {
	answer, err := e.Temporal.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
		Namespace: e.Namespace, Query: query,
	})
	if err != nil {
		return 0, outOfReach(fmt.Errorf("count workflows: %w", err))
	}
	return answer.GetCount(), nil
}

// Delete terminates all executions of an organization and deletes them with
// their histories. It returns when the server lists none, and reports the
// number left from time to time.
func (e Executions) Delete(ctx context.Context, org int64, said func(left int64)) error {
	for until := time.Now().Add(deletePatience); ; {
		some, err := e.Temporal.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			Namespace: e.Namespace, PageSize: listedAtOnce, Query: executionsOf(org),
		})
		if err != nil {
			return outOfReach(fmt.Errorf("list workflows: %w", err))
		}
		if len(some.GetExecutions()) == 0 {
			return nil
		}
		if err := e.deleteAll(ctx, some); err != nil {
			return outOfReach(fmt.Errorf("delete workflows: %w", err))
		}
		left, err := e.count(ctx, executionsOf(org))
		if err != nil {
			return err
		}
		said(left)
		if time.Now().After(until) {
			return fmt.Errorf("%w: %d of them", ErrStillListed, left)
		}
		if !wait.For(ctx, deletedPause) {
			return ctx.Err()
		}
	}
}

func (e Executions) deleteAll(ctx context.Context, some *workflowservice.ListWorkflowExecutionsResponse) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(deletedAtOnce)
	for _, x := range some.GetExecutions() {
		group.Go(func() error {
			_, err := e.Temporal.WorkflowService().DeleteWorkflowExecution(ctx,
				&workflowservice.DeleteWorkflowExecutionRequest{Namespace: e.Namespace, WorkflowExecution: x.GetExecution()})
			var gone *serviceerror.NotFound
			if errors.As(err, &gone) {
				return nil
			}
			return err
		})
	}
	return group.Wait()
}

// CountByStatus counts all executions in the namespace of a workflow type, by their status.
func (e Executions) CountByStatus(ctx context.Context, workflowType string) (map[string]int64, error) {
	answer, err := e.Temporal.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
		Namespace: e.Namespace, Query: fmt.Sprintf("WorkflowType = '%s' GROUP BY ExecutionStatus", workflowType),
	})
	if err != nil {
		return nil, outOfReach(fmt.Errorf("count workflows: %w", err))
	}
	counts := map[string]int64{}
	for _, group := range answer.GetGroups() {
		for _, value := range group.GetGroupValues() {
			counts[strings.Trim(string(value.GetData()), `"`)] = group.GetCount()
		}
	}
	return counts, nil
}
