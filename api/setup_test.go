package api_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/domain/apikey"
	"waybill/store"
)

// forPeople is an operation that authentication and the rate let through and
// authorization does not: with a good key it answers 403.
const forPeople = "/v1/customers"

// clock is moved by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// keyTable is a store of API keys.
type keyTable struct {
	mu      sync.Mutex
	keys    map[string]api.APIKey
	err     error
	lookups int
	touched chan int64
	refuse  error // what touching answers
}

// FindAPIKey implements api.KeyFinder.
func (k *keyTable) FindAPIKey(_ context.Context, public string) (api.APIKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.lookups++
	if k.err != nil {
		return api.APIKey{}, k.err
	}
	key, ok := k.keys[public]
	if !ok {
		return api.APIKey{}, store.ErrNotFound
	}
	return key, nil
}

// TouchAPIKey implements api.KeyToucher.
func (k *keyTable) TouchAPIKey(_ context.Context, _, key int64) error {
	k.touched <- key
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.refuse
}

func (k *keyTable) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.lookups
}

// add makes a key, changed by edit, and gives the whole of it.
func (k *keyTable) add(t *testing.T, edit func(*api.APIKey)) string {
	t.Helper()
	key, err := apikey.New(rand.Reader)
	require.NoError(t, err)
	hash := key.Hash()
	k.mu.Lock()
	defer k.mu.Unlock()
	row := api.APIKey{
		OrgID: 7, ID: int64(len(k.keys) + 1), Name: "test", Hash: hash[:], Timezone: "Europe/Oslo", Language: "nb",
	}
	if edit != nil {
		edit(&row)
	}
	k.keys[key.Public()] = row
	return key.Reveal()
}

// change edits every key in the table.
func (k *keyTable) change(edit func(*api.APIKey)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for public, row := range k.keys {
		edit(&row)
		k.keys[public] = row
	}
}

func (k *keyTable) fail(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.err = err
}

// logs are the records written so far.
type logs struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write implements io.Writer.
func (l *logs) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *logs) records(t *testing.T, message string) []map[string]any {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []map[string]any
	for line := range strings.Lines(l.buf.String()) {
		var record map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &record))
		if record["msg"] == message {
			found = append(found, record)
		}
	}
	return found
}

func (l *logs) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

type bundle struct {
	t        *testing.T
	server   *api.Server
	handler  http.Handler
	keys     *keyTable
	key      string // a good one
	clock    *clock
	logs     *logs
	registry *prometheus.Registry
}

// setup makes a server without a database, whose answers are held against the
// contract; edit may change how it is made.
func setup(t *testing.T, edit ...func(*api.Config, *api.Dependencies)) *bundle {
	t.Helper()
	b := &bundle{
		t:        t,
		keys:     &keyTable{keys: make(map[string]api.APIKey), touched: make(chan int64, 100)},
		clock:    &clock{now: time.Date(2026, 3, 2, 7, 30, 0, 0, time.UTC)},
		logs:     &logs{},
		registry: prometheus.NewRegistry(),
	}
	b.key = b.keys.add(t, nil)
	config := api.Config{Version: "test"}
	deps := api.Dependencies{
		Logger:   slog.New(slog.NewJSONHandler(b.logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Keys:     b.keys,
		Registry: b.registry,
		Now:      b.clock.Now,
	}
	for _, e := range edit {
		e(&config, &deps)
	}
	var err error
	b.server, err = api.New(config, deps)
	require.NoError(t, err)
	b.handler = apitest.Checked(t, b.server.Routes())
	return b
}

// send sends a request with headers given in pairs.
func (b *bundle) send(method, target, body string, headers ...string) *httptest.ResponseRecorder {
	b.t.Helper()
	return serve(b.handler, method, target, body, headers...)
}

// call sends a request with a key to an operation for people.
func (b *bundle) call(key string) *httptest.ResponseRecorder {
	b.t.Helper()
	return b.send(http.MethodPost, forPeople, "{}", "Authorization", "apikey "+key)
}

func serve(h http.Handler, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if body == "" {
		r.Body = http.NoBody
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
