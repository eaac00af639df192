package followers

import (
	"context"

	"waybill/domain/notification"
	"waybill/relay"
	"waybill/store"
	"waybill/workflows"
)

// newNotifications returns the follower that starts a workflow for each message
// that an event is to make.
func newNotifications(d Deps) relay.Follower {
	return relay.Follower{Name: "notifications", Kinds: notification.Kinds(), Hand: notifications{d}.hand}
}

type notifications struct{ Deps }

func (n notifications) hand(ctx context.Context, events []store.Event) error {
	due, err := n.Store.DueNotifications(ctx, events)
	if err != nil {
		return err
	}
	// In its own transaction before any of them starts: otherwise the first to
	// run would not see the others.
	if err := n.Store.HandOver(ctx, due); err != nil {
		return err
	}
	inputs := make([]workflows.NotificationInput, len(due))
	for i, d := range due {
		inputs[i] = workflows.NotificationInput{
			OrgID: d.OrgID, Key: d.Key.String(), Event: d.Event, Channel: d.Channel, OrderID: d.OrderID, Number: d.Number,
		}
	}
	return workflows.StartNotifications(ctx, n.Temporal, inputs)
}
