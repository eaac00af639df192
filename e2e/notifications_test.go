package e2e_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/encoding/protojson"

	"waybill/api/contract"
	"waybill/testing/stack"
)

// reachable is an order whose receiver has an address and a number.
func (o *organization) reachable(number, email, phone string) object {
	order := newOrder(number)
	delivery := order["delivery"].(object)
	delivery["contacts"] = []object{{"firstName": "Olaug", "lastName": "Hemmelig", "phoneNumber": phone, "emailAddress": email}}
	return order
}

// messages are those of an order, newest first.
func (o *organization) messages(t testing.TB, order int64) []contract.NotificationRecord {
	t.Helper()
	a := o.expect(t, http.StatusOK, http.MethodPost, "/v1/order-notifications-log", object{"orderId": order, "page": 1, "perPage": 100})
	return read[contract.OrderNotificationsPage](t, a).Records
}

func statusOf(r contract.NotificationRecord) string {
	if r.Email != nil {
		return string(r.Email.Status)
	}
	return string(r.Sms.Status)
}

func eventOf(r contract.NotificationRecord) string {
	if r.Email != nil {
		return string(r.Email.EmailType)
	}
	return string(r.Sms.Event)
}

func retryOf(r contract.NotificationRecord) int64 {
	of := int64(0)
	if r.Email != nil && r.Email.RetryOf != nil {
		of = *r.Email.RetryOf
	}
	return of
}

// awaitMessage waits for a message of an order with a status; any when empty.
func (o *organization) awaitMessage(t *testing.T, order int64, kind contract.NotificationType, event, status string) contract.NotificationRecord {
	t.Helper()
	return o.awaitTry(t, order, kind, event, status, 0)
}

// awaitTry waits for the message that retries another one.
func (o *organization) awaitTry(t *testing.T, order int64, kind contract.NotificationType, event, status string, of int64) (found contract.NotificationRecord) {
	t.Helper()
	eventually(t, fmt.Sprintf("%s %s is %s", kind, event, status), func() bool {
		messages := o.messages(t, order)
		at := slices.IndexFunc(messages, func(r contract.NotificationRecord) bool {
			return r.Type == kind && eventOf(r) == event && retryOf(r) == of && (status == "" || statusOf(r) == status)
		})
		if at >= 0 {
			found = messages[at]
		}
		return at >= 0
	})
	return found
}

func (o *organization) workflowOf(t *testing.T, id int64) string {
	t.Helper()
	return one[string](t, o.installation, "select workflow_id from notifications where org_id = $1 and id = $2", o.id, id)
}

func TestAMessageReachesItsReceiver(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	order := orderID(t, o.importOrders(t, orders(o.reachable("N-1", "olaug@example.com", "400 00 007")))[0])

	email := o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "sent")
	require.Equal(t, "olaug@example.com", email.Receiver)
	require.Equal(t, "Ordre N-1 er registrert", email.Email.Subject)
	require.Contains(t, email.Email.Body, "Hei Olaug")
	require.Equal(t, "post@nordfrakt.example", email.Email.FromAddress)
	mails := o.mailsTo(t, "olaug@example.com")
	require.Len(t, mails, 1)
	require.Equal(t, "Ordre N-1 er registrert", mails[0].Subject)

	// Repeating the order changes nothing, so no message is sent.
	o.importOrders(t, orders(o.reachable("N-1", "olaug@example.com", "400 00 007")))
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{"N-1"}})
	sms := o.awaitMessage(t, order, contract.NotificationTypeSMS, "ORDER_CANCELLED", "delivered")
	require.Equal(t, "+4740000007", sms.Sms.ToNumber)
	require.NotNil(t, sms.Sms.SentAt)
	require.NotNil(t, sms.Sms.DequeuedAt)
	o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CANCELLED", "sent")
	require.Len(t, o.messages(t, order), 3)

	o.requireNothingTwice(t)
}

