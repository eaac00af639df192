// Package delivery sends the events of the log to webhook endpoints: what is new in the
// status feed, and what is to be tried again. Each turn runs several requests at a time.
package delivery

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"waybill/domain/outward"
	"waybill/domain/webhook"
	"waybill/internal/limit"
	"waybill/operations/sealing"
	"waybill/providers/webhooks"
	"waybill/store"
)

// Settings are how events are sent to the addresses of integrators.
type Settings struct {
	// Entry writes an entry of the order status feed as its readers get it.
	Entry func(store.StatusChange) (json.RawMessage, error)
	// AllowPrivate lets endpoints lie in private networks.
	AllowPrivate bool
}

// postsOfOrganization is how many events of an organization are under way at a time, in
// one process.
const postsOfOrganization = 32

// Operations sends events to the endpoints of integrators.
type Operations struct {
	store    *store.Store
	now      func() time.Time
	sealer   *sealing.Sealer
	settings Settings
	hooks    *webhooks.Client
	// posts bounds how many requests of an organization run at once.
	posts *limit.PerKey[int64]
}

// New makes the operations over a store; now is the clock. A process makes them once: they
// bound the requests of one process.
func New(s *store.Store, now func() time.Time, sealer *sealing.Sealer, settings Settings) *Operations {
	return &Operations{
		store: s, now: now, sealer: sealer, settings: settings,
		hooks: webhooks.New(settings.AllowPrivate), posts: limit.New[int64](postsOfOrganization),
	}
}

// secrets are those with which events are signed now, the newest first.
func (o *Operations) secrets(ctx context.Context, e *store.WebhookEndpoint) (secrets []string, err error) {
	sealed := [][]byte{e.SealedSecret}
	if e.SealedPrevious != nil && o.now().Before(e.PreviousUntil) {
		sealed = append(sealed, e.SealedPrevious)
	}
	for _, s := range sealed {
		secret, err := o.sealer.Open(ctx, o.store, s)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, string(secret))
	}
	return secrets, nil
}

// Target is where events are sent, and what they are signed with.
type Target struct {
	org     int64
	url     string
	secrets []string
}

// TargetOf returns where the events of an endpoint are sent now.
func (o *Operations) TargetOf(
	ctx context.Context, org int64, e *store.WebhookEndpoint,
) (Target, error) {
	secrets, err := o.secrets(ctx, e)
	return Target{org: org, url: e.URL, secrets: secrets}, err
}

// Usable reports whether events can be sent to an address.
func (o *Operations) Usable(url string) bool { return o.hooks.Usable(url) }

// Post makes an attempt to deliver an event, and notes in it what came of that. It returns for
// how long the endpoint asks to be left alone.
func (o *Operations) Post(
	ctx context.Context, to *Target, a *store.WebhookAttempt, body []byte,
) (wait time.Duration, err error) {
	leave, err := o.posts.Acquire(ctx, to.org)
	if err != nil {
		return 0, err
	}
	defer leave()
	a.At = o.now()
	answer := o.hooks.Send(ctx, webhooks.Message{
		URL: to.url, ID: a.MessageID(), At: a.At, Body: body, Secrets: to.secrets,
	})
	a.Fault, a.Status, a.Answer, a.Duration = answer.Fault, answer.Status, answer.Body, answer.Duration
	return answer.Wait, nil
}

// Body is what is sent of an entry of the feed.
func (o *Operations) Body(entry store.StatusChange) ([]byte, error) {
	data, err := o.settings.Entry(entry)
	if err != nil {
		return nil, fmt.Errorf("write an entry of the feed: %w", err)
	}
	return outward.Marshal(Event{Type: entry.Kind, Timestamp: entry.OccurredAt.UTC(), Data: data})
}

// Event is what is sent to an endpoint.
type Event struct {
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// Entries reads entries of the feed by their places; those that have left it are not there.
func (o *Operations) Entries(
	ctx context.Context, org int64, places []webhook.Place,
) (map[webhook.Place]*store.StatusChange, error) {
	rows, err := o.store.FeedEntries(ctx, org, places)
	entries := make(map[webhook.Place]*store.StatusChange, len(rows))
	for i := range rows {
		entries[webhook.Place{Position: rows[i].Position, Number: rows[i].Place}] = &rows[i]
	}
	return entries, err
}
