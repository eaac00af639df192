package driving_test

import (
	"encoding/json"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/contract"
	"waybill/operations"
)

// night is a driver in Oslo with two routes from ten to six, on consecutive days, and a
// clock that the test controls.
type night struct {
	*phone

	day   time.Time
	clock *atomic.Pointer[time.Time]
	// orders are those of the two routes, with their stops.
	orders [2]struct{ id, pickup, delivery int64 }
}

func newNight(t *testing.T, day time.Time) *night {
	t.Helper()
	clock := &atomic.Pointer[time.Time]{}
	clock.Store(&day)
	now := func() time.Time { return *clock.Load() }
	d := newDepotWith(t, func(_ *api.Config, deps *api.Dependencies) {
		deps.Now, deps.Operations = now, operations.New(deps.Store, now, operations.Settings{})
	})
	d.exec("update organizations set timezone = 'Europe/Oslo' where id = $1")
	n := &night{phone: d.phone("Nora"), day: day, clock: clock}
	for i, number := range []string{"NIGHT", "LATER"} {
		o := &n.orders[i]
		o.id, o.pickup, o.delivery = n.give(number)
		of := day.AddDate(0, 0, i)
		n.plan(o.id, of)
		n.exec("update orders set created_at = $2 where org_id = $1", day.AddDate(0, 0, -2))
		n.exec(`update plan_routes r set starts_at = $2, ends_at = $3 from plans p
			where r.org_id = $1 and p.org_id = r.org_id and p.id = r.plan_id and p.day = $4`,
			at(of, 22, 0), at(of, 30, 0), of)
		for kind, hour := range map[string]int{"pickup": 23, "delivery": 29} {
			n.exec(`update plan_stops set arrives_at = $4, starts_at = $4, leaves_at = $4, eta = $4
				where org_id = $1 and order_id = $2 and kind = $3`, o.id, kind, at(of, hour, 0))
			n.exec(`update order_stops set earliest = $4, latest = $5 where org_id = $1 and order_id = $2 and kind = $3`,
				o.id, kind, at(of, 22, 0), at(of, 30, 0))
		}
	}
	return n
}

// at is a moment by the clocks of Oslo, so many hours and minutes after a day begins by
// them; 25 is one in the morning of the day after.
func at(day time.Time, hour, minute int) time.Time {
	oslo, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		panic(err)
	}
	return time.Date(day.Year(), day.Month(), day.Day(), hour, minute, 0, 0, oslo)
}

// is sets the clock.
func (n *night) is(now time.Time) { n.clock.Store(&now) }

// acts has the driver do something now.
func (n *night) acts(what string, stop int64) {
	n.T.Helper()
	a := n.did(what, stop, 0)
	a["occurredAt"], a["sentAt"] = n.clock.Load(), n.clock.Load()
	require.Equal(n.T, "APPLIED", string(n.says(a)[0].Outcome))
}

// current is the route under way: its day, and the number of its first order.
func (n *night) current() (contract.DriverRoute, string) {
	n.T.Helper()
	w := n.ask(http.MethodGet, "/v1/driver/route", nil)
	require.Equal(n.T, http.StatusOK, w.Code, w.Body)
	var route contract.DriverRoute
	require.NoError(n.T, json.Unmarshal(w.Body.Bytes(), &route))
	number := ""
	if len(route.Stops) > 0 {
		number = route.Stops[0].ExternalID
	}
	return route, route.Date.Format(time.DateOnly) + " " + number
}

// expected are the orders with ETAs from the road.
func (n *night) expected() string {
	return n.Text(`select coalesce(string_agg(distinct o.number, ' '), '') from live_etas e
		join orders o on o.org_id = e.org_id and o.id = e.order_id where e.org_id = $1`)
}

// nights are an ordinary one, and those with a clock change.
var nights = map[string]time.Time{
	"ordinary": time.Date(2026, 6, 10, 0, 0, 0, 0, time.UTC),
	"spring":   time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC),
	"autumn":   time.Date(2026, 10, 24, 0, 0, 0, 0, time.UTC),
}

