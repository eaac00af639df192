package followers

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"waybill/domain/event"
	"waybill/domain/webhook"
	"waybill/relay"
	"waybill/store"
	"waybill/workflows"
)

// newWebhooks returns the follower that signals new events and changed settings to an
// organization's webhook endpoints.
func newWebhooks(d Deps) relay.Follower {
	return relay.Follower{Name: "webhooks", Hand: webhooks{d}.hand, Kinds: append(webhook.Kinds(), webhookChanges...)}
}

// webhookChanges are the kinds of event after which an endpoint is tried at
// once.
var webhookChanges = []event.Kind{
	event.WebhookCreated, event.WebhookUpdated, event.WebhookDeleted, event.WebhookSecretRotated, event.WebhookReplayed,
}

type webhooks struct{ Deps }

// webhooksToldAtOnce is how many endpoints get a signal at a time.
const webhooksToldAtOnce = 4

// hand signals each endpoint once, however many events it has: one turn sends
// them all.
func (w webhooks) hand(ctx context.Context, events []store.Event) error {
	changed := map[int64]bool{}
	for i := range events {
		isChange := !events[i].Kind.Public()
		changed[events[i].OrgID] = changed[events[i].OrgID] || isChange
	}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(webhooksToldAtOnce)
	for org, isChange := range changed {
		ids, err := w.Store.WebhookEndpointsToWake(ctx, org)
		if err != nil {
			return errors.Join(err, group.Wait())
		}
		for _, id := range ids {
			group.Go(func() error {
				return workflows.WebhookNews(within, w.Temporal, workflows.WebhookInput{OrgID: org, EndpointID: id},
					workflows.WebhookNewsOf{Changed: isChange})
			})
		}
	}
	return errors.Join(group.Wait(), ctx.Err())
}
