package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/jackc/pgx/v5"
)

// invariants are queries for violations, in words. They run repeatedly during a
// day.
var invariants = []string{
	`select 'order ' || o.number || ' is on board, and its delivery is on no route of its driver' from orders o
	 where o.org_id = $1 and o.status_id in (4, 5) and not exists (
	     select from plan_stops p where p.org_id = o.org_id and p.order_id = o.id and p.kind = 'delivery' and p.driver_id = o.driver_id)`,
	`select 'order ' || o.number || ' failed at its pickup, and its delivery is on a route' from orders o
	 join order_progress g on g.org_id = o.org_id and g.order_id = o.id and g.delivery_status = 'dropped'
	 join plan_stops p on p.org_id = o.org_id and p.order_id = o.id and p.kind = 'delivery'
	 where o.org_id = $1 and g.pickup_ended_at < now() - interval '30 seconds'`,
	`select n.receiver || ' was told ' || n.event || ' of order ' || o.number || ' ' || count(*) || ' times' from notifications n
	 join orders o on o.org_id = n.org_id and o.id = n.order_id where n.org_id = $1
	 group by o.number, n.event, n.receiver, n.channel having count(*) > 1`,
	`select 'the world heard ' || count(*) || ' times that ' || o.number || ' is near its ' || e.stop from events e
	 join orders o on o.org_id = e.org_id and o.id = e.order_id where e.org_id = $1 and e.kind = 'stop.approaching'
	 group by o.number, e.stop having count(*) > 1`,
}

// atTheEnd are queries for violations at the end of the day.
var atTheEnd = []string{
	`select 'order ' || o.number || ' is lost: its status is ' || o.status_id || ', and nobody says why' from orders o
	 where o.org_id = $1 and o.status_id not in (6, 7, 8) and not exists (
	     select from plan_unplanned u where u.org_id = o.org_id and u.order_id = o.id and jsonb_array_length(u.reasons) > 0)`,
	`select 'order ' || o.number || ' is still on board' from orders o where o.org_id = $1 and o.status_id in (4, 5)`,
}

// look records violations, each once.
func (d *longDay) look(ctx context.Context) error { return d.find(ctx, invariants) }

func (d *longDay) find(ctx context.Context, queries []string) error {
	for _, query := range queries {
		found, err := d.texts(ctx, query)
		if err != nil {
			return fmt.Errorf("%s: %w", query, err)
		}
		for _, text := range found {
			if !slices.Contains(d.broken, text) {
				note("BROKEN: %s", text)
				d.broken = append(d.broken, text)
			}
		}
	}
	return nil
}

