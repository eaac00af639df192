package store

import (
	"context"
	"time"

	"waybill/domain/fault"
	"waybill/domain/freight"
	"waybill/domain/order"
	"waybill/domain/overview"
	"waybill/store/queries"
)

// maxOverviewFound is how many orders a text may find in an overview.
const maxOverviewFound = 10_000

// OverviewFilter filters the orders of an overview. A nil field matches
// everything.
type OverviewFilter struct {
	From, To                                                     time.Time
	StatusIDs, OrderTypeIDs, DepartmentIDs, DriverIDs, Customers []int64
	Text                                                         *OrderSearch
	// Down is the last day first.
	Down bool
	// BehindDay and BehindID are the order after which the page begins.
	BehindDay time.Time
	BehindID  int64
}

// Overview returns a page of orders as rows of a table, and whether there are
// more. It rejects a text with more matches than a search returns.
func (s *Store) Overview(
	ctx context.Context, org int64, f OverviewFilter, atMost int32,
) (rows []overview.Order, more bool, err error) {
	ids, err := s.overviewIDs(ctx, org, f, atMost+1)
	if err != nil {
		return nil, false, translate(err)
	}
	if len(ids) > int(atMost) {
		ids, more = ids[:atMost], true
	}
	rows, err = s.overviewRows(ctx, org, ids)
	return rows, more, translate(err)
}

func (s *Store) overviewIDs(ctx context.Context, org int64, f OverviewFilter, atMost int32) ([]int64, error) {
	params := queries.PageOverviewIDsParams{
		OrgID: org, FromDay: f.From, ToDay: f.To, BehindDay: f.BehindDay, BehindID: f.BehindID,
		StatusIds: f.StatusIDs, OrderTypeIds: f.OrderTypeIDs, DepartmentIds: f.DepartmentIDs, DriverIds: f.DriverIDs,
		CustomerIds: f.Customers, PageSize: atMost,
	}
	q := s.walks(org)
	if f.Text != nil {
		found, err := ordersToSearch(ctx, s.searches(org), org, *f.Text, maxOverviewFound)
		if err != nil {
			return nil, err
		}
		if found.many {
			return nil, fault.Violated([]fault.Violation{{Field: "text", Text: fault.Say("overview.text_too_common")}})
		}
		params.Ids, q = append([]int64{}, found.ids...), s.searches(org)
	}
	var ids []int64
	if f.Down {
		page, err := q.PageOverviewIDsDown(ctx, queries.PageOverviewIDsDownParams(params))
		for _, row := range page {
			ids = append(ids, row.ID)
		}
		return ids, err
	}
	page, err := q.PageOverviewIDs(ctx, params)
	for _, row := range page {
		ids = append(ids, row.ID)
	}
	return ids, err
}

// overviewRows reads orders as rows of a table, in the sequence of their ids.
func (s *Store) overviewRows(ctx context.Context, org int64, ids []int64) ([]overview.Order, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := s.lists(org).OverviewRows(ctx, queries.OverviewRowsParams{OrgID: org, Ids: ids})
	if err != nil {
		return nil, err
	}
	rows := make([]overview.Order, len(found))
	for i := range found {
		rows[i] = newOverviewRow(&found[i])
	}
	return rows, s.addStopsAndLoads(ctx, org, rows)
}

// addStopsAndLoads reads the orders' goods and stops.
func (s *Store) addStopsAndLoads(ctx context.Context, org int64, rows []overview.Order) error {
	ids, places := make([]int64, len(rows)), make(map[int64]*overview.Order, len(rows))
	for i := range rows {
		ids[i], places[rows[i].ID] = rows[i].ID, &rows[i]
	}
	stops, err := s.lists(org).OverviewStops(ctx, queries.OverviewStopsParams{OrgID: org, Ids: ids})
	if err != nil {
		return err
	}
	for i := range stops {
		o := places[stops[i].OrderID]
		if stops[i].Kind == string(order.Pickup) {
			o.Pickup = newOverviewStop(&stops[i], stops[i].PickupArrivedAt, stops[i].PickupEndedAt)
		} else {
			o.Delivery = newOverviewStop(&stops[i], stops[i].DeliveryArrivedAt, stops[i].DeliveryEndedAt)
		}
	}
	products, err := s.lists(org).ProductsToPlan(ctx, queries.ProductsToPlanParams{OrgID: org, OrderIds: ids})
	eachOrder(products, func(id int64, of []queries.ProductsToPlanRow) {
		places[id].Load = freight.LoadOf(itemsOf(of))
	})
	return err
}

func newOverviewRow(r *queries.OverviewRowsRow) overview.Order {
	return overview.Order{
		ID: r.ID, Serial: r.Serial, Numbers: r.Numbers, Status: order.Status(r.StatusID),
		Date: r.Date, Reference: r.Reference,
		Customer:    overview.Name{ID: r.CustomerID, Name: r.Customer},
		OrderType:   overview.Name{ID: r.OrderTypeID, Name: r.OrderType},
		VehicleType: overview.Name{ID: r.VehicleTypeID, Name: r.VehicleType},
		Department:  nameOrNone(r.DepartmentID, r.Department), Driver: nameOrNone(r.DriverID, r.Driver),
		Unplanned: r.Unplanned, Locked: r.Locked, Exception: r.Exception,
	}
}

func nameOrNone(id *int64, name *string) *overview.Name {
	if id == nil || name == nil {
		return nil
	}
	return &overview.Name{ID: *id, Name: *name}
}

func newOverviewStop(r *queries.OverviewStopsRow, arrivedAt, endedAt *time.Time) *overview.Stop {
	eta := r.LiveEta
	if eta == nil {
		eta = r.PlannedEta
	}
	return &overview.Stop{
		Name: r.Name, Address1: r.Address1, PostalCode: r.PostalCode, City: r.City, Earliest: r.Earliest,
		Latest: r.Latest, Status: r.Status, ETA: eta, ArrivedAt: arrivedAt, EndedAt: endedAt,
	}
}
