package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"waybill/domain/notification"
	"waybill/store/storetest"
	"waybill/workflows"
)

// ahead is a namespace that has seen more than its database, which was restored to an earlier time.
type ahead struct {
	*testing.T
	client.Client

	env   []string
	owner *pgx.Conn
	org   int64
}

func newAhead(t *testing.T) ahead {
	t.Helper()
	db := storetest.New(t)
	env := asOriginal(ownNamespace(t), db)
	require.Zero(t, runProgram(t, env, "migrate").status)
	org := storetest.Apply(t, db, "organization: {slug: nord, name: Nord AS, timezone: Europe/Oslo}")
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.WithoutCancel(t.Context())) })
	value := func(name string) string {
		for _, setting := range env {
			if text, found := strings.CutPrefix(setting, name+"="); found {
				return text
			}
		}
		return ""
	}
	c, err := client.Dial(client.Options{HostPort: value("TEMPORAL_ADDRESS"), Namespace: value("TEMPORAL_NAMESPACE")})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return ahead{t, c, env, owner, org}
}

func (a ahead) one(sql string, args ...any) (n int64) {
	a.Helper()
	require.NoError(a, a.owner.QueryRow(a.Context(), sql, args...).Scan(&n))
	return n
}

// message writes an unsent message into the log of the database.
func (a ahead) message(key string) int64 {
	a.Helper()
	return a.one(`insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, receiver, sender, provider, status)
		values ($1, 'EMAIL', $2, $3, 'run', 'ORDER_CREATED', 1, 'a@example.com', 'b@example.com', 'smtp', 'queued') returning id`,
		a.org, key, workflows.NotificationID("nord", key))
}

// ends has a workflow of a message run to its end, with a state.
func (a ahead) ends(key string, state notification.Status) {
	a.Helper()
	queue := "ends-" + key
	w := worker.New(a.Client, queue, worker.Options{})
	w.RegisterWorkflowWithOptions(func(ctx workflow.Context) error {
		return workflow.UpsertTypedSearchAttributes(ctx, temporal.NewSearchAttributeKeyKeyword("WaybillState").ValueSet(string(state)))
	}, workflow.RegisterOptions{Name: "Notification"})
	require.NoError(a, w.Start())
	defer w.Stop()
	run, err := a.ExecuteWorkflow(a.Context(), client.StartWorkflowOptions{
		ID: workflows.NotificationID("nord", key), TaskQueue: queue,
	}, "Notification")
	require.NoError(a, err)
	require.NoError(a, run.Get(a.Context(), nil))
}

// runs starts a workflow that nobody works on.
func (a ahead) runs(id, name string, in any) string {
	a.Helper()
	run, err := a.ExecuteWorkflow(a.Context(), client.StartWorkflowOptions{ID: id, TaskQueue: "nobody"}, name, in)
	require.NoError(a, err)
	return run.GetRunID()
}

func (a ahead) statusOf(id, run string) enums.WorkflowExecutionStatus {
	a.Helper()
	d, err := a.DescribeWorkflowExecution(a.Context(), id, run)
	require.NoError(a, err)
	return d.GetWorkflowExecutionInfo().GetStatus()
}

// TestARestoredDatabaseIsReconciled has a database without what happened in the hour before.
func TestARestoredDatabaseIsReconciled(t *testing.T) {
	t.Parallel()
	a := newAhead(t)
	sent, waiting := a.message("1-1-0"), a.message("2-1-0")
	a.ends("1-1-0", notification.Delivered)
	a.ends("2-1-0", notification.Queued) // which it never was told
	lost := a.runs(workflows.NotificationID("nord", "3-1-0"), "Notification", workflows.NotificationInput{OrgID: a.org, Key: "3-1-0", Channel: notification.Email})
	orphan := a.runs("import/nord/999", "Import", nil)
	require.NoError(t, a.owner.QueryRow(t.Context(), "select nextval('events_id_seq')").Scan(new(int64)))
	before := a.one("select last_value from events_id_seq")
	position := a.one("select last_position from event_sequencer")

	var looked outcome
	require.Eventually(t, func() bool { // the server lists them a moment later
		looked = runProgram(t, a.env, "reconcile")
		require.Zero(t, looked.status, looked.stderr)
		return strings.Contains(looked.stdout, "1 message that the database took for unsent had been sent") &&
			strings.Contains(looked.stdout, "1 workflow had no row in the database (import)") &&
			strings.Contains(looked.stdout, "1 message had no row in the database and were not sent")
	}, longest, 1, "%s", &looked.stdout)
	require.Contains(t, looked.stdout, "Nothing was changed")
	require.Equal(t, before, a.one("select last_value from events_id_seq"))
	require.Equal(t, enums.WORKFLOW_EXECUTION_STATUS_RUNNING, a.statusOf("import/nord/999", orphan))

	repaired := runProgram(t, a.env, "reconcile", "--repair", "--ids", "5000", "--operator", "kari")
	require.Zero(t, repaired.status, repaired.stderr)
	require.EqualValues(t, 1, a.one("select count(*) from notifications where id = $1 and status = 'sent'", sent))
	require.EqualValues(t, 1, a.one("select count(*) from events where notification_id = $1 and kind = 'notification.sent'", sent))
	require.EqualValues(t, 1, a.one("select count(*) from notifications where id = $1 and status = 'queued'", waiting))
	require.Equal(t, enums.WORKFLOW_EXECUTION_STATUS_TERMINATED, a.statusOf("import/nord/999", orphan))
	require.Equal(t, enums.WORKFLOW_EXECUTION_STATUS_TERMINATED, a.statusOf(workflows.NotificationID("nord", "3-1-0"), lost))
	require.Equal(t, enums.WORKFLOW_EXECUTION_STATUS_RUNNING, a.statusOf(workflows.NotificationID("nord", "3-1-0"), ""), "it begins again")
	require.GreaterOrEqual(t, a.one("select last_value from events_id_seq"), before+5000)
	require.Equal(t, position+5000, a.one("select last_position from event_sequencer"))
	require.GreaterOrEqual(t, a.one("insert into imports (org_id, defaults, total, chunks) values ($1, '{}', 1, 1) returning id", a.org), int64(5000))
	require.EqualValues(t, 1, a.one("select count(*) from operator_actions where operator = 'kari' and done like '1 message that%'"))

	again := runProgram(t, a.env, "reconcile")
	require.Zero(t, again.status, again.stderr)
	require.Contains(t, again.stdout, "0 messages that the database took for unsent had been sent", fmt.Sprint(again.stdout))
}
