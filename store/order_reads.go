package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"waybill/domain/version"
	"waybill/store/queries"
)

// Document is a JSON document of the v1 wire, as the views shape it.
type Document = json.RawMessage

// Order reads one order with the relations that loads names, and its version.
func (s *Store) Order(ctx context.Context, org, id int64, loads []string) (Document, version.Version, error) {
	if len(loads) == 0 {
		row, err := s.lookups(org).ReadOrderBare(ctx, queries.ReadOrderBareParams{OrgID: org, ID: id})
		return row.Document, version.At(row.UpdatedAt), absent("order", id, err)
	}
	row, err := s.lookups(org).ReadOrder(ctx, queries.ReadOrderParams{OrgID: org, ID: id, Loads: loads})
	return row.Document, version.At(row.UpdatedAt), absent("order", id, err)
}

// OrderByNumber reads the order that a number leads to, and its version.
func (s *Store) OrderByNumber(
	ctx context.Context, org int64, number string, loads []string,
) (Document, version.Version, error) {
	id, err := s.lookups(org).OrderIDByNumber(ctx, queries.OrderIDByNumberParams{OrgID: org, Number: number})
	if err != nil {
		return nil, "", absent("order", number, err)
	}
	return s.Order(ctx, org, id, loads)
}

// OrderFilter filters a list of orders. A nil list of values matches
// everything.
type OrderFilter struct {
	Start, End     time.Time // days, both included
	OrderIDs       []int64
	CustomerIDs    []int64
	BusinessIDs    []int64
	DriverIDs      []int64
	StatusIDs      []int64
	DepartmentIDs  []int64
	OrderTypeIDs   []int64
	VehicleTypeIDs []int64
	SerialCodes    []string
	Numbers        []string
}

// ordersPage is how many orders of a list are held in memory at a time.
const ordersPage = 500

// Orders lists orders by day and id, a page at a time, so that a long list
// needs little memory.
func (s *Store) Orders(ctx context.Context, org int64, f OrderFilter, loads []string) iter.Seq2[Document, error] {
	params := queries.ListOrdersParams{
		OrgID: org, Loads: loads, StartDate: f.Start, EndDate: f.End, AfterDate: f.Start, PageSize: ordersPage,
		OrderIds: f.OrderIDs, CustomerIds: f.CustomerIDs, BusinessIds: f.BusinessIDs, DriverIds: f.DriverIDs,
		StatusIds: f.StatusIDs, DepartmentIds: f.DepartmentIDs, OrderTypeIds: f.OrderTypeIDs,
		VehicleTypeIds: f.VehicleTypeIDs, SerialCodes: f.SerialCodes, Numbers: f.Numbers,
	}
	if params.Loads == nil {
		params.Loads = []string{}
	}
	return func(yield func(Document, error) bool) {
		for {
			rows, err := s.lists(org).ListOrders(ctx, params)
			if err != nil {
				yield(nil, fmt.Errorf("list orders: %w", translate(err)))
				return
			}
			for i := range rows {
				params.AfterDate, params.AfterID = rows[i].Date, rows[i].ID
				if !yield(rows[i].Document, nil) {
					return
				}
			}
			if len(rows) < ordersPage {
				return
			}
		}
	}
}

// Page is a part of a list that is numbered from 1.
type Page struct {
	Number, Size int32
}

func (p Page) skip() int32 { return (p.Number - 1) * p.Size }

// countOnly is for an empty page past the end, because the total is returned
// with the rows.
var countOnly = Page{Number: 1, Size: 1}

// OrderProducts reads the products of an order as one JSON array.
func (s *Store) OrderProducts(ctx context.Context, org, orderID int64) (Document, error) {
	doc, err := s.of(org).OrderProducts(ctx, queries.OrderProductsParams{OrgID: org, OrderID: orderID})
	return doc, absent("order", orderID, err)
}

// OrderProduct reads one product of an order.
func (s *Store) OrderProduct(ctx context.Context, org, orderID, productID int64) (Document, error) {
	doc, err := s.of(org).OrderProduct(ctx, queries.OrderProductParams{
		OrgID: org, OrderID: orderID, OrderProductID: productID,
	})
	return doc, absent("order_product", productID, err)
}

// OrderDuration is how long an order takes: its drive and its stops by its last
// plan, or before that its stops alone.
func (s *Store) OrderDuration(ctx context.Context, org, orderID int64) (time.Duration, error) {
	seconds, err := s.of(org).OrderSeconds(ctx, queries.OrderSecondsParams{OrgID: org, OrderID: orderID})
	return time.Duration(seconds) * time.Second, absent("order", orderID, err)
}

// OrderSkill is a skill that an order requires or prohibits, and one source of
// that: a stop (PICKUP, DELIVERY) or a PRODUCT.
type OrderSkill struct {
	Name, Type, Source, SourceName string
	SourceID                       int64
}

// OrderSkills reads the skills of an order, by name.
func (s *Store) OrderSkills(ctx context.Context, org, orderID int64) ([]OrderSkill, error) {
	rows, err := s.of(org).OrderSkills(ctx, queries.OrderSkillsParams{OrgID: org, OrderID: orderID})
	if err != nil {
		return nil, translate(err)
	}
	if len(rows) == 0 {
		found, err := s.of(org).OrderExists(ctx, queries.OrderExistsParams{OrgID: org, ID: orderID})
		if err == nil && !found {
			err = ErrNotFound
		}
		return nil, absent("order", orderID, err)
	}
	skills := make([]OrderSkill, len(rows))
	for i, r := range rows {
		skills[i] = OrderSkill{
			Name: r.SkillName, Type: r.Type, Source: r.Source, SourceName: r.SourceName, SourceID: r.SourceID,
		}
	}
	return skills, nil
}

// DriverLock is the only driver who may carry out an order.
type DriverLock = queries.OrderDriverLockRow

// OrderDriverLock returns the driver to whom an order is locked, or nil.
func (s *Store) OrderDriverLock(ctx context.Context, org, orderID int64) (*DriverLock, error) {
	row, err := s.of(org).OrderDriverLock(ctx, queries.OrderDriverLockParams{OrgID: org, OrderID: orderID})
	if err = translate(err); err != nil {
		if errors.Is(err, ErrNotFound) {
			err = nil
		}
		return nil, err
	}
	return &row, nil
}

// OrderType is an order type as looked up; times are HH:MM.
type OrderType = queries.FindOrderTypeRow

// OrderType finds an order type by its name, whatever its case.
func (s *Store) OrderType(ctx context.Context, org int64, name string) (OrderType, error) {
	row, err := s.of(org).FindOrderType(ctx, queries.FindOrderTypeParams{OrgID: org, Name: name})
	return row, absent("order_type", name, err)
}

// StatusChange is an entry of the order status feed.
type StatusChange = queries.OrderStatusFeedRow

// StatusFeed reads the changes of status behind a place of the log, oldest
// first, one per number that counts in the order.
func (s *Store) StatusFeed(ctx context.Context, org, position, place int64, limit int32) ([]StatusChange, error) {
	rows, err := s.of(org).OrderStatusFeed(ctx, queries.OrderStatusFeedParams{
		OrgID: org, After: position, AfterPlace: place, PageSize: limit,
	})
	return rows, translate(err)
}
