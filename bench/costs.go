package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/sdk/client"
)

// What one order may cost: rows, KiB of the write-ahead log, actions of
// Temporal and milliseconds of a processor. docs/scaling.md uses the measured
// values; beyond these bounds it must be updated.
var budgets = map[string]cost{
	"import, in bulk":     {Rows: 40, WAL: 30, Actions: 0.1, Serve: 4},
	"import, one by one":  {Rows: 45, WAL: 60, Actions: 5, Serve: 60},
	"plan":                {Rows: 20, WAL: 30, Actions: 1, Serve: 200},
	"message":             {Rows: 20, WAL: 150, Actions: 12, Serve: 80},
	"export, acknowledge": {Rows: 40, WAL: 160, Actions: 16, Serve: 100},
	"drive (4 actions)":   {Rows: 130, WAL: 120, Actions: 8, Serve: 200},
}

// plannedMore is how long a plan is improved after it was made.
const plannedMore = 45 * time.Second

// stepOfALife is something that happens to most orders.
type stepOfALife struct {
	name string
	// prepare creates an organization, which is not measured, and returns the
	// number of orders and the step.
	prepare func(context.Context, *site, client.Client) (*organization, int, func(context.Context) error, error)
}

var stepsOfALife = []stepOfALife{
	{"import, in bulk", prepareBulk},
	{"import, one by one", prepareSingles},
	{"plan", preparePlan},
	{"message", prepareMessages},
	{"export, acknowledge", prepareExports},
	{"drive (4 actions)", prepareDrive},
}

// measureCosts runs orders through all their steps, one after the other, and
// reads the counters before and after each.
func measureCosts(ctx context.Context, s *site) ([]result, error) {
	temporal, err := s.dial()
	if err != nil {
		return nil, err
	}
	defer temporal.Close()
	var results []result
	for _, step := range stepsOfALife {
		c, err := s.costOf(ctx, temporal, step)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
		note("%s: %.1f rows, %.1f KiB of WAL, %.1f events, %.2f actions; CPU ms: serve %.1f, work %.1f, Postgres %.1f, Temporal %.1f",
			step.name, c.Rows, c.WAL, c.Events, c.Actions, c.Serve, c.Work, c.Postgres, c.Temporal)
		budget := budgets[step.name]
		results = append(results,
			within(budget.Rows, "cost of an order: "+step.name, "rows", c.Rows),
			within(budget.WAL, "… write-ahead log", "KiB", c.WAL),
			within(budget.Actions, "… actions of Temporal", "actions", c.Actions),
			within(budget.cpu(), "… processor, all parts", "ms", c.cpu()),
		)
	}
	return results, nil
}

// costOf runs orders through a step, and returns the cost of one of them,
// without the idle cost of all processes.
func (s *site) costOf(ctx context.Context, temporal client.Client, step stepOfALife) (cost, error) {
	org, count, take, err := step.prepare(ctx, s, temporal)
	if err != nil {
		return cost{}, err
	}
	// The preparation has an aftermath that is not part of the step.
	if err := errors.Join(s.settle(ctx), rest(ctx, s.sizes.IdleFor/4)); err != nil {
		return cost{}, err
	}
	var at [3]cost
	var when [3]time.Time
	for i := range at {
		switch i {
		case 1:
			err = rest(ctx, s.sizes.IdleFor/4)
		case 2:
			if err = take(ctx); err == nil {
				err = s.settle(ctx)
			}
		}
		if err != nil {
			return cost{}, err
		}
		when[i] = time.Now()
		if at[i], err = s.reading(ctx, temporal, org); err != nil {
			return cost{}, err
		}
	}
	idle, busy := at[1].less(at[0]), at[2].less(at[1])
	idle.Events, idle.Actions = 0, 0
	share := when[2].Sub(when[1]).Seconds() / when[1].Sub(when[0]).Seconds()
	return busy.less(idle.times(share)).each(count), nil
}

func (c cost) times(share float64) cost {
	return cost{
		c.Rows * share, c.WAL * share, c.Events * share, c.Actions * share,
		c.Serve * share, c.Work * share, c.Postgres * share, c.Temporal * share,
	}
}

func prepareBulk(ctx context.Context, s *site, _ client.Client) (*organization, int, func(context.Context) error, error) {
	org, err := s.newOrganization(ctx, "cost-bulk")
	return org, s.sizes.Orders, func(ctx context.Context) error {
		_, err := s.importAll(ctx, org, newOrders("B", s.sizes.Orders, first))
		return err
	}, err
}

func prepareSingles(ctx context.Context, s *site, _ client.Client) (*organization, int, func(context.Context) error, error) {
	org, err := s.newOrganization(ctx, "cost-singles")
	return org, s.sizes.SmallImports, func(ctx context.Context) error {
		for i := range s.sizes.SmallImports {
			if _, err := s.importAll(ctx, org, newOrders(fmt.Sprintf("S%d", i), 1, first)); err != nil {
				return err
			}
		}
		return nil
	}, err
}

// preparePlan imports a day's orders without drivers; then it adds a fleet.
func preparePlan(ctx context.Context, s *site, _ client.Client) (*organization, int, func(context.Context) error, error) {
	org, err := s.newOrganization(ctx, "cost-plan")
	if err != nil {
		return nil, 0, nil, err
	}
	if _, err := s.importToPlan(ctx, org, "D", planned200); err != nil {
		return nil, 0, nil, err
	}
	return org, planned200, func(ctx context.Context) error {
		for _, statement := range fleet {
			if _, err := s.owner.Exec(ctx, statement, pgx.NamedArgs{"org": org.id}); err != nil {
				return fmt.Errorf("make a fleet: %w", err)
			}
		}
		if _, err := s.importToPlan(ctx, org, "L", 1); err != nil {
			return err
		}
		const planned = "select count(*) > $2 from orders where org_id = $1 and driver_id is not null"
		if err := s.until(ctx, planned, org.id, planned200); err != nil {
			return err
		}
		return rest(ctx, plannedMore)
	}, nil
}

func prepareMessages(ctx context.Context, s *site, _ client.Client) (*organization, int, func(context.Context) error, error) {
	org, err := s.newNotifier(ctx, s.sizes.Messages)
	return org, s.sizes.Messages, func(ctx context.Context) error {
		_, err := s.sendAll(ctx, org, 0)
		return err
	}, err
}

// prepareExports creates an exporter; the step includes the import of its
// orders.
func prepareExports(
	ctx context.Context, s *site, temporal client.Client,
) (*organization, int, func(context.Context) error, error) {
	org, err := s.newExporter(ctx, "cost-exports")
	return org, s.sizes.Acknowledgements, func(ctx context.Context) error {
		_, err := s.acknowledgeAll(ctx, temporal, org, 0)
		return err
	}, err
}

func prepareDrive(ctx context.Context, s *site, _ client.Client) (*organization, int, func(context.Context) error, error) {
	day, err := s.newDrivingDay(ctx, "cost-drive")
	if err != nil {
		return nil, 0, nil, err
	}
	return day.organization, len(day.routes) * s.sizes.Driven, func(ctx context.Context) error {
		_, err := s.actionRate(ctx, day, s.sizes.Driven, func(r *route) request {
			return request{url: s.url + "/v1/driver/actions", cookie: r.cookie}
		})
		return err
	}, nil
}
