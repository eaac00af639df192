package notifications_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/notification"
	"waybill/operations/notifications"
	"waybill/operations/operationstest"
)

// TestReportDuringSettlementIsApplied has a provider whose report is
// being kept at the very moment at which the message is written down as sent.
func TestReportDuringSettlementIsApplied(t *testing.T) {
	t.Parallel()
	l := operationstest.NewLetters(t, 1)
	tx, err := l.Owner.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.Background()) }()
	_, err = tx.Exec(t.Context(), "select from notifications where org_id = 1 and id = 1 for update")
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `
		insert into notification_steps (org_id, notification_id, kind, status, provider, report_key)
			values (1, 1, 'report', $1, 'test', 'a')`, string(notification.ReportedBounced))
	require.NoError(t, err)
	settled := make(chan notifications.SettledMessage, 1)
	go func() {
		done, err := l.Notifications.SettleNotification(t.Context(), l.By, 1, "r", notifications.Ending{Channel: notification.Email})
		if err != nil {
			t.Errorf("settle: %v", err)
		}
		settled <- done
	}()
	require.Eventually(t, func() bool {
		var waits bool
		err := tx.QueryRow(t.Context(), `select exists (select from pg_locks
			where not granted and transactionid = pg_current_xact_id()::xid)`).Scan(&waits)
		return err == nil && waits
	}, 10*time.Second, 5*time.Millisecond, "it waits for the report")
	require.NoError(t, tx.Commit(t.Context()))
	require.Equal(t, notification.Bounced, (<-settled).Status)
	require.Equal(t, notification.Bounced, l.Status(1))
}

// TestTimeoutWithoutAnswerIsUncertain lets the latest time pass while
// a provider has the message and has not answered.
func TestTimeoutWithoutAnswerIsUncertain(t *testing.T) {
	t.Parallel()
	l := operationstest.NewLetters(t, 2)
	taken, answers := make(chan struct{}), make(chan struct{})
	l.Answer = func() error {
		close(taken)
		<-answers
		return nil
	}
	sent := make(chan notifications.SentMessage, 1)
	go func() {
		done, err := l.Notifications.SendNotification(t.Context(), l.By, 1)
		if err != nil {
			t.Errorf("send: %v", err)
		}
		sent <- done
	}()
	<-taken
	expired := notifications.Ending{Failure: notification.Expired}
	require.Equal(t, notification.Sent, l.Settle(1, expired).Status, "the provider may have it")
	require.True(t, operationstest.One[bool](l.Office, "select uncertain from notifications where org_id = 1 and id = 1"))
	close(answers)
	<-sent
	require.Equal(t, notification.Sent, l.Status(1))
	require.Equal(t, notification.Expired, l.Settle(2, expired).Failure, "of which there was no attempt")
}
