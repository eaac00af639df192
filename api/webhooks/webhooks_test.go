package webhooks_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
)

const list = "/v2/webhook-endpoints"

// office is a server, and an administrator of an organization that has webhooks.
type office struct {
	*apitest.Office

	admin string
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{Office: apitest.NewOffice(t)}
	o.admin = o.AsRole(o.Org, caller.Admin)
	return o
}

// call has the administrator do something, and reads the answer into out.
func (o *office) call(want int, method, path, body string, out any, headers ...string) http.Header {
	o.T.Helper()
	headers = append(headers, "Authorization", o.admin, "Content-Type", "application/json")
	w := o.Send(method, path, body, headers...)
	require.Equal(o.T, want, w.Code, w.Body)
	if out != nil {
		require.NoError(o.T, json.Unmarshal(w.Body.Bytes(), out))
	}
	return w.Header()
}

func (o *office) make(url string) (made contract.WebhookEndpointWithSecret, path string) {
	o.T.Helper()
	o.call(http.StatusCreated, http.MethodPost, list, fmt.Sprintf(`{"url": %q}`, url), &made)
	return made, fmt.Sprintf("%s/%d", list, made.ID)
}

func TestWebhookEndpointsAreKept(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	var made contract.WebhookEndpointWithSecret
	body := `{"url": "https://erp.example.com/hook", "types": ["order.failed", "order.delivered", "order.failed"]}`
	headers := o.call(http.StatusCreated, http.MethodPost, list, body, &made, "Idempotency-Key", "once")
	path := headers.Get("Location")
	require.Equal(t, fmt.Sprintf("%s/%d", list, made.ID), path)
	require.True(t, strings.HasPrefix(made.Secret, "whsec_"))
	require.Equal(t, []contract.OrderEventType{"order.delivered", "order.failed"}, made.Types)
	var again contract.WebhookEndpointWithSecret
	o.call(http.StatusCreated, http.MethodPost, list, body, &again, "Idempotency-Key", "once")
	require.Equal(t, made, again, "a lost answer comes again, with the secret")
	require.NotContains(
		t, o.Text("select string_agg(w::text, ' ') from webhook_endpoints w where org_id = $1"), made.Secret[6:],
	)
	require.NotContains(
		t, o.Text(`select coalesce(string_agg(encode(body, 'escape'), ' '), '')
			from idempotency_keys where org_id = $1`), made.Secret,
	)

	for reason, bad := range map[string]string{
		"WEBHOOK_ENDPOINT_BAD_URL":  `{"url": "ftp://erp.example.com"}`,
		"WEBHOOK_ENDPOINT_BAD_TYPE": `{"url": "https://erp.example.com", "types": ["draft.created"]}`,
	} {
		w := o.Send(http.MethodPost, list, bad, "Authorization", o.admin, "Content-Type", "application/json")
		require.Equal(t, http.StatusBadRequest, w.Code, w.Body)
		require.Contains(t, w.Body.String(), reason)
	}

	var changed contract.WebhookEndpoint
	etag := o.call(http.StatusOK, http.MethodGet, path, "", nil).Get("ETag")
	o.call(http.StatusOK, http.MethodPut, path, `{"isActive": false, "types": []}`, &changed, "If-Match", etag)
	require.Equal(t, contract.WebhookEndpointSwitchedOffReason("BY_CALLER"), changed.SwitchedOffReason.MustGet())
	require.Empty(t, changed.Types)
	o.call(http.StatusPreconditionFailed, http.MethodPut, path, `{"isActive": true}`, nil, "If-Match", etag)
	changed = contract.WebhookEndpoint{}
	o.call(http.StatusOK, http.MethodPut, path, `{"isActive": true}`, &changed)
	require.True(t, changed.SwitchedOffReason.IsNull() && changed.IsActive)

	var all contract.WebhookEndpointList
	o.call(http.StatusOK, http.MethodGet, list, "", &all)
	require.Equal(t, []contract.WebhookEndpoint{changed}, all.Items)
	for i := range 19 {
		o.make(fmt.Sprintf("https://erp.example.com/%d", i))
	}
	o.call(http.StatusConflict, http.MethodPost, list, `{"url": "https://erp.example.com/21"}`, nil)
	o.call(http.StatusNoContent, http.MethodDelete, path, "", nil)
	o.call(http.StatusNotFound, http.MethodGet, path, "", nil)
	o.call(http.StatusNotFound, http.MethodPut, path, `{"isActive": true}`, nil)
	w := o.Send(http.MethodGet, list, "", "Authorization", o.AsRole(o.Org, caller.Dispatcher))
	require.Equal(t, http.StatusForbidden, w.Code)
}

// received is a request that an endpoint received.
type received struct {
	body    string
	headers http.Header
}

