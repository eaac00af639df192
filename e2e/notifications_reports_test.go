package e2e_test

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"waybill/api/contract"
	"waybill/testing/stack"
)

// TestReports lets providers speak.
func TestReports(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	slug := one[string](t, shared, "select slug from organizations where id = $1", o.id)
	order := orderID(t, o.importOrders(t, orders(o.reachable("N-3", "olaug-bounces@example.com", "")))[0])
	email := o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "sent")
	hook := "/webhooks/email/postmark/" + slug
	reference := fmt.Sprintf("waybill.%d.%d", o.id, email.ID)
	bounce := object{"RecordType": "Bounce", "Type": "HardBounce", "MessageID": "m-1", "Description": "No such user", "Metadata": object{"waybill": reference}}

	for _, login := range []string{"", "Basic " + basic("postmark:wrong")} {
		require.Equal(t, http.StatusForbidden, o.anonymous(t, http.MethodPost, hook, bounce, "Authorization", login).status)
	}
	require.Equal(t, http.StatusForbidden, o.anonymous(t, http.MethodPost, "/webhooks/email/postmark/nobody", bounce, "Authorization", "Basic "+basic("postmark:secret")).status)
	post := func(report object) contract.WebhookAnswer {
		a := o.anonymous(t, http.MethodPost, hook, report, "Authorization", "Basic "+basic("postmark:secret"))
		require.Equal(t, http.StatusOK, a.status, "%s", a.body)
		return read[contract.WebhookAnswer](t, a)
	}
	require.Equal(t, contract.WebhookAnswer{Reports: 1}, post(object{"RecordType": "Bounce", "Type": "SoftBounce", "MessageID": "m-1", "Metadata": object{"waybill": reference}}))
	require.Equal(t, "sent", statusOf(o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "")))
	require.Equal(t, contract.WebhookAnswer{Reports: 1}, post(bounce))
	o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "bounced")
	require.Equal(t, contract.WebhookAnswer{Reports: 1}, post(bounce), "again")
	post(object{"RecordType": "Delivery", "MessageID": "m-1", "Metadata": object{"waybill": reference}}) // too late
	require.Equal(t, contract.WebhookAnswer{Reports: 1, Unknown: 1}, post(object{"RecordType": "Delivery", "Metadata": object{"waybill": "waybill.1.999999999"}}))
	require.Equal(t, "bounced", statusOf(o.messages(t, order)[0]))
	steps := read[contract.NotificationTimeline](t, o.get(t, fmt.Sprintf("/v1/notifications-log/emails/%d/timeline", email.ID))).Steps
	require.Equal(t, "queued attempt sent report report bounced report", kindsOf(steps))
	c := o.temporalClient(t)
	o.awaitEnd(t, c, o.workflowOf(t, email.ID), enums.WORKFLOW_EXECUTION_STATUS_FAILED)

	// The address is closed until a person opens it.
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{"N-3"}})
	closed := o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CANCELLED", "failed")
	require.Equal(t, contract.NotificationFailureSuppressed, *closed.Email.FailureReason)
	out, err := o.command(t.Context(), "notifications", "suppressions", "list", "--org", slug)
	require.NoError(t, err)
	require.Contains(t, out, "olaug-bounces@example.com")
	_, err = o.command(t.Context(), "notifications", "suppressions", "remove", "--org", slug, "Olaug-Bounces@example.com")
	require.NoError(t, err)
	_, err = o.command(t.Context(), "notifications", "retry", "--org", slug, "--id", fmt.Sprint(closed.ID))
	require.NoError(t, err)
	o.awaitTry(t, order, contract.NotificationTypeEMAIL, "ORDER_CANCELLED", "sent", closed.ID)
	require.Len(t, o.mailsTo(t, "olaug-bounces@example.com"), 2)
}

// TestDeliveredMessageIsNotSentAgain fails a message that a provider then reports as
// delivered.
func TestDeliveredMessageIsNotSentAgain(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	slug := one[string](t, shared, "select slug from organizations where id = $1", o.id)
	order := orderID(t, o.importOrders(t, orders(o.reachable("N-4", "olaug@reject.example", "")))[0])
	failed := o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "failed")
	report := object{
		"RecordType": "Delivery", "MessageID": "m-1", "Metadata": object{"waybill": fmt.Sprintf("waybill.%d.%d", o.id, failed.ID)},
	}
	a := o.anonymous(t, http.MethodPost, "/webhooks/email/postmark/"+slug, report, "Authorization", "Basic "+basic("postmark:secret"))
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	out, err := o.command(t.Context(), "notifications", "retry", "--org", slug, "--failed", "--since", "1h", "--dead-addresses")
	require.NoError(t, err)
	require.Contains(t, out, "1 message: 0 resent, 1 could not be resent.")
	_, err = o.command(t.Context(), "notifications", "retry", "--org", slug, "--id", fmt.Sprint(failed.ID))
	require.ErrorContains(t, err, "cannot resend message ")
	require.Len(t, o.messages(t, order), 1)
}

