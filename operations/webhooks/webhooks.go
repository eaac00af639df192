// Package webhooks maintains the endpoints of integrators, and sends them
// examples. Its subpackage delivery sends the events.
package webhooks

import (
	"context"
	"fmt"
	"slices"
	"time"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/webhook"
	"waybill/operations/core"
	"waybill/operations/sealing"
	"waybill/operations/webhooks/delivery"
	"waybill/providers/webhooks"
	"waybill/store"
)

// Operations are the operations on endpoints.
type Operations struct {
	store      *store.Store
	now        func() time.Time
	sealer     *sealing.Sealer
	deliveries *delivery.Operations
}

// New returns the operations over a store; now is the clock.
func New(
	s *store.Store, now func() time.Time, sealer *sealing.Sealer, deliveries *delivery.Operations,
) *Operations {
	return &Operations{store: s, now: now, sealer: sealer, deliveries: deliveries}
}

// mostEndpoints is how many endpoints an organization may have.
const mostEndpoints = 20

// EndpointSecret is an endpoint with its new signing secret.
type EndpointSecret struct {
	store.WebhookEndpoint

	Secret string
}

// NewEndpoint is a new endpoint; it begins after After, or now if that is nil.
type NewEndpoint struct {
	store.WebhookDetails

	After *int64
}

// CreateEndpoint has events sent to an address.
func (o *Operations) CreateEndpoint(ctx context.Context, c caller.Caller, n NewEndpoint) (EndpointSecret, error) {
	if err := o.check(&n.WebhookDetails); err != nil {
		return EndpointSecret{}, err
	}
	sealed, err := o.sealer.Seal(ctx, o.store, []byte(webhooks.NewSecret()))
	if err != nil {
		return EndpointSecret{}, err
	}
	return o.withSecret(ctx, c, func(t *store.Tx) (store.WebhookEndpoint, error) {
		count, err := t.CountWebhookEndpoints(ctx)
		if err == nil && count >= mostEndpoints {
			err = fault.Illegal("webhook_endpoint.too_many", "organization", fmt.Sprint(c.OrgID))
		}
		if err != nil {
			return store.WebhookEndpoint{}, err
		}
		id, err := t.CreateWebhookEndpoint(ctx, n.WebhookDetails, sealed, n.After)
		if err != nil {
			return store.WebhookEndpoint{}, err
		}
		if err := t.Append(ctx, event.WebhookEndpoint{ID: id}.Event(event.WebhookCreated)); err != nil {
			return store.WebhookEndpoint{}, err
		}
		return t.WebhookEndpoint(ctx, id)
	})
}

// withSecret does work once and returns its endpoint with the secret. The
// outcome stored for later attempts is encrypted.
func (o *Operations) withSecret(
	ctx context.Context, c caller.Caller, work func(*store.Tx) (store.WebhookEndpoint, error),
) (EndpointSecret, error) {
	endpoint, err := core.Once(ctx, o.store, c, work)
	if err != nil {
		return EndpointSecret{}, err
	}
	secret, err := o.sealer.Open(ctx, o.store, endpoint.SealedSecret)
	return EndpointSecret{WebhookEndpoint: endpoint, Secret: string(secret)}, err
}

// RotateSecret gives an endpoint a new secret. The present one stays valid for
// a while.
func (o *Operations) RotateSecret(
	ctx context.Context, c caller.Caller, id int64, overlap time.Duration,
) (EndpointSecret, error) {
	sealed, err := o.sealer.Seal(ctx, o.store, []byte(webhooks.NewSecret()))
	if err != nil {
		return EndpointSecret{}, err
	}
	var until time.Time // the old one ends at once
	if overlap > 0 {
		until = o.now().Add(overlap)
	}
	return o.withSecret(ctx, c, func(t *store.Tx) (store.WebhookEndpoint, error) {
		if _, err := t.WebhookEndpoint(ctx, id); err != nil {
			return store.WebhookEndpoint{}, err
		}
		if err := t.RotateWebhookSecret(ctx, id, sealed, until); err != nil {
			return store.WebhookEndpoint{}, err
		}
		if err := t.Append(ctx, event.WebhookEndpoint{ID: id}.Event(event.WebhookSecretRotated)); err != nil {
			return store.WebhookEndpoint{}, err
		}
		return t.WebhookEndpoint(ctx, id)
	})
}

