package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// steadyLoad is what callers do all the time: they import orders, read them, follow
// the feed, receive webhooks and export. Each repeats what was not answered, as the
// documentation tells integrators, until it is.
type steadyLoad struct {
	o *organization
	// plans has its orders planned meanwhile, unless it is nil.
	plans  *organization
	client *http.Client
	began  time.Time
	next   atomic.Int64
	hook   receiver
	// reads and imports are the times of the answers.
	reads, imports answered
	// backlog is how long the oldest event has waited for its place.
	backlog watermark

	mu       sync.Mutex
	accepted map[string]int64 // order ids by number
	read     map[string]int   // how often the feed had the registration of an order
	token    string           // where the reader of the feed is
	position int64
	failures []string
}

// How often each caller comes back.
const (
	importEvery = 700 * time.Millisecond
	planEvery   = 5 * time.Second
	readEvery   = 100 * time.Millisecond
	pollEvery   = 500 * time.Millisecond
)

// newLoad prepares an organization whose orders all go to a carrier, and whose
// receivers get a message about each.
func newLoad(t *testing.T, s *site, document []byte) *steadyLoad {
	t.Helper()
	l := &steadyLoad{
		o: s.organizationOf(t, withoutDrivers(t, document)), client: &http.Client{Timeout: 15 * time.Second}, began: time.Now(),
		accepted: map[string]int64{}, read: map[string]int{},
	}
	l.hook.taken = map[string]int{}
	_, err := s.admin.Exec(t.Context(), `insert into notification_rules (org_id, event, channel, receiver, body)
		values ($1, 'ORDER_CREATED', 'EMAIL', 'DELIVERY_CONTACTS', 'Order {{ order.externalId }}') on conflict do nothing`, l.o.id)
	require.NoError(t, err)
	return l
}

// receives has all events sent to a receiver of webhooks, from the first one on.
func (l *steadyLoad) receives(t *testing.T) {
	t.Helper()
	l.o.expect(t, http.StatusCreated, http.MethodPost, "/v2/webhook-endpoints",
		object{"url": l.hook.listen(t), "afterPosition": 0})
}

// run loads the site until the context ends, and returns when all that was begun is
// answered.
func (l *steadyLoad) run(ctx context.Context) {
	var callers sync.WaitGroup
	for range 3 {
		callers.Go(func() { every(ctx, importEvery, func() { l.importOne() }) })
	}
	if l.plans != nil {
		callers.Go(func() { l.importToPlan(ctx) })
	}
	callers.Go(func() { every(ctx, readEvery, func() { callers.Go(l.readOne) }) })
	callers.Go(func() { every(ctx, pollEvery, l.follow) })
	callers.Go(func() { every(ctx, pollEvery, l.export) })
	callers.Go(func() { every(ctx, pollEvery, l.watchBacklog) })
	callers.Wait()
}

// every does something again and again until the context ends.
func every(ctx context.Context, pause time.Duration, do func()) {
	for ctx.Err() == nil {
		do()
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// once sends a request, and returns its answer if it is a success.
func (l *steadyLoad) once(method, path string, body any, headers ...string) ([]byte, bool) {
	return l.onceAs(l.o, method, path, body, headers...)
}

func (l *steadyLoad) onceAs(o *organization, method, path string, body any, headers ...string) ([]byte, bool) {
	var text bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&text).Encode(body); err != nil {
			panic(err)
		}
	}
	r, err := http.NewRequest(method, "http://"+o.address+path, &text)
	if err != nil {
		panic(err)
	}
	r.Header.Set("Authorization", "apikey "+o.key)
	r.Header.Set("Content-Type", "application/json")
	for n := 0; n < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	answer, err := l.client.Do(r)
	if err != nil {
		return nil, false
	}
	defer func() { _ = answer.Body.Close() }()
	got, err := io.ReadAll(answer.Body)
	switch {
	case err != nil || answer.StatusCode >= http.StatusInternalServerError || answer.Header.Get("Retry-After") != "":
		return nil, false
	case answer.StatusCode != http.StatusOK:
		l.fail("%s %s: %d %s", method, path, answer.StatusCode, got)
		return nil, false
	}
	return got, true
}

// fail notes an answer that no fault of a host explains.
func (l *steadyLoad) fail(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failures = append(l.failures, fmt.Sprintf(format, args...))
}

