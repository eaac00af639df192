package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// visit is a stop that was made on a day that is over. All times are by the clock of the day.
type visit struct {
	Number, Kind     string
	Driver           int64
	Earliest, Latest time.Time
	Arrived, Ended   time.Time
	// Driving and Service are the plan's, in seconds.
	Driving, Service float64
	// Came is when the order was created, Given when it got its driver.
	Came, Given time.Time
	// First is when the stop was to begin by its driver's first plan with it,
	// or zero if none was announced.
	First time.Time
}

// begins is when service begins without hurrying.
func (v *visit) begins() time.Time { return latest(v.Arrived, v.Earliest) }

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// The delay from which on a delivery counts as late, and how long before the
// end of its window an order counts as a late arrival.
const (
	lateBy     = 15 * time.Minute
	cameLate   = 90 * time.Minute
	negligible = time.Minute
)

// cause is why a delivery was late.
type cause string

const (
	orderCameLate cause = "the order came late"
	plannedLate   cause = "planned late when it came"
	queuesBefore  cause = "queues at stops before it"
	waysBefore    cause = "longer ways before it"
	otherStops    cause = "other stops before it than planned at first"
	leftTooLate   cause = "the driver set out late"
)

// lateDelivery is one with its cause.
type lateDelivery struct {
	visit *visit
	by    time.Duration
	why   cause
	// Aboard is true if its goods were on board when the longest delay before
	// it ended, so that nobody else could take it.
	aboard bool
	delay  string // the longest one
}

// lateOf explains late deliveries. The visits are one driver's, in sequence.
func lateOf(visits []visit) (all []lateDelivery) {
	picked := map[string]time.Time{}
	for i := range visits {
		v := &visits[i]
		if v.Kind == "pickup" {
			picked[v.Number] = v.Ended
			continue
		}
		by := v.begins().Sub(v.Latest)
		if by <= lateBy {
			continue
		}
		l := lateDelivery{visit: v, by: by}
		longest := l.blame(visits[:i+1])
		at, on := picked[v.Number]
		l.aboard = on && !longest.IsZero() && !at.After(longest)
		all = append(all, l)
	}
	return all
}

// blame finds the cause of a delay in the driver's earlier visits, and returns
// when the longest delay was over.
func (l *lateDelivery) blame(visits []visit) (over time.Time) {
	v := l.visit
	var queues, ways, most time.Duration
	note := func(delay time.Duration, end time.Time, what string) {
		if delay > most {
			most, over, l.delay = delay, end, what
		}
	}
	for i := range visits {
		at := &visits[i]
		if !at.Ended.After(v.Given) {
			continue
		}
		if i > 0 {
			left := latest(visits[i-1].Ended, at.Given)
			if over := at.Arrived.Sub(left) - seconds(at.Driving); over > negligible {
				ways += over
				note(over, at.Arrived, fmt.Sprintf("%s on the way to %s of %s", short(over), at.Kind, at.Number))
			}
		}
		if at == v {
			break
		}
		if over := at.Ended.Sub(at.begins()) - seconds(at.Service); over > negligible {
			queues += over
			note(over, at.Ended, fmt.Sprintf("%s at %s of %s", short(over), at.Kind, at.Number))
		}
	}
	l.why = v.cause(queues, ways)
	return over
}

