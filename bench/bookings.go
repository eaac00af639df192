package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	bookingTarget = 0.5
	// bookers are how many clients want a seat of the same interval at once.
	bookers = 8
)

// bookingData is an interval that everything fits, and a bare counter.
var bookingData = []string{
	`insert into schedule_intervals (org_id, name, rrule, pickup_earliest, pickup_latest, delivery_earliest,
	    delivery_latest, slots)
	 values (@org, 'All day', 'FREQ=DAILY', 480, 600, 600, 960, 1000000)`,
	"create table if not exists bare_seats (org_id bigint primary key, booked integer not null, slots integer not null)",
	"insert into bare_seats values (@org, 0, 1000000)",
}

// measureBookings books orders on one interval, several clients at a time, in
// rounds with a bare conditional UPDATE of one counter in a transaction, by as
// many connections.
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
	seats, err := s.seatPool(ctx)
	if err != nil {
		return nil, err
	}
	defer seats.Close()
	runs := &pairs{}
	for round := range 1 + s.sizes.BookingRounds {
		ours, err := s.bookingRound(ctx, org, interval, round)
		if err != nil {
			return nil, err
		}
		if err := s.settle(ctx); err != nil {
			return nil, err
		}
		bare, err := s.bareSeats(ctx, seats, org)
		if err != nil {
			return nil, err
		}
		note("bookings: %.0f /s; bare conditional update: %.0f /s", ours, bare)
		if round > 0 {
			runs.add(ours, bare)
		}
	}
	ratios := runs.quotients(oursByBare)
	name := fmt.Sprintf("booking a seat, %d clients", bookers)
	booked := atLeast(bookingTarget, name, "/s", median(runs.ours), median(runs.bare), median(ratios))
	return []result{booked.inRounds(ratios)}, nil
}

// anInterval is the id of the interval on a day to come.
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

// bookingRound imports orders and returns how many per second get a seat.
func (s *site) bookingRound(ctx context.Context, org *organization, interval int64, round int) (float64, error) {
	body, err := importBody(fmt.Sprintf("B%d-", round), s.sizes.Bookings, first)
	if err != nil {
		return 0, err
	}
	answer, err := s.call(ctx, request{url: s.url + "/v3/orders/import", key: org.key, body: body})
	if err != nil {
		return 0, err
	}
	var imported struct {
		Results []struct {
			OrderCreated struct{ OrderID int64 } `json:"orderCreated"`
		} `json:"results"`
	}
	if err := json.Unmarshal(answer, &imported); err != nil {
		return 0, err
	}
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	seat := fmt.Appendf(nil, `{"intervalId":%d}`, interval)
	return perSecond(ctx, bookers, len(imported.Results), func(ctx context.Context, i int) error {
		url := fmt.Sprintf("%s/v2/orders/%d/book-on-interval", s.url, imported.Results[i].OrderCreated.OrderID)
		_, err := s.call(ctx, request{url: url, key: org.key, body: seat})
		return err
	})
}

// seatPool has a connection for each of the bare clients.
func (s *site) seatPool(ctx context.Context) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(s.ownerURL)
	if err != nil {
		return nil, err
	}
	config.MaxConns = bookers
	return pgxpool.NewWithConfig(ctx, config)
}

func (s *site) bareSeats(ctx context.Context, seats *pgxpool.Pool, org *organization) (float64, error) {
	return perSecond(ctx, bookers, s.sizes.Bookings, func(ctx context.Context, _ int) error {
		return pgx.BeginFunc(ctx, seats, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "update bare_seats set booked = booked + 1 where org_id = $1 and booked < slots", org.id)
			if err == nil && tag.RowsAffected() != 1 {
				err = errors.New("no seat is left")
			}
			return err
		})
	})
}
