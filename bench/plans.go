package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"waybill/domain/order"
)

const (
	// planned200 is the number of orders of the day to which one more is added.
	planned200 = 200
	// plannedTarget and plannedWorst are how long half of them, and nearly all, may
	// take until driver and ETA can be read, in milliseconds.
	plannedTarget = 1000
	plannedWorst  = 2500
	// searchTarget is how much longer nearly all reads may take during a
	// search.
	searchTarget = 1.5
	planReaders  = 2
	planReadFor  = 4 * time.Second
	// planRests is when a search for a better plan is at work after the last order.
	planRests    = 5 * time.Second
	planPatience = 2 * time.Minute
	// planSingles is the number of orders added one after the other.
	planSingles = 40
	planPause   = 5 * time.Millisecond
)

// fleet are forty vans, whose drivers work every day.
var fleet = []string{
	"insert into vehicles (org_id, registration, vehicle_type_id) select @org, 'V-' || n, t.id " +
		"from vehicle_types t cross join generate_series(1, 40) n where t.org_id = @org",
	"insert into drivers (org_id, name, department_id, vehicle_id) select @org, v.registration, d.id, v.id " +
		"from vehicles v join departments d on d.org_id = v.org_id where v.org_id = @org",
	"insert into driver_workday_rules (org_id, driver_id, seq, rrule, starts, ends) " +
		"select @org, id, 1, 'FREQ=DAILY', 360, 1200 from drivers where org_id = @org",
}

// measurePlans imports single orders into a planned day of 200, and reads
// orders with and without a concurrent search.
func measurePlans(ctx context.Context, s *site) ([]result, error) {
	org, err := s.newOrganization(ctx, "plans")
	if err != nil {
		return nil, err
	}
	ids, err := s.importToPlan(ctx, org, "D", planned200)
	if err != nil {
		return nil, err
	}
	quiet, err := s.readLatency(ctx, org, ids)
	if err != nil {
		return nil, err
	}
	for _, statement := range fleet { // there were no drivers until now, so nothing was planned
		if _, err := s.owner.Exec(ctx, statement, pgx.NamedArgs{"org": org.id}); err != nil {
			return nil, fmt.Errorf("make a fleet: %w", err)
		}
	}
	took, err := s.planOneByOne(ctx, org)
	if err != nil {
		return nil, err
	}
	if _, err := s.importToPlan(ctx, org, "B", 1); err != nil { // a search of ten seconds follows
		return nil, err
	}
	if err := rest(ctx, planRests); err != nil {
		return nil, err
	}
	busy, err := s.readLatency(ctx, org, ids)
	if err != nil {
		return nil, err
	}
	note("a read: %.1f ms; during a search: %.1f ms (of 20 the slowest)", quiet, busy)
	return []result{
		within(plannedTarget, "import of one order until driver and ETA, day of 200 (p50)", "ms", quantile(took, 0.5)),
		within(plannedWorst, "import of one order until driver and ETA, day of 200 (p95)", "ms", quantile(took, 0.95)),
		atMost(searchTarget, "GET of one order during a search (p95)", "ms", busy, quiet, busy/quiet),
	}, nil
}

// planOneByOne plans the day, and then one more order after the other.
func (s *site) planOneByOne(ctx context.Context, org *organization) ([]float64, error) {
	var took []float64
	for i := range 1 + min(s.sizes.SmallImports, planSingles) {
		began := time.Now()
		ids, err := s.importToPlan(ctx, org, fmt.Sprintf("S%d", i), 1)
		if err != nil {
			return nil, err
		}
		if err := s.awaitDriver(ctx, org, ids[0]); err != nil {
			return nil, err
		}
		if i > 0 { // the first plans all the others
			took = append(took, milliseconds(time.Since(began)))
		}
	}
	note("until driver and ETA: %.0f ms, %.0f ms at most", quantile(took, 0.5), quantile(took, 1))
	return took, nil
}

// awaitDriver reads how an order is planned until it has a driver.
func (s *site) awaitDriver(ctx context.Context, org *organization, id int64) error {
	ctx, cancel := context.WithTimeout(ctx, planPatience)
	defer cancel()
	for {
		answer, err := s.call(ctx, request{url: fmt.Sprintf("%s/v2/orders/%d/planning", s.url, id), key: org.key})
		if err != nil {
			return err
		}
		var planning struct{ State string }
		if err := json.Unmarshal(answer, &planning); err != nil {
			return err
		}
		switch planning.State {
		case "PLANNED":
			return nil
		case "PENDING":
			time.Sleep(planPause)
		default:
			return fmt.Errorf("order %d is not planned: %.500s", id, answer)
		}
	}
}

// importToPlan imports orders of tomorrow within a city, and returns their ids.
func (s *site) importToPlan(ctx context.Context, org *organization, prefix string, count int) ([]int64, error) {
	return s.importFrom(ctx, org, prefix, count, 4)
}

// importFrom is importToPlan from so many terminals.
func (s *site) importFrom(ctx context.Context, org *organization, prefix string, count, terminals int) ([]int64, error) {
	entries := make([]order.Request, count)
	for i := range entries {
		entries[i] = orderToPlan(fmt.Sprintf("%s-%d", prefix, i), i, terminals)
	}
	return s.importAll(ctx, org, entries)
}

// orderToPlan is an order of tomorrow within a city, from one of so many terminals.
func orderToPlan(number string, i, terminals int) order.Request {
	entry := newOrder(number, i, first)
	entry.Date = time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	entry.Pickup = pickup(i % terminals)
	to := entry.Delivery
	to.Earliest, to.Latest = "", ""
	if terminals == 1 { // as long as visits take by default
		entry.Pickup.EstimatedTimeOnLocation, to.EstimatedTimeOnLocation = nil, nil
	}
	to.Address.Latitude, to.Address.Longitude = new(59.88+rand.Float64()/10), new(10.68+rand.Float64()/5)
	return entry
}

// readLatency is how long nearly all reads of single orders take, in milliseconds.
func (s *site) readLatency(ctx context.Context, org *organization, ids []int64) (float64, error) {
	var mu sync.Mutex
	var took []float64
	end := time.Now().Add(planReadFor)
	group, ctx := errgroup.WithContext(ctx)
	for range planReaders {
		group.Go(func() error {
			for time.Now().Before(end) {
				one, err := timed(func() error {
					_, err := s.call(ctx, request{url: fmt.Sprintf("%s/v1/orders/%d", s.url, ids[rand.IntN(len(ids))]), key: org.key})
					return err
				})
				if err != nil {
					return err
				}
				mu.Lock()
				took = append(took, one)
				mu.Unlock()
				time.Sleep(planPause)
			}
			return nil
		})
	}
	err := group.Wait()
	return quantile(took, 0.95), err
}

// quantile is the value that a share of the values does not pass.
func quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}
