package store

import (
	"context"
	"encoding/json"
	"fmt"

	"waybill/domain/load"
	"waybill/domain/planning"
	"waybill/store/queries"
)

// LoadsText is how amounts in load dimensions are stored; empty is nothing.
func LoadsText(amounts load.Amounts) string { return listText(amounts) }

// DimensionsText is how load dimensions are stored; empty is none.
func DimensionsText(all load.Dimensions) string { return listText(all) }

func readLoads(document []byte) (amounts load.Amounts, err error) {
	if len(document) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(document, &amounts); err != nil {
		return nil, fmt.Errorf("amounts in load dimensions: %w", err)
	}
	return amounts, nil
}

// LoadDimensions reads what limits vehicles in addition to weight and volume.
func (t *Tx) LoadDimensions(ctx context.Context) (all load.Dimensions, err error) {
	document, err := t.q.LoadDimensions(ctx, t.org)
	if err != nil {
		return nil, translate(err)
	}
	return ReadDimensions(document)
}

// ReadDimensions reads load dimensions as they are stored.
func ReadDimensions(document []byte) (all load.Dimensions, err error) {
	if err := json.Unmarshal(document, &all); err != nil {
		return nil, fmt.Errorf("read load dimensions: %w", err)
	}
	return all, nil
}

// loadsOf adds up what the products of an order need in load dimensions.
func loadsOf(rows []queries.ProductsToPlanRow) (load.Amounts, error) {
	places, some := make(map[int64]int, len(rows)), false
	for i := range rows {
		places[rows[i].ID] = i
		some = some || rows[i].LoadAmounts != ""
	}
	if !some {
		return nil, nil
	}
	items := make([]load.Item, len(rows))
	for i := range rows {
		own, err := readLoads([]byte(rows[i].LoadAmounts))
		if err != nil {
			return nil, err
		}
		items[i] = load.Item{Parent: -1, Quantity: rows[i].Quantity, Own: own}
		if parent, here := places[rows[i].ParentID]; here {
			items[i].Parent = parent
		}
	}
	return load.Sum(items), nil
}

// routeLoadsText is how the maximum loads of a route are stored.
func routeLoadsText(loads []planning.RouteLoad) []byte {
	if len(loads) == 0 {
		return []byte("[]")
	}
	text, err := json.Marshal(loads)
	if err != nil { // it contains only texts, and numbers in range
		panic(err)
	}
	return text
}

// routeLoadsOf reads the maximum loads of a route. What this process wrote is readable.
func routeLoadsOf(text []byte) (loads []planning.RouteLoad) {
	if err := json.Unmarshal(text, &loads); err != nil || len(loads) == 0 {
		return nil
	}
	return loads
}
