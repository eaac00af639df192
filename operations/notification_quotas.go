package operations

import (
	"context"
	"crypto/sha256"
	"strings"
	"time"

	"waybill/domain/notification"
	"waybill/store"
)

// OverQuota is a message that is not sent, because its organization or receiver has
// got as many on that day as may be.
type OverQuota struct {
	OrgID   int64
	Channel notification.Channel
	Bound   notification.Bound
	// First says that it is the first of the day.
	First bool
}

// applyQuota refuses a message that is one too many of its day, and returns what
// operators are to hear of it; nil where all is well. What is not sent anyway does
// not count.
func (o *Operations) applyQuota(
	ctx context.Context, t *store.Tx, n *composed, f *store.NotificationFacts,
) (*OverQuota, error) {
	quota := o.settings.Messaging.EmailQuota
	if n.Channel == notification.SMS {
		quota = o.settings.Messaging.SMSQuota
	}
	if n.refused != "" || quota == (notification.Quota{}) {
		return nil, nil
	}
	receiver := sha256.Sum256([]byte(strings.ToLower(n.Receiver)))
	tally, err := t.TallyMessage(ctx, n.Channel, receiver[:], o.dayIn(f.Timezone))
	if err != nil {
		return nil, err
	}
	to := notification.Receiver(f.RuleReceiver)
	bound, first := quota.Exceeded(tally, to == notification.Address || to == notification.Customer)
	if bound == "" {
		return nil, nil
	}
	n.refused = notification.TooMany
	return &OverQuota{OrgID: t.Org(), Channel: n.Channel, Bound: bound, First: first}, nil
}

// dayIn is today in a time zone.
func (o *Operations) dayIn(zone string) time.Time {
	place, err := time.LoadLocation(zone)
	if err != nil {
		place = time.UTC
	}
	now := o.now().In(place)
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
}
