package notifications

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
	quota := o.settings.EmailQuota
	if n.Channel == notification.SMS {
		quota = o.settings.SMSQuota
	}
	if n.refused != "" || quota == (notification.Quota{}) {
		return nil, nil
	}
	bound, first, err := o.exceeded(ctx, t, quota, n, f)
	if err != nil || bound == "" {
		return nil, err
	}
	n.refused = notification.TooMany
	return &OverQuota{OrgID: t.Org(), Channel: n.Channel, Bound: bound, First: first}, nil
}

// exceeded counts a message, and returns the bound that it is over. What is over the
// share of series does not count among the other messages.
func (o *Operations) exceeded(
	ctx context.Context, t *store.Tx, quota notification.Quota, n *composed, f *store.NotificationFacts,
) (over notification.Bound, first bool, err error) {
	day, address := o.dayIn(f.Timezone), strings.ToLower(n.Receiver)
	to := notification.Receiver(f.RuleReceiver)
	named := to == notification.Address || to == notification.Customer
	if share := quota.SeriesShare(); f.SeriesID != 0 && share > 0 && !named {
		receiver := sha256.Sum256([]byte("series " + address))
		made, err := t.TallySeries(ctx, n.Channel, receiver[:], day)
		if err != nil || made > share {
			return notification.BoundOfSeries, made == share+1, err
		}
	}
	receiver := sha256.Sum256([]byte(address))
	tally, err := t.TallyMessage(ctx, n.Channel, receiver[:], day)
	if err != nil {
		return "", false, err
	}
	over, first = quota.Exceeded(tally, named)
	return over, first, nil
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
