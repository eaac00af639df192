package store

import (
	"context"
	"time"

	"waybill/domain/order"
	"waybill/store/queries"
)

// ERPOrderRow is one number in a list. Fields that only orders have are zero for a
// draft.
type ERPOrderRow struct {
	Number            string
	OrderID, DraftID  int64 // one of them is 0
	Cancelled, Shared bool
	Status            order.Status
	Date              time.Time
	CustomerID        int64
	Customer          string
	UpdatedAt         time.Time
}

// ERPOrderState selects which numbers a list contains.
type ERPOrderState int

// The states that a list can be narrowed down to.
const (
	AnyERPOrder ERPOrderState = iota
	ActiveERPOrder
	CancelledERPOrder
	DraftERPOrder
)

// ERPOrderPlace is the number after which a page of a list begins. Drafts come
// before orders, and the zero place comes before all of them.
type ERPOrderPlace struct {
	DraftID int64
	// OrderID is the order with the number; in the part of the list where it is set, no
	// drafts follow.
	OrderID int64
	Number  string
}

// ERPOrderQuery filters numbers; nil and zero match any. Drafts have no
// customer yet.
type ERPOrderQuery struct {
	State        ERPOrderState
	UpdatedSince *time.Time
	Day          *time.Time
	CustomerID   *int64
	Behind       ERPOrderPlace
	AtMost       int32
}

// ERPOrderPage lists numbers, drafts first and the oldest first, and reports whether
// there are more.
func (s *Store) ERPOrderPage(
	ctx context.Context, org int64, q ERPOrderQuery,
) (rows []ERPOrderRow, more bool, err error) {
	if q.Behind.OrderID == 0 && q.CustomerID == nil && (q.State == AnyERPOrder || q.State == DraftERPOrder) {
		if rows, err = s.erpDrafts(ctx, org, &q); err != nil {
			return nil, false, translate(err)
		}
	}
	if len(rows) <= int(q.AtMost) && q.State != DraftERPOrder {
		orders, err := s.erpOrderRows(ctx, org, &q, q.AtMost+1-int32(len(rows)))
		if err != nil {
			return nil, false, translate(err)
		}
		rows = append(rows, orders...)
	}
	if len(rows) > int(q.AtMost) {
		rows, more = rows[:q.AtMost], true
	}
	return rows, more, nil
}

func (s *Store) erpDrafts(ctx context.Context, org int64, q *ERPOrderQuery) ([]ERPOrderRow, error) {
	p := queries.PageERPDraftsParams{
		OrgID: org, Behind: q.Behind.DraftID, UpdatedSince: q.UpdatedSince, PageSize: q.AtMost + 1,
	}
	if q.Day != nil {
		day := q.Day.Format(time.DateOnly)
		p.OnDay = &day
	}
	along := s.walks(org)
	if q.UpdatedSince != nil {
		along = s.searches(org)
	}
	found, err := along.PageERPDrafts(ctx, p)
	rows := make([]ERPOrderRow, len(found))
	for i, d := range found {
		rows[i] = ERPOrderRow{Number: d.Number, DraftID: d.ID, UpdatedAt: d.UpdatedAt}
	}
	return rows, err
}

// erpOrderRows are numbers of orders. A selective filter is applied first; a
// full list walks along the orders.
func (s *Store) erpOrderRows(ctx context.Context, org int64, q *ERPOrderQuery, atMost int32) ([]ERPOrderRow, error) {
	p := queries.PageERPOrdersParams{
		OrgID: org, BehindID: q.Behind.OrderID, BehindNumber: q.Behind.Number, OnDay: q.Day, CustomerID: q.CustomerID,
		UpdatedSince: q.UpdatedSince, ActiveAlone: q.State == ActiveERPOrder, PageSize: atMost,
	}
	if q.State == CancelledERPOrder {
		return s.cancelledERPOrders(ctx, org, &p)
	}
	along := s.walks(org)
	if q.UpdatedSince != nil || q.CustomerID != nil {
		along = s.searches(org)
	}
	found, err := along.PageERPOrders(ctx, p)
	rows := make([]ERPOrderRow, len(found))
	for i := range found {
		rows[i] = newERPOrderRow(&found[i])
	}
	return rows, err
}

func (s *Store) cancelledERPOrders(
	ctx context.Context, org int64, p *queries.PageERPOrdersParams,
) ([]ERPOrderRow, error) {
	found, err := s.searches(org).PageERPOrdersCancelled(ctx, queries.PageERPOrdersCancelledParams{
		OrgID: p.OrgID, BehindID: p.BehindID, BehindNumber: p.BehindNumber, OnDay: p.OnDay, CustomerID: p.CustomerID,
		UpdatedSince: p.UpdatedSince, PageSize: p.PageSize,
	})
	rows := make([]ERPOrderRow, len(found))
	for i := range found {
		row := queries.PageERPOrdersRow(found[i])
		rows[i] = newERPOrderRow(&row)
	}
	return rows, err
}

func newERPOrderRow(r *queries.PageERPOrdersRow) ERPOrderRow {
	return ERPOrderRow{
		Number: r.Number, OrderID: r.OrderID, Cancelled: r.Cancelled, Shared: r.Shared, Status: order.Status(r.StatusID),
		Date: r.Date, CustomerID: r.CustomerID, Customer: r.Customer, UpdatedAt: r.UpdatedAt,
	}
}
