package store

import (
	"context"
	"time"

	"waybill/domain/order"
	"waybill/domain/overview"
	"waybill/store/queries"
)

// OrdersToSumUp returns the orders of a day, with the fields that sums need and
// the id of their group: one of status, orderType, department, customer or
// driver, with 0 for none.
func (s *Store) OrdersToSumUp(
	ctx context.Context, org int64, day time.Time, groupBy string,
) (orders []overview.Order, groupOf map[int64]int64, err error) {
	rows, err := s.searches(org).OrdersToSumUp(ctx, queries.OrdersToSumUpParams{OrgID: org, Day: day, GroupBy: groupBy})
	if err != nil {
		return nil, nil, translate(err)
	}
	orders, groupOf = make([]overview.Order, len(rows)), make(map[int64]int64, len(rows))
	for i, r := range rows {
		orders[i] = overview.Order{ID: r.ID, Status: order.Status(r.StatusID)}
		groupOf[r.ID] = r.GroupID
	}
	return orders, groupOf, translate(s.addStopsAndLoads(ctx, org, orders))
}

// NamesOfGroups returns the names of groups of orders.
func (s *Store) NamesOfGroups(ctx context.Context, org int64, groupBy string, ids []int64) (map[int64]string, error) {
	rows, err := s.lists(org).NamesOfGroups(ctx, queries.NamesOfGroupsParams{OrgID: org, GroupBy: groupBy, Ids: ids})
	names := make(map[int64]string, len(rows))
	for _, r := range rows {
		names[r.ID] = r.Name
	}
	return names, translate(err)
}

// OrderAtLast is the last event of an order, and what it is waiting for.
type OrderAtLast = queries.OrderAtLastRow

// OrderInBrief returns an order as a row of a table, with its last event.
func (s *Store) OrderInBrief(ctx context.Context, org, id int64) (overview.Order, OrderAtLast, error) {
	rows, err := s.overviewRows(ctx, org, []int64{id})
	if err == nil && len(rows) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return overview.Order{}, OrderAtLast{}, absent("order", id, err)
	}
	last, err := s.lookups(org).OrderAtLast(ctx, queries.OrderAtLastParams{OrgID: org, OrderID: id})
	return rows[0], last, translate(err)
}
