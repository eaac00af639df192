package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"waybill/domain/order"
	"waybill/domain/pricing"
	"waybill/store/queries"
)

// PriceTables reads all that prices are computed from.
func (s *Store) PriceTables(ctx context.Context, org int64) (*pricing.Tables, error) {
	tables, err := priceTables(ctx, s.of(org), org)
	return tables, translate(err)
}

func priceTables(ctx context.Context, q *queries.Queries, org int64) (*pricing.Tables, error) {
	document, err := q.PriceTables(ctx, org)
	if err != nil {
		return nil, fmt.Errorf("price lists: %w", err)
	}
	tables := &pricing.Tables{}
	return tables, json.Unmarshal(document, tables)
}

// PricesOfOrder reads the lines of an order's price.
func (s *Store) PricesOfOrder(ctx context.Context, org, id int64) (prices []order.Price, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		if _, err := t.q.OrderNumber(ctx, queries.OrderNumberParams{OrgID: org, ID: id}); err != nil {
			return err
		}
		rows, err := t.q.FindPrices(ctx, queries.FindPricesParams{OrgID: org, OrderIds: []int64{id}})
		for _, r := range rows {
			prices = append(prices, order.Price{
				Name: r.Name, Amount: r.Price, Currency: r.Currency, Quantity: r.Quantity, Computed: r.Computed,
			})
		}
		return err
	})
	return prices, absent("order", id, err)
}

// OrderTypeID returns the order type of an id or else of a name, whatever its
// case, or ErrNotFound if it is not there or not in use.
func (s *Store) OrderTypeID(ctx context.Context, org int64, id *int64, name string) (int64, error) {
	found, err := s.of(org).OrderTypeInUse(ctx, queries.OrderTypeInUseParams{OrgID: org, ID: id, Name: name})
	if err = translate(err); errors.Is(err, ErrNotFound) && id != nil {
		return 0, absent("order_type", *id, err)
	}
	return found, absent("order_type", name, err)
}
