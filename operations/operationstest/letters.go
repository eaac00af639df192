package operationstest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/providers"
)

// Letters is an organization whose log has messages that wait to be sent. Mail
// answers as answer says.
type Letters struct {
	*Office

	By     caller.Caller
	Answer func() error
}

// Send implements notifications.MailSender.
func (l *Letters) Send(context.Context, string, providers.Email) error {
	if l.Answer == nil {
		return nil
	}
	return l.Answer()
}

// NewLetters returns the organization in a database of its own, with count messages.
func NewLetters(t *testing.T, count int) *Letters {
	t.Helper()
	l := &Letters{Office: NewOffice(t), By: caller.Service(1, "notification/1/1")}
	l.Operations = operations.New(l.Store, time.Now, operations.Settings{
		Messaging: notifications.Messaging{Mail: l, Secrets: func(string) string { return "" }},
	})
	_, err := l.Owner.Exec(t.Context(), fmt.Sprintf(`
		insert into organizations (id, slug, name, timezone)
			select o, 'org-' || o, 'Org', 'Europe/Oslo' from generate_series(1, 2) o;
		insert into notification_rules (org_id, id, event, channel, receiver)
			select o, 1, 'ORDER_CREATED', 'EMAIL', 'CUSTOMER' from generate_series(1, 2) o;
		insert into notifications (org_id, id, channel, key, workflow_id, run_id,
				event, event_id, rule_id, receiver, sender, provider, status)
			select o, i, 'EMAIL', i || '-1-0', 'w' || i, 'r',
				'ORDER_CREATED', i, 1, 'name' || i || '@example.com', 'a@b.example', 'smtp', 'queued'
			from generate_series(1, 2) o, generate_series(1, %d) i`, count))
	require.NoError(t, err)
	return l
}

// Status returns the status of a message.
func (l *Letters) Status(id int64) notification.Status {
	return notification.Status(One[string](l.Office, "select status from notifications where org_id = 1 and id = $1", id))
}

// Reported takes reports of one provider.
func (l *Letters) Reported(reports ...notification.Report) notifications.TakenReports {
	l.T.Helper()
	by := caller.Caller{OrgID: 1, Kind: caller.Provider, Name: "test", Cause: "test"}
	taken, err := l.Notifications.TakeReports(l.T.Context(), by, notification.Email, reports)
	require.NoError(l.T, err)
	return taken
}

// Report is a report of one message of ours.
func Report(id int64, key string, says notification.Outcome) notification.Report {
	return notification.Report{
		ID: id, Key: key, Says: says, OccurredAt: time.Now(), Suppress: says != notification.ReportedDelivered,
	}
}

// Deliver has a message sent.
func (l *Letters) Deliver(id int64) notifications.SentMessage {
	l.T.Helper()
	sent, err := l.Notifications.SendNotification(l.T.Context(), l.By, id)
	require.NoError(l.T, err)
	require.False(l.T, sent.Unrecorded)
	return sent
}

// Refused is why an attempt to send a message failed.
func (l *Letters) Refused(id int64) notification.Failure {
	l.T.Helper()
	_, err := l.Notifications.SendNotification(l.T.Context(), l.By, id)
	var refused *notifications.SendingRefused
	require.ErrorAs(l.T, err, &refused)
	require.NoError(l.T, refused.Unnoted)
	return refused.Failure
}

// Settle ends a message.
func (l *Letters) Settle(id int64, end notifications.Ending) notifications.SettledMessage {
	l.T.Helper()
	end.Channel = notification.Email
	settled, err := l.Notifications.SettleNotification(l.T.Context(), l.By, id, "r", end)
	require.NoError(l.T, err)
	return settled
}
