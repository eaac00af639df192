package orders

import (
	"slices"

	"waybill/domain/order"
)

// PanicOver has the rules of imports panic over an order with this number.
func (o *Operations) PanicOver(number string) {
	o.decide = func(s *order.Snapshot, d order.Defaults, entries []order.Request) order.Plan {
		if slices.ContainsFunc(entries, func(r order.Request) bool { return r.ExternalID == number }) {
			panic("no rule foresaw " + number)
		}
		return order.Decide(s, d, entries)
	}
}
