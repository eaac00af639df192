package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"waybill/domain/order"
)

const (
	// restartTarget is how much longer than at the rates of quiet minutes, one kind
	// after the other, it may take until all that waited is done: in seconds.
	restartTarget = 600
	// restartPart is what part of the whole is done to know these rates.
	restartPart = 20
	// restartOrganizations divide the plans, which have so many orders each.
	restartOrganizations = 10
	restartOrders        = 4
	restartPatience      = time.Hour
)

// measureRestart has messages, exports and plans wait while there is no work, as after
// hours without it, starts it, and measures how long it takes until all are done, and
// what another organization notices.
func measureRestart(ctx context.Context, s *site) ([]result, error) {
	part, err := s.newBacklog(ctx, restartPart)
	if err != nil {
		return nil, err
	}
	rates, err := part.rates(ctx)
	if err != nil {
		return nil, err
	}
	neighbor, err := s.newOrganization(ctx, "restart-neighbor")
	if err != nil {
		return nil, err
	}
	ids, err := s.importToPlan(ctx, neighbor, "N", 20)
	if err != nil {
		return nil, err
	}
	quiet, err := s.small(ctx, neighbor, ids, "Q")
	if err != nil {
		return nil, err
	}
	all, err := s.newBacklog(ctx, 1)
	if err != nil {
		return nil, err
	}
	var busy latencies
	took, err := s.catchUp(ctx, all, func(ctx context.Context) (err error) {
		busy, err = s.small(ctx, neighbor, ids, "B")
		return err
	})
	if err != nil {
		return nil, err
	}
	expected := all.at(rates)
	note("all is done after %.0f s; one kind after the other, at the usual rates, %.0f s", took.Seconds(), expected.Seconds())
	return []result{
		within(restartTarget, "time until all is done that waited for work, beyond the usual rates", "s", (took - expected).Seconds()),
		atMost(neighborTarget, "import of one order after work was away (p95)", "ms", busy.imports, quiet.imports, busy.imports/quiet.imports),
		atMost(neighborTarget, "GET of one order after work was away (p95)", "ms", busy.reads, quiet.reads, busy.reads/quiet.reads),
	}, nil
}

// catchUp has everything wait while there is no work, starts it, and returns how long it
// takes until all is done. Something else happens right after the start.
func (s *site) catchUp(ctx context.Context, all backlog, meanwhile func(context.Context) error) (time.Duration, error) {
	if err := s.service("work").process.Stop(); err != nil {
		return 0, err
	}
	for _, kind := range all {
		if err := kind.begin(ctx); err != nil {
			return 0, fmt.Errorf("begin %s: %w", kind.name, err)
		}
	}
	began := time.Now()
	if err := s.startWork(ctx); err != nil {
		return 0, err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return meanwhile(ctx) })
	for _, kind := range all {
		group.Go(func() error {
			err := kind.await(ctx)
			note("%d %s are done %.0f s after the start of work", kind.count, kind.name, time.Since(began).Seconds())
			return err
		})
	}
	err := group.Wait()
	return time.Since(began), err
}

// waiting is work of one kind that begins at once.
type waiting struct {
	name  string
	count int
	begin func(context.Context) error
	// await returns when all of it is done.
	await func(context.Context) error
}

type backlog []waiting

// rates begins one kind after the other, and returns how many of each are done in a second.
func (b backlog) rates(ctx context.Context) (rates []float64, err error) {
	for _, kind := range b {
		took, err := timed(func() error { return errors.Join(kind.begin(ctx), kind.await(ctx)) })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind.name, err)
		}
		note("%d %s take %.1f s", kind.count, kind.name, took/1000)
		rates = append(rates, float64(kind.count)*1000/took)
	}
	return rates, nil
}

// at is how long all kinds take at rates, one after the other.
func (b backlog) at(rates []float64) (sum time.Duration) {
	for i, kind := range b {
		sum += time.Duration(float64(kind.count) / rates[i] * float64(time.Second))
	}
	return sum
}