// requireNothingTwice delivers all the organization's events to the follower of
// messages again. That starts no workflow again, except for an event that it
// skipped the first time, which proves that the others were delivered, too.
func (o *organization) requireNothingTwice(t *testing.T) {
	t.Helper()
	c := o.temporalClient(t)
	before := list(t, o.installation, "select workflow_id from notifications where org_id = $1 order by id", o.id)
	runs := func() (runs []string) {
		for _, workflow := range before {
			d, err := c.DescribeWorkflowExecution(t.Context(), workflow, "")
			require.NoError(t, err)
			runs = append(runs, d.WorkflowExecutionInfo.Execution.RunId)
		}
		return runs
	}
	first := runs()
	marker := one[int64](t, o.installation, `update events set kind = 'order.cancelled' where org_id = $1 and id = (
		select max(id) from events where org_id = $1 and kind like 'notification.%' and position is not null) returning id`, o.id)
	const own = `with own as (select min(position) - 1 as start, max(position) as last from events where org_id = $1) `
	eventually(t, "the events are handed over again", func() bool {
		_, err := o.admin.Exec(t.Context(), own+`, back as (
				update event_cursors set position = start from own
				where follower = 'notifications' and shard = event_shard($1) and position >= last returning shard)
			update relay_shards s set holder = null from back where s.shard = back.shard`, o.id)
		require.NoError(t, err)
		return one[int](t, o.installation, "select count(*) from notifications where org_id = $1 and event_id = $2", o.id, marker) == 2
	})
	eventually(t, "the follower is at the end again", func() bool {
		return one[bool](t, o.installation, own+`select position >= last from event_cursors, own
			where follower = 'notifications' and shard = event_shard($1)`, o.id)
	})
	require.Equal(t, first, runs())
	require.Equal(t, len(before)+2, one[int](t, o.installation, "select count(*) from notifications where org_id = $1", o.id))
}

// TestProgressOnTheRoadSendsMessages writes the events of the road, and finds the
// messages that they make.
func TestProgressOnTheRoadSendsMessages(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	_, err := o.admin.Exec(t.Context(), `insert into notification_rules (org_id, event, channel, receiver)
		select $1, unnest('{STOP_APPROACHING,STOP_ARRIVED,ORDER_DELIVERED,ORDER_FAILED}'::text[]), 'EMAIL', 'DELIVERY_CONTACTS'
		on conflict do nothing`, o.id)
	require.NoError(t, err)
	address, subjects := "olaug-road@example.com", map[string]bool{}
	order := orderID(t, o.importOrders(t, orders(o.reachable("N-R1", address, "")))[0])
	for event, kind := range map[string]string{
		"STOP_APPROACHING": "stop.approaching", "STOP_ARRIVED": "stop.arrived", "ORDER_DELIVERED": "order.delivered", "ORDER_FAILED": "order.failed",
	} {
		o.happened(t, order, kind)
		message := o.awaitMessage(t, order, contract.NotificationTypeEMAIL, event, "sent")
		require.Contains(t, message.Email.Subject, "N-R1")
		subjects[message.Email.Subject] = true
	}
	require.Len(t, subjects, 4, "each event has a text of its own")
	eventually(t, "all is in the mailbox, with what the import told", func() bool { return len(o.mailsTo(t, address)) == 5 })
	// Nobody at the other stop gets a message.
	require.Empty(t, o.due(t, order, "stop.arrived", "pickup"))
	require.NotEmpty(t, o.dueSince(t, order, "stop.arrived", "delivery", 14*time.Minute))
	require.Empty(t, o.dueSince(t, order, "stop.arrived", "delivery", 16*time.Minute), "that he arrived a while ago is no news")
	require.NotEmpty(t, o.dueSince(t, order, "order.delivered", "delivery", 16*time.Minute))

	// A contact without advance messages gets all others.
	quiet := o.reachable("N-R2", "olaug-quiet@example.com", "")
	quiet["delivery"].(object)["sendNotificationBeforeArriving"] = false
	still := orderID(t, o.importOrders(t, orders(quiet))[0])
	o.awaitMessage(t, still, contract.NotificationTypeEMAIL, "ORDER_CREATED", "sent")
	require.Empty(t, o.due(t, still, "stop.approaching", "delivery"))
	require.NotEmpty(t, o.due(t, order, "stop.approaching", "delivery"))
	o.happened(t, still, "stop.approaching")
	o.happened(t, still, "stop.arrived")
	o.awaitMessage(t, still, contract.NotificationTypeEMAIL, "STOP_ARRIVED", "sent")
	require.Len(t, o.messages(t, still), 2)
}

