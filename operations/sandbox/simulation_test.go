package sandbox_test

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
	"waybill/operations/operationstest"
	"waybill/operations/sandbox"
	"waybill/providers"
	"waybill/store"
)

// start begins a run of the day at pace 60.
func start(d *operationstest.Dispatch) store.SandboxRun {
	d.T.Helper()
	day := operationstest.PlannedOn
	run, started, err := d.Sandbox.StartSandboxRun(d.T.Context(), operationstest.Clerk(d.Org), sandbox.SandboxAsk{Day: &day, Pace: 60})
	require.NoError(d.T, err)
	require.True(d.T, started)
	return run
}

func simulate(d *operationstest.Dispatch, run store.SandboxRun) sandbox.SimulatedDay {
	d.T.Helper()
	day, err := d.Sandbox.Simulate(d.T.Context(), caller.Service(d.Org, "simulate/test"), run.ID)
	require.NoError(d.T, err)
	return day
}

// did counts what drivers have said.
func did(d *operationstest.Dispatch) int {
	d.T.Helper()
	return operationstest.One[int](d.Office, "select count(*) from driver_actions where org_id = $1", d.Org)
}

// stand are how far orders are, such as "A-1 6".
func stand(d *operationstest.Dispatch) []string {
	d.T.Helper()
	return operationstest.One[[]string](d.Office, `
		select array_agg(concat_ws(' ', o.number, o.status_id, g.failure_reason) order by o.number) from orders o
		left join order_progress g on g.org_id = o.org_id and g.order_id = o.id where o.org_id = $1`, d.Org)
}

func TestASandboxDrivesWhatIsPlanned(t *testing.T) {
	t.Parallel()
	d := operationstest.NewSandbox(t, "A-1", "A-2-FAIL", "A-3-OFFLINE")
	run := start(d)
	var day sandbox.SimulatedDay
	for looks := 0; day.State != simulation.Done; looks++ {
		require.Less(t, looks, 2000)
		day = simulate(d, run)
		before := did(d)
		day = simulate(d, run)
		require.Equal(t, before, did(d), "what is done is not done again")
		if looks%50 == 25 {
			d.Plan() // which sees how far everybody is
		}
		d.Now = d.Now.Add(time.Second)
	}
	require.Equal(t, []string{"A-1 6", "A-2-FAIL 7 The goods are damaged.", "A-3-OFFLINE 6"}, stand(d))
	require.Equal(t, store.SandboxOrders{Total: 3, Delivered: 2, Failed: 1}, day.Orders)
	require.Zero(t, day.OnTheRoad)
	require.Zero(t, operationstest.One[int](d.Office, "select count(*) from driver_actions where occurred_at > received_at or device_id is not null"))
	require.Equal(t, 2, operationstest.One[int](d.Office, "select count(*) from completion_proofs where counts and signee = 'Reception' and distance_meters < 40"))
	require.Equal(t, []string{"sandbox_run.started key:1", "sandbox_run.ended system"}, operationstest.One[[]string](d.Office,
		"select array_agg(concat_ws(' ', kind, actor) order by id) from events where kind like 'sandbox_run.%'"))
	require.NotZero(t, operationstest.One[int](d.Office, "select count(*) from driver_positions"), "they say where they are in between")

	last := did(d)
	simulate(d, run)
	require.Equal(t, last, did(d), "a run that is over drives nobody")
}

func TestReturningWorkerCatchesUp(t *testing.T) {
	t.Parallel()
	d := operationstest.NewSandbox(t, "A-1", "A-2-NOTHOME", "A-3-LATE")
	run := start(d)
	simulate(d, run)
	d.Now = d.Now.Add(time.Hour)
	for range 20 {
		simulate(d, run)
	}
	require.Equal(t, []string{"A-1 6", "A-2-NOTHOME 7 Nobody was at home.", "A-3-LATE 6"}, stand(d))
	require.Equal(t, int64(0), operationstest.One[int64](d.Office, `select count(*) from driver_actions
		where occurred_at > $1`, run.Started.Add(10*time.Minute)), "it happened when it would have")
}