// ChangeEndpoint applies change to an endpoint, and saves it.
func (o *Operations) ChangeEndpoint(
	ctx context.Context, c caller.Caller, id int64, change func(store.WebhookEndpoint) (store.WebhookDetails, error),
) (endpoint store.WebhookEndpoint, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		before, err := t.WebhookEndpoint(ctx, id)
		if err != nil {
			return err
		}
		wanted, err := change(before)
		if err != nil {
			return err
		}
		if err := o.check(&wanted); err != nil {
			return err
		}
		if err := t.UpdateWebhookEndpoint(ctx, id, wanted); err != nil {
			return err
		}
		if err := t.Append(ctx, event.WebhookEndpoint{ID: id}.Event(event.WebhookUpdated)); err != nil {
			return err
		}
		endpoint, err = t.WebhookEndpoint(ctx, id)
		return err
	})
	return endpoint, err
}

// DeleteEndpoint ends sending to an address.
func (o *Operations) DeleteEndpoint(ctx context.Context, c caller.Caller, id int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		if _, err := t.WebhookEndpoint(ctx, id); err != nil {
			return err
		}
		if err := t.DeleteWebhookEndpoint(ctx, id); err != nil {
			return err
		}
		return t.Append(ctx, event.WebhookEndpoint{ID: id}.Event(event.WebhookDeleted))
	})
}

// check rejects invalid endpoints, and removes duplicate kinds.
func (o *Operations) check(d *store.WebhookDetails) error {
	if !o.deliveries.Usable(d.URL) {
		return fault.Field("url", fault.Say("webhook_endpoint.bad_url"))
	}
	if err := CheckKinds(d.Kinds); err != nil {
		return err
	}
	d.Kinds = slices.Compact(slices.Sorted(slices.Values(d.Kinds)))
	return nil
}

// CheckKinds refuses kinds that are never sent.
func CheckKinds(kinds []event.Kind) error {
	for _, kind := range kinds {
		if !kind.Public() {
			return fault.Field("types", fault.Say("webhook_endpoint.bad_type", "type", fault.Clip(string(kind))))
		}
	}
	return nil
}

// mostReplayed is how many events are sent again at a time.
const mostReplayed = 10_000

// Replay has events sent to an endpoint again, and returns how many.
func (o *Operations) Replay(ctx context.Context, c caller.Caller, id int64, r store.Replay) (int64, error) {
	r.AtMost = mostReplayed
	if r.Span != nil {
		r.AtMost++ // one more shows that there are too many
	}
	return core.Once(ctx, o.store, c, func(t *store.Tx) (int64, error) {
		endpoint, err := t.WebhookEndpoint(ctx, id)
		if err == nil && !endpoint.IsActive {
			err = fault.Illegal("webhook_endpoint.switched_off", "webhook_endpoint", fmt.Sprint(id))
		}
		if err != nil {
			return 0, err
		}
		n, err := t.Replay(ctx, id, r, endpoint.Kinds)
		if err == nil && n > mostReplayed {
			err = core.Unusable("positions", fault.Say("webhook_replay.too_many", "max", fmt.Sprint(mostReplayed)))
		}
		if err != nil || n == 0 {
			return n, err
		}
		return n, t.Append(ctx, event.WebhookEndpoint{ID: id}.Replayed(n))
	})
}

// ParseIDs reads the identifiers of events.
func ParseIDs(ids []string) ([]webhook.Place, error) {
	places := make([]webhook.Place, len(ids))
	for i, id := range ids {
		place, test, ok := webhook.ParseID(id)
		if !ok || test != "" {
			return nil, fault.Field(fmt.Sprintf("messageIds[%d]", i), fault.Say("webhook_replay.bad_id"))
		}
		places[i] = place
	}
	return places, nil
}