func TestTwilioReports(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	slug := one[string](t, shared, "select slug from organizations where id = $1", o.id)
	form := url.Values{"MessageSid": {"SM-unheard-of"}, "MessageStatus": {"delivered"}}
	path := "/webhooks/sms/twilio/" + slug
	post := func(signature string) answer {
		return o.anonymous(t, http.MethodPost, path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "X-Twilio-Signature", signature)
	}
	require.Equal(t, http.StatusForbidden, post("").status)
	require.Equal(t, http.StatusForbidden, post(stack.SignSMS("another token", "http://"+o.address+path, form)).status)
	require.Equal(t, http.StatusForbidden, post(stack.SignSMS(stack.SMSToken, "http://"+o.address+path+"x", form)).status)
	known := post(stack.SignSMS(stack.SMSToken, "http://"+o.address+path, form))
	require.Equal(t, http.StatusOK, known.status)
	require.Equal(t, contract.WebhookAnswer{Reports: 1, Unknown: 1}, read[contract.WebhookAnswer](t, known))
}

func TestTheLogIsSearched(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	ids := map[string]int64{}
	for n, address := range []string{"anna_b@example.com", "Annab@example.com", "bo%b@example.com"} {
		number := fmt.Sprint("S-", n)
		ids[number] = orderID(t, o.importOrders(t, orders(o.reachable(number, address, "")))[0])
		o.awaitMessage(t, ids[number], contract.NotificationTypeEMAIL, "ORDER_CREATED", "sent")
	}
	search := func(body object) contract.EmailLogPage {
		for name, value := range map[string]any{"page": 1, "perPage": 10} {
			if _, given := body[name]; !given {
				body[name] = value
			}
		}
		return read[contract.EmailLogPage](t, o.expect(t, http.StatusOK, http.MethodPost, "/v1/notifications-log/emails", body))
	}
	addresses := func(p contract.EmailLogPage) string {
		var all []string
		for _, e := range p.EmailLogs {
			all = append(all, e.ToAddress)
		}
		return strings.Join(all, " ")
	}
	require.Equal(t, "bo%b@example.com Annab@example.com anna_b@example.com", addresses(search(object{})))
	require.Equal(t, "anna_b@example.com Annab@example.com bo%b@example.com", addresses(search(object{"isAsc": true})))
	require.Equal(t, "Annab@example.com anna_b@example.com", addresses(search(object{"receiverEmail": "ANNA"})))
	require.Equal(t, "anna_b@example.com", addresses(search(object{"receiverEmail": "a_b"})))
	require.Equal(t, "bo%b@example.com", addresses(search(object{"receiverEmail": "%"})))
	require.Equal(t, "Annab@example.com", addresses(search(object{"orderId": ids["S-1"]})))
	require.Empty(t, search(object{"orderId": ids["S-1"], "receiverEmail": "bo"}).EmailLogs)
	require.Empty(t, search(object{"orderId": 0}).EmailLogs)
	second := search(object{"page": 2, "perPage": 2})
	require.Equal(t, "anna_b@example.com", addresses(second))
	require.Equal(t, contract.EmailLogPage{EmailLogs: second.EmailLogs, TotalRecords: 3, NumPages: 2, PageNum: 2, PerPage: 2}, second)
	beyond := search(object{"page": 9, "receiverEmail": "anna"})
	require.Empty(t, beyond.EmailLogs)
	require.Equal(t, int64(2), beyond.TotalRecords)

	// A message of no order.
	_, err := o.admin.Exec(t.Context(), `insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, rule_id, receiver, sender, provider, status)
		select org_id, channel, 'x', 'x', 'x', event, event_id, rule_id, 'none@example.com', sender, provider, 'queued' from notifications where org_id = $1 limit 1`, o.id)
	require.NoError(t, err)
	require.Equal(t, "none@example.com", addresses(search(object{"orderId": 0})))
	require.Equal(t, int64(4), search(object{}).TotalRecords)

	for _, path := range []string{"/v1/order-notifications-log", "/v1/notifications-log/emails", "/v1/notifications-log/sms"} {
		for _, bad := range []object{{}, {"page": 0, "perPage": 1}, {"page": 1, "perPage": 1001}, {"page": 1}, {"page": "1", "perPage": 1}, {"page": 1e12, "perPage": 1}} {
			bad["orderId"] = ids["S-1"]
			o.expect(t, http.StatusBadRequest, http.MethodPost, path, bad)
		}
		o.expect(t, http.StatusBadRequest, http.MethodPost, path, object{"orderId": "x", "page": 1, "perPage": 1})
		o.expect(t, http.StatusBadRequest, http.MethodPost, path, object{"orderId": 1, "page": 1, "perPage": 1, "receiver": "a\x00", "receiverEmail": "a\x00", "toNumber": "a\x00"})
	}
	missing := o.expect(t, http.StatusBadRequest, http.MethodPost, "/v1/order-notifications-log", object{"page": 1, "perPage": 1})
	require.Contains(t, string(missing.body), "order identifier is required")
}

