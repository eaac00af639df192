package apitest

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"waybill/activities"
	"waybill/api"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/providers"
	"waybill/store"
	"waybill/store/storetest"
	"waybill/testing/stack"
	"waybill/workflows"
)

// PostOffice is a server with its own database and Temporal server, and an
// organization with an order that causes an email.
type PostOffice struct {
	*Bundle
	owner    *pgxpool.Pool
	store    *store.Store
	Temporal client.Client
	Org      int64
	order    int64
	rule     int64
}

// NewPostOffice returns a post office; edit may change how its server is made.
func NewPostOffice(t *testing.T, edit ...func(*api.Config, *api.Dependencies)) *PostOffice {
	t.Helper()
	db := storetest.New(t)
	p := &PostOffice{store: store.New(db.Pool), Temporal: OwnTemporal(t), Org: storetest.Organization(t, db, "post")}
	p.Bundle = New(t, append(edit, func(_ *api.Config, d *api.Dependencies) {
		d.Store, d.Temporal = p.store, p.Temporal
		d.Operations = operations.New(p.store, time.Now, operations.Settings{})
	})...)
	var err error
	p.owner, err = pgxpool.New(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(p.owner.Close)
	p.order = p.insert(`insert into orders (org_id, number, serial, date, customer_id, order_type_id, vehicle_type_id)
		select c.org_id, 'P-1', 1, date '2026-03-02', min(c.id), min(t.id), min(v.id)
		from customers c join order_types t using (org_id) join vehicle_types v using (org_id)
		where c.org_id = $1 group by c.org_id returning id`)
	p.rule = p.insert(`insert into notification_rules (org_id, event, channel, receiver, address)
		values ($1, 'ORDER_CREATED', 'EMAIL', 'ADDRESS', 'kari@example.com') returning id`)
	p.insert("insert into messaging_settings (org_id, email_from) values ($1, 'post@test.example') returning 1")
	return p
}

// insert runs a statement for the organization, and returns its result.
func (p *PostOffice) insert(sql string, args ...any) (id int64) {
	p.T.Helper()
	require.NoError(p.T, p.owner.QueryRow(p.T.Context(), sql, append([]any{p.Org}, args...)...).Scan(&id))
	return id
}

// Text returns one text, such as a list built by the query.
func (p *PostOffice) Text(sql string, args ...any) (text string) {
	p.T.Helper()
	require.NoError(p.T, p.owner.QueryRow(p.T.Context(), sql, append([]any{p.Org}, args...)...).Scan(&text))
	return text
}

// Message adds a message to the log, with its event.
func (p *PostOffice) Message(status string) (id int64) {
	return p.insert(`with e as (
			insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id)
			values ($1, 'order.created', 'order', $2, 'system', 'test', $2) returning id
		), n as (
			insert into notifications (
				org_id, channel, key, workflow_id, run_id, event, event_id, rule_id, order_id,
				receiver, sender, provider, status, failure
			)
			select $1, 'EMAIL', e.id || '-' || $3::bigint || '-0',
				'notification/' || $1::bigint || '/' || e.id || '-' || $3::bigint || '-0', 'run', 'ORDER_CREATED', e.id, $3, $2,
				'Receiver' || e.id || '@example.com', 'post@test.example', 'smtp', $4, case when $4 = 'failed' then 'Rejected' end
			from e returning id
		) select id from n`, p.order, p.rule, status)
}

// Work brings messages to a mailbox.
func (p *PostOffice) Work(t *testing.T) (mailbox string) {
	t.Helper()
	mailbox = filepath.Join(t.TempDir(), "mailbox")
	box, err := stack.NewMailbox(stack.MailboxOptions{Dir: mailbox})
	require.NoError(t, err)
	require.NoError(t, box.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, box.Stop()) })
	mail := providers.NewMail()
	t.Cleanup(mail.Close)
	w := worker.New(p.Temporal, string(workflows.NotificationsQueue), worker.Options{DisableRegistrationAliasing: true})
	workflows.Register(w)
	o := operations.New(p.store, time.Now, operations.Settings{
		Messaging: notifications.Messaging{Mail: mail, Secrets: providers.EnvironmentSecrets, MailServer: box.SMTPURL()},
	})
	w.RegisterActivity(activities.NewNotifications(o.Notifications))
	w.RegisterActivity(activities.NewResendings(o.Notifications, workflows.Resender{Temporal: p.Temporal}.Resend))
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
	return mailbox
}