// TestASimulatedDayHasOneClock drives a day on the evening before, and plans it meanwhile:
// whatever is said of when an order comes is by the clock of that day, and comes true.
func TestASimulatedDayHasOneClock(t *testing.T) {
	t.Parallel()
	d := operationstest.NewSandbox(t, "A-1", "A-2-FAIL", "A-3-LATE", "A-4-OFFLINE", "A-5", "A-6")
	d.Now = operationstest.PlannedOn.Add(-4 * time.Hour)
	d.Do("update orders set created_at = $1", d.Now.Add(-time.Hour))
	d.Plan()
	run := start(d)
	day := simulate(d, run)
	clock := day.Clock
	require.True(t, clock.Runs())
	for looks := 0; day.State != simulation.Done; looks++ {
		require.Less(t, looks, 1000)
		if looks%10 == 5 {
			d.Plan()
		}
		d.Now = d.Now.Add(3 * time.Second)
		day = simulate(d, run)
	}
	for _, number := range []string{"A-1", "A-2-FAIL", "A-3-LATE", "A-4-OFFLINE", "A-5", "A-6"} {
		etas := operationstest.One[[]time.Time](d.Office, `select array_agg((data ->> 'delivery')::timestamptz order by id) from events
			where external_id = $1 and kind in ('order.planned', 'order.eta_changed') and data ? 'delivery'`, number)
		arrived := clock.At(operationstest.One[time.Time](d.Office, `select min(a.occurred_at) from driver_actions a
			join orders o on o.org_id = a.org_id and o.id = a.order_id join order_stops s on s.org_id = a.org_id and s.id = a.stop_id
			where o.number = $1 and a.type = 'ARRIVE' and s.kind = 'delivery'`, number))
		require.WithinRange(t, arrived, operationstest.PlannedOn.Add(5*time.Hour), operationstest.PlannedOn.Add(16*time.Hour), number)
		for i, eta := range etas {
			require.WithinRange(t, eta, operationstest.PlannedOn.Add(5*time.Hour), operationstest.PlannedOn.Add(16*time.Hour), "%s: %v", number, etas)
			if i > 0 {
				require.WithinDuration(t, etas[i-1], eta, time.Hour, "%s: %v", number, etas)
			}
		}
		unheard := clock.At(operationstest.One[time.Time](d.Office, `select min(a.received_at) from driver_actions a
			join orders o on o.org_id = a.org_id and o.id = a.order_id join order_stops s on s.org_id = a.org_id and s.id = a.stop_id
			where o.number = $1 and a.type = 'ARRIVE' and s.kind = 'delivery'`, number)).Sub(arrived)
		require.WithinDuration(t, arrived, etas[len(etas)-1], driving.TellETA+5*time.Minute+unheard,
			"%s comes as was said last, as far as anybody could know: %v", number, etas)
	}
	require.Zero(t, operationstest.One[int](d.Office, `select count(*) from (select occurred_at < lag(occurred_at) over
		(partition by order_id order by id) as back from events where order_status_id is not null) x where back`))
}

// TestADelayOfASimulatedDriverCountsOnce has the plan say that drivers should have left their last stops
// long ago: they need no longer to the next one.
func TestADelayOfASimulatedDriverCountsOnce(t *testing.T) {
	t.Parallel()
	d := operationstest.NewSandbox(t, "A-1", "A-2", "A-3", "A-4")
	run := start(d)
	leaving := func() (drivers []simulation.Driver) {
		all, err := d.Store.SimulatedDrivers(t.Context(), &run.Run)
		require.NoError(t, err)
		for _, driver := range all {
			if next := driver.Stops; driver.Starts > 0 && len(next) > 0 && !next[0].Arrived && next[0].Driving > 0 {
				drivers = append(drivers, driver)
			}
		}
		return drivers
	}
	const served = "select count(*) from order_progress where org_id = $1 and pickup_status = 'completed'"
	for looks := 0; len(leaving()) == 0 || operationstest.One[int](d.Office, served, d.Org) == 0; looks++ {
		require.Less(t, looks, 1000)
		simulate(d, run)
		d.Now = d.Now.Add(time.Second)
	}
	d.Do(`update plan_stops p set leaves_at = p.leaves_at - interval '40 minutes' from order_progress g
		where p.org_id = $1 and g.org_id = p.org_id and g.order_id = p.order_id and p.kind = 'pickup' and g.pickup_status = 'completed'`, d.Org)
	for _, driver := range leaving() {
		require.Equal(t, driver.Stops[0].Driving, driver.Stops[0].Way)
	}
}

// TestAPlanOfASimulatedDayHasOneClock reads what drivers said, and where they were seen, as a plan does.
func TestAPlanOfASimulatedDayHasOneClock(t *testing.T) {
	t.Parallel()
	d := operationstest.NewSandbox(t, "A-1", "A-2", "A-3")
	d.Now = operationstest.PlannedOn.Add(-4 * time.Hour)
	d.Do("update orders set created_at = $1", d.Now.Add(-time.Hour))
	d.Plan()
	run := start(d)
	said, seen := 0, 0
	for looks := 0; said == 0 || seen == 0; looks++ {
		require.Less(t, looks, 1000)
		simulate(d, run)
		d.Now = d.Now.Add(3 * time.Second)
		day, err := d.Store.PlanningDay(t.Context(), d.Org, operationstest.Area, d.Now)
		require.NoError(t, err)
		for _, o := range day.Orders {
			if at := o.Pickup.Standing.Last(); !at.IsZero() {
				said++
				require.WithinRange(t, at, operationstest.PlannedOn, day.Now.Add(time.Second))
			}
		}
		for _, r := range day.Routes {
			if !r.Seen.At.IsZero() {
				seen++
				require.WithinRange(t, r.Seen.At, operationstest.PlannedOn, day.Now.Add(time.Second))
			}
		}
	}
}

