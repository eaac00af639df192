package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"

	"waybill/testing/stack"
)

// pollers equal those of the program's workers.
const pollers = 8

// dial reaches the Temporal server, without a word on the screen.
func (s *site) dial() (client.Client, error) {
	temporal, err := client.Dial(client.Options{
		HostPort: s.temporal, Namespace: stack.DefaultNamespace,
		Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	if err != nil {
		return nil, fmt.Errorf("reach Temporal: %w", err)
	}
	return temporal, nil
}

// employ starts a worker for bare workflows, as well staffed as ours. Dismiss
// it by Stop.
func employ(temporal client.Client, queue string, register func(worker.Registry)) (worker.Worker, error) {
	bare := worker.New(temporal, queue, worker.Options{
		MaxConcurrentWorkflowTaskPollers: pollers, MaxConcurrentActivityTaskPollers: pollers,
	})
	register(bare)
	if err := bare.Start(); err != nil {
		return nil, fmt.Errorf("start the bare worker: %w", err)
	}
	return bare, nil
}

// visible waits until the Temporal server shows n running workflows of an
// organization in a state. Then it has finished processing them.
func visible(ctx context.Context, temporal client.Client, org *organization, state string, count int) error {
	ctx, cancel := context.WithTimeout(ctx, settledWithin)
	defer cancel()
	query := fmt.Sprintf("WaybillOrg = %d and WaybillState = '%s' and ExecutionStatus = 'Running'", org.id, state)
	for {
		answer, err := temporal.CountWorkflow(
			ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: stack.DefaultNamespace, Query: query},
		)
		if err != nil {
			return fmt.Errorf("count workflows: %w", err)
		}
		if answer.GetCount() == int64(count) {
			return nil
		}
		if err := rest(ctx, 200*time.Millisecond); err != nil {
			return fmt.Errorf("%d of %d workflows are %s: %w", answer.GetCount(), count, state, err)
		}
	}
}
