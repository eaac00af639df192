package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"waybill/domain/credential"
)

// drivers are out at the same time.
const drivers = 25

// drivingDay is an organization whose drivers have routes today.
type drivingDay struct {
	*organization

	routes []*route
}

// route is a driver with a phone, and the orders ahead.
type route struct {
	driver int64
	cookie string
	orders []drivenOrder
	begun  int       // how many of them are driven
	at     time.Time // of the phone's last report
}

type drivenOrder struct {
	id               int64
	number           string
	pickup, delivery int64
}

type place struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	Accuracy  float64 `json:"accuracyMeters"`
}

// oneOrder is a driver's actions on an order, with its state.
var oneOrder = []struct {
	deed             string
	delivery         bool
	status           int16
	pickup, delivers string
}{
	{"ARRIVE", false, 3, "arrived", "pending"},
	{"PICK_UP", false, 4, "completed", "pending"},
	{"ARRIVE", true, 5, "completed", "arrived"},
	{"DELIVER", true, 6, "completed", "completed"},
}

// dayOfDriving creates routes of imported orders, as planning would. They are
// yesterday's, which drivers continue while today has none: planning leaves
// them alone.
var dayOfDriving = []string{
	"insert into drivers (org_id, name) select @org, 'Driver ' || n from generate_series(1, @drivers::int) n",
	"insert into plans (org_id, day, version) values (@org, (now() at time zone 'Europe/Oslo')::date - 1, 1)",
	`insert into plan_routes (org_id, plan_id, driver_id, starts_at, ends_at, driving_seconds, waiting_seconds, meters,
	    weight_kg, volume_m3)
	 select p.org_id, p.id, d.id, now(), now() + interval '9 hours', 9000, 0, 90000, 0, 0
	 from plans p join drivers d on d.org_id = p.org_id where p.org_id = @org`,
	`create temp table given on commit drop as
	 select o.id, d.id as driver_id, (o.n - 1) / @drivers::int as turn
	 from (select id, row_number() over (order by id) as n from orders where org_id = @org) o
	 join (select id, row_number() over (order by id) - 1 as n from drivers where org_id = @org) d
	    on d.n = (o.n - 1) % @drivers::int`,
	`insert into plan_stops (org_id, order_id, kind, plan_id, driver_id, seq, arrives_at, starts_at, leaves_at,
	    slack_seconds, eta, driving_seconds, meters, latitude, longitude)
	 select s.org_id, s.order_id, s.kind, p.id, g.driver_id, x.seq, x.at, x.at, x.at + interval '3 minutes', 3600, x.at, 420, 4000,
	    59.9 + x.seq / 500.0, 10.7 + x.seq / 500.0
	 from given g join order_stops s on s.org_id = @org and s.order_id = g.id join plans p on p.org_id = s.org_id
	 cross join lateral (select 2 * g.turn + case s.kind when 'pickup' then 1 else 2 end as seq) n
	 cross join lateral (select n.seq, now() + n.seq * interval '10 minutes' as at) x`,
	`update orders o set driver_id = g.driver_id, status_id = 2, created_at = now() - interval '1 day'
	 from given g where o.org_id = @org and o.id = g.id`,
	`update order_stops set earliest = now() - interval '1 hour', latest = now() + interval '12 hours' where org_id = @org`,
	"analyze plan_stops", "analyze orders", "analyze order_stops",
}

// newDrivingDay returns an organization with drivers on the road.
func (s *site) newDrivingDay(ctx context.Context, slug string) (*drivingDay, error) {
	org, err := s.newOrganization(ctx, slug)
	if err != nil {
		return nil, err
	}
	if _, err := s.importAll(ctx, org, newOrders("D", drivers*s.sizes.Driven, first)); err != nil {
		return nil, err
	}
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	err = pgx.BeginFunc(ctx, s.owner, func(tx pgx.Tx) error {
		for _, statement := range dayOfDriving {
			if _, err := tx.Exec(ctx, statement, pgx.NamedArgs{"org": org.id, "drivers": drivers}); err != nil {
				return fmt.Errorf("plan a day: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	day := &drivingDay{organization: org}
	if err := day.readRoutes(ctx, s); err != nil {
		return nil, err
	}
	return day, day.connect(ctx, s)
}

func (d *drivingDay) readRoutes(ctx context.Context, s *site) error {
	rows, err := s.owner.Query(ctx, `
		select o.driver_id, o.id, o.number, a.id, b.id from orders o
		join order_stops a on a.org_id = o.org_id and a.order_id = o.id and a.kind = 'pickup'
		join order_stops b on b.org_id = o.org_id and b.order_id = o.id and b.kind = 'delivery'
		where o.org_id = $1 order by o.driver_id, o.id`, d.id)
	if err != nil {
		return fmt.Errorf("read routes: %w", err)
	}
	var driver int64
	var o drivenOrder
	_, err = pgx.ForEachRow(rows, []any{&driver, &o.id, &o.number, &o.pickup, &o.delivery}, func() error {
		if n := len(d.routes); n == 0 || d.routes[n-1].driver != driver {
			d.routes = append(d.routes, &route{driver: driver, at: time.Now()})
		}
		last := d.routes[len(d.routes)-1]
		last.orders = append(last.orders, o)
		return nil
	})
	return err
}

// connect gives each driver a phone.
func (d *drivingDay) connect(ctx context.Context, s *site) error {
	for _, r := range d.routes {
		secret, err := credential.New(credential.Device, rand.Reader)
		if err != nil {
			return err
		}
		hash := secret.Hash()
		r.cookie = "waybill=" + secret.Reveal()
		_, err = s.owner.Exec(ctx, `
			insert into sessions (org_id, kind, public_part, hash, driver_id, created_at, last_used_at, expires_at)
			values ($1, 'device', $2, $3, $4, now(), now(), now() + interval '1 day')`, d.id, secret.Public(), hash[:], r.driver)
		if err != nil {
			return fmt.Errorf("connect a phone: %w", err)
		}
	}
	return nil
}

// next is the driver's next action, with the present time.
func (r *route) next(step int) (body []byte, o drivenOrder, err error) {
	o, what := r.orders[r.begun], oneOrder[step]
	stop, seq := o.pickup, 2*r.begun+1
	if what.delivery {
		stop, seq = o.delivery, seq+1
	}
	now := time.Now().UTC()
	r.at = now
	body, err = json.Marshal(map[string]any{"actions": []any{struct {
		bareRecord
		Sent time.Time `json:"sentAt"`
	}{bareRecord{
		Type: what.deed, ID: uuid.NewString(), StopID: stop, At: now, Order: o.id, Status: what.status,
		Position: place{59.9 + float64(seq)/500, 10.7 + float64(seq)/500, 12},
		Pickup:   what.pickup, Delivery: what.delivers,
	}, now}}})
	if step == len(oneOrder)-1 {
		r.begun++
	}
	return body, o, err
}
