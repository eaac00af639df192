package e2e_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"waybill/api/contract"
	"waybill/domain/driving"
	"waybill/workflows"
)

// TestDriveDaysSurviveDeadWorkers has days driven while the watching workers
// are killed repeatedly: no stop is announced twice, and each day is watched to
// its end.
func TestDriveDaysSurviveDeadWorkers(t *testing.T) {
	t.Parallel()
	const count = 40
	i := install(t, "serve", "work")
	o := i.organization(t)
	_, err := o.admin.Exec(t.Context(), `insert into notification_rules (org_id, event, channel, receiver, body)
		values ($1, 'STOP_APPROACHING', 'EMAIL', 'DELIVERY_CONTACTS', 'Soon: {{ driver.firstName }} {{ stop.eta }}')`, o.id)
	require.NoError(t, err)
	o.readyToDrive(t, count)
	o.drive(t, http.StatusAccepted, object{"date": tomorrow(), "pace": 400})
	for _, percent := range []int{10, 40, 70} {
		eventually(t, "the day goes on", func() bool {
			return one[int](t, i, "select count(*) from orders where org_id = $1 and status_id in (6, 7)", o.id)*100 >= count*percent
		})
		i.kill("work")
		require.NoError(t, i.start("work"))
	}
	require.Equal(t, contract.SandboxRunStateDONE, o.awaitDriven(t, tomorrow()).State)

	temporal := o.temporalClient(t)
	for _, driver := range one[[]int64](t, i, "select array_agg(distinct driver_id) from driver_actions where org_id = $1", o.id) {
		id := workflows.DriveID(o.slug, tomorrow(), driver)
		eventually(t, "the day of driver "+id+" is over", func() bool {
			d, err := temporal.DescribeWorkflowExecution(t.Context(), id, "")
			return err == nil && d.GetWorkflowExecutionInfo().GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_COMPLETED
		})
		answer, err := temporal.QueryWorkflow(t.Context(), id, "", workflows.StatusQuery)
		require.NoError(t, err)
		var status workflows.DriveStatus
		require.NoError(t, answer.Get(&status))
		require.Equal(t, driving.DayOver, status.State)
	}
	const approaching = "from events where org_id = $1 and kind = 'stop.approaching'"
	require.Positive(t, one[int](t, i, "select count(*) "+approaching, o.id))
	require.Zero(t, one[int](t, i, "select count(*) - count(distinct (order_id, stop)) "+approaching, o.id), "each once")
	require.Zero(t, one[int](t, i, `select count(*) from exceptions where org_id = $1
		and kind in ('LATE_STOP', 'SILENT_DRIVER')`, o.id), "a simulated day has no clock")
	const told = "from notifications where org_id = $1 and event = 'STOP_APPROACHING'"
	eventually(t, "people are told", func() bool {
		return one[int](t, i, "select count(*) "+told+" and status = 'sent'", o.id) > 0
	})
	require.Zero(t, one[int](t, i, "select count(*) - count(distinct (order_id, receiver)) "+told, o.id))
	require.Regexp(t, `^Soon: Driver \d+ \w+ \d{4}, \d\d:\d\d`, one[string](t, i, "select min(body) "+told, o.id))
}
