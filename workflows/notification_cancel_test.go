package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/notification"
)

func requireCancelled(t *testing.T, err error) {
	t.Helper()
	var cancelled *temporal.CanceledError
	require.ErrorAs(t, err, &cancelled)
}

func TestNotificationThatIsCancelled(t *testing.T) {
	t.Parallel()

	// The message is cancelled while the first attempt is under way.
	sending := func(t *testing.T) *message {
		m := newMessage(t)
		m.send = func(int) (activities.SendResult, error) {
			m.env.CancelWorkflow()
			return activities.SendResult{}, passing()
		}
		return m
	}

	t.Run("WhileItIsSentSaysSo", func(t *testing.T) {
		t.Parallel()
		m := sending(t)
		m.run()
		requireCancelled(t, m.env.GetWorkflowError())
		require.Len(t, m.sends, 1)
		require.Equal(t, []activities.SettleInput{
			{OrgID: 1, ID: 7, Channel: notification.SMS, Failure: notification.Cancelled},
		}, m.settled)
		require.Equal(t, notification.Failed, m.state(t).State)
		require.Equal(t, notification.Cancelled, m.state(t).Failure)
	})

	t.Run("BeforeItsWindowIsNotSent", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		from, until := m.env.Now().Add(time.Hour), m.env.Now().Add(3*time.Hour)
		m.recorded.SendFrom, m.recorded.SendUntil = &from, &until
		m.env.RegisterDelayedCallback(m.env.CancelWorkflow, time.Minute)
		m.run()
		requireCancelled(t, m.env.GetWorkflowError())
		require.Empty(t, m.sends)
		require.Len(t, m.settled, 1)
		require.Equal(t, notification.Cancelled, m.settled[0].Failure)
	})

	t.Run("AfterItWasSentStaysSent", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		m.env.RegisterDelayedCallback(m.env.CancelWorkflow, time.Hour)
		m.run()
		requireCancelled(t, m.env.GetWorkflowError())
		require.Empty(t, m.settled)
		require.Equal(t, notification.Sent, m.state(t).State)
	})

	t.Run("InARunOfV010SettlesNothing", func(t *testing.T) {
		t.Parallel()
		m := sending(t)
		m.env.OnGetVersion("settle-cancelled", workflow.DefaultVersion, workflow.Version(1)).Return(workflow.DefaultVersion)
		m.run()
		requireCancelled(t, m.env.GetWorkflowError())
		require.Empty(t, m.settled)
	})
}