func TestNightRouteContinuesAfterMidnight(t *testing.T) {
	t.Parallel()
	for name, day := range nights {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNight(t, day)
			tonight, next := day.Format(time.DateOnly)+" NIGHT", day.AddDate(0, 0, 1).Format(time.DateOnly)+" LATER"
			n.is(at(day, 21, 50))
			n.acts("START_ROUTE", 0)
			_, current := n.current()
			require.Equal(t, tonight, current)

			n.is(at(day, 24, 0))
			_, current = n.current()
			require.Equal(t, tonight, current, "midnight ends no route")
			n.is(at(day, 25, 30))
			n.acts("PICK_UP", n.orders[0].pickup)
			require.Equal(t, "NIGHT", n.expected(), "ETAs of the next night do not move yet")
			route, _ := n.route(day)
			require.Equal(t, contract.DriverStopStatus("completed"), route.Stops[0].Status)
			later, _ := n.route(day.AddDate(0, 0, 1))
			require.Equal(t, "LATER", later.Stops[0].ExternalID, "the route after it can be read as well")

			n.is(at(day, 29, 50))
			n.acts("DELIVER", n.orders[0].delivery)
			n.is(at(day, 30, 5))
			n.acts("END_ROUTE", 0)
			route, current = n.current()
			require.Equal(t, tonight, current, "at that very moment")
			require.Equal(t, at(day, 30, 5).UTC(), route.EndedAt.MustGet().UTC())
			n.is(at(day, 30, 6))
			route, current = n.current()
			require.Equal(t, next, current)
			ended := route.EndedAt.IsSpecified() && !route.EndedAt.IsNull()
			require.False(t, ended, "the end of one route is not that of the next")
			n.acts("END_ROUTE", 0) // repeated
			require.Equal(t, "1", n.Text("select count(*)::text from driver_days where org_id = $1"))
			n.is(at(day, 30, 7))
			w := n.ask(http.MethodGet, "/v1/driver/route?date="+day.Format(time.DateOnly), nil)
			require.Equal(t, http.StatusUnprocessableEntity, w.Code)

			n.is(at(day, 45, 50))
			n.acts("START_ROUTE", 0)
			n.acts("ARRIVE", n.orders[1].pickup)
			require.Equal(t, "LATER NIGHT", n.expected())
		})
	}
}

// TestAnOrderReopensTheNight gives the driver an order of the night after the end of its route.
func TestAnOrderReopensTheNight(t *testing.T) {
	t.Parallel()
	day := nights["ordinary"]
	n := newNight(t, day)
	tonight, next := day.Format(time.DateOnly)+" NIGHT", day.AddDate(0, 0, 1).Format(time.DateOnly)+" LATER"
	n.is(at(day, 21, 50))
	n.acts("START_ROUTE", 0)
	n.is(at(day, 25, 0))
	n.acts("END_ROUTE", 0)
	n.gets(at(day, 24, 30))
	n.is(at(day, 26, 0))
	_, current := n.current()
	require.Equal(t, next, current, "the driver had that order before the end")
	n.gets(at(day, 25, 30))
	_, current = n.current()
	require.Equal(t, tonight, current)
	n.is(at(day, 29, 0))
	n.acts("PICK_UP", n.orders[0].pickup)
	n.acts("DELIVER", n.orders[0].delivery)
	n.is(at(day, 29, 30))
	n.acts("END_ROUTE", 0)
	n.is(at(day, 29, 31))
	_, current = n.current()
	require.Equal(t, next, current)
}

// gets writes down that the driver got the order of the first night at a moment.
func (n *night) gets(when time.Time) {
	n.T.Helper()
	n.exec(`insert into events (org_id, kind, subject_type, subject_id, order_id, driver_id, recorded_at, actor, cause,
			position)
		select $1, 'order.planned', 'order', $2, $2, $3, $4, 'service:plan', 'test', coalesce(max(position), 0) + 1
		from events`,
		n.orders[0].id, n.driver, when)
}

func TestUnendedRouteEndsInTheMorning(t *testing.T) {
	t.Parallel()
	for name, day := range nights {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNight(t, day)
			n.is(at(day, 33, 0).Add(-time.Second))
			_, current := n.current()
			require.Equal(t, day.Format(time.DateOnly)+" NIGHT", current)
			n.is(at(day, 33, 0))
			_, current = n.current()
			require.Equal(t, day.AddDate(0, 0, 1).Format(time.DateOnly)+" LATER", current, "three hours after its end")
		})
	}
}

// TestMonitoringContinuesThroughTheNight reads what a dispatcher sees on both days.
func TestMonitoringContinuesThroughTheNight(t *testing.T) {
	t.Parallel()
	day := nights["autumn"]
	n := newNight(t, day)
	watched := func(of time.Time) string {
		return n.Text(`select concat_ws(' ', driving_day($1, $2, $4)::text, ended_at > '0001-01-02', heard_at > '0001-01-02')
			from drive_day($1, $2, $3)`, n.driver, of, *n.clock.Load())
	}
	n.is(at(day, 21, 50))
	n.acts("START_ROUTE", 0)
	n.is(at(day, 26, 30))
	n.acts("PICK_UP", n.orders[0].pickup)
	require.Equal(t, "2026-10-24 f t", watched(day))
	require.Equal(t, "2026-10-24 f f", watched(day.AddDate(0, 0, 1)), "nothing of that is of the next night")
	n.is(at(day, 29, 50))
	n.acts("END_ROUTE", 0)
	require.Equal(t, "2026-10-24 t t", watched(day), "its end is news of the night")
	n.is(at(day, 29, 51))
	require.Equal(t, "2026-10-25 f f", watched(day.AddDate(0, 0, 1)), "the next night has not begun")
	n.acts("DELIVER", n.orders[0].delivery)
	require.Equal(t, "2026-10-24 f t", watched(day), "a driver who goes on is on the road again")
}
