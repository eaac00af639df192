package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	actionTarget = 0.5
	// actors act concurrently when rates are compared.
	actors = 8
	// actionToFeed and etaTarget are how long it may take, in milliseconds, from an
	// action to its entry in the feed, and from a position to the ETAs that follow.
	actionToFeed = 300
	etaTarget    = 1000
	// positionsTarget is a rate per second, with several per request.
	positionsTarget = 2000
	positionsAtOnce = 50
)

// measureDriving drives a day's routes by phones: actions in turns with the
// bare server, all drivers acting at once, and positions.
func measureDriving(ctx context.Context, s *site) ([]result, error) {
	day, err := s.newDrivingDay(ctx, "driving")
	if err != nil {
		return nil, err
	}
	other, err := s.newDrivingDay(ctx, "driving-bare")
	if err != nil {
		return nil, err
	}
	bareURL, stop, err := s.startBare(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	acted, err := s.compareActions(ctx, day, other, bareURL)
	if err != nil {
		return nil, err
	}
	heard, err := s.actionsToFeed(ctx, day)
	if err != nil {
		return nil, err
	}
	positions, err := s.positions(ctx, day)
	return append([]result{
		acted, within(actionToFeed, fmt.Sprintf("action until it is in the feed, %d drivers at once", drivers), "ms", heard),
	}, positions...), err
}

// compareActions has drivers act in sequence, several concurrently, in rounds
// with the bare server. The first round warms up; three orders of each driver
// remain for the other measurements.
func (s *site) compareActions(ctx context.Context, day, other *drivingDay, bareURL string) (result, error) {
	runs := &pairs{}
	each := (s.sizes.Driven - 3) / (s.sizes.DrivenRounds + 1)
	for round := range s.sizes.DrivenRounds + 1 {
		ours, err := s.actionRate(ctx, day, each, func(r *route) request {
			return request{url: s.url + "/v1/driver/actions", cookie: r.cookie}
		})
		if err != nil {
			return result{}, err
		}
		if err := s.settle(ctx); err != nil {
			return result{}, err
		}
		bare, err := s.actionRate(ctx, other, each, func(r *route) request {
			return request{url: fmt.Sprintf("%s/organizations/%d/drivers/%d/actions", bareURL, other.id, r.driver)}
		})
		if err != nil {
			return result{}, err
		}
		if err := s.settle(ctx); err != nil {
			return result{}, err
		}
		note("actions: %.0f /s; bare handler: %.0f /s", ours, bare)
		if round > 0 {
			runs.add(ours, bare)
			continue
		}
		// New tables are planned as if they were empty. Autovacuum corrects
		// that within a minute.
		if _, err := s.owner.Exec(ctx, "analyze"); err != nil {
			return result{}, fmt.Errorf("analyze: %w", err)
		}
	}
	ratios := runs.quotients(oursByBare)
	name := fmt.Sprintf("one action, %d drivers at once : bare handler, one transaction", actors)
	return atLeast(actionTarget, name, "/s", median(runs.ours), median(runs.bare), median(ratios)).inRounds(ratios), nil
}

// actionRate is the number of actions per second, each in its own request. A
// driver waits for a response before continuing.
func (s *site) actionRate(ctx context.Context, day *drivingDay, orders int, ask func(*route) request) (float64, error) {
	rate, err := perSecond(ctx, actors, len(day.routes), func(ctx context.Context, i int) error {
		for range orders {
			for step := range oneOrder {
				if _, err := s.act(ctx, day.routes[i], step, ask(day.routes[i])); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return rate * float64(orders*len(oneOrder)), err
}

// act performs a driver's next action, and returns its order.
func (s *site) act(ctx context.Context, r *route, step int, ask request) (drivenOrder, error) {
	body, o, err := r.next(step)
	if err != nil {
		return o, err
	}
	ask.body = body
	answer, err := s.call(ctx, ask)
	if err == nil && !bytes.Contains(answer, []byte(`APPLIED`)) {
		err = fmt.Errorf("an action was not applied: %.300s", answer)
	}
	return o, err
}

// entry is what the feed reports of an order.
type entry struct {
	ExternalID    string
	OrderStatusID int16
}

// actionsToFeed has all drivers act concurrently, repeatedly, and returns the
// median time until a reader of the feed sees an action.
func (s *site) actionsToFeed(ctx context.Context, day *drivingDay) (float64, error) {
	var mu sync.Mutex
	said, seen := map[entry]time.Time{}, map[entry]time.Time{}
	reading, stop := context.WithCancel(ctx)
	group, of := errgroup.WithContext(reading)
	group.Go(func() error { return s.followFeed(of, day.organization, &mu, seen) })
	const orders = 2
	for range orders {
		for step, what := range oneOrder {
			_, err := perSecond(ctx, drivers, drivers, func(ctx context.Context, i int) error {
				r, began := day.routes[i], time.Now()
				o, err := s.act(ctx, r, step, request{url: s.url + "/v1/driver/actions", cookie: r.cookie})
				mu.Lock()
				defer mu.Unlock()
				said[entry{o.number, what.status}] = began
				return err
			})
			if err != nil {
				stop()
				return 0, errors.Join(err, group.Wait())
			}
		}
	}
	err := s.until(ctx, "select not exists (select from events where position is null)")
	time.Sleep(2 * feedPause)
	stop()
	if err := errors.Join(err, group.Wait()); err != nil {
		return 0, err
	}
	var took []float64
	for what, began := range said {
		if at, ok := seen[what]; ok {
			took = append(took, milliseconds(at.Sub(began)))
		}
	}
	if len(took) < len(said)*9/10 {
		return 0, fmt.Errorf("the feed has %d of %d actions", len(took), len(said))
	}
	note("from action to feed: %.0f ms, %.0f ms for 95 of 100", quantile(took, 0.5), quantile(took, 0.95))
	return quantile(took, 0.5), nil
}

// feedPause is the polling interval of the feed.
const feedPause = 10 * time.Millisecond

// followFeed records when the reader sees which entry, until it is stopped.
func (s *site) followFeed(ctx context.Context, org *organization, mu *sync.Mutex, seen map[entry]time.Time) error {
	token := ""
	for {
		answer, err := s.call(ctx, request{
			url: s.url + "/v2/orders/summary/orderstatusfeed?pageSize=1000&token=" + token, key: org.key,
		})
		if ctx.Err() != nil {
			return nil //nolint:nilerr // being stopped is no error
		}
		if err != nil {
			return err
		}
		now := time.Now()
		var page struct {
			Items     []entry
			NextToken string
		}
		if err := json.Unmarshal(answer, &page); err != nil {
			return fmt.Errorf("read the feed: %w", err)
		}
		mu.Lock()
		for _, e := range page.Items {
			if _, known := seen[e]; !known {
				seen[e] = now
			}
		}
		mu.Unlock()
		token = page.NextToken
		if rest(ctx, feedPause) != nil {
			return nil //nolint:nilerr // being stopped is no error
		}
	}
}