func TestDriversWithAPhoneAreNotSimulated(t *testing.T) {
	t.Parallel()
	d := operationstest.NewSandbox(t, "A-1")
	d.Do(`insert into sessions (org_id, kind, public_part, hash, driver_id, created_at, last_used_at, expires_at)
		select o.org_id, 'device', 'x', '\x00', o.driver_id, now(), now(), now() + interval '1 day' from orders o`)
	run := start(d)
	require.Equal(t, simulation.Done, simulate(d, run).State, "nobody else has anything to do")
	require.Zero(t, did(d))
}

func TestOneDayAtATime(t *testing.T) {
	t.Parallel()
	d := operationstest.NewSandbox(t, "A-1")
	run := start(d)
	for _, ask := range []sandbox.SandboxAsk{{Pace: 1}, {Pace: 1, Day: &run.Day}} {
		again, started, err := d.Sandbox.StartSandboxRun(t.Context(), operationstest.Clerk(d.Org), ask)
		require.NoError(t, err)
		require.False(t, started)
		require.Equal(t, run.ID, again.ID)
		require.Equal(t, 60, again.Pace)
	}
	other := operationstest.PlannedOn.AddDate(0, 0, 1)
	_, _, err := d.Sandbox.StartSandboxRun(t.Context(), operationstest.Clerk(d.Org), sandbox.SandboxAsk{Pace: 1, Day: &other})
	require.ErrorContains(t, err, "sandbox.busy")
	d.Do("update organizations set sandbox = false")
	require.Equal(t, simulation.Stopped, simulate(d, run).State, "what is no sandbox any more is not driven")
	_, _, err = d.Sandbox.StartSandboxRun(t.Context(), operationstest.Clerk(d.Org), sandbox.SandboxAsk{Pace: 1})
	require.ErrorContains(t, err, "sandbox.none")
}

func TestRunWaitsForThePlanWithTimeout(t *testing.T) {
	t.Parallel()
	d := operationstest.NewSandbox(t)
	d.Load("A-1", "D-1")
	run := start(d)
	require.Equal(t, simulation.Running, simulate(d, run).State)
	d.Now = d.Now.Add(59 * time.Second)
	require.Equal(t, simulation.Running, simulate(d, run).State)
	d.Now = d.Now.Add(time.Second)
	require.Equal(t, simulation.Done, simulate(d, run).State)
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
	d := operationstest.NewSandbox(t, "A-1")
	d.Do(`insert into notification_rules (org_id, id, event, channel, receiver) values ($1, 1, 'ORDER_CREATED', 'EMAIL', 'CUSTOMER')`, d.Org)
	d.Do(`insert into notifications (org_id, id, channel, key, workflow_id, run_id, event, event_id, rule_id, order_id, receiver, sender,
			provider, status)
		select o.org_id, i, 'EMAIL', 9000 + i || '-1-0', 'w' || i, 'r', 'ORDER_CREATED', 9000 + i, 1, o.id, 'kari@example.com', 'a@b.example', 'smtp',
			'queued' from orders o, generate_series(1, 2) i`)
	for i, sends := range []bool{false, true} { // in the order of their events
		box := &outbox{}
		o := operations.New(d.Store, time.Now, operations.Settings{Messaging: notifications.Messaging{
			Mail: box, Secrets: func(string) string { return "" }, SandboxSends: sends,
		}})
		sent, err := o.Notifications.SendNotification(t.Context(), caller.Service(d.Org, "notification/test"), int64(i+1))
		require.NoError(t, err)
		require.Equal(t, notification.Sent, sent.Status)
		require.Equal(t, sends, box.sent == 1)
	}
}

// TestRealisticDaysDifferFromThePlan drives a realistic day: loading takes longer than the five minutes of the plan.
func TestRealisticDaysDifferFromThePlan(t *testing.T) {
	t.Parallel()
	for _, realistic := range []bool{false, true} {
		d := operationstest.NewSandbox(t, "A-1")
		day := operationstest.PlannedOn
		ask := sandbox.SandboxAsk{Day: &day, Pace: 60, Realistic: realistic}
		run, _, err := d.Sandbox.StartSandboxRun(t.Context(), operationstest.Clerk(d.Org), ask)
		require.NoError(t, err)
		require.Equal(t, realistic, run.Realistic)
		require.Equal(t, "Europe/Oslo", run.Zone.String())
		simulate(d, run)
		d.Now = d.Now.Add(time.Hour)
		for range 10 {
			simulate(d, run)
		}
		require.Equal(t, []string{"A-1 6"}, stand(d))
		loading := operationstest.One[float64](d.Office, `select extract(epoch from pickup_ended_at - pickup_arrived_at)::float8
			from order_progress where org_id = $1`, d.Org) // a minute is a second
		if realistic {
			require.Greater(t, loading, 8.0)
		} else {
			require.InDelta(t, 5, loading, 0.1)
		}
	}
}
