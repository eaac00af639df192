package store

import (
	"context"

	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// cancelledBookings frees the seats of orders that were cancelled.
func (s *saver) cancelledBookings(ctx context.Context, orders []*order.Order) {
	p := queries.ReleaseSeatsParams{OrgID: s.org}
	for _, o := range orders {
		if o.Changes.Status && o.Status == order.Cancelled {
			columns.Add(&p.OrderIds, o.ID)
		}
	}
	if len(p.OrderIds) > 0 {
		s.queue(s.q.ReleaseSeats(ctx, p))
	}
}

// promotedBookings lets the bookings of promoted drafts go along to their
// orders. Where the order has one already, the draft's seat is free again.
func (s *saver) promotedBookings(ctx context.Context, drafts []*order.Draft) {
	var promoted, orders []int64
	for _, d := range drafts {
		if d.Promoted != nil {
			promoted = append(promoted, d.ID)
			orders = append(orders, d.Promoted.ID)
		}
	}
	if len(promoted) == 0 {
		return
	}
	s.queue(s.q.MoveBookings(ctx, queries.MoveBookingsParams{OrgID: s.org, DraftIds: promoted}))
	s.queue(s.q.KeepBookedWindows(ctx, queries.KeepBookedWindowsParams{OrgID: s.org, OrderIds: orders}))
	s.queue(s.q.ReleaseSeats(ctx, queries.ReleaseSeatsParams{OrgID: s.org, DraftIds: promoted}))
}
