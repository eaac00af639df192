package apitest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
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
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/domain/credential"
	"waybill/store"
)

// ForPeople is an operation that authentication and the rate let through and
// authorization does not: with a good key it responds with 403.
const ForPeople = "/v1/customers"

// clock is moved by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now is the time on the clock.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Forward advances the clock.
func (c *clock) Forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// KeyTable is a store of API keys.
type KeyTable struct {
	Mu      sync.Mutex
	Keys    map[string]edge.APIKey
	err     error
	lookups int
	Touched chan int64
	Refuse  error // the result of touching
}

// FindAPIKey implements edge.KeyFinder.
func (k *KeyTable) FindAPIKey(_ context.Context, public string) (edge.APIKey, error) {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	k.lookups++
	if k.err != nil {
		return edge.APIKey{}, k.err
	}
	key, ok := k.Keys[public]
	if !ok {
		return edge.APIKey{}, store.ErrNotFound
	}
	return key, nil
}

// TouchAPIKey implements edge.KeyToucher.
func (k *KeyTable) TouchAPIKey(_ context.Context, _, key int64) error {
	k.Touched <- key
	k.Mu.Lock()
	defer k.Mu.Unlock()
	return k.Refuse
}

// Count returns how often a key was looked up.
func (k *KeyTable) Count() int {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	return k.lookups
}

// Add creates a key, changed by edit, and returns all of it.
func (k *KeyTable) Add(t *testing.T, edit func(*edge.APIKey)) string {
	t.Helper()
	key, err := credential.New(credential.APIKey, rand.Reader)
	require.NoError(t, err)
	hash := key.Hash()
	k.Mu.Lock()
	defer k.Mu.Unlock()
	row := edge.APIKey{
		OrgID: 7, ID: int64(len(k.Keys) + 1), Name: "test", Hash: hash[:], Timezone: "Europe/Oslo", Language: "nb",
	}
	if edit != nil {
		edit(&row)
	}
	k.Keys[key.Public()] = row
	return key.Reveal()
}

// Change edits every key in the table.
func (k *KeyTable) Change(edit func(*edge.APIKey)) {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	for public, row := range k.Keys {
		edit(&row)
		k.Keys[public] = row
	}
}

// Fail makes every look-up return an error; nil ends that.
func (k *KeyTable) Fail(err error) {
	k.Mu.Lock()
	defer k.Mu.Unlock()
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

// Records returns the records with a message.
func (l *logs) Records(t *testing.T, message string) []map[string]any {
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

// Text returns all that was logged.
func (l *logs) Text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// Bundle is a server with all that a test looks at.
type Bundle struct {
	T        *testing.T
	Server   *api.Server
	handler  http.Handler
	Keys     *KeyTable
	Key      string // a good one
	Clock    *clock
	Logs     *logs
	Registry *prometheus.Registry

	now    func() time.Time // the server's clock
	mu     sync.Mutex
	people map[string]edge.Principal // by their Authorization header
}

// New returns a server without a database, whose answers are held against the
// contract; edit may change how it is made.
func New(t *testing.T, edit ...func(*api.Config, *api.Dependencies)) *Bundle {
	t.Helper()
	b := &Bundle{
		T:        t,
		Keys:     &KeyTable{Keys: make(map[string]edge.APIKey), Touched: make(chan int64, 100)},
		Clock:    &clock{now: time.Date(2026, 3, 2, 7, 30, 0, 0, time.UTC)},
		Logs:     &logs{},
		Registry: prometheus.NewRegistry(),
		people:   make(map[string]edge.Principal),
	}
	b.Key = b.Keys.Add(t, nil)
	config := api.Config{}
	deps := api.Dependencies{
		Logger:   slog.New(slog.NewJSONHandler(b.Logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Keys:     b.Keys,
		Registry: b.Registry,
		Now:      b.Clock.Now,

		Authenticators: []edge.Authenticator{b.person},
	}
	for _, e := range edit {
		e(&config, &deps)
	}
	b.now = deps.Now
	var err error
	b.Server, err = api.New(config, deps)
	require.NoError(t, err)
	b.handler = Checked(t, b.Server.Routes())
	return b
}

// Send sends a request with headers given in pairs.
func (b *Bundle) Send(method, target, body string, headers ...string) *httptest.ResponseRecorder {
	b.T.Helper()
	return Serve(b.handler, method, target, body, headers...)
}

// Call sends a request with a key to an operation for people.
func (b *Bundle) Call(key string) *httptest.ResponseRecorder {
	b.T.Helper()
	return b.Send(http.MethodPost, ForPeople, "{}", "Authorization", "apikey "+key)
}

// Serve passes a request to a handler, with headers given in pairs.
func Serve(h http.Handler, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(context.Background(), method, target, strings.NewReader(body))
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

// AsRole returns the Authorization header of a person of an organization with this
// role: b.Send("GET", path, "", "Authorization", b.AsRole(org, "admin")). No
// account is needed. The person has just signed in.
func (b *Bundle) AsRole(org int64, role caller.Role) string {
	return b.SignIn(edge.Principal{
		Caller: caller.Caller{OrgID: org, Kind: caller.Person, ID: 12, Roles: []caller.Role{role}},
		Zone:   time.UTC, Language: "en", SignedInAt: b.now(),
	})
}

// SignIn returns an Authorization header for a person or device that becomes
// this principal.
func (b *Bundle) SignIn(p edge.Principal) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	token := fmt.Sprintf("Bearer %d", len(b.people)+1)
	b.people[token] = p
	return token
}

// SignOut invalidates a person's Authorization header.
func (b *Bundle) SignOut(token string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.people, token)
}

// person authenticates users with a session.
func (b *Bundle) person(r *http.Request) (*edge.Principal, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p, ok := b.people[r.Header.Get("Authorization")]; ok {
		return &p, nil
	}
	return nil, nil //nolint:nilnil // the contract of an authenticator: not mine, and no fault
}