// happened writes an event of the road into the log.
func (o *organization) happened(t *testing.T, order int64, kind string) {
	t.Helper()
	_, err := o.admin.Exec(t.Context(), `insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id, stop)
		values ($1, $2, 'order', $3, 'system', 'test', $3, case when starts_with($2, 'stop.') then 'delivery' end)`, o.id, kind, order)
	require.NoError(t, err)
}

// due are the messages that an event would make, whose transaction is then
// undone.
func (o *organization) due(t *testing.T, order int64, kind, stop string) []string {
	t.Helper()
	return o.dueSince(t, order, kind, stop, 0)
}

// dueSince are the messages that an event would make that happened so long ago.
func (o *organization) dueSince(t *testing.T, order int64, kind, stop string, ago time.Duration) []string {
	t.Helper()
	tx, err := o.admin.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	var id int64
	var at time.Time
	err = tx.QueryRow(t.Context(), `insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id, stop, occurred_at)
		values ($1, $2, 'order', $3, 'system', 'test', $3, $4, now() - make_interval(secs => $5)) returning id, recorded_at`,
		o.id, kind, order, stop, ago.Seconds()).Scan(&id, &at)
	require.NoError(t, err)
	var names []string
	event := strings.ToUpper(strings.ReplaceAll(kind, ".", "_"))
	err = tx.QueryRow(t.Context(), `select coalesce(array_agg(event), '{}') from due_notifications(array[$1::bigint], array[$2::bigint], array[$4::timestamptz], array[$3::text])`,
		o.id, id, event, at).Scan(&names)
	require.NoError(t, err)
	return names
}

// mailsTo are the messages for one address, which is the test's own.
func (o *organization) mailsTo(t *testing.T, address string) []stack.Message {
	t.Helper()
	var found []stack.Message
	for _, m := range read[struct{ Messages []stack.Message }](t, fetch(t, o.mailbox.PageURL()+"/messages")).Messages {
		if slices.Contains(m.Receivers, address) {
			found = append(found, m)
		}
	}
	return found
}

func fetch(t *testing.T, address string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Accept", "application/json")
	response, err := httpClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, body}
}

