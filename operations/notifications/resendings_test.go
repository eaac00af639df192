package notifications_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/notification"
	"waybill/operations/operationstest"
)

// resender is an organization with failed messages, and notes which of them were started again, as
// the Temporal server does.
type resender struct {
	*operationstest.Letters

	mu      sync.Mutex
	started map[int64]int
	// breaks is after how many starts the worker dies; 0 is never.
	breaks int
}

var errWorkerDied = errors.New("the worker died")

// newResender has so many failed emails with an event each.
func newResender(t *testing.T, failed int) *resender {
	t.Helper()
	r := &resender{Letters: operationstest.NewLetters(t, 0), started: map[int64]int{}}
	r.Do(`with e as (
			insert into events (org_id, kind, subject_type, subject_id, actor, cause)
			select 1, 'order.created', 'order', n, 'test', 'test' from generate_series(1, $1::int) n returning id
		)
		insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, rule_id, receiver, sender, provider,
			status, failure)
		select 1, 'EMAIL', e.id || '-1-0', 'w' || e.id, 'run', 'ORDER_CREATED', e.id, 1, 'a@example.com', 'b@example.com', 'smtp',
			'failed', case when row_number() over (order by e.id) % 10 = 0 then 'RejectedReceiver' else 'Unavailable' end
		from e`, failed)
	return r
}

// resend starts a message again, once.
func (r *resender) resend(_ context.Context, _ int64, of notification.Retry) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.breaks == 1 {
		return false, errWorkerDied
	}
	if r.breaks > 1 {
		r.breaks--
	}
	r.started[of.Of]++
	return r.started[of.Of] == 1, nil
}

// all chooses the messages of the last hour.
func all() notification.Selection {
	now := time.Now()
	return notification.Selection{Since: now.Add(-time.Hour), Until: now.Add(time.Hour)}
}

// person is somebody of the support.
func (r *resender) person() caller.Caller {
	return caller.Caller{OrgID: 1, Kind: caller.Person, ID: 12, Cause: "request"}
}

// toTheEnd sends batch after batch until none is left, and begins again where a worker died.
func (r *resender) toTheEnd(id int64) {
	r.T.Helper()
	for range 100 {
		turn, err := r.Notifications.ResendBatch(r.T.Context(), caller.Service(1, "resending/x/1"), id, r.resend)
		if errors.Is(err, errWorkerDied) {
			r.breaks = 0
			continue
		}
		require.NoError(r.T, err)
		if turn.State != notification.ResendingRunning {
			return
		}
	}
	require.Fail(r.T, "it does not end")
}

// retriedBy are the actors that the log names, and how many messages each has sent again.
func (r *resender) retriedBy() string {
	return operationstest.One[string](r.Office, `select coalesce(string_agg(actor || ' ' || messages, ', '), '') from (
		select actor, count(*) || ' of ' || count(distinct coalesce(data ->> 'message', subject_id::text)) as messages
		from events where org_id = 1 and kind = 'notification.retried' group by actor) x`)
}

// TestResendingSendsEachMessageOnce has its worker die at each place of a batch.
func TestResendingSendsEachMessageOnce(t *testing.T) {
	t.Parallel()
	for name, breaks := range map[string]int{"Never": 0, "AtTheFirst": 1, "InABatch": 20, "InTheSecondBatch": 70} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newResender(t, 120)
			r.breaks = breaks
			id, err := r.Notifications.BeginResending(t.Context(), r.person(), all())
			require.NoError(t, err)
			r.toTheEnd(id)
			of, err := r.Store.Resending(t.Context(), 1, id)
			require.NoError(t, err)
			require.Equal(t, []any{notification.ResendingCompleted, 108, 108, 0}, []any{of.State, of.Total, of.Sent, of.Refused})
			require.Len(t, r.started, 108, "each but those to dead addresses")
			require.Equal(t, "user:12 108 of 108", r.retriedBy(), "the log names who asked for it, once a message")
			require.NotZero(t, of.EndedAt)
		})
	}
}

