package operations_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/notification"
	"waybill/domain/simulation"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/operations/sandbox"
	"waybill/providers"
	"waybill/store"
)

// newSandbox is a dispatch whose organization drives by itself, with orders that are
// planned.
func newSandbox(t *testing.T, numbers ...string) *dispatch {
	t.Helper()
	d := newDispatch(t, "timezone: Europe/Oslo}", "timezone: Europe/Oslo}\nsettings: {sandbox: true}")
	for i, number := range numbers {
		d.load(number, []string{"D-1", "D-2", "D-3"}[i%3])
	}
	d.do("update orders set created_at = $1", d.now.Add(-time.Hour)) // by the clock of the test
	d.plan()
	return d
}

// start begins a run of the day at pace 60.
func (d *dispatch) start() store.SandboxRun {
	d.t.Helper()
	day := plannedOn
	run, started, err := d.Sandbox.StartSandboxRun(d.t.Context(), clerk(d.org), sandbox.SandboxAsk{Day: &day, Pace: 60})
	require.NoError(d.t, err)
	require.True(d.t, started)
	return run
}

func (d *dispatch) simulate(run store.SandboxRun) sandbox.SimulatedDay {
	d.t.Helper()
	day, err := d.Sandbox.Simulate(d.t.Context(), caller.Service(d.org, "simulate/test"), run.ID)
	require.NoError(d.t, err)
	return day
}

// did counts what drivers have said.
func (d *dispatch) did() int {
	d.t.Helper()
	return one[int](d.office, "select count(*) from driver_actions where org_id = $1", d.org)
}

// stand are how far orders are, such as "A-1 6".
func (d *dispatch) stand() []string {
	d.t.Helper()
	return one[[]string](d.office, `
		select array_agg(concat_ws(' ', o.number, o.status_id, g.failure_reason) order by o.number) from orders o
		left join order_progress g on g.org_id = o.org_id and g.order_id = o.id where o.org_id = $1`, d.org)
}

func TestASandboxDrivesWhatIsPlanned(t *testing.T) {
	t.Parallel()
	d := newSandbox(t, "A-1", "A-2-FAIL", "A-3-OFFLINE")
	run := d.start()
	var day sandbox.SimulatedDay
	for looks := 0; day.State != simulation.Done; looks++ {
		require.Less(t, looks, 2000)
		day = d.simulate(run)
		before := d.did()
		day = d.simulate(run)
		require.Equal(t, before, d.did(), "what is done is not done again")
		if looks%50 == 25 {
			d.plan() // which sees how far everybody is
		}
		d.now = d.now.Add(time.Second)
	}
	require.Equal(t, []string{"A-1 6", "A-2-FAIL 7 The goods are damaged.", "A-3-OFFLINE 6"}, d.stand())
	require.Equal(t, store.SandboxOrders{Total: 3, Delivered: 2, Failed: 1}, day.Orders)
	require.Zero(t, day.OnTheRoad)
	require.Zero(t, one[int](d.office, "select count(*) from driver_actions where occurred_at > received_at or device_id is not null"))
	require.Equal(t, 2, one[int](d.office, "select count(*) from completion_proofs where counts and signee = 'Reception' and distance_meters < 40"))
	require.Equal(t, []string{"sandbox_run.started key:1", "sandbox_run.ended system"}, one[[]string](d.office,
		"select array_agg(concat_ws(' ', kind, actor) order by id) from events where kind like 'sandbox_run.%'"))
	require.NotZero(t, one[int](d.office, "select count(*) from driver_positions"), "they say where they are in between")

	last := d.did()
	d.simulate(run)
	require.Equal(t, last, d.did(), "a run that is over drives nobody")
}

func TestAWorkerThatWasAwayCatchesUp(t *testing.T) {
	t.Parallel()
	d := newSandbox(t, "A-1", "A-2-NOTHOME", "A-3-LATE")
	run := d.start()
	d.simulate(run)
	d.now = d.now.Add(time.Hour)
	for range 20 {
		d.simulate(run)
	}
	require.Equal(t, []string{"A-1 6", "A-2-NOTHOME 7 Nobody was at home.", "A-3-LATE 6"}, d.stand())
	require.Equal(t, int64(0), one[int64](d.office, `select count(*) from driver_actions
		where occurred_at > $1`, run.Started.Add(10*time.Minute)), "it happened when it would have")
}

