package activities_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"waybill/activities"
	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/operations/notifications"
	"waybill/providers"
)

// refusing are operations whose attempts end with an error.
type refusing struct {
	activities.NotificationOperations

	err error
}

// SendNotification implements activities.NotificationOperations.
func (r refusing) SendNotification(context.Context, caller.Caller, int64) (notifications.SentMessage, error) {
	return notifications.SentMessage{}, r.err
}

// attempt is the error of an attempt that ends so.
func attempt(t *testing.T, err error) *temporal.ApplicationError {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	acts := activities.NewNotifications(refusing{err: err})
	env.RegisterActivity(acts)
	_, failed := env.ExecuteActivity(acts.SendNotification, activities.SendInput{OrgID: 1, ID: 7})
	var refused *temporal.ApplicationError
	require.ErrorAs(t, failed, &refused)
	return refused
}

func TestNextAttemptRespectsProviderPause(t *testing.T) {
	t.Parallel()
	within := func(delay, from, below time.Duration) {
		t.Helper()
		require.GreaterOrEqual(t, delay, from)
		require.Less(t, delay, below)
	}
	refused := func(after time.Duration) error {
		return &notifications.SendingRefused{Fault: &providers.Fault{
			Failure: notification.Unavailable, Passing: true, RetryAfter: after,
		}}
	}
	spread := map[time.Duration]bool{}
	for range 20 {
		delay := attempt(t, refused(0)).NextRetryDelay()
		within(delay, time.Second, 1500*time.Millisecond)
		spread[delay] = true
	}
	require.Greater(t, len(spread), 1, "messages that fail together do not come back together")
	within(attempt(t, refused(time.Minute)).NextRetryDelay(), time.Minute, 90*time.Second)
	within(attempt(t, refused(48*time.Hour)).NextRetryDelay(), time.Hour, 90*time.Minute)

	postponed := attempt(t, &notifications.SendingPostponed{For: 30 * time.Minute, Why: "a report is waited for"})
	require.Equal(t, activities.ErrTypePostponed, postponed.Type())
	require.False(t, postponed.NonRetryable())
	within(postponed.NextRetryDelay(), 30*time.Minute, 31*time.Minute)
}
