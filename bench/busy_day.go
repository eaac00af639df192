package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"waybill/domain/order"
)

const (
	// tapsPerSecond is how often any driver acts.
	tapsPerSecond = 10
	// changesEvery and movesEvery are how often an order arrives, and how often
	// one is moved.
	changesEvery = 3 * time.Second
	movesEvery   = 5 * time.Second
	// atFirstTry is the share of commits and of moves, in percent, that must need no
	// other try.
	atFirstTry = 99
	// dryRunTarget is how long nearly all dry runs of a move may take, in milliseconds.
	dryRunTarget = 500
	// busyHour is the hour by the organization's clock when the day begins.
	busyHour = 7
	// plannedShare is the share of the orders, in percent, that must have a driver then.
	plannedShare = 90
)

// busyFleet are vans that are never full, whose drivers work all day.
var busyFleet = []string{
	"update organizations set timezone = @zone where id = @org",
	"insert into vehicles (org_id, registration, vehicle_type_id, max_weight_kg, max_volume_m3) " +
		"select @org, 'V-' || n, t.id, 20000, 200 from vehicle_types t cross join generate_series(1, @drivers::int) n where t.org_id = @org",
	"insert into drivers (org_id, name, department_id, vehicle_id) select @org, v.registration, d.id, v.id " +
		"from vehicles v join departments d on d.org_id = v.org_id where v.org_id = @org",
	"insert into driver_workday_rules (org_id, driver_id, seq, rrule, starts, ends) " +
		"select @org, id, 1, 'FREQ=DAILY', 360, 1320 from drivers where org_id = @org",
	"update order_types set ready_from = 420, pick_up_before = 900, deliver_before = 1260 where org_id = @org",
}

// busyDay is a day on which drivers load and deliver while orders arrive and
// users move them.
type busyDay struct {
	*drivingDay

	s      *site
	day    string
	cookie string // of a person
	plan   int64

	mu             sync.Mutex
	taps           int
	changed, dry   []float64
	moves, refused int
}

// measureBusyDay has drivers act ten times a second, each along the present
// route.
func measureBusyDay(ctx context.Context, s *site) ([]result, error) {
	d, err := s.newBusyDay(ctx)
	if err != nil {
		return nil, err
	}
	var before, after [2]int64
	const commits = "select version, carried_over from plans where org_id = $1 and id = $2"
	if err := s.owner.QueryRow(ctx, commits, d.id, d.plan).Scan(&before[0], &before[1]); err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	until := time.Now().Add(s.sizes.BusyFor)
	group, of := errgroup.WithContext(ctx)
	group.Go(func() error { return d.drive(of, until) })
	group.Go(func() error { return every(of, changesEvery, until, d.change) })
	group.Go(func() error { return every(of, movesEvery, until, d.move) })
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if err := s.owner.QueryRow(ctx, commits, d.id, d.plan).Scan(&after[0], &after[1]); err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	again := after[1] - before[1]
	first := after[0] - before[0] - again
	note("%d taps; %d commits, %d of them made again; %d moves, %d refused; until driver and ETA %.0f ms, %.0f ms at most; dry run %.0f ms",
		d.taps, first, again, d.moves, d.refused, quantile(d.changed, 0.5), quantile(d.changed, 1), quantile(d.dry, 0.5))
	name := fmt.Sprintf("%d orders, %d drivers, %d taps a second: ", s.sizes.BusyOrders, s.sizes.BusyDrivers, tapsPerSecond)
	return []result{
		reached(atFirstTry, name+"commits at first try", "%", share(first-again, first)),
		reached(atFirstTry, name+"moves that succeed", "%", share(int64(d.moves-d.refused), int64(d.moves))),
		within(plannedTarget, name+"one more order until driver and ETA (p50)", "ms", quantile(d.changed, 0.5)),
		within(plannedWorst, name+"one more order until driver and ETA (p95)", "ms", quantile(d.changed, 0.95)),
		within(dryRunTarget, name+"dry run of a move (p95)", "ms", quantile(d.dry, 0.95)),
	}, nil
}