// TestASimulatedDayHasOneClock drives a day on the evening before, and plans it meanwhile:
// whatever is said of when an order comes is by the clock of that day, and comes true.
func TestASimulatedDayHasOneClock(t *testing.T) {
	t.Parallel()
	d := newSandbox(t, "A-1", "A-2-FAIL", "A-3-LATE", "A-4-OFFLINE", "A-5", "A-6")
	d.now = plannedOn.Add(-4 * time.Hour)
	d.do("update orders set created_at = $1", d.now.Add(-time.Hour))
	d.plan()
	run := d.start()
	day := d.simulate(run)
	clock := day.Clock
	require.True(t, clock.Runs())
	for looks := 0; day.State != simulation.Done; looks++ {
		require.Less(t, looks, 1000)
		if looks%10 == 5 {
			d.plan()
		}
		d.now = d.now.Add(3 * time.Second)
		day = d.simulate(run)
	}
	for _, number := range []string{"A-1", "A-2-FAIL", "A-3-LATE", "A-4-OFFLINE", "A-5", "A-6"} {
		etas := one[[]time.Time](d.office, `select array_agg((data ->> 'delivery')::timestamptz order by id) from events
			where external_id = $1 and kind in ('order.planned', 'order.eta_changed') and data ? 'delivery'`, number)
		arrived := clock.At(one[time.Time](d.office, `select min(a.occurred_at) from driver_actions a
			join orders o on o.org_id = a.org_id and o.id = a.order_id join order_stops s on s.org_id = a.org_id and s.id = a.stop_id
			where o.number = $1 and a.type = 'ARRIVE' and s.kind = 'delivery'`, number))
		require.WithinRange(t, arrived, plannedOn.Add(5*time.Hour), plannedOn.Add(16*time.Hour), number)
		for i, eta := range etas {
			require.WithinRange(t, eta, plannedOn.Add(5*time.Hour), plannedOn.Add(16*time.Hour), "%s: %v", number, etas)
			if i > 0 {
				require.WithinDuration(t, etas[i-1], eta, time.Hour, "%s: %v", number, etas)
			}
		}
		unheard := clock.At(one[time.Time](d.office, `select min(a.received_at) from driver_actions a
			join orders o on o.org_id = a.org_id and o.id = a.order_id join order_stops s on s.org_id = a.org_id and s.id = a.stop_id
			where o.number = $1 and a.type = 'ARRIVE' and s.kind = 'delivery'`, number)).Sub(arrived)
		require.WithinDuration(t, arrived, etas[len(etas)-1], driving.TellETA+5*time.Minute+unheard,
			"%s comes as was said last, as far as anybody could know: %v", number, etas)
	}
	require.Zero(t, one[int](d.office, `select count(*) from (select occurred_at < lag(occurred_at) over
		(partition by order_id order by id) as back from events where order_status_id is not null) x where back`))
}

// TestADelayOfASimulatedDriverCountsOnce has the plan say that drivers should have left their last stops
// long ago: they need no longer to the next one.
func TestADelayOfASimulatedDriverCountsOnce(t *testing.T) {
	t.Parallel()
	d := newSandbox(t, "A-1", "A-2", "A-3", "A-4")
	run := d.start()
	leaving := func() (drivers []simulation.Driver) {
		all, err := d.store.SimulatedDrivers(t.Context(), &run.Run)
		require.NoError(t, err)
		for _, driver := range all {
			if next := driver.Stops; driver.Starts > 0 && len(next) > 0 && !next[0].Arrived && next[0].Driving > 0 {
				drivers = append(drivers, driver)
			}
		}
		return drivers
	}
	const served = "select count(*) from order_progress where org_id = $1 and pickup_status = 'completed'"
	for looks := 0; len(leaving()) == 0 || one[int](d.office, served, d.org) == 0; looks++ {
		require.Less(t, looks, 1000)
		d.simulate(run)
		d.now = d.now.Add(time.Second)
	}
	d.do(`update plan_stops p set leaves_at = p.leaves_at - interval '40 minutes' from order_progress g
		where p.org_id = $1 and g.org_id = p.org_id and g.order_id = p.order_id and p.kind = 'pickup' and g.pickup_status = 'completed'`, d.org)
	for _, driver := range leaving() {
		require.Equal(t, driver.Stops[0].Driving, driver.Stops[0].Way)
	}
}

