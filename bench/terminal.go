package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// leftTerminal is how many minutes after the start of the shift the last driver may be at their first delivery.
	leftTerminal = 60
	// rankTarget is how long nearly all rankings of the drivers for one order may take, in milliseconds.
	rankTarget = 300
	rankings   = 100
	// vanOrders is how many orders a van takes at most.
	vanOrders = 30
)

// dayFromTerminal are drivers who work from half past six, and take so many orders that vans are full.
var dayFromTerminal = []string{
	"update organizations set max_stops = @most + 1 where id = @org",
	"update order_types set ready_from = 360 where org_id = @org",
	"insert into vehicles (org_id, registration, vehicle_type_id) select @org, 'T-' || n, t.id " +
		"from vehicle_types t cross join generate_series(1, @drivers::int) n where t.org_id = @org",
	"insert into drivers (org_id, name, department_id, vehicle_id) select @org, v.registration, d.id, v.id " +
		"from vehicles v join departments d on d.org_id = v.org_id where v.org_id = @org",
	"insert into driver_workday_rules (org_id, driver_id, seq, rrule, starts, ends) " +
		"select @org, id, 1, 'FREQ=DAILY', 390, 1200 from drivers where org_id = @org",
}

// measureTerminal plans a day of one terminal, looks when drivers get away from there, and ranks the drivers for
// single orders.
func measureTerminal(ctx context.Context, s *site) ([]result, error) {
	orders, drivers := 500, 50
	if s.sizes == small {
		orders, drivers = 60, 6
	}
	org, err := s.newOrganization(ctx, "terminal")
	if err != nil {
		return nil, err
	}
	args := pgx.NamedArgs{"org": org.id, "drivers": drivers, "most": vanOrders}
	for _, statement := range dayFromTerminal {
		if _, err := s.owner.Exec(ctx, statement, args); err != nil {
			return nil, fmt.Errorf("make a fleet: %w", err)
		}
	}
	ids, err := s.importFrom(ctx, org, "T", orders, 1)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if err := s.awaitDriver(ctx, org, id); err != nil {
			return nil, err
		}
	}
	first, most, err := s.firstDeliveries(ctx, org)
	if err != nil {
		return nil, err
	}
	took, err := s.rankDrivers(ctx, org, ids)
	if err != nil {
		return nil, err
	}
	note("a van has %d orders at most; a ranking takes %.0f ms", most, quantile(took, 0.5))
	return []result{
		within(leftTerminal, fmt.Sprintf("last first delivery after the shift began, %d orders of one terminal", orders), "min", first),
		within(rankTarget, fmt.Sprintf("ranking %d drivers for one of %d orders (p95)", drivers, orders), "ms", quantile(took, 0.95)),
	}, nil
}

// firstDeliveries returns how many minutes after the start of the shift the last driver has the first delivery, and
// how many orders the fullest van has.
func (s *site) firstDeliveries(ctx context.Context, org *organization) (minutes float64, most int, err error) {
	row := s.owner.QueryRow(ctx, `
		select coalesce(max(extract(epoch from x.first at time zone x.timezone - (x.day + interval '390 minutes')) / 60), 0)::float8,
			coalesce(max(x.orders), 0)
		from (select min(p.starts_at) as first, count(*) as orders, l.day, o.timezone
			from plan_stops p join plans l on l.org_id = p.org_id and l.id = p.plan_id join organizations o on o.id = p.org_id
			where p.org_id = $1 and p.kind = 'delivery' group by p.driver_id, l.id, l.day, o.timezone) x`, org.id)
	err = row.Scan(&minutes, &most)
	return minutes, most, err
}

// rankDrivers returns how long it takes to rank the drivers for single orders, one after the other.
func (s *site) rankDrivers(ctx context.Context, org *organization, ids []int64) ([]float64, error) {
	_, token, err := s.dispatcher(ctx, org)
	if err != nil {
		return nil, err
	}
	var department int64
	if err := s.owner.QueryRow(ctx, "select id from departments where org_id = $1", org.id).Scan(&department); err != nil {
		return nil, err
	}
	day := time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	var took []float64
	for i := range rankings {
		url := fmt.Sprintf("%s/v2/plans/%s/candidates?departmentId=%d&orderId=%d", s.url, day, department, ids[i*len(ids)/rankings])
		one, err := timed(func() error {
			_, err := s.call(ctx, request{url: url, token: token})
			return err
		})
		if err != nil {
			return nil, err
		}
		took = append(took, one)
	}
	return took, nil
}
