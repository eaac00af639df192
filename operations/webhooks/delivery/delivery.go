// Package delivery sends the events of the log to webhook endpoints: new ones
// in the status feed, and those to retry. Each turn runs several requests at a
// time.
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
	// AllowPrivate permits endpoints in private networks.
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
	// posts limits the concurrent requests of an organization.
	posts *limit.PerKey[int64]
}

// New returns the operations over a store; now is the clock. A process makes
// them once: they bound the requests of one process.
func New(s *store.Store, now func() time.Time, sealer *sealing.Sealer, settings Settings) *Operations {
	return &Operations{
		store: s, now: now, sealer: sealer, settings: settings,
		hooks: webhooks.New(settings.AllowPrivate), posts: limit.New[int64](postsOfOrganization),
	}
}

// secrets sign events now, newest first.
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

// Target is an endpoint's address and secrets.
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

// Post attempts to deliver an event, and records the result in the attempt. It
// returns the pause that the endpoint requests.
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

// Body is the body for an entry of the feed.
func (o *Operations) Body(entry store.StatusChange) ([]byte, error) {
	data, err := o.settings.Entry(entry)
	if err != nil {
		return nil, fmt.Errorf("write an entry of the feed: %w", err)
	}
	return outward.Marshal(Event{Type: entry.Kind, Timestamp: entry.OccurredAt.UTC(), Data: data})
}

// Event is an event for an endpoint.
type Event struct {
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// Entries reads entries of the feed by position; those that have left it are
// missing.
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