// TestFailedMessageIsSentAgain fails a message, and retries it in all three
// ways: each creates a new message that refers to the one before.
func TestFailedMessageIsSentAgain(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	c := o.temporalClient(t)
	slug := one[string](t, shared, "select slug from organizations where id = $1", o.id)
	order := orderID(t, o.importOrders(t, orders(o.reachable("N-2", "olaug@reject.example", "")))[0])
	first := o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "failed")
	require.Equal(t, contract.NotificationFailureRejectedReceiver, *first.Email.FailureReason)
	workflow := o.workflowOf(t, first.ID)
	o.awaitEnd(t, c, workflow, enums.WORKFLOW_EXECUTION_STATUS_FAILED)
	eventually(t, "it is found by its state", func() bool {
		found, err := c.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{
			Namespace: o.temporal.Namespace(),
			Query: fmt.Sprintf(`WaybillState = "failed" AND WaybillReason = "RejectedReceiver" AND WaybillChannel = "EMAIL" AND WaybillExternalId = "N-2"`+
				` AND WaybillOrderId = %d`, order),
		})
		return err == nil && len(found.Executions) == 1
	})

	// A key may not, and a dry run does nothing.
	o.expect(t, http.StatusForbidden, http.MethodPost, fmt.Sprintf("/v1/notifications/%d/retry", first.ID), nil)
	out, err := o.command(t.Context(), "notifications", "retry", "--org", slug, "--failed", "--since", "1h", "--dry-run")
	require.NoError(t, err)
	require.Contains(t, out, "RejectedReceiver: 1, skipped")
	require.Contains(t, out, "0 messages would be resent")
	out, err = o.command(t.Context(), "notifications", "retry", "--org", slug, "--failed", "--since", "1h", "--dry-run",
		"--reason", "RejectedReceiver")
	require.NoError(t, err)
	require.Contains(t, out, "Dry run: 1 message would be resent.")
	require.Len(t, o.messages(t, order), 1)

	// By a reset to the beginning, and by one to the last workflow task.
	o.reset(t, c, workflow, true)
	second := o.awaitTry(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "failed", first.ID)
	o.awaitEnd(t, c, workflow, enums.WORKFLOW_EXECUTION_STATUS_FAILED)
	o.reset(t, c, workflow, false)
	third := o.awaitTry(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "failed", second.ID)
	o.awaitEnd(t, c, workflow, enums.WORKFLOW_EXECUTION_STATUS_FAILED)

	// By the command, for one and for all; retried messages are skipped.
	_, err = o.command(t.Context(), "notifications", "retry", "--org", slug, "--id", fmt.Sprint(second.ID))
	require.ErrorContains(t, err, "already resent")
	_, err = o.command(t.Context(), "notifications", "retry", "--org", slug, "--id", fmt.Sprint(third.ID))
	require.NoError(t, err)
	fourth := o.awaitTry(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "failed", third.ID)
	require.Equal(t, contract.NotificationFailureSuppressed, *fourth.Email.FailureReason, "a dead mailbox is asked once")
	o.mend(t, "olaug-mended@example.com")
	_, err = o.command(t.Context(), "notifications", "retry", "--org", slug, "--failed", "--since", "1h",
		"--event", "ORDER_CREATED", "--dead-addresses")
	require.NoError(t, err)
	fifth := o.awaitTry(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "sent", fourth.ID)
	require.Equal(t, "olaug-mended@example.com", fifth.Receiver)
	require.Len(t, o.messages(t, order), 5)
	require.Equal(t, "failed", statusOf(o.messages(t, order)[4]), "what failed stays as it was")

	steps := read[contract.NotificationTimeline](t, o.get(t, fmt.Sprintf("/v1/notifications-log/emails/%d/timeline", first.ID))).Steps
	require.Equal(t, "queued attempt fault failed", kindsOf(steps))
	require.Contains(t, steps[2].Answer, "unknown here")
	require.Equal(t, contract.NotificationFailureRejectedReceiver, *steps[2].Code)
	require.Equal(t, "550 5.1.1", steps[2].ProviderCode)
	require.Nil(t, steps[1].Code)
	o.requireDiscreet(t, c, workflow, o.workflowOf(t, fourth.ID), o.workflowOf(t, fifth.ID))
}

// TestAMessageCarriesATrackingLink has a rule with the link in its text, and
// one without.
func TestAMessageCarriesATrackingLink(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.apply(t, `notifications:
  - {event: ORDER_CREATED, channel: SMS, to: DELIVERY_CONTACTS, message: "Follow it: {{ tracking.link }}"}
  - {event: ORDER_CREATED, channel: EMAIL, to: DELIVERY_CONTACTS, subject: It is here, body: It is here.}
`)
	order := orderID(t, o.importOrders(t, orders(o.reachable("LINK-1", "olaug-link@example.com", "+4790012345")))[0])
	text := o.awaitMessage(t, order, contract.NotificationTypeSMS, "ORDER_CREATED", "").Sms
	code := text.TrackTraceCode
	require.NotEmpty(t, code)
	link, found := strings.CutPrefix(text.Message, "Follow it: ")
	require.True(t, found, text.Message)
	require.True(t, strings.HasSuffix(link, "/t/"+code), link)
	page := o.anonymous(t, http.MethodGet, "/t/"+code, nil, "Accept", "application/json")
	require.Equal(t, http.StatusOK, page.status)
	require.Equal(t, contract.TrackedStopStopDelivery, read[contract.TrackedStop](t, page).Stop)

	o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "")
	const reserved = "select count(*)::int from tracking_links where org_id = $1"
	require.Equal(t, 1, one[int](t, o.installation, reserved, o.id), "who asks for no link makes none")
}

