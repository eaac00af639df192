package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"waybill/domain/notification"
	"waybill/workflows"
)

// waitingTarget is below the resolution of the CPU clock: in percent of one
// core, in addition to the cost without messages.
const waitingTarget = 0.2

// sentMessages are messages that their provider has accepted. Their origin does
// not affect the cost of waiting for their reports.
const sentMessages = `
	with event as (
	    insert into events (org_id, kind, subject_type, subject_id, actor, cause)
	    values (@org, '', 'organization', @org, 'system', 'bench') returning id
	)
	insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, rule_id, receiver, sender,
	    provider, status, sent_at)
	select r.org_id, 'EMAIL', e.id || '-' || r.id || '-' || n,
	    'notification/' || r.org_id || '/' || e.id || '-' || r.id || '-' || n,
	    'run', r.event, e.id, r.id, 'kunde-' || n || '@post.example', 'post@bench.example', 'smtp', 'sent', now()
	from notification_rules r cross join event e cross join generate_series(1, @count::int) n where r.org_id = @org
	returning key`

// measureIdleNotifications has many messages wait for their provider's report,
// restarts the worker, and measures their cost.
func measureIdleNotifications(ctx context.Context, s *site) ([]result, error) {
	org, err := s.newOrganization(ctx, "waiting")
	if err != nil {
		return nil, err
	}
	_, before, err := s.idleWorker(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.awaitReports(ctx, org); err != nil {
		return nil, err
	}
	_, after, err := s.idleWorker(ctx)
	if err != nil {
		return nil, err
	}
	note("idle worker: %.2f %% of a core without messages, %.2f %% with %d that wait",
		before, after, s.sizes.WaitingMessages)
	name := fmt.Sprintf("worker's CPU with %d waiting messages, more than without", s.sizes.WaitingMessages)
	return []result{within(waitingTarget, name, "% of a core", max(0, after-before))}, nil
}

// awaitReports starts the workflows of messages that are sent, and waits until
// each waits for its report.
func (s *site) awaitReports(ctx context.Context, org *organization) error {
	if _, err := s.owner.Exec(ctx, emailRule, pgx.NamedArgs{"org": org.id}); err != nil {
		return fmt.Errorf("make a rule: %w", err)
	}
	rows, err := s.owner.Query(ctx, sentMessages, pgx.NamedArgs{"org": org.id, "count": s.sizes.WaitingMessages})
	if err != nil {
		return fmt.Errorf("make messages: %w", err)
	}
	keys, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("make messages: %w", err)
	}
	temporal, err := s.dial()
	if err != nil {
		return err
	}
	defer temporal.Close()
	_, err = perSecond(ctx, starters, len(keys), func(ctx context.Context, i int) error {
		return workflows.StartNotifications(ctx, temporal, []workflows.NotificationInput{{
			OrgID: org.id, Key: keys[i], Event: notification.OrderCreated, Channel: notification.Email,
		}})
	})
	if err != nil {
		return err
	}
	return visible(ctx, temporal, org, "sent", len(keys))
}
