package edge_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/api/edge"
)

// lists is a service whose list of orders takes as long as the test wants.
// Three heavy requests run at a time, and two of each organization.
type lists struct {
	*apitest.Bundle
	handler http.Handler
	begun   chan struct{}
	next    chan struct{}
}

func newLists(t *testing.T, work func(*http.Request)) *lists {
	t.Helper()
	l := &lists{begun: make(chan struct{}, 10), next: make(chan struct{})}
	l.Bundle = apitest.New(t, func(c *api.Config, _ *api.Dependencies) {
		c.HeavyRequests, c.HeavyShare, c.TurnPatience = 3, 2, time.Second
	})
	answer := func(w http.ResponseWriter, r *http.Request) error {
		if work != nil {
			work(r)
		}
		l.begun <- struct{}{}
		<-l.next
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	l.handler = l.Server.Edge.AroundOperations(map[string]func(http.ResponseWriter, *http.Request) error{
		"/v1/orders": answer,
		"/v1/orders/{orderId}": func(w http.ResponseWriter, _ *http.Request) error {
			w.WriteHeader(http.StatusNoContent)
			return nil
		},
	})
	return l
}

func (l *lists) keyOf(t *testing.T, org int64) string {
	return l.Keys.Add(t, func(k *edge.APIKey) { k.OrgID = org })
}

func (l *lists) get(key, target string) *httptest.ResponseRecorder {
	return apitest.Serve(l.handler, http.MethodGet, target, "", "Authorization", "apikey "+key)
}

// begin has a list begin, and returns where its status will be.
func (l *lists) begin(key string) <-chan int {
	status := make(chan int, 1)
	go func() { status <- l.get(key, "/v1/orders").Code }()
	return status
}

func TestHeavyRequestsTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLists(t, nil)
		one, other, third := l.keyOf(t, 8), l.keyOf(t, 9), l.keyOf(t, 10)
		answers := []<-chan int{l.begin(one), l.begin(one)}
		<-l.begun
		<-l.begun

		w := l.get(one, "/v1/orders")
		require.Equal(t, http.StatusTooManyRequests, w.Code, "an organization has a share")
		require.Equal(t, "2", w.Header().Get("Retry-After"))
		require.EqualValues(t, "TURNS_SHARE_IN_USE", apitest.Reason(apitest.Status(t, w.Body.Bytes())))
		require.Equal(t, http.StatusNoContent, l.get(one, "/v1/orders/1").Code, "what is not heavy has no turns")

		answers = append(answers, l.begin(other))
		<-l.begun
		w = l.get(third, "/v1/orders")
		require.Equal(t, http.StatusServiceUnavailable, w.Code, "and so has the service")
		require.NotEmpty(t, w.Header().Get("Retry-After"))
		require.EqualValues(t, "TURNS_TOO_MANY", apitest.Reason(apitest.Status(t, w.Body.Bytes())))

		waiting := l.begin(one)
		synctest.Wait()
		l.next <- struct{}{}
		<-l.begun // a waiting request gets the next turn
		for range 3 {
			l.next <- struct{}{}
		}
		for _, answer := range append(answers, waiting) {
			require.Equal(t, http.StatusNoContent, <-answer)
		}
	})
}

func TestWaitingRequestsHoldNoTurn(t *testing.T) {
	t.Parallel()
	l := newLists(t, func(r *http.Request) { edge.OnlyWaits(r.Context()) })
	var answers []<-chan int
	for range 5 {
		answers = append(answers, l.begin(l.Key))
	}
	for range answers {
		<-l.begun
	}
	close(l.next)
	for _, answer := range answers {
		require.Equal(t, http.StatusNoContent, <-answer)
	}
}

// Operations that read or write as much as the caller likes are heavy.
func TestHeavyOperations(t *testing.T) {
	t.Parallel()
	all, err := contract.Read()
	require.NoError(t, err)
	heavy := map[string]bool{}
	for _, op := range all {
		heavy[op.ID] = op.Heavy
	}
	for _, id := range []string{
		"importOrders", "importOrdersV1", "importOrdersV2", "listOrders", "searchOrders", "listOrdersPaginated",
		"countOrders", "getExportFeed", "applyTransformations", "previewRecurringOrder", "searchEmailLog", "exportActivity",
		"getPlan",
	} {
		require.True(t, heavy[id], id)
	}
	for _, id := range []string{
		"getOrder", "getImport", "bookOrderOnInterval", "getOrderStatusFeed", "acknowledgeExport", "getHealth",
	} {
		require.False(t, heavy[id], id)
	}
}
