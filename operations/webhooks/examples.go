package webhooks

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"time"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/domain/webhook"
	"waybill/operations/webhooks/delivery"
	"waybill/store"
)

// SendExamples sends an example of each kind to an endpoint, of all kinds if
// none are named, and returns the results.
func (o *Operations) SendExamples(
	ctx context.Context, c caller.Caller, id int64, kinds []event.Kind,
) ([]store.WebhookAttempt, error) {
	if err := CheckKinds(kinds); err != nil {
		return nil, err
	}
	if len(kinds) == 0 {
		kinds = webhook.Kinds()
	}
	endpoint, err := o.store.WebhookEndpoint(ctx, c.OrgID, id)
	if err != nil {
		return nil, err
	}
	target, err := o.deliveries.TargetOf(ctx, c.OrgID, &endpoint)
	if err != nil {
		return nil, err
	}
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
	ctx context.Context, target *delivery.Target, a *store.WebhookAttempt,
) error {
	body, err := o.deliveries.Body(example(a.Kind, o.now()))
	if err != nil {
		return err
	}
	_, err = o.deliveries.Post(ctx, target, a, body)
	return err
}

// example is an entry of the feed without a real subject.
func example(kind event.Kind, now time.Time) store.StatusChange {
	status, stop := order.Registered, ""
	switch kind {
	case event.OrderPlanned, event.OrderETAChanged, event.StopApproaching, event.OrderAlerted,
		event.OrderRecipientInstructed, event.OrderRecipientPreferred:
		status = order.Planned
	case event.StopArrived:
		status, stop = order.AtPickup, "pickup"
	case event.OrderPickedUp:
		status, stop = order.PickedUp, "pickup"
	case event.OrderDelivered, event.OrderRecipientRated:
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

// Bodies returns the bodies of attempts by event id, except examples, and
// events that have left the feed.
func (o *Operations) Bodies(
	ctx context.Context, org int64, attempts []store.WebhookAttempt,
) (map[string]string, error) {
	var places []webhook.Place
	for i := range attempts {
		if attempts[i].Test == "" {
			places = append(places, attempts[i].Place)
		}
	}
	entries, err := o.deliveries.Entries(ctx, org, places)
	if err != nil {
		return nil, err
	}
	bodies := make(map[string]string, len(entries))
	for place, entry := range entries {
		body, err := o.deliveries.Body(*entry)
		if err != nil {
			return nil, err
		}
		bodies[place.ID()] = string(body)
	}
	return bodies, nil
}
