package main

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

const (
	smallImportTarget = 1.5
	smallWarmUp       = 20
	// bareQueue is the task queue of the bare workflow.
	bareQueue = "bench-bare"
)

// bareWorkflow does the least that a durable step can be: one local activity.
func bareWorkflow(ctx workflow.Context) error {
	ctx = workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{StartToCloseTimeout: 10 * time.Second})
	return workflow.ExecuteLocalActivity(ctx, bareActivity).Get(ctx, nil)
}

func bareActivity(context.Context) error { return nil }

// measureSmallImports imports single orders, one after the other, each
// followed by a bare workflow against the same server.
func measureSmallImports(ctx context.Context, s *site) ([]result, error) {
	org, err := s.newOrganization(ctx, "small-imports")
	if err != nil {
		return nil, err
	}
	temporal, err := s.dial()
	if err != nil {
		return nil, err
	}
	defer temporal.Close()
	bare, err := employ(temporal, bareQueue, func(r worker.Registry) { r.RegisterWorkflow(bareWorkflow) })
	if err != nil {
		return nil, err
	}
	defer bare.Stop()
	runs, err := smallImports(ctx, s, org, temporal)
	if err != nil {
		return nil, err
	}
	ours, least := median(runs.ours), median(runs.bare)
	return []result{atMost(smallImportTarget, "import of one order", "ms", ours, least, ours/least)}, nil
}

func smallImports(ctx context.Context, s *site, org *organization, temporal client.Client) (*pairs, error) {
	runs := &pairs{}
	for i := range smallWarmUp + s.sizes.SmallImports {
		ours, err := s.smallImport(ctx, org, i)
		if err != nil {
			return nil, err
		}
		bare, err := timed(func() error { return runBare(ctx, temporal, i) })
		if err != nil {
			return nil, fmt.Errorf("bare workflow: %w", err)
		}
		if i >= smallWarmUp {
			runs.add(ours, bare)
		}
	}
	note("import of one order: %.1f ms; bare workflow: %.1f ms", median(runs.ours), median(runs.bare))
	return runs, nil
}

func (s *site) smallImport(ctx context.Context, org *organization, i int) (float64, error) {
	body, err := importBody(fmt.Sprintf("S%d", i), 1, first)
	if err != nil {
		return 0, err
	}
	var answer []byte
	took, err := timed(func() error {
		answer, err = s.call(ctx, request{url: s.url + "/v3/orders/import", key: org.key, body: body})
		return err
	})
	if err == nil && !bytes.Contains(answer, []byte(`{"orderCreated":`)) {
		err = fmt.Errorf("the order was not created: %.300s", answer)
	}
	return took, err
}

func runBare(ctx context.Context, temporal client.Client, i int) error {
	run, err := temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: fmt.Sprintf("bench-bare/%d", i), TaskQueue: bareQueue, EnableEagerStart: true,
	}, bareWorkflow)
	if err != nil {
		return err
	}
	return run.Get(ctx, nil)
}
