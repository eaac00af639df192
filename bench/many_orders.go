package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
)

// manyOrdersTarget is for reads of an organization with many orders, compared
// with one with a tenth of them.
const manyOrdersTarget = 1.5

// orderRows give an organization orders, a hundred for each day, which all
// begin at the same few locations.
var orderRows = []string{
	`insert into locations (org_id, external_id, match_key, name)
	 select @org, 'P-' || n, int8send(n), 'Godsterminal ' || n from generate_series(1, 50) n`,
	`insert into orders (org_id, number, serial, status_id, date, customer_id, order_type_id, vehicle_type_id, reference)
	 select @org, 'M-' || n, n, 6 - n % 2, date '2020-01-01' + n / 100, c.id, t.id, v.id, 'PO ' || md5(n::text)
	 from generate_series(1, @orders::int) n,
	 (select min(id) as id from customers where org_id = @org) c,
	 (select min(id) as id from order_types where org_id = @org) t,
	 (select min(id) as id from vehicle_types where org_id = @org) v`,
	`insert into order_numbers (org_id, number, order_id) select org_id, number, id from orders where org_id = @org`,
	`insert into order_stops (org_id, order_id, kind, location_id, name, earliest, latest, window_source)
	 select o.org_id, o.id, 'pickup', l.id, case when o.serial in (7, 1007) then 'Isfjordkaia' else l.name end,
	     o.date, o.date + interval '1 hour', 'request'
	 from orders o join locations l on l.org_id = o.org_id and l.external_id = 'P-' || (1 + o.serial % 50)
	 where o.org_id = @org`,
}

// heavyRead is a read whose time must not grow with the orders of an
// organization.
type heavyRead struct {
	name string
	ask  func(s *site, org *organization) request
}

var heavyReads = []heavyRead{
	{"search for a reference", searching("query", "PO d7322ed71")},
	{"search for a place", searching("location_name", "isfjord")},
	{"page of all orders", paging(`{"order_status_ids": [5, 6]}`)},
	{"page of a week", paging(`{"order_status_ids": [6], "start_date": "2020-01-06", "end_date": "2020-01-12", "sort_by": "-updated_at"}`)},
	{"count of a week", func(s *site, org *organization) request {
		return request{url: s.url + "/v1/orders/count?startDate=2020-01-06&endDate=2020-01-12&orderStatusID=6", key: org.key}
	}},
}

func searching(field, text string) func(*site, *organization) request {
	return func(s *site, org *organization) request {
		return request{url: s.url + "/v1/orders/search?limit=20&" + field + "=" + url.QueryEscape(text), key: org.key}
	}
}

func paging(body string) func(*site, *organization) request {
	return func(s *site, org *organization) request {
		return request{url: s.url + "/v1/orders/paginated", key: org.key, body: []byte(body)}
	}
}

// measureManyOrders searches, pages and counts the orders of an organization with
// many of them and of one with few, in turns.
func measureManyOrders(ctx context.Context, s *site) ([]result, error) {
	few, err := s.withOrders(ctx, s.sizes.FewOrders)
	if err != nil {
		return nil, err
	}
	many, err := s.withOrders(ctx, s.sizes.ManyOrders)
	if err != nil {
		return nil, err
	}
	// What autovacuum would do later.
	if _, err := s.owner.Exec(ctx, "vacuum (analyze) orders, order_stops, order_numbers, locations"); err != nil {
		return nil, fmt.Errorf("vacuum: %w", err)
	}
	if err := s.checkpoint(ctx); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	var results []result
	for _, read := range heavyReads {
		figure, err := s.heavyRead(ctx, read, many, few)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", read.name, err)
		}
		results = append(results, figure)
	}
	return results, nil
}

func (s *site) withOrders(ctx context.Context, orders int) (*organization, error) {
	org, err := s.newOrganization(ctx, fmt.Sprintf("orders-%d", orders))
	if err != nil {
		return nil, err
	}
	start := time.Now()
	for _, statement := range orderRows {
		if _, err := s.owner.Exec(ctx, statement, pgx.NamedArgs{"org": org.id, "orders": orders}); err != nil {
			return nil, fmt.Errorf("make %d orders: %w", orders, err)
		}
	}
	note("%d orders are there after %.0f s", orders, time.Since(start).Seconds())
	return org, nil
}

// heavyRead alternates between both organizations, and compares the medians.
func (s *site) heavyRead(ctx context.Context, read heavyRead, many, few *organization) (result, error) {
	var took pairs
	for i := range feedWarmUp + s.sizes.FeedPages {
		ours, err := s.found(ctx, read.ask(s, many))
		if err != nil {
			return result{}, err
		}
		bare, err := s.found(ctx, read.ask(s, few))
		if err != nil {
			return result{}, err
		}
		if i >= feedWarmUp {
			took.add(ours, bare)
		}
	}
	ours, bare := median(took.ours), median(took.bare)
	note("%s: %.2f ms of many, %.2f ms of few", read.name, ours, bare)
	name := fmt.Sprintf("%s, %d orders : %d", read.name, s.sizes.ManyOrders, s.sizes.FewOrders)
	return atMost(manyOrdersTarget, name, "ms", ours, bare, ours/bare), nil
}

// found is how long an answer takes that finds something.
func (s *site) found(ctx context.Context, r request) (float64, error) {
	var answer []byte
	took, err := timed(func() (err error) {
		answer, err = s.call(ctx, r)
		return err
	})
	if err != nil {
		return 0, err
	}
	var page struct{ Total int64 }
	if json.Unmarshal(answer, &page) == nil && page.Total == 0 || string(answer) == "0" {
		return 0, fmt.Errorf("nothing is found: %s", answer)
	}
	return took, nil
}
