package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// sandboxVariable names the environment variable that enlarges the day for
// faults: its orders, twenty per driver.
const sandboxVariable = "WAYBILL_TEST_SANDBOX_ORDERS"

// How large that day is otherwise, and how fast it is driven: on a busy machine,
// the plan may be twenty seconds behind the drivers, and must still know in time
// who is where.
const (
	usualSandboxOrders = 40
	ordersOfDriver     = 20
	faultyPace         = 240
)

// sandboxOrders is how many orders the day has whose servers are taken away.
func sandboxOrders(t *testing.T) int {
	t.Helper()
	text := os.Getenv(sandboxVariable)
	if text == "" {
		return usualSandboxOrders
	}
	count, err := strconv.Atoi(text)
	require.NoError(t, err)
	return count
}

// readyToDrive has n orders of tomorrow planned, with contacts who get messages
// about them.
func (o *organization) readyToDrive(t *testing.T, count int) {
	t.Helper()
	var vehicles, drivers strings.Builder
	for n := range count / ordersOfDriver {
		fmt.Fprintf(&vehicles, "  - {registration: SIM-%d, vehicleType: Van, homeLocation: T-OSL}\n", n)
		fmt.Fprintf(&drivers, "  - {externalId: SIM-%d, name: Driver %d, department: Oslo, vehicle: SIM-%[1]d, "+
			"workdays: [{rrule: FREQ=DAILY, starts: \"06:00\", ends: \"18:00\"}]}\n", n, n)
	}
	o.apply(t, "vehicles:\n"+vehicles.String()+"drivers:\n"+drivers.String())
	_, err := o.admin.Exec(t.Context(), `insert into notification_rules (org_id, event, channel, receiver)
		select $1, unnest('{STOP_ARRIVED,ORDER_DELIVERED,ORDER_FAILED}'::text[]), 'EMAIL', 'DELIVERY_CONTACTS'
		on conflict do nothing`, o.id)
	require.NoError(t, err)
	var entries []object
	for n := range count {
		entry := toPlan(n)
		entry["externalId"] = fmt.Sprintf("SIM-%d%s", n, [10]string{3: "-FAIL", 5: "-OFFLINE", 7: "-NOTHOME", 9: "-LATE"}[n%10])
		entry["delivery"].(object)["contacts"] = []object{{"firstName": "Olaug", "emailAddress": fmt.Sprintf("sim-%d@example.com", n)}}
		entries = append(entries, entry)
	}
	require.Equal(t, map[string]int{"orderCreated": count}, kinds(o.importOrders(t, orders(entries...))))
	o.planned(t, "all orders are planned", "select count(*) = $2 from orders where org_id = $1 and status_id = 2", count)
}

// messagesTold are the messages of an organization, except those about the
// approach of a driver: whether there is time for one between two stops depends
// on the faults. So does whether a driver is still there when the message about
// the arrival is sent. No message may be sent twice.
func (o *organization) messagesTold(t *testing.T) string {
	t.Helper()
	return strings.Join(list(t, o.installation, `
		select concat_ws(' ', r.number, n.event, n.channel, n.receiver, n.became, count(*))
		from (select *, case when event = 'STOP_ARRIVED' and failure = 'Superseded' then 'sent' else status end as became
			from notifications) n join orders r on r.org_id = n.org_id and r.id = n.order_id
		where n.org_id = $1 and n.event <> 'STOP_APPROACHING'
		group by r.number, n.event, n.channel, n.receiver, n.became order by 1`, o.id), "\n")
}

// TestSimulatedDaySurvivesFaults stops processes and servers during a day, and
// compares its end with that of a day without faults.
func TestSimulatedDaySurvivesFaults(t *testing.T) {
	t.Parallel()
	count := sandboxOrders(t)
	undisturbed := shared.organization(t)
	i := install(t, "serve", "work")
	o := i.organization(t)
	for _, day := range []*organization{undisturbed, o} {
		day.readyToDrive(t, count)
		day.drive(t, http.StatusAccepted, object{"date": tomorrow(), "pace": faultyPace})
	}
	o.disturb(t, count)

	want := undisturbed.awaitDriven(t, tomorrow())
	require.Equal(t, contract.SandboxRunStateDONE, want.State)
	require.Equal(t, count*2/10, int(want.Orders.Failed), undisturbed.endings(t))
	require.Equal(t, count*8/10, int(want.Orders.Delivered), undisturbed.endings(t))
	got := o.awaitDriven(t, tomorrow())
	require.Equal(t, want.Orders, got.Orders)
	require.Equal(t, undisturbed.endings(t), o.endings(t))
	defer func() {
		if t.Failed() {
			t.Logf("messages without faults:\n%s\nand with them:\n%s", undisturbed.messagesTold(t), o.messagesTold(t))
		}
	}()
	// A message whose worker died while the provider had it is sent again five minutes later.
	eventuallyIn(t, 8*time.Minute, "the same messages have gone out", func() bool {
		said := undisturbed.messagesTold(t)
		return !strings.Contains(said, " queued ") && said == o.messagesTold(t)
	})
	require.NotRegexp(t, `(?m) [^1]$`, o.messagesTold(t), "nobody is told anything twice")
	require.Equal(t, count, strings.Count(o.messagesTold(t), " ORDER_CREATED "))
	require.Equal(t, count*8/10, strings.Count(o.messagesTold(t), " ORDER_DELIVERED "))
	_, err := i.command(t.Context(), "proofs", "verify", "--org", one[string](t, i, "select slug from organizations where id = $1", o.id))
	require.NoError(t, err)
}

// disturb stops one part after the other during the day, and restarts it.
func (o *organization) disturb(t *testing.T, count int) {
	t.Helper()
	i := o.installation
	await := func(percent int) {
		eventually(t, fmt.Sprintf("%d %% of the orders are over", percent), func() bool {
			return one[int](t, i, "select count(*) from orders where org_id = $1 and status_id in (6, 7)", o.id)*100 >= count*percent
		})
	}
	await(5)
	i.kill("work")
	require.NoError(t, i.start("work"))
	await(20)
	i.kill("serve")
	require.NoError(t, i.start("serve"))
	await(35)
	require.NoError(t, i.postgres.Stop())
	time.Sleep(2 * time.Second) // while everybody wants something of it
	require.NoError(t, i.postgres.Start(t.Context()))
	i.admin.Reset()
	await(50)
	i.temporal.Kill()
	require.NoError(t, i.temporal.Start(t.Context()))
	await(65)
	i.postgres.Kill()
	i.kill("work")
	require.NoError(t, i.postgres.Start(t.Context()))
	require.NoError(t, i.start("work"))
	require.NoError(t, i.ready(t.Context()))
	i.admin.Reset()
	run := read[contract.SandboxRun](t, o.get(t, "/v2/sandbox/run"))
	require.Equal(t, contract.SandboxRunStateRUNNING, run.State, "all this came in time")
}
