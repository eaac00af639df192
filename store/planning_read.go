package store

import (
	"context"
	"time"

	"waybill/domain/event"
	"waybill/domain/planning"
	"waybill/domain/simulation"
	"waybill/store/columns"
	"waybill/store/queries"
)

// PlanningRead is the cached reading of a planning day. Most of a large day
// doesn't change, so only orders with events since are read again.
type PlanningRead struct {
	// known are the cached orders, by id.
	known map[int64]orderRead
	// position is how far the log was then.
	position int64
	// at is when all orders were read.
	at time.Time
}

// orderRead is an order with the row that it was read by.
type orderRead struct {
	row   queries.OrdersToPlanRow
	order planning.Order
}

// bytesOfOrder is about how much is kept of an order.
const bytesOfOrder = 1 << 10

// Bytes is the approximate size of the cache. It is 0 for nil.
func (r *PlanningRead) Bytes() int64 {
	if r == nil {
		return 0
	}
	return int64(len(r.known)) * bytesOfOrder
}

// How long a cached order is trusted, and for how many events of the log.
const (
	longestRead  = 5 * time.Minute
	mostReadOver = 100_000
)

// PlanningDaySince reads the same as PlanningDay, as of one moment, and returns
// a cache for the next call. A nil cache reads everything.
func (s *Store) PlanningDaySince(
	ctx context.Context, org int64, area planning.Area, now time.Time, last *PlanningRead,
) (planning.Day, *PlanningRead, error) {
	var day planning.Day
	var read *planningReader
	err := s.InReadOnlyTx(ctx, org, func(t *Tx) (err error) {
		read = &planningReader{last: last}
		day, err = t.loadPlanningDay(ctx, scope{area: area, every: true, read: read},
			func(c simulation.Clock) time.Time { return c.At(now) })
		return err
	})
	if err != nil {
		return planning.Day{}, nil, err
	}
	return day, read.now, nil
}

// planningReader reads the orders of a day with the help of a cache.
type planningReader struct {
	last, now *PlanningRead
}

// unrelated are event subjects that don't affect the requirements of orders.
// Drivers, vehicles and plans are read every time.
var unrelated = []event.SubjectType{
	event.OfDriver, event.OfVehicle, event.OfPlan, event.OfDraft, event.OfTemplate, event.OfMessage, event.OfDocument,
	event.OfCustomField, event.OfGroup, event.OfPriceList, event.OfNotificationRule, event.OfKey, event.OfUser,
	event.OfRole, event.OfIdentityProvider, event.OfWebhookEndpoint,
}

// orders returns the orders of rows. It reads those that may have changed, and
// caches them.
func (r *planningReader) orders(
	ctx context.Context, t *Tx, of *scope, rows []queries.OrdersToPlanRow,
) ([]planning.Order, error) {
	changed, err := r.changed(ctx, t)
	if err != nil {
		return nil, err
	}
	var again []queries.OrdersToPlanRow
	for i := range rows {
		known, isKnown := r.last.of(rows[i].ID)
		if changed[rows[i].ID] || !isKnown || known.row != rows[i] || known.order.Uncertain() {
			again = append(again, rows[i])
		}
	}
	fresh, err := t.ordersOf(ctx, of, again)
	if err != nil {
		return nil, err
	}
	all := make([]planning.Order, len(rows))
	r.now.known = make(map[int64]orderRead, len(rows))
	for i := range rows {
		if len(fresh) > 0 && fresh[0].ID == rows[i].ID {
			all[i], fresh = fresh[0], fresh[1:]
		} else {
			all[i] = r.last.known[rows[i].ID].order
		}
		r.now.known[rows[i].ID] = orderRead{rows[i], all[i]}
	}
	return all, nil
}

// of returns a cached order. It is safe to call on nil.
func (r *PlanningRead) of(id int64) (orderRead, bool) {
	if r == nil {
		return orderRead{}, false
	}
	known, isKnown := r.known[id]
	return known, isKnown
}

// changed returns the orders with events since the last call. It clears the
// cache if the log may be incomplete.
func (r *planningReader) changed(ctx context.Context, t *Tx) (map[int64]bool, error) {
	end, err := t.q.LogEnd(ctx)
	if err != nil {
		return nil, err
	}
	r.now = &PlanningRead{position: end, at: time.Now()}
	if r.last == nil || time.Since(r.last.at) > longestRead || end-r.last.position > mostReadOver {
		r.last = nil
		return nil, nil
	}
	news, err := t.q.OrdersChangedSince(ctx, queries.OrdersChangedSinceParams{
		OrgID: t.org, After: r.last.position,
		Unrelated: columns.Of(unrelated, func(s event.SubjectType) string { return string(s) }),
	})
	if err != nil || news.ConcernsAll {
		r.last = nil
		return nil, err
	}
	r.now.at = r.last.at
	changed := make(map[int64]bool, len(news.OrderIds))
	for _, id := range news.OrderIds {
		changed[id] = true
	}
	return changed, nil
}
