package orders

import (
	"context"
	"encoding/json"
	"time"

	"waybill/store"
)

// named is what is read of an order to identify it.
type named struct {
	OrderID int64  `json:"order_id"`
	Date    string `json:"date"`
}

// withRelations reads the orders of a page again with their relations. The page
// keeps its sequence; an order whose date has changed since is returned as
// first read.
func (h *Handlers) withRelations(
	ctx context.Context, org int64, items []json.RawMessage, loads []string,
) ([]json.RawMessage, error) {
	if len(loads) == 0 || len(items) == 0 {
		return items, nil
	}
	var filter store.OrderFilter
	places := make(map[int64]int, len(items))
	for i, item := range items {
		var order named
		if err := json.Unmarshal(item, &order); err != nil {
			return nil, err
		}
		date, err := time.Parse(time.DateOnly, order.Date)
		if err != nil {
			return nil, err
		}
		if i == 0 || date.Before(filter.Start) {
			filter.Start = date
		}
		if i == 0 || date.After(filter.End) {
			filter.End = date
		}
		filter.OrderIDs = append(filter.OrderIDs, order.OrderID)
		places[order.OrderID] = i
	}
	for document, err := range h.store.Orders(ctx, org, filter, loads) {
		if err != nil {
			return nil, err
		}
		var order named
		if err := json.Unmarshal(document, &order); err != nil {
			return nil, err
		}
		items[places[order.OrderID]] = document
	}
	return items, nil
}
