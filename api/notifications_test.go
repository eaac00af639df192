package api_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"

	"waybill/activities"
	"waybill/api"
	"waybill/api/apitest"
	"waybill/cmd/devstack/stack"
	"waybill/providers"
	"waybill/store"
	"waybill/store/storetest"
	"waybill/workflows"
)

// postOffice is a server with a database and a Temporal server of its own, and
// an organization with an order of which an email is to tell.
type postOffice struct {
	*bundle
	owner    *pgxpool.Pool
	store    *store.Store
	temporal client.Client
	org      int64
	order    int64
	rule     int64
}

func newPostOffice(t *testing.T, edit ...func(*api.Config, *api.Dependencies)) *postOffice {
	t.Helper()
	db := storetest.New(t)
	p := &postOffice{store: store.New(db.Pool), temporal: ownTemporal(t), org: storetest.Organization(t, db, "post")}
	p.bundle = setup(t, append(edit, func(_ *api.Config, d *api.Dependencies) { d.Store, d.Temporal = p.store, p.temporal })...)
	var err error
	p.owner, err = pgxpool.New(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(p.owner.Close)
	p.order = p.insert(`insert into orders (org_id, number, serial, date, customer_id, order_type_id, vehicle_type_id)
		select c.org_id, 'P-1', 1, date '2026-03-02', min(c.id), min(t.id), min(v.id)
		from customers c join order_types t using (org_id) join vehicle_types v using (org_id) where c.org_id = $1 group by c.org_id returning id`)
	p.rule = p.insert(`insert into notification_rules (org_id, event, channel, receiver, address)
		values ($1, 'ORDER_CREATED', 'EMAIL', 'ADDRESS', 'kari@example.com') returning id`)
	p.insert("insert into messaging_settings (org_id, email_from) values ($1, 'post@test.example') returning 1")
	return p
}

// ownTemporal starts a server, for the ids of workflows begin with those of
// organizations, which every database counts from 1.
func ownTemporal(t *testing.T) client.Client {
	t.Helper()
	server, err := stack.NewTemporal(stack.TemporalOptions{NoSync: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	require.NoError(t, server.Start(t.Context()))
	c, err := client.Dial(client.Options{
		HostPort: server.Address(), Namespace: server.Namespace(), Logger: sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	_, err = c.OperatorService().AddSearchAttributes(t.Context(), &operatorservice.AddSearchAttributesRequest{
		Namespace: server.Namespace(), SearchAttributes: map[string]enums.IndexedValueType{
			"WaybillOrg": enums.INDEXED_VALUE_TYPE_INT, "WaybillOrderId": enums.INDEXED_VALUE_TYPE_INT,
			"WaybillState": enums.INDEXED_VALUE_TYPE_KEYWORD, "WaybillChannel": enums.INDEXED_VALUE_TYPE_KEYWORD,
		},
	})
	require.NoError(t, err)
	return c
}

// insert runs a statement for the organization, and gives what it returns.
func (p *postOffice) insert(sql string, args ...any) (id int64) {
	p.t.Helper()
	require.NoError(p.t, p.owner.QueryRow(p.t.Context(), sql, append([]any{p.org}, args...)...).Scan(&id))
	return id
}

// text reads one text, such as a list that the query makes.
func (p *postOffice) text(sql string, args ...any) (text string) {
	p.t.Helper()
	require.NoError(p.t, p.owner.QueryRow(p.t.Context(), sql, append([]any{p.org}, args...)...).Scan(&text))
	return text
}

// message puts a message into the log, with the event that it tells of.
func (p *postOffice) message(status string) (id int64) {
	return p.insert(`with e as (
			insert into events (org_id, kind, order_id) values ($1, 'order.created', $2) returning id
		), n as (
			insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, rule_id, order_id, receiver, sender, provider, status, failure)
			select $1, 'EMAIL', e.id || '-' || $3::bigint || '-0', 'notification/' || $1::bigint || '/' || e.id || '-' || $3::bigint || '-0', 'run', 'ORDER_CREATED', e.id,
				$3, $2, 'Receiver' || e.id || '@example.com', 'post@test.example', 'smtp', $4, case when $4 = 'failed' then 'Rejected' end from e returning id
		) select id from n`, p.order, p.rule, status)
}

// work brings messages to a mailbox.
func (p *postOffice) work(t *testing.T) (mailbox string) {
	t.Helper()
	mailbox = filepath.Join(t.TempDir(), "mailbox")
	box, err := stack.NewMailbox(stack.MailboxOptions{Dir: mailbox})
	require.NoError(t, err)
	require.NoError(t, box.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, box.Stop()) })
	mail := providers.NewMail()
	t.Cleanup(mail.Close)
	w := worker.New(p.temporal, string(workflows.NotificationsQueue), worker.Options{DisableRegistrationAliasing: true})
	workflows.Register(w)
	w.RegisterActivity(activities.NewNotifications(p.store, mail, nil, providers.EnvironmentSecrets, activities.NotificationSettings{MailServer: box.SMTPURL()}))
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
	return mailbox
}

// TestAPersonRetriesAMessage goes all the way: from the request to the
// receiver's mailbox.
func TestAPersonRetriesAMessage(t *testing.T) {
	t.Parallel()
	p := newPostOffice(t)
	failed, sent := p.message("failed"), p.message("sent")
	person := func(org int64) http.Handler {
		return apitest.Checked(t, p.server.ForPerson(api.Principal{OrgID: org, Zone: time.UTC, Language: "en"}))
	}
	path := func(id int64) string { return fmt.Sprintf("/v1/notifications/%d/retry", id) }

	require.Equal(t, http.StatusForbidden, p.send(http.MethodPost, path(failed), "", "Authorization", "apikey "+p.key).Code, "a key may not")
	require.Equal(t, http.StatusNotFound, serve(person(p.org), http.MethodPost, path(999_999), "").Code)
	require.Equal(t, http.StatusNotFound, serve(person(p.org+1), http.MethodPost, path(failed), "").Code, "another organization's")
	require.Equal(t, http.StatusConflict, serve(person(p.org), http.MethodPost, path(sent), "").Code, "it did not fail")

	// However many ask at once, there is one retry.
	var codes [8]int
	var asking sync.WaitGroup
	for n := range codes {
		asking.Go(func() {
			answer := serve(person(p.org), http.MethodPost, path(failed), "")
			codes[n] = answer.Code
			var retry api.NotificationRetry
			if json.Unmarshal(answer.Body.Bytes(), &retry) != nil || retry.RetryOf != failed {
				t.Errorf("the answer is %s", answer.Body)
			}
		})
	}
	asking.Wait()
	require.Equal(t, []int{http.StatusAccepted}, slices.Compact(codes[:]))
	require.Empty(t, p.text("select coalesce(string_agg(status, ' '), '') from notifications where org_id = $1 and retry_of is not null"), "nobody works yet")
	workflow := p.text("select workflow_id || '-r1' from notifications where org_id = $1 and id = $2", failed)
	run, err := p.temporal.DescribeWorkflowExecution(t.Context(), workflow, "")
	require.NoError(t, err)
	require.Equal(t, enums.WORKFLOW_EXECUTION_STATUS_RUNNING, run.WorkflowExecutionInfo.Status)

	mailbox := p.work(t)
	require.NoError(t, p.temporal.GetWorkflow(t.Context(), workflow, "").Get(t.Context(), nil))
	require.Equal(t, "kari@example.com sent 1 "+workflow,
		p.text("select string_agg(concat_ws(' ', receiver, status, try, workflow_id), ', ') from notifications where org_id = $1 and retry_of = $2", failed))
	require.Equal(t, "failed", p.text("select status from notifications where org_id = $1 and id = $2", failed), "what failed stays as it was")
	mails, err := filepath.Glob(filepath.Join(mailbox, "*.eml"))
	require.NoError(t, err)
	require.Len(t, mails, 1)

	require.Equal(t, http.StatusConflict, serve(person(p.org), http.MethodPost, path(failed), "").Code, "it was retried")
	require.Equal(t, "3", p.text("select count(*)::text from notifications where org_id = $1"))
}
