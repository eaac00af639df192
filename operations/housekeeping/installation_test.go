package housekeeping_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/operations/operationstest"
	"waybill/operations/recurring"
	"waybill/operations/sealing"
	"waybill/operations/webhooks"
	"waybill/store"
	"waybill/store/storetest"
)

// A workflow may find itself on another database than the one that began it.
func TestAMessageOfAnUnknownEventFails(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	by := caller.Service(storetest.Organization(t, o.Database, "acme"), "test")
	for _, rule := range []int64{0, 1} {
		_, err := o.Notifications.RecordNotification(t.Context(), by, notifications.NewMessage{
			Key: notification.Key{EventID: 4711, RuleID: rule}, WorkflowID: "w", RunID: "r",
		})
		var absent *store.Absent
		require.ErrorAs(t, err, &absent)
		require.Equal(t, &store.Absent{Resource: "event", ID: 4711}, absent)
	}
	event := operationstest.One[int64](o, `insert into events (org_id, kind, subject_type, subject_id, actor, cause)
		values (1, 'order.created', 'order', 1, 'test', 'test') returning id`)
	recorded, err := o.Notifications.RecordNotification(t.Context(), by, notifications.NewMessage{
		Key: notification.Key{EventID: event, RuleID: 4711}, WorkflowID: "w", RunID: "r",
	})
	require.NoError(t, err, "its rule is gone, so nothing is to be said")
	require.Zero(t, recorded.ID)
}

func TestATemplateOfAnotherDatabaseFails(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	by := caller.Service(storetest.Organization(t, o.Database, "acme"), "test")
	_, err := o.Recurring.GenerateOrders(t.Context(), by, 4711)
	var absent *store.Absent
	require.ErrorAs(t, err, &absent)
	require.EqualValues(t, 4711, absent.ID)

	template := operationstest.One[int64](o, `insert into recurring_order_changes (org_id, recurring_order_id, creates, change)
		values (1, 4711, true, '{}') returning recurring_order_id`)
	generated, err := o.Recurring.GenerateOrders(t.Context(), by, template)
	require.NoError(t, err, "it was asked for and not made")
	require.Equal(t, recurring.TemplateGone, generated.State)
}

// sealedWith makes the operations of a process with these secrets.
func sealedWith(db *storetest.Database, secret string, also ...string) *operations.Operations {
	return operations.New(store.New(db.Pool), time.Now, operations.Settings{SealingSecret: secret, SealingAlsoOpens: also})
}

func TestAWrongSealingSecretSealsNothing(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	by := caller.Service(storetest.Organization(t, db, "acme"), "test")
	hook := webhooks.NewEndpoint{WebhookDetails: store.WebhookDetails{URL: "https://example.com/hook"}}
	var wrong *sealing.WrongSecretError

	_, err := sealedWith(db, "first").Webhooks.CreateEndpoint(t.Context(), by, hook)
	require.NoError(t, err)
	require.ErrorAs(t, sealedWith(db, "second").Sealing.Check(t.Context()), &wrong)
	require.False(t, wrong.Unset)
	require.ErrorAs(t, sealedWith(db, "").Sealing.Check(t.Context()), &wrong)
	require.True(t, wrong.Unset)
	_, err = sealedWith(db, "second").Webhooks.CreateEndpoint(t.Context(), by, hook)
	require.ErrorAs(t, err, &wrong, "a command that has not looked at its start")

	require.NoError(t, sealedWith(db, "first", "second").Sealing.Check(t.Context()))
	require.NoError(t, sealedWith(db, "second", "first").Sealing.Check(t.Context()))
}

func TestConcurrentSecretsLeaveOne(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	require.NoError(t, sealedWith(db, "").Sealing.Check(t.Context()), "an installation without a secret")
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = sealedWith(db, []string{"first", "second"}[i%2]).Sealing.Check(t.Context()) })
	}
	all.Wait()
	for i := range errs {
		require.Equal(t, errs[i%2] == nil, errs[i] == nil)
	}
	require.NotEqual(t, errs[0] == nil, errs[1] == nil)
}

func TestTheInstallationCountsOnceForAll(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	at := time.Now()
	o := operations.New(store.New(db.Pool), func() time.Time { return at }, operations.Settings{})
	before, err := o.Housekeeping.Installation(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, before.ID)
	require.NotEmpty(t, before.Place)
	same, err := o.Housekeeping.Installation(t.Context())
	require.NoError(t, err)
	require.Equal(t, before, same)
	at = at.Add(11 * time.Minute)
	after, err := o.Housekeeping.Installation(t.Context())
	require.NoError(t, err)
	require.Equal(t, before.Turn+1, after.Turn)
}