func (d *longDay) texts(ctx context.Context, query string) ([]string, error) {
	rows, err := d.owner.Query(ctx, query, d.id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// dayFigure is a line of the table.
type dayFigure struct{ name, value string }

// dayFigures are the figures of a day, each by a query for one text.
var dayFigures = []struct{ name, query string }{
	{"orders", `select count(*)::text from orders where org_id = $1`},
	{"delivered", `select count(*)::text from orders where org_id = $1 and status_id = 6`},
	{"… with goods refused", `select count(distinct order_id)::text from order_product_deliveries where org_id = $1 and refused > 0`},
	{"failed at the delivery", `select concat_ws(': ', count(*), string_agg(distinct g.failure_reason, ' ')) from orders o
		join order_progress g on g.org_id = o.org_id and g.order_id = o.id where o.org_id = $1 and o.status_id = 7 and g.delivery_status = 'failed'`},
	{"dropped after the pickup failed", `select count(*)::text from order_progress where org_id = $1 and delivery_status = 'dropped'`},
	{"unplanned", `select concat_ws(': ', sum(n), string_agg(code || ' ' || n, ', ' order by n desc)) from (
		select reasons -> 0 ->> 'code' as code, count(*) as n from plan_unplanned where org_id = $1 group by 1) x`},
	{"messages", `select count(*)::text from notifications where org_id = $1`},
	{"messages per recipient, at most", `select coalesce(max(n), 0)::text from (
		select count(*) as n from notifications where org_id = $1 group by receiver) x`},
	{"minutes of the plan until an order that came had a driver", `select concat_ws(', ', 'half within ' || round(percentile_disc(0.5) within group (order by m)),
		'all within ' || round(max(m))) from (select extract(epoch from min(e.occurred_at) - min(o.created_at)) * v.pace / 60 as m from orders o
		join sandbox_runs v on v.org_id = o.org_id and o.created_at > v.clock_since
		join events e on e.org_id = o.org_id and e.order_id = o.id and e.kind = 'order.planned' where o.org_id = $1 group by o.id, v.pace) x`},
	{"unplanned in words", `select coalesce(string_agg(concat_ws(' ', o.number, u.certainty, u.reasons -> 0 ->> 'code', u.reasons -> 0 ->> 'lacks',
		'came', to_char(v.clock_from + greatest(o.created_at - v.clock_since, '0') * v.pace, 'HH24:MI'),
		'pickup until', to_char(p.latest, 'HH24:MI'), 'delivery until', to_char(s.latest, 'HH24:MI')), '; ' order by o.number), '')
		from plan_unplanned u join orders o on o.org_id = u.org_id and o.id = u.order_id join sandbox_runs v on v.org_id = o.org_id
		join order_stops p on p.org_id = o.org_id and p.order_id = o.id and p.kind = 'pickup'
		join order_stops s on s.org_id = o.org_id and s.order_id = o.id and s.kind = 'delivery' where u.org_id = $1`},
	{"versions of the plan", `select coalesce(sum(version), 0)::text from plans where org_id = $1`},
	{"changes of ETAs told", `select count(*)::text from events where org_id = $1 and kind = 'order.eta_changed'`},
	{"moves to other drivers told", `select count(*)::text from (select driver_id, lag(driver_id) over (partition by order_id order by id) as before
		from events where org_id = $1 and kind = 'order.planned') x where before <> driver_id`},
	{"orders on board", `select count(*)::text from orders where org_id = $1 and status_id in (4, 5)`},
	{"actions that did not count", `select concat_ws(': ', sum(n), string_agg(why || ' ' || n, ', ')) from (
		select outcome_reason as why, count(*) as n from driver_actions where org_id = $1 and outcome <> 'APPLIED' group by 1) x`},
	{"exceptions", `select concat_ws(': ', sum(n), string_agg(kind || ' ' || n, ', ')) from (
		select kind, count(*) as n from exceptions where org_id = $1 group by 1) x`},
	{"exceptions open", `select concat_ws(': ', sum(n), string_agg(kind || ' ' || n, ', ')) from (
		select kind, count(*) as n from exceptions where org_id = $1 and resolved_at is null group by 1) x`},
	{"… of these in words", `select coalesce(string_agg(concat_ws(' ', x.kind, o.number, o.status_id, x.stop, d.name, x.at), ', '), '')
		from exceptions x join drivers d on d.org_id = x.org_id and d.id = x.driver_id
		left join orders o on o.org_id = x.org_id and o.id = x.order_id where x.org_id = $1 and x.resolved_at is null`},
}

// figures are the results of the day. Violations in them are recorded.
func (d *longDay) figures(ctx context.Context) (all []dayFigure, err error) {
	if err := d.find(ctx, atTheEnd); err != nil {
		return nil, err
	}
	for _, f := range dayFigures {
		var value string
		if err := d.owner.QueryRow(ctx, f.query, d.id).Scan(&value); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if value == "" {
			value = "0"
		}
		all = append(all, dayFigure{f.name, value})
	}
	late, err := d.lateness(ctx)
	if err != nil {
		return nil, fmt.Errorf("what was late: %w", err)
	}
	all = append(all, late...)
	written, refused, err := d.commits(ctx)
	return append(all, dayFigure{"plans made", written}, dayFigure{"commits refused", refused},
		dayFigure{"invariants broken", strconv.Itoa(len(d.broken))}), err
}

// commits are how often plans were written, and refused because the day had changed.
func (d *longDay) commits(ctx context.Context) (written, refused string, err error) {
	metrics, err := d.call(ctx, request{url: d.workURL + "/metrics"})
	value := func(name string) string {
		sum := 0.0
		for line := range strings.Lines(string(metrics)) {
			if strings.HasPrefix(line, name+"{") || strings.HasPrefix(line, name+" ") {
				n, _ := strconv.ParseFloat(strings.TrimSpace(line[strings.LastIndex(line, " ")+1:]), 64)
				sum += n
			}
		}
		return strconv.FormatFloat(sum, 'f', 0, 64)
	}
	return value("waybill_plan_commits_total"), value("waybill_plan_commits_refused_total"), err
}

func printDay(out io.Writer, figures []dayFigure) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range figures {
		if _, err := fmt.Fprintf(table, "%s\t%s\n", f.name, f.value); err != nil {
			return err
		}
	}
	return table.Flush()
}
