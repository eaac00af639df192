package operations

import (
	"context"

	"waybill/domain/event"
	"waybill/domain/webhook"
	"waybill/store"
)

// switchOff ends sending to an endpoint, and tells its organization why.
func switchOff(ctx context.Context, t *store.Tx, id int64, why webhook.OffReason) error {
	was, err := t.SwitchOffWebhookEndpoint(ctx, id, why)
	if err != nil || !was {
		return err
	}
	return t.Append(ctx, event.WebhookEndpoint{ID: id}.SwitchedOff(string(why)))
}
