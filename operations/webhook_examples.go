package operations

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/domain/webhook"
	"waybill/providers/webhooks"
	"waybill/store"
)

// postsOfOrganization is how many events of an organization are under way at a time, in
// one process.
const postsOfOrganization = 32

// SendWebhookExamples sends an example of each kind to an endpoint, of all kinds when none
// are named, and returns what came of them.
func (o *Operations) SendWebhookExamples(
	ctx context.Context, c caller.Caller, id int64, kinds []event.Kind,
) ([]store.WebhookAttempt, error) {
	if err := CheckWebhookKinds(kinds); err != nil {
		return nil, err
	}
	if len(kinds) == 0 {
		kinds = webhook.Kinds()
	}
	endpoint, err := o.store.WebhookEndpoint(ctx, c.OrgID, id)
	if err != nil {
		return nil, err
	}
	secrets, err := o.webhookSecrets(ctx, &endpoint)
	if err != nil {
		return nil, err
	}
	target := webhookTarget{org: c.OrgID, url: endpoint.URL, secrets: secrets}
	attempts := make([]store.WebhookAttempt, len(kinds))
	errs := make([]error, len(kinds))
	var sending sync.WaitGroup
	for i, kind := range kinds {
		attempts[i] = store.WebhookAttempt{Test: strings.ToLower(rand.Text()), Kind: kind, Count: 1}
		sending.Go(func() { errs[i] = o.sendExample(ctx, &target, &attempts[i]) })
	}
	sending.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return attempts, o.store.InTx(ctx, c, func(t *store.Tx) error {
		ids, err := t.AddWebhookAttempts(ctx, id, attempts)
		for i := range ids {
			attempts[i].ID = ids[i]
		}
		return err
	})
}

func (o *Operations) sendExample(
	ctx context.Context, target *webhookTarget, a *store.WebhookAttempt,
) error {
	body, err := o.webhookBody(example(a.Kind, o.now()))
	if err != nil {
		return err
	}
	_, err = o.post(ctx, target, a, body)
	return err
}

// example is an entry of the feed that is about nothing.
func example(kind event.Kind, now time.Time) store.StatusChange {
	status, stop := order.Registered, ""
	switch kind {
	case event.OrderPlanned, event.OrderETAChanged, event.StopApproaching:
		status = order.Planned
	case event.StopArrived:
		status, stop = order.AtPickup, "pickup"
	case event.OrderPickedUp:
		status, stop = order.PickedUp, "pickup"
	case event.OrderDelivered:
		status, stop = order.Delivered, "delivery"
	case event.OrderFailed:
		status, stop = order.Failed, "delivery"
	case event.OrderCancelled, event.OrderNumberCancelled:
		status = order.Cancelled
	}
	change := store.StatusChange{
		ExternalID: "EXAMPLE-1", OrderStatusID: int16(status), Status: status.String(), OccurredAt: now.Truncate(time.Second),
		Kind: string(kind),
	}
	if status == order.Failed {
		change.Reason, change.Comment = "Nobody at home", "The neighbor did not open either"
	}
	if stop != "" {
		driver := int64(0)
		change.Stop, change.DriverID = &stop, &driver
	}
	return change
}

// webhookSecrets are those with which events are signed now, the newest first.
func (o *Operations) webhookSecrets(ctx context.Context, e *store.WebhookEndpoint) (secrets []string, err error) {
	sealed := [][]byte{e.SealedSecret}
	if e.SealedPrevious != nil && o.now().Before(e.PreviousUntil) {
		sealed = append(sealed, e.SealedPrevious)
	}
	for _, s := range sealed {
		secret, err := o.Sealing.Open(ctx, o.store, s)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, string(secret))
	}
	return secrets, nil
}

// webhookTarget is where events are sent, and what they are signed with.
type webhookTarget struct {
	org     int64
	url     string
	secrets []string
}

// post makes an attempt to deliver an event, and notes in it what came of that. It returns for
// how long the endpoint asks to be left alone.
func (o *Operations) post(
	ctx context.Context, to *webhookTarget, a *store.WebhookAttempt, body []byte,
) (wait time.Duration, err error) {
	leave, err := o.deliveries.Acquire(ctx, to.org)
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

// webhookBody is what is sent of an entry of the feed.
func (o *Operations) webhookBody(entry store.StatusChange) ([]byte, error) {
	data, err := o.settings.Webhooks.Entry(entry)
	if err != nil {
		return nil, fmt.Errorf("write an entry of the feed: %w", err)
	}
	return json.Marshal(WebhookEvent{Type: entry.Kind, Timestamp: entry.OccurredAt.UTC(), Data: data})
}

// WebhookBodies returns what attempts have sent, by the identifiers of their events: all but
// examples, and what has left the feed.
func (o *Operations) WebhookBodies(
	ctx context.Context, org int64, attempts []store.WebhookAttempt,
) (map[string]string, error) {
	var places []webhook.Place
	for i := range attempts {
		if attempts[i].Test == "" {
			places = append(places, attempts[i].Place)
		}
	}
	entries, err := o.feedEntries(ctx, org, places)
	if err != nil {
		return nil, err
	}
	bodies := make(map[string]string, len(entries))
	for place, entry := range entries {
		body, err := o.webhookBody(*entry)
		if err != nil {
			return nil, err
		}
		bodies[place.ID()] = string(body)
	}
	return bodies, nil
}

// WebhookEvent is what is sent to an endpoint.
type WebhookEvent struct {
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}
