package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const (
	feedTarget = 1.3
	feedPage   = 100
	feedWarmUp = 20
)

// feeder is an organization with many events or few.
type feeder struct {
	*organization

	end int64 // the position after the last page
}

// measureFeed reads pages of the status feed of an organization with many
// events and of one with few, in turns: the first page, and the last.
func measureFeed(ctx context.Context, s *site) ([]result, error) {
	few, err := s.newFeeder(ctx, s.sizes.FewEvents)
	if err != nil {
		return nil, err
	}
	many, err := s.newFeeder(ctx, s.sizes.ManyEvents)
	if err != nil {
		return nil, err
	}
	// What autovacuum would do later.
	if _, err := s.owner.Exec(ctx, "vacuum (analyze) events"); err != nil {
		return nil, fmt.Errorf("vacuum: %w", err)
	}
	begin, err := s.feedPages(ctx, "first", few, many, func(*feeder) int64 { return 0 })
	if err != nil {
		return nil, err
	}
	end, err := s.feedPages(ctx, "last", few, many, func(f *feeder) int64 { return f.end })
	if err != nil {
		return []result{begin}, err
	}
	return []result{begin, end}, nil
}

// appendStatusChanges appends to the log with positions, like the relay:
// assigning them requires the sequencer's row lock.
const appendStatusChanges = `
with log as (
    update event_sequencer set last_position = last_position + @count::bigint
    returning last_position - @count::bigint as start
)
insert into events (org_id, position, kind, subject_type, subject_id, actor, cause, order_id, external_id,
    order_status_id, occurred_at)
select @org::bigint, log.start + n, 'order.created', 'order', n, 'system', 'bench', n, 'E-' || n, 1 + n % 6,
    now() - make_interval(secs => @count::bigint - n)
from log cross join generate_series(1::bigint, @count::bigint) n`

func (s *site) newFeeder(ctx context.Context, events int) (*feeder, error) {
	org, err := s.newOrganization(ctx, fmt.Sprintf("feed-%d", events))
	if err != nil {
		return nil, err
	}
	f := &feeder{organization: org}
	if _, err := s.owner.Exec(ctx, appendStatusChanges, pgx.NamedArgs{"org": org.id, "count": events}); err != nil {
		return nil, fmt.Errorf("append %d events: %w", events, err)
	}
	err = s.owner.QueryRow(ctx, "select max(position) - $2 from events where org_id = $1 and order_status_id is not null",
		org.id, feedPage).Scan(&f.end)
	return f, err
}

// feedPages measures one page of both organizations, again and again.
func (s *site) feedPages(
	ctx context.Context, which string, few, many *feeder, cursor func(*feeder) int64,
) (result, error) {
	var runs pairs
	for i := range feedWarmUp + s.sizes.FeedPages {
		ours, err := s.feedPage(ctx, many, cursor(many))
		if err != nil {
			return result{}, err
		}
		bare, err := s.feedPage(ctx, few, cursor(few))
		if err != nil {
			return result{}, err
		}
		if i >= feedWarmUp {
			runs.add(ours, bare)
		}
	}
	long, short := median(runs.ours), median(runs.bare)
	note("%s page of the feed: %.2f ms with %d events, %.2f ms with %d",
		which, long, s.sizes.ManyEvents, short, s.sizes.FewEvents)
	name := fmt.Sprintf("%s page of the feed, %d events : %d", which, s.sizes.ManyEvents, s.sizes.FewEvents)
	return atMost(feedTarget, name, "ms", long, short, long/short), nil
}

func (s *site) feedPage(ctx context.Context, f *feeder, after int64) (float64, error) {
	url := fmt.Sprintf("%s/v2/orders/summary/orderstatusfeed?pageSize=%d&token=%d", s.url, feedPage, after)
	var answer []byte
	took, err := timed(func() (err error) {
		answer, err = s.call(ctx, request{url: url, key: f.key})
		return err
	})
	if err != nil {
		return 0, err
	}
	var page struct {
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(answer, &page); err != nil {
		return 0, fmt.Errorf("read the feed: %w", err)
	}
	if len(page.Items) != feedPage {
		return 0, fmt.Errorf("a page of the feed has %d entries, not %d", len(page.Items), feedPage)
	}
	return took, nil
}
