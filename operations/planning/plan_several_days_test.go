package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// several is a fleet with orders that may be carried out on two days.
type several struct{ *operationstest.Dispatch }

// next is the day after that of the tests.
var next = planning.Area{Date: operationstest.PlannedOn.AddDate(0, 0, 1)}

func until(date time.Time) func(*order.Request) {
	return func(r *order.Request) { r.LatestDate = date.Format(time.DateOnly) }
}

func tomorrow(r *order.Request) { r.Date = next.Date.Format(time.DateOnly) }

func (s several) plans(area planning.Area) {
	s.T.Helper()
	_, err := s.Planning.PlanDay(s.T.Context(), caller.Service(s.Org, "plan/test"), planningops.PlanningSlice{Area: area})
	require.NoError(s.T, err)
}

func (s several) chooses(area planning.Area) planningops.ChosenDays {
	s.T.Helper()
	done, err := s.Planning.ChooseDays(s.T.Context(), caller.Service(s.Org, "plan/test"), planningops.PlanningSlice{Area: area})
	require.NoError(s.T, err)
	return done
}

// dateOf is the date of an order, and when its delivery may begin.
func (s several) dateOf(number string) string {
	s.T.Helper()
	return operationstest.One[string](s.Office, `select o.date || ' ' || to_char(s.earliest at time zone 'Europe/Oslo', 'YYYY-MM-DD HH24:MI')
		from orders o join order_stops s on s.org_id = o.org_id and s.order_id = o.id and s.kind = 'delivery'
		where o.org_id = $1 and o.number = $2`, s.Org, number)
}

// TestOrdersMoveToTheDayThatCostsLess has a driver go to the same place a day later anyway.
func TestOrdersMoveToTheDayThatCostsLess(t *testing.T) {
	t.Parallel()
	s := several{operationstest.NewDispatch(t)}
	s.Now = s.Now.AddDate(0, 0, -2)
	s.Load("A-1", "D-3", until(next.Date))
	s.Load("A-2", "D-3", until(operationstest.PlannedOn))
	s.Load("B-1", "D-3", tomorrow)
	s.plans(next)
	s.plans(operationstest.Area)
	require.Equal(t, "2026-03-02 2026-03-02 08:00", s.dateOf("A-1"))
	require.Zero(t, s.chooses(operationstest.Area).Moved, "a driver goes to A-2 anyway")
	s.Do("update orders set status_id = 8, cancelled_at = now() where org_id = $1 and number = 'A-2'", s.Org)
	s.Now = s.Now.Add(2 * time.Hour)
	s.plans(operationstest.Area)
	done := s.chooses(operationstest.Area)
	require.Equal(t, 1, done.Moved)
	require.Equal(t, "2026-03-03 2026-03-03 08:00", s.dateOf("A-1"))
	s.plans(next)
	require.NotEmpty(t, s.DriverOf("A-1"))
	require.Zero(t, s.chooses(next).Moved, "it stays there")
	require.Equal(t, "2026-03-02 2026-03-03", operationstest.One[string](s.Office,
		"select concat_ws(' ', base->>'first_date', base->>'latest_date') from v1_orders where org_id = $1 and number = 'A-1'", s.Org))
	s.Imported(s.Org, s.entry("A-1", "D-3", until(next.Date)))
	require.Equal(t, "2026-03-03 2026-03-03 08:00", s.dateOf("A-1"), "a repeated import keeps the day")
}

func (s several) entry(number, to string, change func(*order.Request)) order.Request {
	e := operationstest.HeavyOrder(number)
	e.Pickup, e.Delivery = &order.LocationRequest{ExternalID: "T"}, &order.LocationRequest{ExternalID: to}
	change(&e)
	return e
}

// TestOrdersLeftOverMoveOn has nobody work on the first day. What is told, fixed, locked or closed stays.
func TestOrdersLeftOverMoveOn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		but   string
		moves bool
	}{
		"nothing": {"select 1 where $1::bigint > 0", true},
		"promised": {`
			insert into delivery_promises (org_id, order_id, kind, promised_from, promised_to, told_from, told_to)
			select org_id, id, 'delivery', now(), now(), now(), now() from orders where org_id = $1`, false},
		"fixed":  {`update orders set asks = asks || '{"date_fixed": true}' where org_id = $1`, false},
		"locked": {`insert into order_driver_locks (org_id, order_id, driver_id) select o.org_id, o.id, d.id from orders o join drivers d on d.org_id = o.org_id and d.name = 'Nora' where o.org_id = $1`, false},
		"nobody": {"update drivers set is_active = false where org_id = $1", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := several{operationstest.NewDispatch(t)}
			s.Load("A-1", "D-1", until(next.Date))
			s.Do(`insert into driver_workdays (org_id, driver_id, date, starts, ends, works) select org_id, id, $2, 420, 960, false from drivers where org_id = $1`,
				s.Org, operationstest.PlannedOn)
			s.plans(operationstest.Area)
			require.Empty(t, s.DriverOf("A-1"))
			s.Do(c.but, s.Org)
			done := s.chooses(operationstest.Area)
			if !c.moves {
				require.Zero(t, done.Moved)
				require.Equal(t, "2026-03-02 2026-03-02 08:00", s.dateOf("A-1"))
				return
			}
			require.Equal(t, 1, done.Moved)
			require.Equal(t, "2026-03-03 2026-03-03 08:00", s.dateOf("A-1"))
			s.plans(next)
			require.NotEmpty(t, s.DriverOf("A-1"))
		})
	}
}