// cause returns why a delivery was late, by how long its driver stood in queues before it, and was
// on the way for longer than planned.
func (v *visit) cause(queues, ways time.Duration) cause {
	told := !v.First.IsZero()
	moved := v.begins().Sub(v.First) - queues - ways
	switch {
	case v.Latest.Sub(v.Came) < cameLate:
		return orderCameLate
	case told && v.First.After(v.Latest):
		return plannedLate
	case !told && queues+ways == 0:
		return leftTooLate
	case queues >= ways && (!told || queues >= moved):
		return queuesBefore
	case !told || ways >= moved:
		return waysBefore
	}
	return otherStops
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func short(d time.Duration) string { return d.Round(time.Minute).String() }

// visitsOfDay are all visited stops, by driver.
const visitsOfDay = `
	with clock as (select clock_from as f, clock_since as s, pace from sandbox_runs where org_id = $1),
	told as (
		select e.order_id, e.driver_id, min(e.occurred_at) as at, (array_agg(e.data order by e.id))[1] as data
		from events e where e.org_id = $1 and e.kind = 'order.planned' group by 1, 2)
	select o.number, p.kind, p.driver_id as driver, s.earliest, s.latest, clock.f + (x.arrived - clock.s) * clock.pace as arrived,
		clock.f + (x.ended - clock.s) * clock.pace as ended, p.driving_seconds::float8 as driving,
		extract(epoch from p.leaves_at - p.starts_at)::float8 as service,
		clock.f + greatest(o.created_at - clock.s, '0') * clock.pace as came,
		clock.f + greatest(coalesce(t.at, o.created_at) - clock.s, '0') * clock.pace as given,
		coalesce((t.data ->> p.kind)::timestamptz, '0001-01-01 00:00:00+00') as first
	from plan_stops p
	join orders o on o.org_id = p.org_id and o.id = p.order_id
	join order_stops s on s.org_id = p.org_id and s.order_id = p.order_id and s.kind = p.kind
	join order_progress g on g.org_id = p.org_id and g.order_id = p.order_id
	cross join lateral (select
		case p.kind when 'pickup' then coalesce(g.pickup_arrived_at, g.pickup_ended_at) else coalesce(g.delivery_arrived_at, g.delivery_ended_at) end as arrived,
		case p.kind when 'pickup' then g.pickup_ended_at else g.delivery_ended_at end as ended) x
	left join told t on t.order_id = p.order_id and t.driver_id = p.driver_id
	cross join clock
	where p.org_id = $1 and x.ended is not null
	order by p.driver_id, x.arrived, x.ended`

// lateness are the statistics of late deliveries, and their causes.
func (d *longDay) lateness(ctx context.Context) ([]dayFigure, error) {
	rows, err := d.owner.Query(ctx, visitsOfDay, d.id)
	if err != nil {
		return nil, err
	}
	visits, err := pgx.CollectRows(rows, pgx.RowToStructByName[visit])
	if err != nil {
		return nil, err
	}
	var all []lateDelivery
	for from := 0; from < len(visits); {
		to := from
		for to < len(visits) && visits[to].Driver == visits[from].Driver {
			to++
		}
		all = append(all, lateOf(visits[from:to])...)
		from = to
	}
	return summarized(all, len(visits)), nil
}

// summarized counts late deliveries by cause, and lists the latest.
func summarized(all []lateDelivery, visits int) []dayFigure {
	counts, aboard := map[cause]int{}, 0
	for _, l := range all {
		counts[l.why]++
		if l.aboard {
			aboard++
		}
	}
	figures := []dayFigure{
		{"stops that were made", fmt.Sprint(visits)},
		{"late by more than 15 minutes", fmt.Sprint(len(all))},
	}
	for _, why := range slices.SortedFunc(maps.Keys(counts), func(a, b cause) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	}) {
		figures = append(figures, dayFigure{"… " + string(why), fmt.Sprint(counts[why])})
	}
	figures = append(figures, dayFigure{"… with the goods on board when the longest delay ended", fmt.Sprint(aboard)})
	slices.SortFunc(all, func(a, b lateDelivery) int { return cmp.Compare(b.by, a.by) })
	var words []string
	for _, l := range all[:min(len(all), mostNamed)] {
		words = append(words, fmt.Sprintf("%s by %s: %s (%s)", l.visit.Number, short(l.by), l.why, l.delay))
	}
	return append(figures, dayFigure{"… the latest of them", strings.Join(words, "; ")})
}

// mostNamed is how many late deliveries are named.
const mostNamed = 8
