package waybill_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waybill-tms/waybill-go"
)

// site is a service that gives the answers of a test, one after the other, and notes the
// requests.
type site struct {
	*waybill.Client

	url      string
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
	pauses   []time.Duration
}

// reply is an answer; a status of 0 drops the connection.
type reply struct {
	status int
	header map[string]string
	body   any // JSON, or a string as it is
}

func newSite(t *testing.T, replies ...reply) *site {
	t.Helper()
	s := &site{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.requests, s.bodies = append(s.requests, r), append(s.bodies, string(body))
		now := replies[min(len(s.requests), len(replies))-1]
		s.mu.Unlock()
		if now.status == 0 {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("X-Request-ID", "req-1")
		for name, value := range now.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(now.status)
		if text, ok := now.body.(string); ok {
			_, _ = io.WriteString(w, text)
		} else if now.body != nil {
			_ = json.NewEncoder(w).Encode(now.body)
		}
	}))
	t.Cleanup(server.Close)
	client, err := waybill.New(server.URL+"/", "key", waybill.WithRetries(waybill.Retries{
		Sleep: func(_ context.Context, pause time.Duration) error {
			s.pauses = append(s.pauses, pause)
			return nil
		},
	}))
	check(t, err)
	s.Client, s.url = client, server.URL
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
}

type object = map[string]any

// refusal is an error as the service writes it.
func refusal(reason string) object {
	return object{"code": 5, "message": "No.", "details": []object{
		{"@type": "type.googleapis.com/google.rpc.SomethingNew", "fieldViolations": "not a list"},
		{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "waybill", "metadata": object{"order": "1"}},
	}}
}

func TestRetriesWhatFailedForNow(t *testing.T) {
	t.Parallel()
	s := newSite(t,
		reply{status: http.StatusTooManyRequests, header: map[string]string{"Retry-After": "7"}},
		reply{status: http.StatusServiceUnavailable},
		reply{},
		reply{status: http.StatusBadGateway, body: "<html>Bad Gateway</html>"},
		reply{status: http.StatusOK, body: object{"results": []any{}}},
	)
	_, err := s.Orders.Cancel(t.Context(), waybill.CancelOrdersRequest{ExternalIDs: []string{"SO-1"}})
	check(t, err)
	same(t, len(s.requests), 5)
	for i, r := range s.requests {
		same(t, r.Header.Get("Idempotency-Key"), s.requests[0].Header.Get("Idempotency-Key"))
		same(t, s.bodies[i], `{"externalIds":["SO-1"]}`)
		same(t, r.Header.Get("Authorization"), "apikey key")
	}
	same(t, s.requests[0].Header.Get("Idempotency-Key") != "", true)
	same(t, s.pauses[0], 7*time.Second)
	same(t, s.pauses[len(s.pauses)-1] >= s.pauses[1], true) // net/http itself repeats what has an Idempotency-Key
}

func TestErrorsHaveTheirKind(t *testing.T) {
	t.Parallel()
	for status, kind := range map[int]error{
		400: waybill.ErrInvalid, 401: waybill.ErrUnauthorized, 403: waybill.ErrForbidden, 404: waybill.ErrNotFound, 409: waybill.ErrConflict,
		410: waybill.ErrGone, 412: waybill.ErrPreconditionFailed, 413: waybill.ErrInvalid, 422: waybill.ErrInvalid,
		429: waybill.ErrRateLimited, 500: waybill.ErrUnavailable, 502: waybill.ErrUnavailable,
	} {
		s := newSite(t, reply{status: status, body: refusal("SOMETHING_NEW")})
		_, err := s.Orders.Get(t.Context(), 1, nil)
		if !errors.Is(err, kind) || errors.Is(err, waybill.ErrNotModified) {
			t.Errorf("%d is not %v: %v", status, kind, err)
		}
		var refused *waybill.Error
		same(t, errors.As(err, &refused), true)
		same(t, refused.Reason, "SOMETHING_NEW")
		same(t, refused.Metadata["order"], "1")
		same(t, refused.RequestID(), "req-1")
		same(t, refused.Status, status)
		same(t, len(s.requests), map[bool]int{true: 6, false: 1}[status == 429 || status >= 500])
	}
}

func TestPagesOfProxiesAreErrors(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusOK, http.StatusNotFound, http.StatusBadGateway} {
		s := newSite(t, reply{status: status, body: "<html>Welcome to nginx</html>"})
		_, err := s.Orders.Get(t.Context(), 1, nil)
		var refused *waybill.Error
		same(t, errors.As(err, &refused), true)
		same(t, refused.Status, status)
		same(t, refused.Reason, "")
		same(t, strings.Contains(string(refused.Body), "nginx"), true)
	}
}

