package workflows_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"waybill/activities"
	"waybill/domain/notification"
	"waybill/workflows"
)

// message is the setup in which one message is sent.
type message struct {
	env *testsuite.TestWorkflowEnvironment

	mu       sync.Mutex
	recorded activities.Recorded
	records  int
	sends    []time.Time
	send     func(attempt int) (activities.SendResult, error)
	settled  []activities.SettleInput
	settle   func(activities.SettleInput) activities.Settled
	shown    []string // its state and reason, each time they are set
}

func newMessage(t *testing.T) *message {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	m := &message{}
	m.env = newEnvironment(&suite, &steps{shown: func(found temporal.SearchAttributes) {
		state, _ := found.GetKeyword(temporal.NewSearchAttributeKeyKeyword("WaybillState"))
		reason, _ := found.GetKeyword(temporal.NewSearchAttributeKeyKeyword("WaybillReason"))
		m.shown = append(m.shown, state+"/"+reason)
	}})
	m.env.SetStartWorkflowOptions(client.StartWorkflowOptions{ID: "notification/nordfrakt/23-4-0"})
	m.env.SetWorkflowRunTimeout(30 * 24 * time.Hour)
	m.recorded = activities.Recorded{ID: 7, Status: notification.Queued, ReportWait: 72 * time.Hour}
	m.send = func(int) (activities.SendResult, error) { return activities.SendResult{Status: notification.Sent}, nil }
	m.settle = func(in activities.SettleInput) activities.Settled {
		if in.Failure != "" {
			return activities.Settled{Status: notification.Failed, Failure: in.Failure}
		}
		return activities.Settled{Status: notification.Sent}
	}
	workflows.Register(m.env)
	acts := &activities.Notifications{}
	m.env.OnActivity(acts.RecordNotification, mock.Anything, mock.Anything).Maybe().Return(
		func(context.Context, activities.RecordInput) (activities.Recorded, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.records++
			return m.recorded, nil
		})
	m.env.OnActivity(acts.SendNotification, mock.Anything, mock.Anything).Maybe().Return(
		func(context.Context, activities.SendInput) (activities.SendResult, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.sends = append(m.sends, m.env.Now())
			return m.send(len(m.sends))
		})
	m.env.OnActivity(acts.SettleNotification, mock.Anything, mock.Anything).Maybe().Return(
		func(_ context.Context, in activities.SettleInput) (activities.Settled, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.settled = append(m.settled, in)
			return m.settle(in), nil
		})
	m.env.RegisterActivity(acts)
	return m
}

func (m *message) run() {
	m.env.ExecuteWorkflow(workflows.Notification, workflows.NotificationInput{
		OrgID: 1, Key: "23-4-0", Event: notification.OrderCreated, Channel: notification.SMS, OrderID: 1234,
	})
}

func (m *message) state(t *testing.T) workflows.NotificationStatus {
	t.Helper()
	answer, err := m.env.QueryWorkflow(workflows.StatusQuery)
	require.NoError(t, err)
	var status workflows.NotificationStatus
	require.NoError(t, answer.Get(&status))
	return status
}

func (m *message) report(after time.Duration, status notification.Status) {
	m.env.RegisterDelayedCallback(func() {
		m.env.SignalWorkflow(workflows.NotificationReportSignal, workflows.NotificationReport{Status: status})
	}, after)
}

// passing and final are possible errors of an attempt.
func passing() error { return temporal.NewApplicationError("busy", string(notification.Unavailable)) }

func final(f notification.Failure) error {
	return temporal.NewNonRetryableApplicationError("no", string(f), nil)
}

func requireFailed(t *testing.T, err error, kind string) {
	t.Helper()
	var failure *temporal.ApplicationError
	require.ErrorAs(t, err, &failure)
	require.Equal(t, kind, failure.Type())
}

