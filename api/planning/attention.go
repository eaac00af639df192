package planning

import (
	"context"
	"time"

	"waybill/domain/notification"
	"waybill/domain/order"
	"waybill/store"
)

// attention counts what of a day needs somebody's attention.
type attention struct{ failed, addresses, emails, texts int64 }

func (h *Handlers) attentionOf(ctx context.Context, org int64, day time.Time) (a attention, err error) {
	if a.failed, err = h.store.CountOrders(ctx, org, day, day, int64(order.Failed)); err != nil {
		return a, err
	}
	unclear := store.PlaceFilter{Precisions: order.CoarsePrecisions(), First: day, Last: day}
	if a.addresses, err = h.store.CountPlacesToCheck(ctx, org, unclear); err != nil {
		return a, err
	}
	if a.emails, err = h.undelivered(ctx, org, day, notification.Email); err != nil {
		return a, err
	}
	a.texts, err = h.undelivered(ctx, org, day, notification.SMS)
	return a, err
}

// undelivered counts the messages of a day's orders that did not arrive and were not sent again.
func (h *Handlers) undelivered(ctx context.Context, org int64, day time.Time, by notification.Channel) (int64, error) {
	isRetried := false
	search := store.LogSearch{Channel: by, OrderDate: &day, IsRetried: &isRetried, Page: store.Page{Number: 1, Size: 1}}
	for _, status := range by.Undelivered() {
		search.Statuses = append(search.Statuses, string(status))
	}
	_, total, err := h.store.SearchLog(ctx, org, search)
	return total, err
}
