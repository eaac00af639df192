package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

const (
	// importersTarget is how many milliseconds an order's news may take while others
	// import without pause.
	importersTarget = 2000
	// importers is the number of organizations, each of which imports orders
	// with exports.
	importers      = 12
	importerOrders = 1000
	importerRounds = 30
	// newsPatience is how long to wait for an order's news. Beyond it the
	// target is missed by far, and no other order is tried.
	newsPatience = 30 * time.Second
)

// measureImporters has twelve organizations import without pause, and measures
// how soon an order of a thirteenth is in its feed, in its exports, and in a
// message.
func measureImporters(ctx context.Context, s *site) ([]result, error) {
	org, err := s.newExporter(ctx, "thirteenth")
	if err != nil {
		return nil, err
	}
	if _, err := s.owner.Exec(ctx, emailRule, pgx.NamedArgs{"org": org.id}); err != nil {
		return nil, err
	}
	busy := make([]*organization, importers)
	for i := range busy {
		if busy[i], err = s.newExporter(ctx, fmt.Sprintf("importer-%d", i)); err != nil {
			return nil, err
		}
	}
	importing, stop := context.WithCancel(ctx)
	var group errgroup.Group
	for _, o := range busy {
		group.Go(func() error {
			s.importWithoutPause(importing, o)
			return nil
		})
	}
	time.Sleep(neighborFor / 3) // until all is busy
	took, err := s.news(ctx, org)
	stop()
	_ = group.Wait()
	if err != nil {
		return nil, err
	}
	return []result{
		within(importersTarget, "an order in its feed while twelve others import (p95)", "ms", quantile(took[0], 0.95)),
		within(importersTarget, "an order in its exports while twelve others import (p95)", "ms", quantile(took[1], 0.95)),
		within(importersTarget, "an order's message sent while twelve others import (p95)", "ms", quantile(took[2], 0.95)),
	}, nil
}

// importWithoutPause sends one import after the other, regardless of the
// results.
func (s *site) importWithoutPause(ctx context.Context, org *organization) {
	for i := 0; ctx.Err() == nil; i++ {
		body, err := carrierBody(fmt.Sprintf("I%d", i), min(importerOrders, s.sizes.Orders))
		if err != nil {
			return
		}
		if _, err := s.call(ctx, request{url: s.url + "/v3/orders/import", key: org.key, body: body}); err != nil {
			_ = rest(ctx, time.Second)
		}
	}
}

// news imports one order after the other, and returns how long each took from the
// answer until it was in the feed, in the exports, and in a message, no longer than
// newsPatience.
func (s *site) news(ctx context.Context, org *organization) (took [3][]float64, err error) {
	const looks = `select
		(select count(*) from order_status_feed where org_id = $1) >= $2::int,
		(select count(*) from order_exports where org_id = $1 and state = 'pending') >= $2::int,
		(select count(*) from notifications where org_id = $1 and status = 'sent') >= $2::int`
	for round := range importerRounds {
		body, err := carrierBody(fmt.Sprintf("T%d", round), 1)
		if err != nil {
			return took, err
		}
		if _, err := s.call(ctx, request{url: s.url + "/v3/orders/import", key: org.key, body: body}); err != nil {
			return took, err
		}
		began := time.Now()
		for left := len(took); left > 0; {
			var there [3]bool
			late := time.Since(began) > newsPatience
			if err := s.owner.QueryRow(ctx, looks, org.id, round+1).Scan(&there[0], &there[1], &there[2]); err != nil {
				return took, err
			}
			for i := range there {
				if (there[i] || late) && len(took[i]) == round {
					took[i] = append(took[i], float64(time.Since(began).Microseconds())/1000)
					left--
				}
			}
			if late {
				note("order %d has not come to all who follow it (feed, exports, message): %v", round+1, there)
				return took, nil
			}
			if err := rest(ctx, 10*time.Millisecond); err != nil {
				return took, err
			}
		}
	}
	return took, nil
}
