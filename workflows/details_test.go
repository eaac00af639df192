package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"waybill/activities"
	"waybill/domain/notification"
	"waybill/workflows"
)

// requireDetails checks the workflow's current details some time after the
// start.
func requireDetails(t *testing.T, env *testsuite.TestWorkflowEnvironment, after time.Duration, want string) {
	t.Helper()
	looked := false
	t.Cleanup(func() { require.True(t, looked, "the workflow was over before: %s", want) })
	env.RegisterDelayedCallback(func() {
		looked = true
		require.Contains(t, details(t, env), want)
	}, after)
}

func TestTemplateShowsItsState(t *testing.T) {
	t.Parallel()
	b := newRecurring(t, "Europe/Oslo", "FREQ=DAILY", "2027-03-01 09:00", 9).created()
	b.endsOn("2027-03-12")
	b.batch = 4
	b.env.OnActivity((&activities.Recurring{}).GenerateOrders, mock.Anything, mock.Anything).
		After(time.Minute).Return(b.look)
	requireDetails(t, b.env, 90*time.Second, "Working: 4 orders generated so far, **6 occurrences** to go.")
	requireDetails(t, b.env, 10*time.Minute, "Last looked at 2027-03-01 08:03 UTC: **10 orders generated**.")
	requireDetails(t, b.env, 10*time.Minute, "this workflow wakes for it at 2027-03-01 23:00 UTC")
	b.env.RegisterDelayedCallback(func() { b.env.SignalWorkflow(workflows.PauseSignal, nil) }, time.Hour)
	requireDetails(t, b.env, 2*time.Hour, "The template is **paused**.")
	b.env.RegisterDelayedCallback(func() { b.env.SignalWorkflow(workflows.ResumeSignal, nil) }, 3*time.Hour)
	b.run()
	require.Contains(t, details(t, b.env), "No occurrence is left to come.")
}

func TestExportShowsItsState(t *testing.T) {
	t.Parallel()
	b := setupExport(t)
	requireDetails(t, b.env, time.Hour, "In the feed as a new shipment. **5 of 5** acknowledgements are left.")
	b.env.RegisterDelayedCallback(func() { b.update(1) }, 2*time.Hour)
	requireDetails(t, b.env, 3*time.Hour, "Exported. A change brings it back as an update. **4 of 5** acknowledgements are left. Its window")
	b.env.RegisterDelayedCallback(func() { b.change("b") }, day)
	requireDetails(t, b.env, 25*time.Hour, "In the feed as an update. **4 of 5** acknowledgements are left.")
	requireDetails(t, b.env, 25*time.Hour, "Its window closes at **")
	b.env.RegisterDelayedCallback(func() { b.update(2) }, 2*day)
	b.run()
	require.NoError(t, b.env.GetWorkflowError())
	require.Contains(t, details(t, b.env), "Closed: the window after the last successful export is over.")
}

func TestImportShowsProgress(t *testing.T) {
	t.Parallel()
	var suite testsuite.WorkflowTestSuite
	env := newEnvironment(&suite)
	workflows.Register(env)
	acts := &activities.Imports{}
	env.OnActivity(acts.RegisterLocations, mock.Anything, mock.Anything).After(time.Minute).Return(nil)
	env.OnActivity(acts.ImportChunk, mock.Anything, mock.Anything).After(time.Minute).
		Return(activities.Outcomes{Created: 499, Drafts: 1}, nil)
	requireDetails(t, env, 30*time.Second, "Registering the locations of **1500 orders**.")
	requireDetails(t, env, 150*time.Second, "**1 of 3** chunks of 1500 orders are done: 499 created, 1 drafts.")
	env.ExecuteWorkflow(workflows.ImportOrders,
		workflows.ImportInput{OrgID: 1, ImportID: 7, Entries: 1500, Chunks: 3, InOrder: true})
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, "All **1500 orders** are decided: 1497 created, 3 drafts. The results are at `/v3/orders/imports/7`.",
		details(t, env))
}

func TestMessageShowsItsState(t *testing.T) {
	t.Parallel()
	m := newMessage(t)
	from, until := m.env.Now().Add(time.Hour), m.env.Now().Add(3*time.Hour)
	m.recorded.SendFrom, m.recorded.SendUntil = &from, &until
	m.send = func(attempt int) (activities.SendResult, error) {
		if attempt < 5 {
			return activities.SendResult{}, passing()
		}
		return activities.SendResult{Status: notification.Sent}, nil
	}
	requireDetails(t, m.env, time.Minute, "**queued** as 7. It will be sent from ")
	requireDetails(t, m.env, time.Hour+2*time.Second, "**queued** as 7. It is being handed to the provider")
	requireDetails(t, m.env, 2*time.Hour, "**sent** as 7. The provider has taken it")
	m.report(4*time.Hour, notification.Bounced)
	m.run()
	require.Contains(t, details(t, m.env), "**bounced** as 7. The receiver's server sent it back")
}

func TestDatabaseOutageIsShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.failures[0] = 25 // more than the quick way tries
	requireDetails(t, b.env, 9*time.Second, "The database did not answer in time. Trying until it does.")
	b.env.ExecuteWorkflow(workflows.ImportOrders, workflows.ImportInput{OrgID: 1, ImportID: 7, Entries: 1, Chunks: 1})
	require.NoError(t, b.env.GetWorkflowError())
	require.Contains(t, details(t, b.env), "All **1 orders** are decided")
}
