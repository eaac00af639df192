package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	feedGrowthTarget = 1.5
	growthTarget     = 2
	growthReads      = 40 // of each kind, each side
	growthWarmUp     = 3
)

// grownRows give an organization orders as imports leave them: two stops of
// which one has its own address, with a contact, a product, an event with its
// position. A hundredth of the recipients share a name. The search texts are
// written with their orders, and not by the triggers of each table.
var grownRows = []string{
	"select set_config('app.order_texts', 'later', true)",
	`insert into locations (org_id, external_id, match_key, name, address1, city)
	 select @org, 'G-' || n, int8send(n), case when n % 100 = 0 then 'Camilla Strand' else 'Mottaker ' || md5(n::text) end,
	     'Storgata ' || n, 'Oslo'
	 from generate_series(1, @orders::int) n`,
	`insert into orders (org_id, number, serial, status_id, date, customer_id, order_type_id, vehicle_type_id, reference)
	 select @org, 'G-' || n, n, 1, date '2020-01-01' + n / 2860, c.id, t.id, v.id, 'PO ' || md5(n::text)
	 from generate_series(1, @orders::int) n,
	 (select min(id) as id from customers where org_id = @org) c,
	 (select min(id) as id from order_types where org_id = @org) t,
	 (select min(id) as id from vehicle_types where org_id = @org) v`,
	`insert into order_numbers (org_id, number, order_id) select org_id, number, id from orders where org_id = @org`,
	`insert into order_stops (org_id, order_id, kind, location_id, name, address1, city, earliest, latest, window_source)
	 select o.org_id, o.id, 'delivery', l.id, l.name, l.address1, l.city, o.date, o.date + interval '1 hour', 'request'
	 from orders o join locations l on l.org_id = o.org_id and l.external_id = o.number where o.org_id = @org`,
	`insert into order_texts (org_id, order_id, text)
	 select s.org_id, s.order_id, ' ' || concat_ws(' ', fold_text(o.number), compact_text(o.number),
	     fold_text(concat_ws(' ', s.name, s.address1, s.city))) || ' '
	 from order_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id where s.org_id = @org`,
	`insert into order_products (org_id, order_id, number, seq, quantity)
	 select org_id, id, number, 0, 1 from orders where org_id = @org`,
	`with log as (
	    update event_sequencer set last_position = last_position + @orders::bigint
	    returning last_position - @orders::bigint as start
	 )
	 insert into events (org_id, position, kind, subject_type, subject_id, actor, cause, order_id, external_id,
	     order_status_id, product_status_id, product_ids)
	 select p.org_id, log.start + row_number() over (order by p.id), 'order.created', 'order', p.order_id, 'system', 'bench',
	     p.order_id, p.number, 1, 1, array[p.id]
	 from log cross join order_products p where p.org_id = @org`,
}

// grown is an organization with many orders, and a position in the middle of its log.
type grown struct {
	*organization

	middle int64
}

// growthRead is a read whose time must not grow with the orders of an organization.
type growthRead struct {
	name   string
	target float64
	ask    func(s *site, org *grown) request
}

// growths are all such reads.
var growths = []growthRead{
	{"first page of the product feed", feedGrowthTarget, productFeed(func(*grown) int64 { return 0 })},
	{"page of the product feed", feedGrowthTarget, productFeed(func(g *grown) int64 { return g.middle })},
	{"search for a name that 1 % share", growthTarget, grownSearch("query", "Camilla Strand")},
	{"search for a part of a reference", growthTarget, grownSearch("reference", "7322ed7")},
	{"find by words that 1 % share", growthTarget, finding("camilla")},
	{"find by a street", growthTarget, finding("storgata 4711")},
	{"page of locations", growthTarget, func(s *site, g *grown) request {
		return request{url: s.url + "/v1/locations?limit=50", key: g.key}
	}},
}

func productFeed(after func(*grown) int64) func(*site, *grown) request {
	return func(s *site, g *grown) request {
		return request{url: fmt.Sprintf("%s/v2/orders/summary/productstatusfeed?pageSize=100&token=%d.0", s.url, after(g)), key: g.key}
	}
}

func grownSearch(field, text string) func(*site, *grown) request {
	ask := searching(field, text)
	return func(s *site, g *grown) request { return ask(s, g.organization) }
}

func finding(text string) func(*site, *grown) request {
	return func(s *site, g *grown) request {
		return request{url: s.url + "/v2/orders/find?text=" + url.QueryEscape(text), key: g.key}
	}
}

// measureGrowth reads from an organization with very many orders and from one with a
// tenth of them, in turns.
func measureGrowth(ctx context.Context, s *site) ([]result, error) {
	few, err := s.grow(ctx, s.sizes.GrownOrders/10)
	if err != nil {
		return nil, err
	}
	many, err := s.grow(ctx, s.sizes.GrownOrders)
	if err != nil {
		return nil, err
	}
	// What autovacuum would do later.
	if _, err := s.owner.Exec(ctx, `vacuum (analyze) orders, order_stops, order_numbers, order_products, order_texts,
		locations, location_names, events`); err != nil {
		return nil, fmt.Errorf("vacuum: %w", err)
	}
	if err := s.checkpoint(ctx); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	var results []result
	for _, read := range growths {
		figure, err := s.growth(ctx, read, many, few)
		if err != nil {
			return results, fmt.Errorf("%s: %w", read.name, err)
		}
		results = append(results, figure)
	}
	return results, nil
}

func (s *site) grow(ctx context.Context, orders int) (*grown, error) {
	org, err := s.newOrganization(ctx, fmt.Sprintf("grown-%d", orders))
	if err != nil {
		return nil, err
	}
	start := time.Now()
	err = pgx.BeginFunc(ctx, s.owner, func(tx pgx.Tx) error {
		for _, statement := range grownRows {
			if _, err := tx.Exec(ctx, statement, pgx.NamedArgs{"org": org.id, "orders": orders}); err != nil {
				return fmt.Errorf("make %d orders: %w", orders, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	note("%d orders are there after %.0f s", orders, time.Since(start).Seconds())
	g := &grown{organization: org}
	err = s.owner.QueryRow(ctx, `select (min(position) + max(position)) / 2 from events where org_id = $1`, org.id).Scan(&g.middle)
	return g, err
}

// growth alternates between both organizations, and compares the medians.
func (s *site) growth(ctx context.Context, read growthRead, many, few *grown) (result, error) {
	var took pairs
	for i := range growthWarmUp + growthReads {
		ours, err := timed(func() error { _, err := s.call(ctx, read.ask(s, many)); return err })
		if err != nil {
			return result{}, err
		}
		bare, err := timed(func() error { _, err := s.call(ctx, read.ask(s, few)); return err })
		if err != nil {
			return result{}, err
		}
		if i >= growthWarmUp {
			took.add(ours, bare)
		}
	}
	ours, bare := median(took.ours), median(took.bare)
	note("%s: %.2f ms of many, %.2f ms of few", read.name, ours, bare)
	name := fmt.Sprintf("%s, %d orders : %d", read.name, s.sizes.GrownOrders, s.sizes.GrownOrders/10)
	return atMost(read.target, name, "ms", ours, bare, ours/bare), nil
}
