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

// newWebhooks makes the follower that tells the webhook endpoints of an organization that
// there is something to send, or that somebody has changed one of them.
func newWebhooks(d Deps) relay.Follower {
	return relay.Follower{Name: "webhooks", Hand: webhooks{d}.hand, Kinds: append(webhook.Kinds(), webhookChanges...)}
}

// webhookChanges are the kinds of event after which an endpoint is tried at once.
var webhookChanges = []event.Kind{
	event.WebhookCreated, event.WebhookUpdated, event.WebhookDeleted, event.WebhookSecretRotated, event.WebhookReplayed,
}

type webhooks struct{ Deps }

// webhooksToldAtOnce is how many endpoints are told at a time.
const webhooksToldAtOnce = 4

// hand tells each endpoint once, however much of the news is for it: one turn sends it all.
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