func TestNotification(t *testing.T) {
	t.Parallel()

	t.Run("IsSentAndFollowedUntilItArrives", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		m.report(time.Hour, notification.Delivered)
		start := m.env.Now()
		m.run()
		require.NoError(t, m.env.GetWorkflowError())
		require.Equal(t, notification.Delivered, m.state(t).State)
		require.WithinDuration(t, start.Add(time.Hour), m.env.Now(), time.Second)
		require.Len(t, m.sends, 1)
	})

	t.Run("EndsAsSentWhenNobodyReports", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		start := m.env.Now()
		m.run()
		require.NoError(t, m.env.GetWorkflowError())
		require.Equal(t, notification.Sent, m.state(t).State)
		require.WithinDuration(t, start.Add(72*time.Hour), m.env.Now(), time.Second)
	})

	t.Run("EndsAtOnceWhenTheReportWasThereBeforeTheAnswer", func(t *testing.T) {
		t.Parallel()
		for status, kind := range map[notification.Status]string{
			notification.Delivered: "", notification.Bounced: workflows.ErrTypeBounced,
		} {
			m := newMessage(t)
			m.send = func(int) (activities.SendResult, error) { return activities.SendResult{Status: status}, nil }
			start := m.env.Now()
			m.run()
			if kind == "" {
				require.NoError(t, m.env.GetWorkflowError())
			} else {
				requireFailed(t, m.env.GetWorkflowError(), kind)
			}
			require.WithinDuration(t, start, m.env.Now(), time.Second)
		}
	})

	t.Run("AReportThatIsNoEndChangesNothing", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		m.report(time.Minute, notification.Queued)
		m.env.RegisterDelayedCallback(func() {
			require.Equal(t, notification.Sent, m.state(t).State)
		}, 90*time.Second)
		m.report(2*time.Minute, notification.Bounced)
		m.run()
		requireFailed(t, m.env.GetWorkflowError(), workflows.ErrTypeBounced)
		require.Equal(t, notification.Bounced, m.state(t).State)
	})

	t.Run("WaitsForItsWindow", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		from, until := m.env.Now().Add(9*time.Hour), m.env.Now().Add(12*time.Hour)
		m.recorded.SendFrom, m.recorded.SendUntil = &from, &until
		m.run()
		require.NoError(t, m.env.GetWorkflowError())
		require.Len(t, m.sends, 1)
		require.WithinDuration(t, from, m.sends[0], time.Second)
	})

	t.Run("TriesAgainUntilThePassingFaultIsGone", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		m.send = func(attempt int) (activities.SendResult, error) {
			if attempt < 5 {
				return activities.SendResult{}, passing()
			}
			return activities.SendResult{Status: notification.Sent}, nil
		}
		m.run()
		require.NoError(t, m.env.GetWorkflowError())
		require.Len(t, m.sends, 5)
		require.GreaterOrEqual(t, m.sends[4].Sub(m.sends[0]), 15*time.Second, "more and more seldom")
		require.Empty(t, m.settled)
	})

	t.Run("SaysThatItWaitsAndWhy", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		m.send = func(attempt int) (activities.SendResult, error) {
			if attempt < 8 {
				return activities.SendResult{}, temporal.NewApplicationErrorWithOptions(
					"the provider is out of reach (connection refused)", string(notification.Unavailable),
					temporal.ApplicationErrorOptions{NextRetryDelay: 5 * time.Minute})
			}
			return activities.SendResult{Status: notification.Sent}, nil
		}
		at := m.env.Now().Add(20 * time.Minute).UTC().Format(time.RFC3339)
		requireDetails(t, m.env, 17*time.Minute, "**retrying** as 7. It waits: the provider is out of reach (connection refused). "+
			"It was tried 4 times and is tried again at "+at)
		m.run()
		require.NoError(t, m.env.GetWorkflowError())
		require.Len(t, m.sends, 8)
	})

	t.Run("ExpiresWhenItsWindowHasPassed", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		from, until := m.env.Now().Add(-2*time.Hour), m.env.Now().Add(-time.Hour)
		m.recorded.SendFrom, m.recorded.SendUntil = &from, &until
		m.run()
		requireFailed(t, m.env.GetWorkflowError(), string(notification.Expired))
		require.Empty(t, m.sends)
		require.Equal(t, notification.Expired, m.settled[0].Failure)
	})

	t.Run("NoTryComesAfterItsWindow", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		from, until := m.env.Now().Add(time.Hour), m.env.Now().Add(time.Hour+5*time.Minute)
		m.recorded.SendFrom, m.recorded.SendUntil = &from, &until
		m.send = func(int) (activities.SendResult, error) { return activities.SendResult{}, passing() }
		m.run()
		requireFailed(t, m.env.GetWorkflowError(), string(notification.Expired))
		require.Equal(t, notification.Expired, m.settled[0].Failure)
		require.Greater(t, len(m.sends), 5)
		require.True(t, m.sends[len(m.sends)-1].Before(until))
	})

	t.Run("AFinalFaultIsTriedOnce", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		m.send = func(int) (activities.SendResult, error) {
			return activities.SendResult{}, temporal.NewNonRetryableApplicationError(
				"no", string(notification.RejectedSender), nil, "550 5.7.1")
		}
		m.run()
		requireFailed(t, m.env.GetWorkflowError(), string(notification.RejectedSender))
		require.ErrorContains(t, m.env.GetWorkflowError(), "(550 5.7.1)")
		require.Contains(t, details(t, m.env), "(550 5.7.1). Every message of this sender is at risk")
		require.Contains(t, details(t, m.env), "retry --org nordfrakt --failed --since 24h --reason RejectedSender`")
		require.Equal(t, []string{"failed/RejectedSender"}, m.shown)
		require.Len(t, m.sends, 1)
		require.Equal(t, notification.Failed, m.state(t).State)
	})

	t.Run("WhatNoLongerHoldsHasNotFailed", func(t *testing.T) {
		t.Parallel()
		refused, dropped := newMessage(t), newMessage(t)
		refused.send = func(int) (activities.SendResult, error) {
			return activities.SendResult{}, final(notification.Superseded)
		}
		dropped.recorded.Failure = notification.Superseded
		for _, m := range []*message{refused, dropped} {
			m.run()
			require.NoError(t, m.env.GetWorkflowError())
			require.Equal(t, notification.Failed, m.state(t).State)
			require.Equal(t, notification.Superseded, m.settled[0].Failure)
			require.Contains(t, details(t, m.env), "**superseded** as 7.")
		}
		require.Empty(t, dropped.sends)
	})

	t.Run("DoubtCountsAsSentAndIsFollowed", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		m.send = func(int) (activities.SendResult, error) {
			return activities.SendResult{}, final(notification.Uncertain)
		}
		m.settle = func(activities.SettleInput) activities.Settled { return activities.Settled{Status: notification.Sent} }
		m.report(time.Hour, notification.Delivered)
		m.run()
		require.NoError(t, m.env.GetWorkflowError())
		require.Equal(t, notification.Delivered, m.state(t).State)
	})

	t.Run("TriesAgainWhenItIsTold", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		m.send = func(attempt int) (activities.SendResult, error) {
			if attempt == 1 {
				return activities.SendResult{}, temporal.NewApplicationErrorWithOptions("later", activities.ErrTypePostponed,
					temporal.ApplicationErrorOptions{NextRetryDelay: 5 * time.Minute})
			}
			return activities.SendResult{Status: notification.Sent}, nil
		}
		m.run()
		require.NoError(t, m.env.GetWorkflowError())
		require.Len(t, m.sends, 2)
		require.GreaterOrEqual(t, m.sends[1].Sub(m.sends[0]), 5*time.Minute)
	})

	t.Run("WhatMustNotBeSentIsNotTried", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		m.recorded.Failure = notification.InvalidAddress
		m.run()
		requireFailed(t, m.env.GetWorkflowError(), string(notification.InvalidAddress))
		require.Empty(t, m.sends)
	})

	t.Run("NothingIsSaidTwice", func(t *testing.T) {
		t.Parallel()
		for _, status := range []notification.Status{notification.Delivered, notification.Spam, ""} {
			m := newMessage(t)
			m.recorded = activities.Recorded{ID: 7, Status: status}
			if status == "" {
				m.recorded.ID = 0
			}
			m.run()
			require.NoError(t, m.env.GetWorkflowError())
			require.Empty(t, m.sends)
		}
	})

	t.Run("ASentMessageThatIsNotWrittenDownIsNotSentAgain", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		m.send = func(int) (activities.SendResult, error) {
			return activities.SendResult{Status: notification.Sent, ProviderID: "SM1", Unrecorded: true}, nil
		}
		m.run()
		require.NoError(t, m.env.GetWorkflowError())
		require.Len(t, m.sends, 1)
		require.Equal(t, "SM1", m.settled[0].ProviderID)
	})

	t.Run("WhatFailedBeforeAResetIsRecordedAnew", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		m.send = func(attempt int) (activities.SendResult, error) {
			if attempt == 1 {
				return activities.SendResult{}, final(notification.Rejected)
			}
			return activities.SendResult{Status: notification.Sent}, nil
		}
		m.settle = func(activities.SettleInput) activities.Settled {
			return activities.Settled{Status: notification.Failed, Again: true}
		}
		m.run()
		require.NoError(t, m.env.GetWorkflowError())
		require.Equal(t, 2, m.records)
		require.Len(t, m.sends, 2)
	})

	t.Run("ADatabaseThatIsAwayIsWaitedFor", func(t *testing.T) {
		t.Parallel()
		m := newMessage(t)
		tries := 0
		var suite testsuite.WorkflowTestSuite
		m.env = newEnvironment(&suite)
		m.env.SetWorkflowRunTimeout(24 * time.Hour)
		workflows.Register(m.env)
		acts := &activities.Notifications{}
		m.env.OnActivity(acts.RecordNotification, mock.Anything, mock.Anything).Return(
			func(context.Context, activities.RecordInput) (activities.Recorded, error) {
				if tries++; tries < 25 {
					return activities.Recorded{}, errors.New("connection refused")
				}
				return activities.Recorded{}, nil
			})
		m.run()
		require.NoError(t, m.env.GetWorkflowError())
		require.Equal(t, 25, tries)
	})
}
