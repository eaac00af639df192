package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	bookingTarget = 0.7
	// bookers are how many clients book the same interval concurrently.
	bookers = 8
)

// bookingData is an interval that fits every order, a bare counter, and a table
// of bookings.
var bookingData = []string{
	`insert into schedule_intervals (org_id, name, rrule, pickup_earliest, pickup_latest, delivery_earliest,
	    delivery_latest, slots)
	 values (@org, 'All day', 'FREQ=DAILY', 480, 600, 600, 960, 1000000)`,
	"create table if not exists bare_seats (org_id bigint primary key, booked integer not null, slots integer not null)",
	"insert into bare_seats values (@org, 0, 1000000)",
	`create table if not exists bare_bookings (org_id bigint, order_id bigint, interval_id bigint not null,
	    booked_at timestamptz not null default now(), primary key (org_id, order_id))`,
}

// measureBookings books orders on one interval, several clients at a time, in
// rounds with as many clients of the bare server, which takes a seat with one
// conditional update and writes one row.
func measureBookings(ctx context.Context, s *site) ([]result, error) {
	org, err := s.newOrganization(ctx, "bookings")
	if err != nil {
		return nil, err
	}
	for _, statement := range bookingData {
		if _, err := s.owner.Exec(ctx, statement, pgx.NamedArgs{"org": org.id}); err != nil {
			return nil, fmt.Errorf("offer an interval: %w", err)
		}
	}
	interval, err := s.anInterval(ctx, org)
	if err != nil {
		return nil, err
	}
	bareURL, stop, err := s.startBare(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	seat := fmt.Appendf(nil, `{"intervalId":%d}`, interval)
	runs, err := s.bookInRounds(ctx, org, func(order int64) request {
		return request{url: fmt.Sprintf("%s/v2/orders/%d/book-on-interval", s.url, order), key: org.key, body: seat}
	}, func(order int64) request {
		return request{url: fmt.Sprintf("%s/organizations/%d/orders/%d/seat", bareURL, org.id, order), body: seat}
	})
	if err != nil {
		return nil, err
	}
	ratios := runs.quotients(oursByBare)
	name := fmt.Sprintf("booking a seat, %d clients", bookers)
	booked := atLeast(bookingTarget, name, "/s", median(runs.ours), median(runs.bare), median(ratios))
	return []result{booked.inRounds(ratios)}, nil
}

// bookInRounds books the orders of each round on both sides. The first round
// warms up.
func (s *site) bookInRounds(
	ctx context.Context, org *organization, ours, bare func(order int64) request,
) (*pairs, error) {
	runs := &pairs{}
	for round := range 1 + s.sizes.BookingRounds {
		orders, err := s.bookable(ctx, org, round)
		if err != nil {
			return nil, err
		}
		ourRate, err := s.booked(ctx, orders, ours)
		if err != nil {
			return nil, err
		}
		if err := s.settle(ctx); err != nil {
			return nil, err
		}
		bareRate, err := s.booked(ctx, orders, bare)
		if err != nil {
			return nil, err
		}
		note("bookings: %.0f /s; bare handler: %.0f /s", ourRate, bareRate)
		if round > 0 {
			runs.add(ourRate, bareRate)
		}
	}
	return runs, nil
}

// anInterval is the id of the interval on a future day.
func (s *site) anInterval(ctx context.Context, org *organization) (int64, error) {
	day := time.Now().UTC().AddDate(0, 0, 3).Format(time.DateOnly)
	answer, err := s.call(ctx, request{url: s.url + "/v2/route-scheduling/intervals?date=" + day, key: org.key})
	if err != nil {
		return 0, err
	}
	var list struct {
		Intervals []struct {
			IntervalID int64 `json:"intervalId"`
		} `json:"intervals"`
	}
	if err := json.Unmarshal(answer, &list); err != nil {
		return 0, err
	}
	if len(list.Intervals) != 1 {
		return 0, fmt.Errorf("one interval is offered, not %s", answer)
	}
	return list.Intervals[0].IntervalID, nil
}

// bookable imports the orders of a round, and returns their ids.
func (s *site) bookable(ctx context.Context, org *organization, round int) ([]int64, error) {
	ids, err := s.importAll(ctx, org, newOrders(fmt.Sprintf("B%d-", round), s.sizes.Bookings, first))
	if err != nil {
		return nil, err
	}
	return ids, s.settle(ctx)
}

// booked returns how many orders per second get a seat.
func (s *site) booked(ctx context.Context, orders []int64, ask func(order int64) request) (float64, error) {
	return perSecond(ctx, bookers, len(orders), func(ctx context.Context, i int) error {
		_, err := s.call(ctx, ask(orders[i]))
		return err
	})
}
