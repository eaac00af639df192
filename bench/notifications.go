package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

const (
	messageTarget    = 0.75
	bareMessageQueue = "bench-bare-messages"
)

// emailRule has an email sent to the receiver of each new order.
const emailRule = `insert into notification_rules (org_id, event, channel, receiver)
	values (@org, 'ORDER_CREATED', 'EMAIL', 'DELIVERY_CONTACTS')`

// createdAgain appends events for new orders to the log, as an import does.
// Each event creates a message.
const createdAgain = `insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id, external_id, order_status_id)
	select org_id, 'order.created', 'order', id, 'system', 'bench', id, number, 1 from orders where org_id = @org`

// measureNotifications brings messages from their event to `sent`, in turns
// with bare workflows of one local activity and one other.
func measureNotifications(ctx context.Context, s *site) ([]result, error) {
	org, err := s.newNotifier(ctx, s.sizes.Messages)
	if err != nil {
		return nil, err
	}
	temporal, err := s.dial()
	if err != nil {
		return nil, err
	}
	defer temporal.Close()
	handed := &bareProvider{}
	bare, err := employ(temporal, bareMessageQueue, func(r worker.Registry) {
		r.RegisterWorkflow(bareMessage)
		r.RegisterActivity(handed)
	})
	if err != nil {
		return nil, err
	}
	defer bare.Stop()
	var runs pairs
	for round := range s.sizes.MessageRounds + 1 { // the first warms up
		ours, err := s.sendAll(ctx, org, round)
		if err != nil {
			return nil, err
		}
		least, err := s.handAll(ctx, temporal, handed, round)
		if err != nil {
			return nil, fmt.Errorf("bare workflows: %w", err)
		}
		note("round %d: %.0f messages per second; %.0f bare workflows", round, ours, least)
		if round > 0 {
			runs.add(ours, least)
		}
	}
	ratios := runs.quotients(oursByBare)
	return []result{atLeast(
		messageTarget, "messages from event to sent", "/s", median(runs.ours), median(runs.bare), median(ratios),
	).inRounds(ratios)}, nil
}

// newNotifier creates an organization with so many orders, whose receivers get
// messages from now on.
func (s *site) newNotifier(ctx context.Context, count int) (*organization, error) {
	org, err := s.newOrganization(ctx, "messages")
	if err != nil {
		return nil, err
	}
	body, err := importBody("M", count, first)
	if err != nil {
		return nil, err
	}
	if _, err := s.call(ctx, request{url: s.url + "/v3/orders/import", key: org.key, body: body}); err != nil {
		return nil, err
	}
	const taken = `select not exists (select from events where position is null) and not exists (
		select from event_sequencer where last_position > (select coalesce(min(c.position), 0) from event_cursors c
		where c.follower = 'notifications' and c.shard = event_shard($1)))`
	if err := s.until(ctx, taken, org.id); err != nil {
		return nil, fmt.Errorf("wait for the follower: %w", err)
	}
	_, err = s.owner.Exec(ctx, emailRule, pgx.NamedArgs{"org": org.id})
	return org, err
}

// sendAll appends an event of each order, and returns how many messages per second
// are sent.
func (s *site) sendAll(ctx context.Context, org *organization, round int) (float64, error) {
	took, err := timed(func() error {
		if _, err := s.owner.Exec(ctx, createdAgain, pgx.NamedArgs{"org": org.id}); err != nil {
			return err
		}
		const sent = "select count(*) >= $2 from notifications where org_id = $1 and status = 'sent'"
		return s.until(ctx, sent, org.id, (round+1)*s.sizes.Messages)
	})
	return float64(s.sizes.Messages) / took * 1000, err
}

// bareMessage runs one local activity and one other.
func bareMessage(ctx workflow.Context) error {
	if err := bareWorkflow(ctx); err != nil {
		return err
	}
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: time.Minute})
	return workflow.ExecuteActivity(ctx, (*bareProvider).Hand).Get(ctx, nil)
}

// bareProvider counts the messages that it receives.
type bareProvider struct{ count atomic.Int64 }

// Hand is an activity that does nothing else.
func (p *bareProvider) Hand(context.Context) error {
	p.count.Add(1)
	return nil
}

// handAll starts bare workflows, as many at a time as ours, and returns the
// rate of completed ones.
func (s *site) handAll(ctx context.Context, temporal client.Client, handed *bareProvider, round int) (float64, error) {
	before := handed.count.Load()
	took, err := timed(func() error {
		_, err := perSecond(ctx, starters, s.sizes.Messages, func(ctx context.Context, i int) error {
			_, err := temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
				ID: fmt.Sprintf("bench-bare-message/%d/%d/%d", s.started.Unix(), round, i), TaskQueue: bareMessageQueue,
			}, bareMessage)
			return err
		})
		for err == nil && handed.count.Load() < before+int64(s.sizes.Messages) {
			err = rest(ctx, 20*time.Millisecond)
		}
		return err
	})
	return float64(s.sizes.Messages) / took * 1000, err
}
