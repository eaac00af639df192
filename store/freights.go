package store

import (
	"context"
	"math"

	"waybill/domain/overview"
	"waybill/store/queries"
)

// Freight gathers the orders of one number between two parties.
type Freight = queries.FreightsRow

// MaxFreightOrders is how many orders of a freight are shown.
const MaxFreightOrders = 1000

// Freights returns freights with smaller ids than a given one, newest first,
// and whether there are more. A number and a customer, as sender or recipient,
// narrow the list.
func (s *Store) Freights(
	ctx context.Context, org int64, number *string, customer *int64, before int64, atMost int32,
) (freights []Freight, more bool, err error) {
	freights, err = s.searches(org).Freights(ctx, queries.FreightsParams{
		OrgID: org, Before: before, Number: number, CustomerID: customer, PageSize: atMost + 1,
	})
	if len(freights) > int(atMost) {
		freights, more = freights[:atMost], true
	}
	return freights, more, translate(err)
}

// Freight returns one freight with its orders, at most MaxFreightOrders.
func (s *Store) Freight(ctx context.Context, org, id int64) (Freight, []overview.Order, error) {
	found, err := s.lists(org).Freights(ctx, queries.FreightsParams{
		OrgID: org, Before: math.MaxInt64, ID: &id, PageSize: 1,
	})
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Freight{}, nil, absent("freight", id, err)
	}
	ids, err := s.lists(org).OrdersOfFreight(ctx, queries.OrdersOfFreightParams{
		OrgID: org, FreightID: id, Most: MaxFreightOrders,
	})
	if err != nil {
		return Freight{}, nil, translate(err)
	}
	orders, err := s.overviewRows(ctx, org, ids)
	return found[0], orders, translate(err)
}