// TestAPlanOfASimulatedDayHasOneClock reads what drivers said, and where they were seen, as a plan does.
func TestAPlanOfASimulatedDayHasOneClock(t *testing.T) {
	t.Parallel()
	d := newSandbox(t, "A-1", "A-2", "A-3")
	d.now = plannedOn.Add(-4 * time.Hour)
	d.do("update orders set created_at = $1", d.now.Add(-time.Hour))
	d.plan()
	run := d.start()
	said, seen := 0, 0
	for looks := 0; said == 0 || seen == 0; looks++ {
		require.Less(t, looks, 1000)
		d.simulate(run)
		d.now = d.now.Add(3 * time.Second)
		day, err := d.store.PlanningDay(t.Context(), d.org, area, d.now)
		require.NoError(t, err)
		for _, o := range day.Orders {
			if at := o.Pickup.Standing.Last(); !at.IsZero() {
				said++
				require.WithinRange(t, at, plannedOn, day.Now.Add(time.Second))
			}
		}
		for _, r := range day.Routes {
			if !r.Seen.At.IsZero() {
				seen++
				require.WithinRange(t, r.Seen.At, plannedOn, day.Now.Add(time.Second))
			}
		}
	}
}

func TestDriversWithATelephoneAreLeftToIt(t *testing.T) {
	t.Parallel()
	d := newSandbox(t, "A-1")
	d.do(`insert into sessions (org_id, kind, public_part, hash, driver_id, created_at, last_used_at, expires_at)
		select o.org_id, 'device', 'x', '\x00', o.driver_id, now(), now(), now() + interval '1 day' from orders o`)
	run := d.start()
	require.Equal(t, simulation.Done, d.simulate(run).State, "nobody else has anything to do")
	require.Zero(t, d.did())
}

func TestOneDayAtATime(t *testing.T) {
	t.Parallel()
	d := newSandbox(t, "A-1")
	run := d.start()
	for _, ask := range []sandbox.SandboxAsk{{Pace: 1}, {Pace: 1, Day: &run.Day}} {
		again, started, err := d.Sandbox.StartSandboxRun(t.Context(), clerk(d.org), ask)
		require.NoError(t, err)
		require.False(t, started)
		require.Equal(t, run.ID, again.ID)
		require.Equal(t, 60, again.Pace)
	}
	other := plannedOn.AddDate(0, 0, 1)
	_, _, err := d.Sandbox.StartSandboxRun(t.Context(), clerk(d.org), sandbox.SandboxAsk{Pace: 1, Day: &other})
	require.ErrorContains(t, err, "sandbox.busy")
	d.do("update organizations set sandbox = false")
	require.Equal(t, simulation.Stopped, d.simulate(run).State, "what is no sandbox any more is not driven")
	_, _, err = d.Sandbox.StartSandboxRun(t.Context(), clerk(d.org), sandbox.SandboxAsk{Pace: 1})
	require.ErrorContains(t, err, "sandbox.none")
}

func TestARunWaitsForThePlanButNotForEver(t *testing.T) {
	t.Parallel()
	d := newSandbox(t)
	d.load("A-1", "D-1")
	run := d.start()
	require.Equal(t, simulation.Running, d.simulate(run).State)
	d.now = d.now.Add(59 * time.Second)
	require.Equal(t, simulation.Running, d.simulate(run).State)
	d.now = d.now.Add(time.Second)
	require.Equal(t, simulation.Done, d.simulate(run).State)
}

// outbox counts what goes out.
type outbox struct{ sent int }

// Send implements notifications.MailSender.
func (o *outbox) Send(context.Context, string, providers.Email) error {
	o.sent++
	return nil
}

func TestMessagesOfASandboxStayInside(t *testing.T) {
	t.Parallel()
	d := newSandbox(t, "A-1")
	d.do(`insert into notification_rules (org_id, id, event, channel, receiver) values ($1, 1, 'ORDER_CREATED', 'EMAIL', 'CUSTOMER')`, d.org)
	d.do(`insert into notifications (org_id, id, channel, key, workflow_id, run_id, event, event_id, rule_id, order_id, receiver, sender,
			provider, status)
		select o.org_id, i, 'EMAIL', 9000 + i || '-1-0', 'w' || i, 'r', 'ORDER_CREATED', 9000 + i, 1, o.id, 'kari@example.com', 'a@b.example', 'smtp',
			'queued' from orders o, generate_series(1, 2) i`)
	for i, sends := range []bool{false, true} { // in the order of their events
		box := &outbox{}
		o := operations.New(d.store, time.Now, operations.Settings{Messaging: notifications.Messaging{
			Mail: box, Secrets: func(string) string { return "" }, SandboxSends: sends,
		}})
		sent, err := o.Notifications.SendNotification(t.Context(), caller.Service(d.org, "notification/test"), int64(i+1))
		require.NoError(t, err)
		require.Equal(t, notification.Sent, sent.Status)
		require.Equal(t, sends, box.sent == 1)
	}
}
