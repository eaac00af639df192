package workflows_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"

	"waybill/providers"
	"waybill/workflows"
)

// watchActivities records the options with which each activity last began, by
// name. It ignores local activities.
func watchActivities(env *testsuite.TestWorkflowEnvironment) map[string]activity.Info {
	seen := map[string]activity.Info{}
	env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, _ converter.EncodedValues) {
		seen[info.ActivityType.Name] = *info
	})
	return seen
}

// requireHeartbeats sees that the activities began, and that a worker that dies
// with one of them is noticed within seconds, long before the attempt is over.
func requireHeartbeats(t *testing.T, seen map[string]activity.Info, names ...string) {
	t.Helper()
	require.ElementsMatch(t, names, slices.Collect(maps.Keys(seen)))
	for name, info := range seen {
		require.Positive(t, info.HeartbeatTimeout, name)
		require.LessOrEqual(t, info.HeartbeatTimeout, 30*time.Second, name)
		require.LessOrEqual(t, 2*info.HeartbeatTimeout, info.StartToCloseTimeout, name)
	}
}

func TestDeadWorkerIsDetectedWithinSeconds(t *testing.T) {
	t.Parallel()

	t.Run("InABulkImport", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		seen := watchActivities(b.env)
		b.env.ExecuteWorkflow(workflows.ImportOrders, workflows.ImportInput{OrgID: 1, ImportID: 7, Entries: 900, Chunks: 2})
		require.NoError(t, b.env.GetWorkflowError())
		requireHeartbeats(t, seen, "RegisterLocations", "ImportChunk")
	})

	t.Run("WhenTheQuickWayFailed", func(t *testing.T) {
		t.Parallel()
		b := setupExport(t)
		b.failures = 25
		b.order.Carrier = ""
		seen := watchActivities(b.env)
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		requireHeartbeats(t, seen, "ConsiderExport")
	})

	t.Run("OfATemplate", func(t *testing.T) {
		t.Parallel()
		b := newRecurring(t, "Europe/Oslo", "FREQ=DAILY", "2027-03-01 09:00", 1).generates().created()
		b.endsOn("2027-03-10")
		b.env.RegisterDelayedCallback(func() { b.env.SignalWorkflow(workflows.PauseSignal, nil) }, 2*day)
		b.env.RegisterDelayedCallback(func() { b.env.SignalWorkflow(workflows.ResumeSignal, nil) }, 3*day)
		seen := watchActivities(b.env)
		b.run()
		requireHeartbeats(t, seen, "SaveTemplate", "PauseTemplate", "GenerateOrders")
	})

	t.Run("OfAMessage", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		seen := watchActivities(m.env)
		m.run()
		require.NoError(t, m.env.GetWorkflowError())
		requireHeartbeats(t, seen, "SendNotification")
	})
}

// TestAnAttemptHasTheTimeThatTheProtocolGives compares it with all that a mail server may
// take.
func TestAnAttemptHasTheTimeThatTheProtocolGives(t *testing.T) {
	t.Parallel()
	m := newMessage(t)
	seen := watchActivities(m.env)
	m.run()
	require.GreaterOrEqual(t, seen["SendNotification"].StartToCloseTimeout, providers.ProtocolLimits().Attempt())
}

func TestSendingIsBoundedAsAWhole(t *testing.T) {
	t.Parallel()

	t.Run("ByADayWhenNoWindowEndsIt", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		seen := watchActivities(m.env)
		m.run()
		require.Equal(t, day, seen["SendNotification"].ScheduleToCloseTimeout)
	})

	t.Run("ByTheEndOfItsWindow", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		from, until := m.env.Now().Add(time.Hour), m.env.Now().Add(3*time.Hour)
		m.recorded.SendFrom, m.recorded.SendUntil = &from, &until
		seen := watchActivities(m.env)
		m.run()
		require.InDelta(t, 2*time.Hour, seen["SendNotification"].ScheduleToCloseTimeout, float64(time.Second))
	})
}
