package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"waybill/domain/order"
	"waybill/store/queries"
)

// OrderPaging selects a page of orders and their sequence: by order_id, date,
// created_at or updated_at, descending with a leading minus.
type OrderPaging struct {
	Start, End   time.Time
	StatusIDs    []int64
	OrderTypeIDs []int64
	GroupIDs     []int64
	DriverIDs    []int64
	Routes       []string
	SortBy       string
}

// How far pages of orders reach.
const (
	// MaxOrdersPaged is the last order that a page may show.
	MaxOrdersPaged = 100_000
	// countedAhead is how far orders are counted behind the beginning of a page;
	// and fewer are gathered and sorted, instead of walked along an index.
	countedAhead = 10_000
	// openAhead is the same for pages without delivered orders. Those are few
	// compared with all delivered orders, and adjacent, so a scan from the
	// other end would find them last.
	openAhead = 50_000
	// groupsNamed is how many orders of groups are named one by one.
	groupsNamed = 20_000
)

// PageOrders returns one page of orders and their total number. It counts no
// further than ahead orders after the beginning of the page, and not beyond
// MaxOrdersPaged.
func (s *Store) PageOrders(ctx context.Context, org int64, f OrderPaging, page Page) ([]Document, int64, error) {
	q := s.searches(org)
	params, err := f.params(ctx, q, org, page)
	if err != nil {
		return nil, 0, fmt.Errorf("list orders of groups: %w", translate(err))
	}
	total, err := q.CountPaged(ctx, queries.CountPagedParams{
		OrgID: org, StatusIds: f.StatusIDs, StartDate: f.Start, EndDate: f.End, OrderTypeIds: f.OrderTypeIDs,
		DriverIds: f.DriverIDs, OrderIds: params.OrderIds, GroupIds: params.GroupIds, Routes: f.Routes,
		Most: min(page.skip()+f.ahead(), MaxOrdersPaged),
	})
	if err != nil {
		return nil, 0, fmt.Errorf("count orders: %w", translate(err))
	}
	if int64(page.skip()) >= total {
		return nil, total, nil
	}
	var docs []Document
	if total < int64(f.ahead()) {
		docs, err = q.PageFewOrders(ctx, queries.PageFewOrdersParams(params))
	} else {
		docs, err = s.walks(org).PageOrders(ctx, params)
	}
	return docs, total, translate(err)
}

// ahead is how far orders are counted behind the beginning of a page.
func (f OrderPaging) ahead() int32 {
	if slices.Contains(f.StatusIDs, int64(order.Delivered)) {
		return countedAhead
	}
	return openAhead
}

// params builds the parameters of a page. The orders of small groups are listed
// by id, which narrows a page most.
func (f OrderPaging) params(
	ctx context.Context, q *queries.Queries, org int64, page Page,
) (queries.PageOrdersParams, error) {
	params := queries.PageOrdersParams{
		OrgID: org, StatusIds: f.StatusIDs, StartDate: f.Start, EndDate: f.End, OrderTypeIds: f.OrderTypeIDs,
		DriverIds: f.DriverIDs, GroupIds: f.GroupIDs, Routes: f.Routes,
		SortBy: f.SortBy, PageSize: page.Size, Skip: page.skip(),
	}
	if f.GroupIDs == nil {
		return params, nil
	}
	ids, err := q.OrdersOfGroups(ctx, queries.OrdersOfGroupsParams{OrgID: org, GroupIds: f.GroupIDs, Most: groupsNamed})
	if len(ids) < groupsNamed {
		params.OrderIds, params.GroupIds = append([]int64{}, ids...), nil
	}
	return params, err
}
