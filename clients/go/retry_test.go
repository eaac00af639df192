package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waybill-tms/waybill/clients/go"
)

// site answers what the test says, one answer after the other, and notes what it
// was asked.
type site struct {
	*client.ClientWithResponses
	mu     sync.Mutex // what gets no answer is handled beside what comes after it
	asked  []*http.Request
	bodies []string
	waited []time.Duration
}

type reply struct {
	status int
	header map[string]string
	body   any
}

func newSite(t *testing.T, replies ...reply) *site {
	t.Helper()
	s := &site{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.asked, s.bodies = append(s.asked, r), append(s.bodies, string(body))
		now := replies[min(len(s.asked), len(replies))-1]
		s.mu.Unlock()
		if now.status == 0 { // no answer
			panic(http.ErrAbortHandler)
		}
		for name, value := range now.header {
			w.Header().Set(name, value)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(now.status)
		_ = json.NewEncoder(w).Encode(now.body)
	}))
	t.Cleanup(server.Close)
	c, err := client.NewClientWithResponses(server.URL, client.WithKey("key"), client.WithRetries(client.Retries{
		Sleep: func(_ context.Context, d time.Duration) error {
			s.waited = append(s.waited, d)
			return nil
		},
	}))
	require.NoError(t, err)
	s.ClientWithResponses = c
	return s
}

func TestWhatIsRefusedForNowIsSentAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t,
		reply{status: http.StatusTooManyRequests, header: map[string]string{"Retry-After": "7"}},
		reply{status: http.StatusServiceUnavailable},
		reply{}, // no answer
		reply{status: http.StatusInternalServerError},
		reply{status: http.StatusOK, body: client.CancelOrdersResponse{}},
	)
	answer, err := s.CancelOrdersWithResponse(t.Context(), client.CancelOrdersRequest{ExternalIds: []string{"SO-1"}})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode())
	require.Len(t, s.asked, 5)
	key := s.asked[0].Header.Get("Idempotency-Key")
	require.NotEmpty(t, key)
	for i, asked := range s.asked {
		require.Equal(t, key, asked.Header.Get("Idempotency-Key"), "each try has the same key")
		require.Equal(t, s.bodies[0], s.bodies[i])
		require.Equal(t, "apikey key", asked.Header.Get("Authorization"))
	}
	require.Equal(t, 7*time.Second, s.waited[0], "as long as it was asked to")
	require.GreaterOrEqual(t, s.waited[len(s.waited)-1], s.waited[1], "pauses grow")
}

func TestWhatIsRefusedForGoodIsSentOnce(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound, http.StatusConflict} {
		s := newSite(t, reply{status: status})
		answer, err := s.GetOrderWithResponse(t.Context(), 1, nil)
		require.NoError(t, err)
		require.Equal(t, status, answer.StatusCode())
		require.Len(t, s.asked, 1)
	}
}

func TestTriesEnd(t *testing.T) {
	t.Parallel()
	s := newSite(t, reply{status: http.StatusServiceUnavailable})
	answer, err := s.GetOrderWithResponse(t.Context(), 1, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode())
	require.Len(t, s.asked, 6)
}

func TestAFeedIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	change := func(number string) client.OrderStatusChange { return client.OrderStatusChange{ExternalID: number} }
	s := newSite(t,
		reply{status: http.StatusOK, body: client.OrderStatusFeed{
			Items: []client.OrderStatusChange{change("SO-1"), change("SO-2")}, HasMore: true, NextToken: "2",
		}},
		reply{status: http.StatusOK, body: client.OrderStatusFeed{Items: []client.OrderStatusChange{change("SO-3")}, NextToken: "3"}},
	)
	var numbers, tokens []string
	for page, err := range client.StatusChanges(t.Context(), s.ClientWithResponses, "kept") {
		require.NoError(t, err)
		tokens = append(tokens, page.NextToken)
		for _, item := range page.Items {
			numbers = append(numbers, item.ExternalID)
		}
	}
	require.Equal(t, []string{"SO-1", "SO-2", "SO-3"}, numbers)
	require.Equal(t, []string{"2", "3"}, tokens)
	require.Equal(t, "kept", s.asked[0].URL.Query().Get("token"))
	require.Equal(t, "2", s.asked[1].URL.Query().Get("token"))
}

func TestAFeedThatCannotBeReadSaysSo(t *testing.T) {
	t.Parallel()
	s := newSite(t, reply{status: http.StatusUnauthorized, body: map[string]string{"message": "no key"}})
	var failed error
	for page, err := range client.StatusChanges(t.Context(), s.ClientWithResponses, "") {
		require.Nil(t, page)
		failed = errors.Join(failed, err)
	}
	require.ErrorContains(t, failed, "no key")
}
