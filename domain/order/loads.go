package order

import (
	"fmt"

	"waybill/domain/fault"
	"waybill/domain/load"
)

// Loads are how much an order needs in load dimensions: its own amounts, and those of its products.
func (o *Order) Loads() load.Amounts {
	places := make(map[*Product]int, len(o.Products))
	items := make([]load.Item, len(o.Products))
	for i, p := range o.Products {
		places[p] = i
	}
	for i, p := range o.Products {
		items[i] = load.Item{Parent: -1, Quantity: p.Quantity, Own: p.LoadAmounts}
		if at, here := places[p.Parent]; here {
			items[i].Parent = at
		}
	}
	return o.Asks.LoadAmounts.Plus(load.Sum(items))
}

// NamesLoads reports whether any of the changes sets amounts in load dimensions.
func NamesLoads(changes []ProductChange) bool {
	for i := range changes {
		if len(changes[i].LoadAmounts.Value) > 0 {
			return true
		}
	}
	return false
}

// CheckLoads reports what is wrong with the amounts in load dimensions of changes.
func CheckLoads(changes []ProductChange, known load.Dimensions) error {
	var problems []fault.Violation
	for i := range changes {
		field := fmt.Sprintf("order_products[%d].load_amounts", i)
		problems = append(problems, changes[i].LoadAmounts.Value.Problems(field, known)...)
	}
	if len(problems) == 0 {
		return nil
	}
	return unprocessable(problems[:min(len(problems), maxProblems)])
}