func share(part, of int64) float64 { return 100 * float64(part) / float64(max(of, 1)) }

// newBusyDay plans a day that has just begun, whatever time it is.
func (s *site) newBusyDay(ctx context.Context) (*busyDay, error) {
	org, err := s.newOrganization(ctx, "busy-day")
	if err != nil {
		return nil, err
	}
	ahead := (busyHour-time.Now().UTC().Hour()+36)%24 - 12 // hours before or behind UTC
	zone := fmt.Sprintf("Etc/GMT%+d", -ahead)
	for _, statement := range busyFleet {
		_, err := s.owner.Exec(ctx, statement, pgx.NamedArgs{"org": org.id, "zone": zone, "drivers": s.sizes.BusyDrivers})
		if err != nil {
			return nil, fmt.Errorf("make a fleet: %w", err)
		}
	}
	d := &busyDay{
		drivingDay: &drivingDay{organization: org}, s: s,
		day: time.Now().UTC().Add(time.Duration(ahead) * time.Hour).Format(time.DateOnly),
	}
	if _, err := s.importAll(ctx, org, d.orders("D", s.sizes.BusyOrders)); err != nil {
		return nil, err
	}
	if err := s.addPeople(ctx, org); err != nil {
		return nil, err
	}
	if d.cookie, err = s.signIn(ctx, org.slug, 0); err != nil {
		return nil, err
	}
	err = s.until(ctx, "select count(*) >= $2 from orders where org_id = $1 and status_id = 2", org.id, s.sizes.BusyOrders*plannedShare/100)
	if err == nil {
		err = s.owner.QueryRow(ctx, "select id from plans where org_id = $1", org.id).Scan(&d.plan)
	}
	if err != nil {
		return nil, fmt.Errorf("wait for the plan: %w", err)
	}
	if err := d.readRoutes(ctx, s); err != nil {
		return nil, err
	}
	return d, d.connect(ctx, s)
}

// readRoutes returns the drivers with routes.
func (d *busyDay) readRoutes(ctx context.Context, s *site) error {
	rows, err := s.owner.Query(ctx, "select driver_id from plan_routes where org_id = $1 and plan_id = $2 order by 1", d.id, d.plan)
	if err != nil {
		return fmt.Errorf("read routes: %w", err)
	}
	drivers, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	for _, driver := range drivers {
		d.routes = append(d.routes, &route{driver: driver})
	}
	return err
}

// orders are those of the day, within a city, with stops of a few minutes.
func (d *busyDay) orders(prefix string, count int) []order.Request {
	entries := make([]order.Request, count)
	for i := range entries {
		entries[i] = newOrder(fmt.Sprintf("%s-%d", prefix, i), i, first)
		entries[i].Date = d.day
		entries[i].Pickup = pickup(i % 4)
		to := entries[i].Delivery
		to.Earliest, to.Latest = "", ""
		to.Address.Latitude, to.Address.Longitude = new(59.88+rand.Float64()/10), new(10.68+rand.Float64()/5)
		entries[i].Pickup.EstimatedTimeOnLocation, to.EstimatedTimeOnLocation = new(int32(2)), new(int32(3))
	}
	return entries
}

// every does something again and again, so often if it can.
func every(ctx context.Context, pause time.Duration, until time.Time, do func(context.Context, int) error) error {
	for n := 0; ; n++ {
		next := time.Now().Add(pause)
		if next.After(until) {
			return nil
		}
		if err := do(ctx, n); err != nil {
			return err
		}
		if err := rest(ctx, time.Until(next)); err != nil {
			return err
		}
	}
}

// drive has one driver after the other act.
func (d *busyDay) drive(ctx context.Context, until time.Time) error {
	group, of := errgroup.WithContext(ctx)
	group.SetLimit(actors)
	for n := 0; time.Now().Before(until); n++ {
		r := d.routes[n%len(d.routes)]
		group.Go(func() error { return d.tap(of, r) })
		if err := rest(ctx, time.Second/tapsPerSecond); err != nil {
			break
		}
	}
	return group.Wait()
}