func TestADroppedConnectionIsAnError(t *testing.T) {
	t.Parallel()
	s := newSite(t, reply{})
	err := s.WebhookEndpoints.Delete(t.Context(), 1)
	same(t, err != nil && errors.Is(err, io.EOF), true)
	same(t, len(s.requests), 6)
}

func TestConditionalRequests(t *testing.T) {
	t.Parallel()
	s := newSite(t,
		reply{status: http.StatusOK, header: map[string]string{"ETag": `"7"`}, body: object{"order_id": 1}},
		reply{status: http.StatusNotModified},
		reply{status: http.StatusOK, body: object{"id": 1}},
	)
	var response waybill.Response
	order, err := s.Orders.Get(t.Context(), 1, &waybill.OrdersGetParams{}, waybill.WithResponse(&response))
	check(t, err)
	same(t, order.OrderID, 1)
	same(t, response.ETag(), `"7"`)
	same(t, response.RequestID(), "req-1")
	_, err = s.Orders.Get(t.Context(), 1, nil, waybill.IfNoneMatch(response.ETag()))
	same(t, errors.Is(err, waybill.ErrNotModified), true)
	same(t, s.requests[1].Header.Get("If-None-Match"), `"7"`)
	_, err = s.WebhookEndpoints.Update(t.Context(), 1, waybill.UpdateWebhookEndpointRequest{IsActive: waybill.Ptr(true)},
		waybill.IfMatch(`"8"`), waybill.WithHeader("X-Mine", "1"), waybill.WithLanguage("nb"))
	check(t, err)
	same(t, s.requests[2].Header.Get("If-Match"), `"8"`)
	same(t, s.requests[2].Header.Get("X-Mine"), "1")
	same(t, s.requests[2].Header.Get("Accept-Language"), "nb")
	same(t, s.bodies[2], `{"isActive":true}`)
}

func TestATimeoutIsForEachTry(t *testing.T) {
	t.Parallel()
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(slow.Close)
	tries := 0
	client, err := waybill.New(slow.URL, "key", waybill.WithTimeout(20*time.Millisecond), waybill.WithRetries(waybill.Retries{
		Tries: 2, Sleep: func(context.Context, time.Duration) error { tries++; return nil },
	}))
	check(t, err)
	_, err = client.Orders.ListToday(t.Context(), nil)
	same(t, errors.Is(err, context.DeadlineExceeded), true)
	same(t, tries, 1)
}

func TestUnknownValuesAndFieldsAreKept(t *testing.T) {
	t.Parallel()
	s := newSite(t, reply{status: http.StatusOK, body: object{
		"items": []object{{"externalId": "SO-1", "status": "beamed_up", "type": "order.beamed_up", "aura": 1}}, "nextToken": "2", "moon": "full",
	}})
	page, err := s.Feed.ListStatusChanges(t.Context(), nil)
	check(t, err)
	same(t, page.Items[0].Status, "beamed_up")
}

func TestNullIsNotTheSameAsAbsent(t *testing.T) {
	t.Parallel()
	s := newSite(t, reply{status: http.StatusOK, body: object{}})
	_, err := s.Drivers.Update(t.Context(), 1, waybill.UpdateDriverRequest{
		PhoneNumber: waybill.Null[string](), EmailAddress: waybill.Value("a@example.com"),
	})
	check(t, err)
	var sent object
	check(t, json.Unmarshal([]byte(s.bodies[0]), &sent))
	phone, there := sent["phone_number"]
	same(t, phone == nil && there, true)
	same(t, sent["email_address"], any("a@example.com"))
	_, there = sent["department_id"]
	same(t, there, false)
}

func TestAnEmptyListIsNotTheSameAsNone(t *testing.T) {
	t.Parallel()
	s := newSite(t, reply{status: http.StatusOK, body: object{"results": []any{}}})
	_, err := s.Orders.Import(t.Context(), waybill.ImportRequest{Orders: []waybill.ImportOrderRequest{
		{ExternalID: "SO-1"}, {Products: []waybill.Product{}},
	}}, waybill.ValidateOnly(true))
	check(t, err)
	same(t, s.bodies[0], `{"orders":[{"externalId":"SO-1"},{"products":[]}]}`)
	same(t, s.requests[0].URL.RawQuery, "validateOnly=true")
}
