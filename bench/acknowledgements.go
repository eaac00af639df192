package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// The targets of acknowledgements: compared with updates of bare workflows, and
// with a bare handler with one transaction.
const (
	acknowledgeTarget     = 3
	acknowledgeBareTarget = 0.5
)

const (
	acknowledgers   = 8
	bareUpdateQueue = "bench-bare-updates"
	bareUpdateName  = "acknowledge"
)

// measureAcknowledgements acknowledges shipments, several callers at a time, in
// turns with updates of bare workflows and with calls of the bare server.
func measureAcknowledgements(ctx context.Context, s *site) ([]result, error) {
	temporal, err := s.dial()
	if err != nil {
		return nil, err
	}
	defer temporal.Close()
	bare, err := employ(temporal, bareUpdateQueue, func(r worker.Registry) { r.RegisterWorkflow(bareUpdated) })
	if err != nil {
		return nil, err
	}
	defer bare.Stop()
	bareURL, stop, err := s.startBareExports(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	org, err := s.newExporter(ctx, "acknowledgements")
	if err != nil {
		return nil, err
	}
	return s.compareAcknowledgements(ctx, temporal, bareURL, org)
}

// compareAcknowledgements measures each side in turns.
func (s *site) compareAcknowledgements(
	ctx context.Context, temporal client.Client, bareURL string, org *organization,
) ([]result, error) {
	var updates, calls pairs
	for round := range s.sizes.AcknowledgeRounds + 1 { // the first warms up
		ours, err := s.acknowledgeAll(ctx, temporal, org, round)
		if err != nil {
			return nil, err
		}
		called, err := s.acknowledgeBare(ctx, bareURL, round)
		if err != nil {
			return nil, fmt.Errorf("bare acknowledgements: %w", err)
		}
		updated, err := s.updateAll(ctx, temporal, round)
		if err != nil {
			return nil, fmt.Errorf("bare updates: %w", err)
		}
		note("round %d: %.0f acknowledgements per second; %.0f bare updates; %.0f of the bare server",
			round, ours, updated, called)
		if round > 0 {
			updates.add(ours, updated)
			calls.add(ours, called)
		}
	}
	return []result{
		acknowledged(acknowledgeTarget, "acknowledgements : updates of workflows", &updates),
		acknowledged(acknowledgeBareTarget, "acknowledgements : bare handler, one transaction", &calls),
	}, nil
}

func acknowledged(target float64, name string, runs *pairs) result {
	ratios := runs.quotients(oursByBare)
	return atLeast(target, name, "/s", median(runs.ours), median(runs.bare), median(ratios)).inRounds(ratios)
}

// acknowledgeAll acknowledges new shipments. It begins when all workflows wait,
// and returns when each knows about its acknowledgement, so that their work
// overlaps with no other measurement.
func (s *site) acknowledgeAll(
	ctx context.Context, temporal client.Client, org *organization, round int,
) (float64, error) {
	tokens, err := s.fetchNew(ctx, temporal, org, round)
	if err != nil {
		return 0, err
	}
	rate, err := s.acknowledge(ctx, request{url: s.url + "/v1/orders/export/status", key: org.key}, tokens)
	if err != nil {
		return 0, err
	}
	known, err := timed(func() error {
		return visible(ctx, temporal, org, "exported", s.sizes.Acknowledgements*(round+1))
	})
	note("their workflows know %.1f s later", known/1000)
	return rate, err
}

// fetchNew imports orders whose export has begun, and fetches them.
func (s *site) fetchNew(
	ctx context.Context, temporal client.Client, org *organization, round int,
) ([]string, error) {
	body, err := carrierBody(fmt.Sprintf("K%d", round), s.sizes.Acknowledgements)
	if err != nil {
		return nil, err
	}
	if _, err := s.call(ctx, request{url: s.url + "/v3/orders/import", key: org.key, body: body}); err != nil {
		return nil, err
	}
	if err := visible(ctx, temporal, org, "pending", s.sizes.Acknowledgements); err != nil {
		return nil, err
	}
	answer, err := s.call(
		ctx, request{url: fmt.Sprintf("%s/v1/orders/export?perPage=%d", s.url, s.sizes.Acknowledgements), key: org.key},
	)
	if err != nil {
		return nil, err
	}
	var feed struct {
		Shipments []struct{ ExportToken string }
	}
	if err := json.Unmarshal(answer, &feed); err != nil || len(feed.Shipments) != s.sizes.Acknowledgements {
		return nil, fmt.Errorf("the feed has %d shipments: %w", len(feed.Shipments), err)
	}
	tokens := make([]string, len(feed.Shipments))
	for i := range tokens {
		tokens[i] = feed.Shipments[i].ExportToken
	}
	return tokens, nil
}

// acknowledge is how many tokens per second are acknowledged.
func (s *site) acknowledge(ctx context.Context, r request, tokens []string) (float64, error) {
	return perSecond(ctx, acknowledgers, len(tokens), func(ctx context.Context, i int) error {
		one := r
		one.body = fmt.Appendf(nil, `{"exportToken": %q, "status": "EXPORTED"}`, tokens[i])
		_, err := s.call(ctx, one)
		return err
	})
}

// startBareExports starts a bare server that has tables to acknowledge in.
func (s *site) startBareExports(ctx context.Context) (url string, stop func(), err error) {
	for _, statement := range bareExports {
		if _, err := s.owner.Exec(ctx, statement); err != nil {
			return "", nil, fmt.Errorf("make bare exports: %w", err)
		}
	}
	return s.startBare(ctx)
}

// acknowledgeBare acknowledges as many new rows of the bare server.
func (s *site) acknowledgeBare(ctx context.Context, url string, round int) (float64, error) {
	tokens := make([]string, s.sizes.Acknowledgements)
	for i := range tokens {
		tokens[i] = fmt.Sprintf("bare_%d_%d", round, i)
	}
	_, err := s.owner.Exec(ctx,
		"insert into bare_exports (token, state) select unnest($1::text[]), 'pending'", tokens)
	if err != nil {
		return 0, fmt.Errorf("offer: %w", err)
	}
	return s.acknowledge(ctx, request{url: url + "/acknowledgements"}, tokens)
}

// bareUpdated waits for updates, each of which runs one local activity.
func bareUpdated(ctx workflow.Context) error {
	err := workflow.SetUpdateHandler(
		ctx, bareUpdateName, func(ctx workflow.Context, _ int64) error { return bareWorkflow(ctx) },
	)
	if err != nil {
		return err
	}
	return workflow.Sleep(ctx, time.Hour)
}

func (s *site) updateAll(ctx context.Context, temporal client.Client, round int) (float64, error) {
	id := func(i int) string { return fmt.Sprintf("bench-bare-update/%d/%d/%d", s.started.Unix(), round, i) }
	_, err := perSecond(ctx, acknowledgers, s.sizes.Acknowledgements, func(ctx context.Context, i int) error {
		_, err := temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
			ID: id(i), TaskQueue: bareUpdateQueue, WorkflowExecutionTimeout: 10 * time.Minute,
		}, bareUpdated)
		return err
	})
	if err != nil {
		return 0, err
	}
	update := func(ctx context.Context, i int) error {
		handle, err := temporal.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
			WorkflowID: id(i), UpdateName: bareUpdateName, Args: []any{int64(1)},
			WaitForStage: client.WorkflowUpdateStageCompleted,
		})
		if err != nil {
			return err
		}
		return handle.Get(ctx, nil)
	}
	// Each has begun, and had its first update, before it is measured.
	if _, err := perSecond(ctx, acknowledgers, s.sizes.Acknowledgements, update); err != nil {
		return 0, err
	}
	return perSecond(ctx, acknowledgers, s.sizes.Acknowledgements, update)
}