// TestResendingSkipsRetriedMessages while it is under way.
func TestResendingSkipsRetriedMessages(t *testing.T) {
	t.Parallel()
	r := newResender(t, 60)
	id, err := r.Notifications.BeginResending(t.Context(), r.person(), all())
	require.NoError(t, err)
	r.breaks = 5
	_, err = r.Notifications.ResendBatch(t.Context(), caller.Service(1, "resending/x/1"), id, r.resend)
	require.ErrorIs(t, err, errWorkerDied)
	r.breaks = 0
	other := operationstest.One[int64](r.Office, "select max(id) from notifications where org_id = 1 and failure = 'Unavailable'")
	retry, err := r.Notifications.RetryNotification(t.Context(), operationstest.Clerk(1), other)
	require.NoError(t, err)
	require.NoError(t, r.Notifications.NoteRetry(t.Context(), operationstest.Clerk(1), retry))
	r.Do(`insert into notifications (org_id, channel, key, try, retry_of, workflow_id, run_id, event, event_id, rule_id, receiver,
			sender, provider, status)
		select org_id, channel, key, 1, id, 'w-r1', 'run', event, event_id, rule_id, receiver, sender, provider, 'queued'
		from notifications where org_id = 1 and id = $1`, other)
	r.toTheEnd(id)
	require.NotContains(t, r.started, other)
	of, err := r.Store.Resending(t.Context(), 1, id)
	require.NoError(t, err)
	require.Equal(t, []int{54, 53}, []int{of.Total, of.Sent})
}

// TestOneResendingAtATime is stopped between two batches, and makes room for another one.
func TestOneResendingAtATime(t *testing.T) {
	t.Parallel()
	r := newResender(t, 120)
	id, err := r.Notifications.BeginResending(t.Context(), r.person(), all())
	require.NoError(t, err)
	_, err = r.Notifications.BeginResending(t.Context(), r.person(), all())
	require.Equal(t, fault.Conflict, fault.KindOf(err))
	turn, err := r.Notifications.ResendBatch(t.Context(), caller.Service(1, "resending/x/1"), id, r.resend)
	require.NoError(t, err)
	require.Equal(t, notification.ResendingRunning, turn.State)
	require.NoError(t, r.Notifications.StopResending(t.Context(), operationstest.Clerk(1), id))
	require.NoError(t, r.Notifications.StopResending(t.Context(), r.person(), id), "stopping again does nothing")
	turn, err = r.Notifications.ResendBatch(t.Context(), caller.Service(1, "resending/x/1"), id, r.resend)
	require.NoError(t, err)
	require.Equal(t, notification.ResendingStopped, turn.State)
	require.Len(t, r.started, 50, "nothing after the batch that had begun")
	of, err := r.Store.Resending(t.Context(), 1, id)
	require.NoError(t, err)
	require.Equal(t, "key:1", of.StoppedBy)
	_, err = r.Notifications.BeginResending(t.Context(), r.person(), all())
	require.NoError(t, err)
}

// TestResendingSelectsMessages by each of its fields.
func TestResendingSelectsMessages(t *testing.T) {
	t.Parallel()
	r := newResender(t, 20)
	for name, tc := range map[string]struct {
		change func(*notification.Selection)
		total  int
	}{
		"All":           {func(*notification.Selection) {}, 18},
		"DeadAddresses": {func(s *notification.Selection) { s.DeadAddresses = true }, 20},
		"OneReason":     {func(s *notification.Selection) { s.Failure = notification.RejectedReceiver }, 2},
		"OtherChannel":  {func(s *notification.Selection) { s.Channel = notification.SMS }, 0},
		"OtherEvent":    {func(s *notification.Selection) { s.Event = notification.OrderFailed }, 0},
		"OtherProvider": {func(s *notification.Selection) { s.Provider = "sendgrid" }, 0},
		"Provider":      {func(s *notification.Selection) { s.Provider = "smtp" }, 18},
		"Before":        {func(s *notification.Selection) { s.Until = s.Since.Add(time.Minute) }, 0},
	} {
		of := all()
		tc.change(&of)
		counts, err := r.Notifications.PreviewResending(t.Context(), 1, of)
		require.NoError(t, err)
		total := 0
		for _, c := range counts {
			if !c.IsLeftOut {
				total += c.Messages
			}
		}
		require.Equal(t, tc.total, total, name)
	}
}