// newBacklog prepares a part of what waits in a restart.
func (s *site) newBacklog(ctx context.Context, part int) (backlog, error) {
	messages, err := s.messagesToSend(ctx, s.sizes.RestartMessages/part)
	if err != nil {
		return nil, fmt.Errorf("prepare messages: %w", err)
	}
	exports, err := s.exportsToOffer(ctx, s.sizes.RestartExports/part)
	if err != nil {
		return nil, fmt.Errorf("prepare exports: %w", err)
	}
	plans, err := s.daysToPlan(ctx, max(s.sizes.RestartPlans/part/restartOrganizations, 1))
	if err != nil {
		return nil, fmt.Errorf("prepare plans: %w", err)
	}
	return backlog{messages, exports, plans}, nil
}

func (s *site) messagesToSend(ctx context.Context, count int) (waiting, error) {
	org, err := s.newNotifier(ctx, count)
	return waiting{"messages", count, s.again(org), func(ctx context.Context) error {
		const sent = "select count(*) >= $2 from notifications where org_id = $1 and status = 'sent'"
		return s.untilWithin(ctx, restartPatience, sent, org.id, count)
	}}, err
}

// again appends the events of an organization's orders to the log, as if they were new.
func (s *site) again(orgs ...*organization) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, org := range orgs {
			if _, err := s.owner.Exec(ctx, createdAgain, pgx.NamedArgs{"org": org.id}); err != nil {
				return err
			}
		}
		return nil
	}
}

func (s *site) exportsToOffer(ctx context.Context, count int) (waiting, error) {
	org, err := s.newExporter(ctx, "restart-exports")
	if err != nil {
		return waiting{}, err
	}
	if _, err := s.importAll(ctx, org, newOrders("E", count, first)); err != nil {
		return waiting{}, err
	}
	begin := func(ctx context.Context) error {
		const carried = `update orders o set order_type_id = t.id from order_types t
			where o.org_id = @org and t.org_id = @org and t.export_carrier is not null`
		if _, err := s.owner.Exec(ctx, carried, pgx.NamedArgs{"org": org.id}); err != nil {
			return err
		}
		return s.again(org)(ctx)
	}
	return waiting{"exports", count, begin, func(ctx context.Context) error {
		const pending = "select count(*) >= $2 from order_exports where org_id = $1 and state = 'pending'"
		return s.untilWithin(ctx, restartPatience, pending, org.id, count)
	}}, nil
}

// daysToPlan are days of ten organizations, whose drivers come when they begin.
func (s *site) daysToPlan(ctx context.Context, days int) (waiting, error) {
	var orgs []*organization
	var ids []int64
	for range restartOrganizations {
		org, err := s.newOrganization(ctx, "restart-plans")
		if err != nil {
			return waiting{}, err
		}
		orgs, ids = append(orgs, org), append(ids, org.id)
		entries := make([]order.Request, days*restartOrders)
		for i := range entries {
			entries[i] = orderToPlan(fmt.Sprintf("P-%d", i), i, 4)
			entries[i].Date = time.Now().UTC().AddDate(0, 0, 1+i%days).Format(time.DateOnly)
		}
		if _, err := s.importAll(ctx, org, entries); err != nil {
			return waiting{}, err
		}
	}
	begin := func(ctx context.Context) error {
		for _, org := range orgs {
			for _, statement := range fleet {
				if _, err := s.owner.Exec(ctx, statement, pgx.NamedArgs{"org": org.id}); err != nil {
					return err
				}
			}
		}
		return s.again(orgs...)(ctx)
	}
	return waiting{"plans", days * restartOrganizations, begin, func(ctx context.Context) error {
		const planned = "select not exists (select from orders where org_id = any ($1) and driver_id is null)"
		return s.untilWithin(ctx, restartPatience, planned, ids)
	}}, nil
}