// tap has a driver arrive at the next stop, or finish it.
func (d *busyDay) tap(ctx context.Context, r *route) error {
	var stop int64
	var kind string
	var arrived bool
	var at place
	err := d.s.owner.QueryRow(ctx, `
		select s.id, p.kind, coalesce(x.status = 'arrived', false), p.latitude, p.longitude from plan_stops p
		join order_stops s on s.org_id = p.org_id and s.order_id = p.order_id and s.kind = p.kind
		left join order_progress g on g.org_id = p.org_id and g.order_id = p.order_id
		cross join lateral (select case p.kind when 'pickup' then g.pickup_status else g.delivery_status end as status) x
		where p.org_id = $1 and p.plan_id = $2 and p.driver_id = $3 and coalesce(x.status, 'pending') in ('pending', 'arrived')
		order by p.seq limit 1`, d.id, d.plan, r.driver).Scan(&stop, &kind, &arrived, &at.Latitude, &at.Longitude)
	if errors.Is(err, pgx.ErrNoRows) { // the route is done
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the next stop of driver %d: %w", r.driver, err)
	}
	deed := "ARRIVE"
	if arrived {
		deed = map[string]string{"pickup": "PICK_UP", "delivery": "DELIVER"}[kind]
	}
	now, at := time.Now().UTC(), place{at.Latitude, at.Longitude, 12}
	body, err := json.Marshal(map[string]any{"actions": []any{map[string]any{
		"id": uuid.NewString(), "type": deed, "stopId": stop, "occurredAt": now, "sentAt": now, "position": at,
	}}})
	if err != nil {
		return err
	}
	if _, err := d.s.call(ctx, request{url: d.s.url + "/v1/driver/actions", cookie: r.cookie, body: body}); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.taps++
	return nil
}

// change adds one more order, and waits for its driver.
func (d *busyDay) change(ctx context.Context, n int) error {
	began := time.Now()
	ids, err := d.s.importAll(ctx, d.organization, d.orders(fmt.Sprintf("S%d", n), 1))
	if err == nil {
		err = d.s.awaitDriver(ctx, d.organization, ids[0])
	}
	if err != nil && strings.Contains(err.Error(), "is not planned") { // nobody has time for it
		note("%.300v", err)
		return nil
	}
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.changed = append(d.changed, milliseconds(time.Since(began)))
	return nil
}

// move previews and makes a move of an order to another driver, like a user.
func (d *busyDay) move(ctx context.Context, _ int) error {
	var version, department, id, driver int64
	err := d.s.owner.QueryRow(ctx, `
		select l.version, l.department_id, o.id, r.driver_id from plans l
		join plan_stops p on p.org_id = l.org_id and p.plan_id = l.id and p.kind = 'pickup' and p.starts_at > now() + interval '2 hours'
		join orders o on o.org_id = p.org_id and o.id = p.order_id and o.status_id = 2
		join plan_routes r on r.org_id = p.org_id and r.plan_id = p.plan_id and r.driver_id <> p.driver_id
		where l.org_id = $1 and l.id = $2 order by random() limit 1`, d.id, d.plan).Scan(&version, &department, &id, &driver)
	if err != nil {
		return fmt.Errorf("find an order to move: %w", err)
	}
	ask := func(dry bool) error {
		body, err := json.Marshal(map[string]any{
			"version": version, "departmentId": department, "dryRun": dry, "reason": "They asked for it.",
			"moves": []any{map[string]int64{"orderId": id, "driverId": driver}},
		})
		if err == nil {
			_, err = d.s.call(ctx, request{url: d.s.url + "/v2/plans/" + d.day + "/moves", cookie: d.cookie, body: body})
		}
		return err
	}
	took, err := timed(func() error { return ask(true) })
	if err == nil {
		err = ask(false)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.moves, d.dry = d.moves+1, append(d.dry, took)
	if err != nil && strings.Contains(err.Error(), "answered 409") {
		note("a move was refused: %v", err)
		d.refused++
		err = nil
	}
	return err
}