// endpoint is a receiver that responds with a status and a text.
func endpoint(t *testing.T, status int, text string) (address string, got func() []received) {
	t.Helper()
	var mu sync.Mutex
	var all []received
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			all = append(all, received{string(body), r.Header})
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []received {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

// verifies reports whether a secret verifies a request.
func (r received) verifies(t *testing.T, secret string) bool {
	t.Helper()
	hook, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	return hook.Verify([]byte(r.body), r.headers) == nil
}

func TestExamplesAreSentAndKept(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	address, got := endpoint(t, http.StatusTeapot, strings.Repeat("æ", 1000))
	made, path := o.make(address)
	var results contract.WebhookTestResults
	o.call(http.StatusOK, http.MethodPost, path+"/test", `{}`, &results)
	require.Len(t, results.Items, len(got()))
	types := map[contract.OrderEventType]bool{}
	for _, r := range got() {
		require.True(t, r.verifies(t, made.Secret), r.headers)
		require.False(t, r.verifies(t, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
		var e contract.WebhookEvent
		require.NoError(t, json.Unmarshal([]byte(r.body), &e))
		require.Equal(t, e.Type, e.Data.Type)
		types[e.Type] = true
	}
	enum := apitest.Document(t).Components.Schemas["OrderEventType"].Value.Enum
	require.Len(t, types, len(enum), "one of each type")

	var page contract.WebhookAttemptPage
	o.call(http.StatusOK, http.MethodGet, path+"/attempts?pageSize=10", "", &page)
	require.Len(t, page.Items, 10)
	require.True(t, page.HasMore)
	first := page.Items[0]
	require.Equal(t, int32(http.StatusTeapot), first.Status.MustGet())
	require.Equal(t, strings.Repeat("æ", 512), first.Answer.MustGet(), "the first KiB is kept")
	require.True(t, first.IsTest && !first.IsDelivered)
	seen := len(page.Items)
	o.call(http.StatusOK, http.MethodGet, path+"/attempts?token="+page.NextToken, "", &page)
	require.Equal(t, len(enum), seen+len(page.Items), "none twice, none left out")
	o.call(http.StatusOK, http.MethodGet, path+"/attempts?messageId="+first.MessageID, "", &page)
	require.Equal(t, []contract.WebhookAttempt{first}, page.Items)
	o.call(http.StatusOK, http.MethodGet, path+"/attempts?isDelivered=true", "", &page)
	require.Empty(t, page.Items)
	o.call(http.StatusBadRequest, http.MethodGet, path+"/attempts?messageId=evt_0_x", "", nil)
	o.call(http.StatusBadRequest, http.MethodPost, path+"/test", `{"types": ["draft.created"]}`, nil)
}

func TestAnAttemptShowsWhatWasSentAndCountsAmongTheLast(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	made, path := o.make("https://erp.example.com/hook")
	o.Import("SO-1")
	o.ID("select sequence_events(100) from organizations where id = $1")
	position := o.ID("select max(position) from order_status_feed where org_id = $1 and kind = 'order.created'")
	for _, at := range []int64{position, position + 1_000_000} {
		o.ID(fmt.Sprintf(`insert into webhook_attempts (org_id, endpoint_id, position, place, kind, number, at, duration_ms,
			delivered, fault) values ($1, %d, %d, 1, 'order.created', 1, now(), 5, %t, %s) returning id`,
			made.ID, at, at == position, map[bool]string{true: "null", false: "'TIMEOUT'"}[at == position]))
	}
	var feed struct{ Items []json.RawMessage }
	o.call(http.StatusOK, http.MethodGet, "/v2/orders/summary/orderstatusfeed", "", &feed)
	var page contract.WebhookAttemptPage
	o.call(http.StatusOK, http.MethodGet, path+"/attempts", "", &page)
	require.Len(t, page.Items, 2)
	require.True(t, page.Items[0].Request.IsNull(), "it is not in the feed")
	var sent struct{ Data json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(page.Items[1].Request.MustGet()), &sent))
	require.Equal(t, string(feed.Items[0]), string(sent.Data))

	address, _ := endpoint(t, http.StatusTeapot, "")
	o.call(http.StatusOK, http.MethodPut, path, fmt.Sprintf(`{"url": %q}`, address), nil)
	o.call(http.StatusOK, http.MethodPost, path+"/test", `{}`, nil)
	var e contract.WebhookEndpoint
	o.call(http.StatusOK, http.MethodGet, path, "", &e)
	require.Equal(t, [2]int32{2, 1}, [2]int32{e.RecentAttempts, e.RecentFailures}, "examples do not count")
}

func TestASecretIsReplacedWithAnOverlap(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	address, got := endpoint(t, http.StatusNoContent, "")
	made, path := o.make(address)
	one := func() received {
		o.call(http.StatusOK, http.MethodPost, path+"/test", `{"types": ["order.delivered"]}`, nil)
		return got()[len(got())-1]
	}
	var rotated contract.WebhookEndpointWithSecret
	o.call(http.StatusOK, http.MethodPost, path+"/rotate-secret", `{"overlapMinutes": 5}`, &rotated)
	require.False(t, rotated.PreviousSecretUntil.IsNull())
	require.NotEqual(t, made.Secret, rotated.Secret)
	both := one()
	require.True(t, both.verifies(t, made.Secret))
	require.True(t, both.verifies(t, rotated.Secret))
	var last contract.WebhookEndpointWithSecret
	o.call(http.StatusOK, http.MethodPost, path+"/rotate-secret", `{"overlapMinutes": 0}`, &last)
	require.True(t, last.PreviousSecretUntil.IsNull())
	only := one()
	require.True(t, only.verifies(t, last.Secret))
	require.False(t, only.verifies(t, rotated.Secret))
	o.call(http.StatusBadRequest, http.MethodPost, path+"/rotate-secret", `{"overlapMinutes": 43201}`, nil)
}

func TestReplayRequiresOneSelection(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	_, path := o.make("https://erp.example.com/hook")
	o.Import("SO-1")
	o.Import("SO-2")
	o.ID("select sequence_events(100) from organizations where id = $1")
	replay := func(want int, body string) (r contract.WebhookReplay) {
		t.Helper()
		if want == http.StatusAccepted {
			o.call(want, http.MethodPost, path+"/replay", body, &r)
			return r
		}
		o.call(want, http.MethodPost, path+"/replay", body, nil)
		return r
	}
	for _, bad := range []string{
		`{}`, `{"failed": false}`, `{"failed": true, "positions": {"from": 1, "to": 2}}`,
		`{"positions": {"from": 0, "to": 2}}`, `{"positions": {"from": 3, "to": 2}}`,
		`{"messageIds": []}`, `{"messageIds": ["test_x"]}`, `{"messageIds": ["evt_1"]}`,
	} {
		replay(http.StatusBadRequest, bad)
	}
	position := o.ID("select max(position) from order_status_feed where org_id = $1 and kind = 'order.created'")
	require.Equal(t, int32(1), replay(http.StatusAccepted, fmt.Sprintf(`{"messageIds": ["evt_%d_1"]}`, position)).Events)
	require.Equal(t, int32(2), replay(http.StatusAccepted, `{"positions": {"from": 1, "to": 1000000}}`).Events)
	require.Equal(t, int32(2), replay(http.StatusAccepted, `{"failed": true}`).Events)
	require.Equal(t, int32(0), replay(http.StatusAccepted, `{"messageIds": ["evt_999999_1"]}`).Events)
	o.call(http.StatusOK, http.MethodPut, path, `{"types": ["order.delivered"]}`, nil)
	require.Equal(t, int32(0), replay(http.StatusAccepted, `{"positions": {"from": 1, "to": 1000000}}`).Events,
		"what it does not get is left out")
	o.call(http.StatusOK, http.MethodPut, path, `{"isActive": false}`, nil)
	replay(http.StatusConflict, `{"failed": true}`)
}

// TestAnEndpointBeginsWhereTheLogIs refuses positions that no reader can
// continue from.
func TestAnEndpointBeginsWhereTheLogIs(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.Import("SO-1")
	o.ID("select sequence_events(100) from organizations where id = $1")
	end := o.ID("update event_sequencer set dropped_position = 1 where $1::bigint > 0 returning last_position")
	begin := func(want int, position int64) (answer json.RawMessage) {
		body := fmt.Sprintf(`{"url": "https://erp.example.com/hook", "afterPosition": %d}`, position)
		o.call(want, http.MethodPost, list, body, &answer)
		return answer
	}
	require.Contains(t, string(begin(http.StatusBadRequest, end+1)), "FEED_TOKEN_AHEAD")
	gone := string(begin(http.StatusGone, 0))
	require.Contains(t, gone, "FEED_TOKEN_EXPIRED")
	require.Contains(t, gone, `"oldest":"1"`)
	begin(http.StatusCreated, end)
	begin(http.StatusCreated, 1)
}

// An unknown field could be mistaken for a subscription to everything.
func TestUnknownFieldsOfEndpointsAreRefused(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	var refused json.RawMessage
	body := `{"url": "https://erp.example.com/hook", "events": ["order.failed"]}`
	o.call(http.StatusBadRequest, http.MethodPost, list, body, &refused)
	require.Contains(t, string(refused), `"field":"events"`)
	require.Contains(t, string(refused), "afterPosition, description, types, url")
	require.Equal(t, "0", o.Text("select count(*)::text from webhook_endpoints where org_id = $1"))

	_, path := o.make("https://erp.example.com/hook")
	for _, c := range []struct{ method, path, body string }{
		{http.MethodPut, path, `{"events": ["order.failed"]}`},
		{http.MethodPost, path + "/test", `{"type": "order.failed"}`},
		{http.MethodPost, path + "/replay", `{"failed": true, "types": ["order.failed"]}`},
		{http.MethodPost, path + "/rotate-secret", `{"overlap": 0}`},
	} {
		o.call(http.StatusBadRequest, c.method, c.path, c.body, nil)
	}
}