// importOne imports an order, and repeats that until it is accepted.
func (l *steadyLoad) importOne() {
	number := fmt.Sprintf("HOSTS-%06d", l.next.Add(1))
	order := carrierOrder(number)
	order["delivery"].(object)["contacts"] = []object{{"firstName": "Kari", "emailAddress": strings.ToLower(number) + "@example.com"}}
	for {
		body, ok := l.once(http.MethodPost, "/v3/orders/import", orders(order))
		if !ok {
			time.Sleep(readEvery)
			continue
		}
		l.imports.now()
		var result contract.ImportResponse
		if err := json.Unmarshal(body, &result); err != nil || len(result.Results) != 1 {
			l.fail("the import of %s: %s", number, body)
			return
		}
		id := result.Results[0].OrderCreated
		if again := result.Results[0].OrderUpdated; id == nil && again != nil {
			id = again // the answer to the first request was lost
		}
		if id == nil || id.OrderID == nil {
			l.fail("the import of %s: %s", number, body)
			return
		}
		l.mu.Lock()
		l.accepted[number] = *id.OrderID
		l.mu.Unlock()
		return
	}
}

// mostToPlan is how many orders the drivers of the demo can carry out in a day.
const mostToPlan = 100

// importToPlan imports orders of tomorrow, one now and then.
func (l *steadyLoad) importToPlan(ctx context.Context) {
	n := 0
	every(ctx, planEvery, func() {
		if n == mostToPlan {
			return
		}
		if _, ok := l.onceAs(l.plans, http.MethodPost, "/v3/orders/import", orders(toPlan(n))); ok {
			n++
		}
	})
}

// readOne reads the order that was accepted last.
func (l *steadyLoad) readOne() {
	l.mu.Lock()
	id := l.accepted[fmt.Sprintf("HOSTS-%06d", max(l.next.Load()-6, 1))]
	l.mu.Unlock()
	if id == 0 {
		return
	}
	if _, ok := l.once(http.MethodGet, fmt.Sprintf("/v1/orders/%d", id), nil); ok {
		l.reads.now()
	}
}

// follow reads what the feed has after what was read.
func (l *steadyLoad) follow() {
	l.mu.Lock()
	token := l.token
	l.mu.Unlock()
	body, ok := l.once(http.MethodGet, "/v2/orders/summary/orderstatusfeed?pageSize=500&token="+token, nil)
	if !ok {
		return
	}
	var page contract.OrderStatusFeed
	if err := json.Unmarshal(body, &page); err != nil {
		l.fail("the feed: %s", body)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.token = page.NextToken
	for _, item := range page.Items {
		if item.Position < l.position {
			l.failures = append(l.failures, fmt.Sprintf("the feed went back from %d to %d", l.position, item.Position))
		}
		l.position = item.Position
		if item.OrderStatusID == 1 {
			l.read[item.ExternalID]++
		}
	}
}

// export acknowledges the shipments that wait.
func (l *steadyLoad) export() {
	body, ok := l.once(http.MethodGet, "/v1/orders/export?perPage=100", nil)
	if !ok {
		return
	}
	var feed contract.ExportFeed
	if err := json.Unmarshal(body, &feed); err != nil {
		l.fail("the export feed: %s", body)
		return
	}
	for _, s := range feed.Shipments {
		acknowledgement := object{"exportToken": s.ExportToken, "status": "EXPORTED"}
		if _, ok := l.once(http.MethodPost, "/v1/orders/export/status", acknowledgement, "Idempotency-Key", s.ExportToken); !ok {
			return
		}
	}
}

// watchBacklog measures the relay, unless Postgres is away.
func (l *steadyLoad) watchBacklog() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var waits float64
	err := l.o.admin.QueryRow(ctx, `select coalesce(extract(epoch from max(clock_timestamp() - recorded_at)), 0)
		from events where position is null`).Scan(&waits)
	if err == nil {
		l.backlog.reach(time.Duration(waits * float64(time.Second)))
	}
}

// receiver takes webhooks.
type receiver struct {
	mu    sync.Mutex
	taken map[string]int
}

