package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// rulesTarget is for an import with ten active rules, compared with one
// without.
const rulesTarget = 0.8

// tenRules have a condition and an assignment each; the condition of every
// other rule is true, and the assigned values differ from order to order.
const tenRules = `
	insert into transformation_rules (org_id, name, triggers, condition, assignments, seq)
	select @org, 'Rule ' || n, '{TRANSFORM_TRIGGER_ORDER_CREATED,TRANSFORM_TRIGGER_ORDER_UPDATED}',
		case when n % 2 = 0 then 'order.weight >= 0.0 && order.delivery.address.country.startsWith("N")'
			else 'order.products.exists(p, p.quantity > 1000.0)' end,
		case n % 4 when 0 then '[{"field": "routeNumber", "value": "\"R-\" + order.delivery.address.postalCode"}]'
			when 2 then '[{"field": "delivery.instructions", "value": "order.delivery.instructions.withLine(order.externalId)"}]'
			else '[{"field": "reference", "value": "order.reference + \"!\""}]' end::jsonb,
		n
	from generate_series(1, 10) n`

// measureRules imports into organizations with and without rules, in turns.
func measureRules(ctx context.Context, s *site) ([]result, error) {
	runs := &pairs{}
	for round := -1; round < s.sizes.ImportRounds; round++ {
		ours, err := s.importInto(ctx, fmt.Sprintf("rules-%d", round+1), tenRules)
		if err != nil {
			return nil, err
		}
		bare, err := s.importInto(ctx, fmt.Sprintf("no-rules-%d", round+1), "select @org::bigint")
		if err != nil {
			return nil, err
		}
		note("import with rules: %.0f ms; without: %.0f ms", ours, bare)
		if round >= 0 { // the first round warms up
			runs.add(ours, bare)
		}
	}
	if err := s.rulesRan(ctx); err != nil {
		return nil, err
	}
	ratios := runs.quotients(bareByOurs)
	name := fmt.Sprintf("import of %d orders with rules", s.sizes.Orders)
	figure := atLeast(rulesTarget, name, "ms", median(runs.ours), median(runs.bare), median(ratios))
	return []result{figure.inRounds(ratios)}, nil
}

// importInto imports new orders into a separate organization that a statement
// has prepared.
func (s *site) importInto(ctx context.Context, slug, prepare string) (float64, error) {
	org, err := s.newOrganization(ctx, slug)
	if err != nil {
		return 0, err
	}
	if _, err := s.owner.Exec(ctx, prepare, pgx.NamedArgs{"org": org.id}); err != nil {
		return 0, fmt.Errorf("prepare organization: %w", err)
	}
	took, err := s.bulkImport(ctx, org, 0)
	if err != nil {
		return 0, err
	}
	return took, s.settle(ctx)
}

// rulesRan checks that something was measured.
func (s *site) rulesRan(ctx context.Context) error {
	var routed int
	err := s.owner.QueryRow(ctx, "select count(*) from orders where route_number like 'R-%'").Scan(&routed)
	if err == nil && routed != s.sizes.Orders*(s.sizes.ImportRounds+1) {
		err = fmt.Errorf("the rules changed %d orders", routed)
	}
	return err
}
