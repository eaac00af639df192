package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// faultyEndpoint takes events down, and answers some of them badly: with a 500, late, or by
// hanging up when it has taken one down.
type faultyEndpoint struct {
	t      *testing.T
	mu     sync.Mutex
	hook   *standardwebhooks.Webhook
	calls  int
	taken  map[string]string // the accepted requests, by webhook-id
	doubts int               // how often it had one already
}

// ServeHTTP receives an event.
func (f *faultyEndpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	f.mu.Lock()
	f.calls++
	call := f.calls
	if err != nil || f.hook == nil || f.hook.Verify(body, r.Header) != nil {
		f.mu.Unlock()
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if call%7 != 0 {
		id := r.Header.Get("webhook-id")
		if was, had := f.taken[id]; had {
			f.doubts++
			if was != string(body) {
				f.t.Errorf("%s was %s and is %s", id, was, body)
			}
		}
		f.taken[id] = string(body)
	}
	f.mu.Unlock()
	switch {
	case call%7 == 0:
		w.WriteHeader(http.StatusInternalServerError)
	case call%11 == 0:
		panic(http.ErrAbortHandler) // it has it, and nobody knows
	case call%13 == 0:
		time.Sleep(2 * time.Second)
	}
}

func (f *faultyEndpoint) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.taken)
}

// TestFeedAndWebhooksAgree compares what an endpoint received with the feed,
// entry by entry, after a simulated day with faults on both sides.
func TestFeedAndWebhooksAgree(t *testing.T) {
	t.Parallel()
	i := install(t, "serve", "work")
	o := i.organization(t)
	f := &faultyEndpoint{t: t, taken: map[string]string{}}
	server := httptest.NewUnstartedServer(f)
	server.Config.ErrorLog = nil
	server.Start()
	t.Cleanup(server.Close)
	made := read[contract.WebhookEndpointWithSecret](t, o.expect(t, http.StatusCreated, http.MethodPost,
		"/v2/webhook-endpoints", object{"url": server.URL, "afterPosition": 0}))
	hook, err := standardwebhooks.NewWebhook(made.Secret)
	require.NoError(t, err)
	f.mu.Lock()
	f.hook = hook
	f.mu.Unlock()

	const count, pace = 20, 600
	o.readyToDrive(t, count)
	o.drive(t, http.StatusAccepted, object{"date": tomorrow(), "pace": pace})
	for _, percent := range []int{10, 40, 70} {
		eventually(t, fmt.Sprintf("%d %% of the orders are over", percent), func() bool {
			return one[int](
				t, i, "select count(*) from orders where org_id = $1 and status_id in (6, 7)", o.id,
			)*100 >= count*percent
		})
		i.kill("work")
		require.NoError(t, i.start("work"))
	}
	o.awaitDriven(t, tomorrow())
	path := fmt.Sprintf("/v2/webhook-endpoints/%d", made.ID)
	o.expect(t, http.StatusAccepted, http.MethodPost, path+"/replay", object{"failed": true})
	want := map[string]string{}
	eventually(t, "the endpoint has what the feed has", func() bool {
		clear(want)
		o.wholeFeed(t, want)
		return f.count() >= len(want)
	})
	require.Greater(t, len(want), 4*count)
	f.mu.Lock()
	defer f.mu.Unlock()
	got := map[string]string{}
	for id, body := range f.taken {
		var e struct{ Data json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(body), &e))
		got[id] = string(e.Data)
	}
	require.Equal(t, want, got, "entry by entry, byte for byte")
	require.Positive(t, f.doubts, "what was dropped came again, with the same id")
}

// wholeFeed reads all entries of the feed, by the webhook-id that each has.
func (o *organization) wholeFeed(t *testing.T, into map[string]string) {
	t.Helper()
	token, position, place := "", int64(0), 0
	for {
		page := read[struct {
			Items     []json.RawMessage
			NextToken string
			HasMore   bool
		}](t, o.get(t, "/v2/orders/summary/orderstatusfeed?pageSize=1000&token="+token))
		for _, item := range page.Items {
			var entry struct{ Position int64 }
			require.NoError(t, json.Unmarshal(item, &entry))
			if entry.Position != position {
				position, place = entry.Position, 0
			}
			place++
			into[fmt.Sprintf("evt_%d_%d", position, place)] = string(item)
		}
		if token = page.NextToken; !page.HasMore {
			return
		}
	}
}