// listen receives at an address that hosts reach.
func (r *receiver) listen(t *testing.T) (url string) {
	t.Helper()
	server := &http.Server{Addr: ourAddress + ":8099", ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, request *http.Request) {
			_, _ = io.Copy(io.Discard, request.Body)
			r.mu.Lock()
			defer r.mu.Unlock()
			r.taken[request.Header.Get("webhook-id")]++
			w.WriteHeader(http.StatusNoContent)
		})}
	go func() { _ = server.ListenAndServe() }()
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + server.Addr + "/hooks"
}

// lacks returns which events did not come.
func (r *receiver) lacks(want map[string]string) (lacking []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range want {
		if r.taken[id] == 0 {
			lacking = append(lacking, id)
		}
	}
	return lacking
}

// answered are the times of answers.
type answered struct {
	mu    sync.Mutex
	times []time.Time
}

func (a *answered) now() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.times = append(a.times, time.Now())
}

// longestGap is the longest time without an answer between two times.
func (a *answered) longestGap(from, to time.Time) (gap time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	last := from
	for _, at := range a.times {
		if at.Before(from) {
			continue
		}
		if at.After(to) {
			break
		}
		gap, last = max(gap, at.Sub(last)), at
	}
	return max(gap, to.Sub(last))
}

// watermark is the most of something since it was last read.
type watermark struct {
	mu   sync.Mutex
	most time.Duration
}

func (w *watermark) reach(value time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.most = max(w.most, value)
}

func (w *watermark) take() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	most := w.most
	w.most = 0
	return most
}

// requireAll requires that nothing of the load is lost or doubled.
func (l *steadyLoad) requireAll(t *testing.T) {
	t.Helper()
	require.Empty(t, l.failures)
	o, count := l.o, len(l.accepted)
	require.Equal(t, int(l.next.Load()), count, "each order was accepted in the end")
	require.Equal(t, []int{count, count}, []int{
		one[int](t, o.installation, "select count(*) from orders where org_id = $1", o.id),
		one[int](t, o.installation, "select count(distinct number) from orders where org_id = $1", o.id),
	}, "no order is lost or doubled")
	for number, id := range l.accepted {
		require.Equal(t, id, o.numbered(t, number), number)
	}
	eventually(t, "the reader of the feed has each registration", func() bool {
		l.follow()
		return len(l.read) >= count
	})
	for number := range l.accepted {
		require.Equal(t, 1, l.read[number], "the feed has the registration of %s once", number)
	}
	want := map[string]string{}
	eventually(t, "the receiver of webhooks has what the feed has", func() bool {
		clear(want)
		o.wholeFeed(t, want)
		return len(want) >= count && len(l.hook.lacks(want)) == 0
	})
	eventually(t, "each order is exported", func() bool {
		l.export()
		return one[int](t, o.installation, "select count(*) from order_exports where org_id = $1 and state = 'exported'", o.id) == count
	})
	require.Equal(t, count, one[int](t, o.installation,
		"select count(*) from export_acknowledgements where org_id = $1 and counted", o.id), "each was acknowledged once")
	l.requireMessages(t)
	if l.plans != nil {
		l.plans.requireRoutes(t)
		l.plans.requirePlan(t)
	}
}

// requireMessages requires one message for each order. One that is handed over again,
// because nobody knows whether it was taken, has the same Message-ID, by which
// mailboxes drop it.
func (l *steadyLoad) requireMessages(t *testing.T) {
	t.Helper()
	eventually(t, "each receiver has a message", func() bool { return len(l.mails(t)) == len(l.accepted) })
	again := 0
	for to, ids := range l.mails(t) {
		distinct := map[string]bool{}
		for _, id := range ids {
			distinct[id] = true
		}
		require.Len(t, distinct, 1, "messages to %s", to)
		again += len(ids) - 1
	}
	t.Logf("%d orders, %d messages, %d of them handed over again", len(l.accepted), len(l.accepted)+again, again)
}

// mails are the Message-IDs of the load's messages, by receiver.
func (l *steadyLoad) mails(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(l.o.mailbox.Dir(), "*.eml"))
	require.NoError(t, err)
	ids := map[string][]string{}
	for _, file := range files {
		text, err := os.Open(file)
		require.NoError(t, err)
		m, err := mail.ReadMessage(text)
		require.NoError(t, err)
		require.NoError(t, text.Close())
		if to := m.Header.Get("Delivered-To"); strings.HasPrefix(to, "hosts-") {
			ids[to] = append(ids[to], m.Header.Get("Message-Id"))
		}
	}
	return ids
}
