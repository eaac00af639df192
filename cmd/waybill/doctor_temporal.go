package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"golang.org/x/sync/errgroup"

	"waybill/workflows"
)

func (d *doctor) checkTemporalServer(ctx context.Context) finding {
	const next = "start the Temporal server, or correct TEMPORAL_ADDRESS; you don't have to restart anything after the server is " +
		"back. Until then imports and resending get 503, and running workflows wait"
	if d.temporal == nil {
		return failed(d.tempErr, next)
	}
	if err := checkTemporal(ctx, d.temporal); err != nil {
		return failed(fmt.Errorf("%s does not answer: %w", d.config.TemporalAddress, err), next)
	}
	_, err := d.temporal.WorkflowService().DescribeNamespace(ctx,
		&workflowservice.DescribeNamespaceRequest{Namespace: d.config.TemporalNamespace})
	var absent *serviceerror.NamespaceNotFound
	switch {
	case errors.As(err, &absent):
		return wrong("create it, or correct TEMPORAL_NAMESPACE", "namespace %s not found", d.config.TemporalNamespace)
	case err != nil:
		return failed(err, "check whether TEMPORAL_API_KEY has access to the namespace")
	}
	return fine("connected to Temporal, namespace %s", d.config.TemporalNamespace)
}

func (d *doctor) checkSearchAttributes(ctx context.Context) finding {
	known, err := d.temporal.OperatorService().ListSearchAttributes(ctx,
		&operatorservice.ListSearchAttributesRequest{Namespace: d.config.TemporalNamespace})
	if err != nil {
		return failed(err, "check whether the Temporal server is running")
	}
	missing, err := missingSearchAttributes(d.config, known.GetCustomAttributes())
	switch {
	case err != nil:
		return failed(err, "remove the attribute, then run waybill migrate")
	case len(missing) > 0:
		return wrong("run waybill migrate", "namespace %s lacks %s: workflows that use them do not start",
			d.config.TemporalNamespace, strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	}
	return fine("namespace %s has all %d search attributes", d.config.TemporalNamespace, len(workflows.SearchAttributes()))
}

// pollsEvery is the longest interval at which a live worker polls a queue. The
// server remembers a stopped one for minutes.
const pollsEvery = 90 * time.Second

// checkPollers reports task queues that nobody polls.
func (d *doctor) checkPollers(ctx context.Context) finding {
	var mu sync.Mutex
	var lonely []string
	group, ctx := errgroup.WithContext(ctx)
	for _, queue := range workflows.Queues {
		for _, kind := range []enums.TaskQueueType{enums.TASK_QUEUE_TYPE_WORKFLOW, enums.TASK_QUEUE_TYPE_ACTIVITY} {
			group.Go(func() error {
				answer, err := d.temporal.DescribeTaskQueue(ctx, string(queue), kind)
				if err != nil {
					return fmt.Errorf("describe task queue %s: %w", queue, err)
				}
				for _, poller := range answer.GetPollers() {
					if time.Since(poller.GetLastAccessTime().AsTime()) < pollsEvery {
						return nil
					}
				}
				mu.Lock()
				defer mu.Unlock()
				if !slices.Contains(lonely, string(queue)) {
					lonely = append(lonely, string(queue))
				}
				return nil
			})
		}
	}
	if err := group.Wait(); err != nil {
		return failed(err, "check whether the Temporal server is running")
	}
	if len(lonely) > 0 {
		slices.Sort(lonely)
		return wrong("start waybill work, without --queues or with these; if the Temporal server came back a moment ago, "+
			"check again in two minutes, when all workers poll again",
			"no worker polls %s: tasks in these queues wait", strings.Join(lonely, ", "))
	}
	return fine("all %d task queues have pollers", len(workflows.Queues))
}
