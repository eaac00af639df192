package main

import (
	"context"
	"encoding/json"
	"errors"

	"waybill/domain/order"
)

// importAll imports orders that must all be created, and returns their ids.
func (s *site) importAll(ctx context.Context, org *organization, entries []order.Request) ([]int64, error) {
	body, err := json.Marshal(map[string]any{"orders": entries})
	if err != nil {
		return nil, err
	}
	answer, err := s.call(ctx, request{url: s.url + "/v3/orders/import", key: org.key, body: body})
	if err != nil {
		return nil, err
	}
	var imported struct {
		Results []struct{ OrderCreated *struct{ OrderID int64 } }
	}
	if err := json.Unmarshal(answer, &imported); err != nil {
		return nil, err
	}
	ids := make([]int64, len(imported.Results))
	for i, r := range imported.Results {
		if r.OrderCreated == nil {
			return nil, errors.New("an order was not created")
		}
		ids[i] = r.OrderCreated.OrderID
	}
	return ids, nil
}