func basic(login string) string { return base64.StdEncoding.EncodeToString([]byte(login)) }

// TestFailedMessagesOfADayAreFound finds the messages of a day's orders that failed, until
// they were sent again.
func TestFailedMessagesOfADayAreFound(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	var failed int64
	for number, address := range map[string]string{"F-1": "olaug@reject.example", "F-2": "kari@example.com"} {
		id := orderID(t, o.importOrders(t, orders(o.reachable(number, address, "")))[0])
		want := map[string]string{"F-1": "failed", "F-2": "sent"}[number]
		message := o.awaitMessage(t, id, contract.NotificationTypeEMAIL, "ORDER_CREATED", want)
		if want == "failed" {
			failed = message.ID
		}
	}
	day := orderDay(t, o, "F-1")
	search := func(body object) (found []string) {
		body["page"], body["perPage"] = 1, 10
		page := read[contract.EmailLogPage](t, o.expect(t, http.StatusOK, http.MethodPost, "/v1/notifications-log/emails", body))
		for _, e := range page.EmailLogs {
			found = append(found, e.ToAddress)
		}
		require.Len(t, found, int(page.TotalRecords))
		return found
	}
	lost := []string{"failed", "bounced", "spam"}
	for _, body := range []object{{"statuses": lost}, {"orderDate": day, "statuses": lost}} {
		require.Equal(t, []string{"olaug@reject.example"}, search(body), "%v", body)
	}
	require.Equal(t, []string{"kari@example.com"}, search(object{"orderDate": day, "statuses": []string{"sent"}}))
	require.Len(t, search(object{"orderDate": day}), 2)
	require.Len(t, search(object{"orderDate": day, "statuses": []string{}}), 2)
	require.Empty(t, search(object{"orderDate": "2020-01-01", "statuses": lost}))
	require.Empty(t, search(object{"orderDate": day, "statuses": lost, "receiverEmail": "kari"}))
	require.Empty(t, search(object{"orderDate": day, "statuses": lost, "orderId": 0}))
	require.Empty(t, shared.organization(t).emailsOf(t, object{"statuses": lost}), "of another organization")

	unsent := object{"orderDate": day, "statuses": lost, "isRetried": false}
	require.Len(t, search(unsent), 1)
	_, err := o.admin.Exec(t.Context(), `insert into notifications (org_id, channel, key, try, retry_of, workflow_id, run_id, event,
		event_id, rule_id, order_id, receiver, sender, provider, status)
		select org_id, channel, key, 1, id, workflow_id, 'again', event, event_id, rule_id, order_id, receiver, sender, provider, 'queued'
		from notifications where org_id = $1 and id = $2`, o.id, failed)
	require.NoError(t, err)
	require.Empty(t, search(unsent), "it was sent again")
	require.Len(t, search(object{"orderDate": day, "isRetried": true}), 1)
	require.Len(t, search(object{"isRetried": true}), 1)
	require.Len(t, search(object{"orderDate": day, "statuses": lost}), 1, "the log keeps what failed")

	for _, bad := range []object{
		{"statuses": []string{"lost"}},
		{"statuses": "failed"},
		{"orderDate": "24.11.2026"},
		{"orderDate": "2026-13-01"},
		{"isRetried": "no"},
		{"statuses": slices.Repeat([]string{"failed"}, 21)},
	} {
		bad["page"], bad["perPage"] = 1, 10
		got := o.call(t, http.MethodPost, "/v1/notifications-log/emails", bad)
		require.Equal(t, http.StatusBadRequest, got.status, "%v: %s", bad, got.body)
	}
	texts := o.expect(t, http.StatusBadRequest, http.MethodPost, "/v1/notifications-log/sms",
		object{"page": 1, "perPage": 10, "statuses": []string{"failed", "bounced"}})
	require.Contains(t, string(texts.body), "statuses[1]")
}

// orderDay is the day of an order.
func orderDay(t *testing.T, o *organization, number string) string {
	t.Helper()
	got := read[struct {
		Date string `json:"date"`
	}](t, o.get(t, "/v1/orders/internal/"+number))
	require.NotEmpty(t, got.Date)
	return got.Date[:len("2006-01-02")]
}

// emailsOf searches the emails of the log.
func (o *organization) emailsOf(t *testing.T, search object) []contract.EmailLog {
	t.Helper()
	body := object{"page": 1, "perPage": 10}
	maps.Copy(body, search)
	return read[contract.EmailLogPage](t, o.expect(t, http.StatusOK, http.MethodPost, "/v1/notifications-log/emails", body)).EmailLogs
}
