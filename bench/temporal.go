package main

import (
	"fmt"
	"log/slog"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"

	"waybill/cmd/devstack/stack"
)

// pollers are as many as the program's workers have.
const pollers = 8

// dial reaches the Temporal server, without a word on the screen.
func (s *site) dial() (client.Client, error) {
	temporal, err := client.Dial(client.Options{
		HostPort: s.temporal, Namespace: stack.DefaultNamespace, Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler)),
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