// TestInvalidTextTemplateFailsOnce has a rule that fails only with a real
// order, so that applying it succeeded.
func TestInvalidTextTemplateFailsOnce(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.apply(t, `notifications:
  - {event: ORDER_CREATED, channel: EMAIL, to: DELIVERY_CONTACTS, body: "{% if order.id != 0 %}{{ 1 | divided_by: 0 }}{% endif %}"}
`)
	order := orderID(t, o.importOrders(t, orders(o.reachable("N-3", "olaug@example.com", "")))[0])
	failed := o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "failed")
	require.Equal(t, contract.NotificationFailureInvalidTemplate, *failed.Email.FailureReason)
	o.awaitEnd(t, o.temporalClient(t), o.workflowOf(t, failed.ID), enums.WORKFLOW_EXECUTION_STATUS_FAILED)
	timeline := fmt.Sprintf("/v1/notifications-log/emails/%d/timeline", failed.ID)
	require.Equal(t, "queued failed", kindsOf(read[contract.NotificationTimeline](t, o.get(t, timeline)).Steps))
	require.Len(t, o.messages(t, order), 1)
}

func kindsOf(steps []contract.NotificationStep) string {
	var kinds []string
	for _, s := range steps {
		kinds = append(kinds, string(s.Kind))
	}
	return strings.Join(kinds, " ")
}

// mend gives the receiver another address, as an import would.
func (o *organization) mend(t *testing.T, address string) {
	t.Helper()
	require.NotNil(t, o.importOrders(t, orders(o.reachable("N-2", address, "")))[0].OrderUpdated)
}

func (o *organization) awaitEnd(t *testing.T, c client.Client, workflow string, want enums.WorkflowExecutionStatus) {
	t.Helper()
	eventually(t, workflow+" ends", func() bool {
		d, err := c.DescribeWorkflowExecution(t.Context(), workflow, "")
		return err == nil && d.WorkflowExecutionInfo.Status == want
	})
}

// reset sends a workflow back to its first or last workflow task, as the UI
// does.
func (o *organization) reset(t *testing.T, c client.Client, workflow string, first bool) {
	t.Helper()
	var at int64
	var run string
	events := c.GetWorkflowHistory(t.Context(), workflow, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		e, err := events.Next()
		require.NoError(t, err)
		if e.EventType == enums.EVENT_TYPE_WORKFLOW_TASK_COMPLETED && (at == 0 || !first) {
			at = e.EventId
		}
	}
	d, err := c.DescribeWorkflowExecution(t.Context(), workflow, "")
	require.NoError(t, err)
	run = d.WorkflowExecutionInfo.Execution.RunId
	_, err = c.ResetWorkflowExecution(t.Context(), &workflowservice.ResetWorkflowExecutionRequest{
		Namespace: o.temporal.Namespace(), WorkflowExecution: &common.WorkflowExecution{WorkflowId: workflow, RunId: run},
		WorkflowTaskFinishEventId: at, Reason: "try again", RequestId: fmt.Sprint(workflow, run, at),
	})
	require.NoError(t, err)
}

// requireDiscreet searches the histories of workflows for personal data. It
// finds the organization's number, and the key of the message, which proves
// that it would find the rest.
func (o *organization) requireDiscreet(t *testing.T, c client.Client, workflows ...string) {
	t.Helper()
	for _, workflow := range workflows {
		var all strings.Builder
		events := c.GetWorkflowHistory(t.Context(), workflow, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for events.HasNext() {
			e, err := events.Next()
			require.NoError(t, err)
			text := strings.ToLower(decoded(t, e))
			all.WriteString(text)
			for _, secret := range []string{"olaug", "hemmelig", "@example", "@reject", "@nordfrakt", "40000007", "thorvald", "ordre n-", "unknown here", "registrert", "secret"} {
				require.NotContains(t, text, secret, workflow)
			}
		}
		require.Contains(t, all.String(), fmt.Sprintf(`{"orgid":%d,"key":"`, o.id), workflow)
	}
}

// decoded is an event of a history with all its payloads in the clear.
func decoded(t *testing.T, e *history.HistoryEvent) string {
	t.Helper()
	out, err := protojson.Marshal(e)
	require.NoError(t, err)
	return base64Text.ReplaceAllStringFunc(string(out), func(word string) string {
		plain, err := base64.StdEncoding.DecodeString(strings.Trim(strings.TrimLeft(strings.TrimPrefix(word, `"data":`), " "), `"`))
		if err != nil {
			return word
		}
		return string(plain)
	})
}

var base64Text = regexp.MustCompile(`"data": ?"[A-Za-z0-9+/]*=*"`)
