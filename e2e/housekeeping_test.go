package e2e_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"waybill/workflows"
)

// TestHousekeepingRunsBySchedule expires a stored response, and triggers the
// schedule that `work` created, as an operator would.
func TestHousekeepingRunsBySchedule(t *testing.T) {
	t.Parallel()
	o := install(t, "serve", "work").organization(t)
	o.expect(t, http.StatusCreated, http.MethodPost, "/v1/drivers", object{"name": "Nora"}, idempotencyKey, "once")
	_, err := o.admin.Exec(t.Context(), "update idempotency_keys set expires_at = now() - interval '1 day'")
	require.NoError(t, err)
	const kept = "select count(*) from idempotency_keys"
	require.Equal(t, 1, one[int](t, o.installation, kept))

	said, err := o.command(t.Context(), "housekeeping", "--dry-run")
	require.NoError(t, err)
	require.Regexp(t, `(?m)^keys +1 +expired idempotency keys$`, said)
	require.Equal(t, 1, one[int](t, o.installation, kept), "a dry run does nothing")

	said, err = o.command(t.Context(), "housekeeping")
	require.NoError(t, err)
	require.Contains(t, said, "housekeeping started")
	eventually(t, "the house is kept", func() bool { return one[int](t, o.installation, kept) == 0 })
	c := o.temporalClient(t)
	eventually(t, "the schedule has had its workflow run to its end", func() bool {
		seen, err := c.ScheduleClient().GetHandle(t.Context(), workflows.HousekeepingSchedule).Describe(t.Context())
		if err != nil || len(seen.Info.RecentActions) == 0 {
			return false
		}
		id := seen.Info.RecentActions[0].StartWorkflowResult.WorkflowID
		run, err := c.DescribeWorkflowExecution(t.Context(), id, "")
		return err == nil && run.GetWorkflowExecutionInfo().GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_COMPLETED
	})
}

// TestAPersonIsErasedByCommand has an operator look for a person, and then erase them.
func TestAPersonIsErasedByCommand(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	const address = "kari.erased@example.com"
	entry := newOrder("ERASED")
	entry["delivery"].(object)["contacts"] = []object{{"firstName": "Kari", "emailAddress": address}}
	a := o.expect(t, http.StatusOK, http.MethodPost, "/v3/orders/import", orders(entry))
	found := func() int {
		return one[int](t, o.installation, "select count(*) from stop_contacts where org_id = $1 and email_address = $2", o.id, address)
	}
	require.NotZero(t, found(), "%s", a.body)
	erase := []string{"contacts", "erase", "--org", o.slug, "--email", "Kari.Erased@example.com"}

	said, err := o.command(t.Context(), append(erase, "--dry-run")...)
	require.NoError(t, err)
	require.Regexp(t, `(?m)^orders +1$`, said)
	require.NotZero(t, found(), "a dry run does nothing")

	said, err = o.command(t.Context(), "contacts", "export", "--org", o.slug, "--email", address)
	require.NoError(t, err)
	require.Contains(t, said, "<h2>contacts of stops")
	require.Contains(t, said, "email_address: "+address)

	said, err = o.command(t.Context(), erase...)
	require.NoError(t, err)
	require.Contains(t, said, "Erased the data in the table")
	require.Regexp(t, `Receipt number: \d+`, said)
	require.Zero(t, found())
	said, err = o.command(t.Context(), erase...)
	require.NoError(t, err)
	require.Contains(t, said, "No data found.")
}

// TestTheWorkflowOfAnErasedPersonsMessageEnds has a message wait for its window.
func TestTheWorkflowOfAnErasedPersonsMessageEnds(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	const address = "waits.erased@example.com"
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	from := 60 // the window is half a day away, whatever the hour
	if time.Now().In(oslo).Hour() < 12 {
		from = 20 * 60
	}
	_, err = o.admin.Exec(t.Context(), `insert into notification_rules (org_id, event, channel, receiver, window_from, window_to)
		values ($1, 'ORDER_CREATED', 'EMAIL', 'DELIVERY_CONTACTS', $2::int, $2::int + 30)
		on conflict on constraint notification_rules_key do update set window_from = excluded.window_from, window_to = excluded.window_to`, o.id, from)
	require.NoError(t, err)
	entry := newOrder("WAITS")
	entry["delivery"].(object)["contacts"] = []object{{"firstName": "Kari", "emailAddress": address}}
	o.importOrders(t, orders(entry))
	const waiting = "select coalesce(max(workflow_id), '') from notifications where org_id = $1 and receiver = $2 and status = 'queued'"
	var workflow string
	eventually(t, "the message waits", func() bool {
		workflow = one[string](t, o.installation, waiting, o.id, address)
		return workflow != ""
	})
	_, err = o.command(t.Context(), "contacts", "erase", "--org", o.slug, "--email", address)
	require.NoError(t, err)
	c := o.temporalClient(t)
	eventually(t, "its workflow ends", func() bool {
		run, err := c.DescribeWorkflowExecution(t.Context(), workflow, "")
		return err == nil && run.GetWorkflowExecutionInfo().GetStatus() != enums.WORKFLOW_EXECUTION_STATUS_RUNNING
	})
	require.Equal(t, "failed Superseded", one[string](t, o.installation,
		"select status || ' ' || failure from notifications where org_id = $1 and workflow_id = $2", o.id, workflow))
}
