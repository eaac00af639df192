package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/domain/order"
)

// The size of the simulated day: some of its orders arrive during it.
const (
	ordersKnown, ordersLater = 360, 40
	smallDay                 = 10 // with -quick, this many of a hundred orders
	dayPatience              = 40 * time.Minute
	takeTries                = 10
	dayLook                  = 2 * time.Second
	readyIn                  = 30 * time.Minute
	dayRests                 = 20 * time.Second
)

// dayRules send messages about everything on the road.
const dayRules = `insert into notification_rules (org_id, event, channel, receiver)
	select $1, unnest('{STOP_APPROACHING,STOP_ARRIVED,ORDER_DELIVERED,ORDER_FAILED}'::text[]), 'EMAIL', 'DELIVERY_CONTACTS'`

// longDay is a simulated day of a sandbox.
type longDay struct {
	*site
	*organization

	day         time.Time
	known, come int
	trouble     string
	realistic   bool
	pace        int
	// broken are the violated invariants, each once.
	broken []string
}

// oneLongDay simulates a day, prints the results, and fails if an invariant was
// violated.
func oneLongDay(ctx context.Context, o options) (err error) {
	s, err := openSite(ctx, o.sizes)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	ctx, stop := context.WithTimeout(ctx, dayPatience)
	defer stop()
	d := &longDay{
		site: s, known: ordersKnown, come: ordersLater, trouble: o.trouble, realistic: o.realistic, pace: o.pace,
		day: time.Now().UTC().AddDate(0, 0, 1),
	}
	if o.sizes == small {
		d.known, d.come = d.known*smallDay/100, d.come*smallDay/100
	}
	if err := d.prepare(ctx); err != nil {
		return fmt.Errorf("prepare the day: %w", err)
	}
	if err := d.drive(ctx); err != nil {
		return fmt.Errorf("drive the day: %w", err)
	}
	figures, err := d.figures(ctx)
	if err != nil {
		return fmt.Errorf("sum up the day: %w", err)
	}
	if err := printDay(os.Stdout, figures); err != nil {
		return err
	}
	if len(d.broken) > 0 {
		return fmt.Errorf("%d invariants were broken:\n  %s", len(d.broken), strings.Join(d.broken, "\n  "))
	}
	return nil
}

// prepare creates a sandbox with a fleet, and has its first orders planned.
func (d *longDay) prepare(ctx context.Context) (err error) {
	if d.organization, err = d.newOrganization(ctx, "day"); err != nil {
		return err
	}
	for _, statement := range append([]string{"update organizations set sandbox = true where id = @org"}, fleet...) {
		if _, err := d.owner.Exec(ctx, statement, pgx.NamedArgs{"org": d.id}); err != nil {
			return err
		}
	}
	if _, err := d.owner.Exec(ctx, dayRules, d.id); err != nil {
		return err
	}
	if err := d.take(ctx, 0, d.known); err != nil {
		return err
	}
	note("%d orders are there", d.known)
	return d.until(ctx, "select count(*) = 0 from orders o where org_id = $1 and status_id = 1 and not exists "+
		"(select from plan_unplanned u where u.org_id = o.org_id and u.order_id = o.id)", d.id)
}

// take imports n orders, with windows of three hours in a town. Those that
// arrive during the day are ready in half an hour, and must be delivered within
// the three hours after that.
func (d *longDay) take(ctx context.Context, from, count int) error {
	var clock time.Time
	err := d.owner.QueryRow(ctx, `select coalesce(max(clock_from + (now() - clock_since) * pace), '0001-01-01 00:00:00+00')
		from sandbox_runs where org_id = $1`, d.id).Scan(&clock)
	if err != nil {
		return fmt.Errorf("read the clock of the day: %w", err)
	}
	entries := make([]order.Request, count)
	for i := range entries {
		n := from + i
		entries[i] = newOrder(fmt.Sprintf("DAY-%03d", n), n, first)
		entries[i].Date = d.day.Format(time.DateOnly)
		entries[i].Pickup = pickup(n % 4)
		begins := time.Date(d.day.Year(), d.day.Month(), d.day.Day(), 8+n%4*2, 0, 0, 0, time.UTC)
		to, ready := entries[i].Delivery, clock.Add(readyIn).Truncate(time.Minute)
		if !clock.IsZero() {
			begins = ready
			entries[i].Pickup.Earliest, entries[i].Pickup.Latest = ready.Format(time.RFC3339), ready.Add(2*time.Hour).Format(time.RFC3339)
		}
		to.Earliest, to.Latest = begins.Format(time.RFC3339), begins.Add(3*time.Hour).Format(time.RFC3339)
		to.Address.Latitude, to.Address.Longitude = new(59.88+float64(n*37%100)/1000), new(10.68+float64(n*61%100)/500)
		entries[i].Products = entries[i].Products[:1+n%4]
	}
	body, err := json.Marshal(map[string]any{"orders": entries})
	if err != nil {
		return err
	}
	for try := 1; ; try++ { // a rejected request is retried
		_, err = d.call(ctx, request{url: d.url + "/v3/orders/import", key: d.key, body: body})
		if err == nil || try == takeTries {
			return err
		}
		note("an import is sent again: %v", err)
		if err := rest(ctx, dayLook); err != nil {
			return err
		}
	}
}

// drive simulates the day, adds the other orders meanwhile, and checks the
// invariants repeatedly.
func (d *longDay) drive(ctx context.Context) error {
	ask, err := json.Marshal(map[string]any{
		"date": d.day.Format(time.DateOnly), "pace": d.pace, "trouble": d.trouble, "realistic": d.realistic,
	})
	if err != nil {
		return err
	}
	_, err = d.call(ctx, request{url: d.url + "/v2/sandbox/run", key: d.key, body: ask, status: 202})
	if err != nil {
		return err
	}
	for came, looks := 0, 0; ; looks++ {
		run, err := d.progress(ctx)
		if err != nil {
			return err
		}
		if looks%15 == 0 {
			note("%s: %d delivered, %d failed, %d under way, %d planned, %d left over, %d wait", run.State, run.Orders.Delivered,
				run.Orders.Failed, run.Orders.UnderWay, run.Orders.Planned, run.Orders.LeftOver, run.Orders.Waiting)
		}
		if err := d.look(ctx); err != nil {
			return err
		}
		if run.State != "RUNNING" {
			return d.settleDown(ctx)
		}
		for came < d.come && (run.Orders.Delivered+run.Orders.Failed)*2 > came*d.known/d.come {
			if err := d.take(ctx, d.known+came, 1); err != nil {
				return err
			}
			came++
		}
		if err := rest(ctx, dayLook); err != nil {
			return err
		}
	}
}

// dayProgress is the progress of the day.
type dayProgress struct {
	State  string
	Orders struct{ Total, Delivered, Failed, UnderWay, Planned, LeftOver, Waiting int }
}

func (d *longDay) progress(ctx context.Context) (run dayProgress, err error) {
	answer, err := d.call(ctx, request{url: d.url + "/v2/sandbox/run?date=" + d.day.Format(time.DateOnly), key: d.key})
	if err == nil {
		err = json.Unmarshal(answer, &run)
	}
	return run, err
}

// settleDown waits until nothing further happens after the day, and checks once
// more.
func (d *longDay) settleDown(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, settledWithin)
	defer stop()
	err := d.until(ctx, `select not exists (select from events where org_id = $1 and position is null)
		and not exists (select from notifications where org_id = $1 and status = 'queued')`, d.id)
	if err == nil {
		err = rest(ctx, dayRests)
	}
	return errors.Join(err, d.look(ctx))
}
