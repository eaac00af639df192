package main

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/client"

	"waybill/workflows"
)

// starters are how many start workflows at the same time.
const starters = 16

// copyTemplate makes many copies of a template. Their origin does not affect
// their cost.
const copyTemplate = `
insert into recurring_orders (org_id, name, customer_id, order_type_id, vehicle_type_id, pickup_location_id,
    delivery_location_id,
    order_template, rruleset, start_date, days_to_generate_ahead)
select org_id, name, customer_id, order_type_id, vehicle_type_id, pickup_location_id, delivery_location_id,
    order_template, rruleset, start_date, days_to_generate_ahead
from recurring_orders cross join generate_series(2, $3::int) where org_id = $1 and id = $2`

// sleepers creates active templates that begin in two months, each with its
// workflow, and waits until all are asleep.
func (s *site) sleepers(ctx context.Context, org *organization) error {
	id, err := s.createTemplate(ctx, org, map[string]any{
		"orderTemplate": newOrder("", 0, first), "rruleset": "FREQ=DAILY",
		"startDate": time.Now().UTC().AddDate(0, 2, 0).Format(time.RFC3339),
	})
	if err != nil {
		return err
	}
	if _, err := s.owner.Exec(ctx, copyTemplate, org.id, id, s.sizes.Templates); err != nil {
		return fmt.Errorf("copy the template: %w", err)
	}
	if err := s.startSleepers(ctx, org, id); err != nil {
		return err
	}
	for {
		var awake int
		err := s.owner.QueryRow(
			ctx, "select count(*) from recurring_orders where org_id = $1 and next_run_at is null", org.id,
		).Scan(&awake)
		if err != nil || awake == 0 {
			return err
		}
		if err := rest(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
}

// startSleepers starts the workflows of all templates that were copied.
func (s *site) startSleepers(ctx context.Context, org *organization, original int64) error {
	temporal, err := s.dial()
	if err != nil {
		return err
	}
	defer temporal.Close()
	var ids []int64
	err = s.owner.QueryRow(
		ctx, "select array_agg(id) from recurring_orders where org_id = $1 and id <> $2", org.id, original,
	).Scan(&ids)
	if err != nil {
		return err
	}
	_, err = perSecond(ctx, starters, len(ids), func(ctx context.Context, i int) error {
		_, err := temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
			ID: workflows.RecurringOrderID(org.slug, ids[i]), TaskQueue: string(workflows.RecurringOrdersQueue),
		}, workflows.RecurringOrder, workflows.RecurringInput{
			OrgID: org.id, TemplateID: ids[i], Carried: &workflows.RecurringStatus{}, // nobody saves it any more
		})
		return err
	})
	return err
}
