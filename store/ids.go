package store

import "waybill/domain/order"

// Statements that write many rows take them as columns, one array per column.

// orderID is 0 for no order, which statements convert to null.
func orderID(o *order.Order) int64 {
	if o == nil {
		return 0
	}
	return o.ID
}

// draftID is 0 for no draft, which statements convert to null.
func draftID(d *order.Draft) int64 {
	if d == nil {
		return 0
	}
	return d.ID
}

// distinct drops repetitions and keeps the order.
func distinct[T comparable](values []T) []T {
	seen := make(map[T]bool, len(values))
	out := values[:0]
	for _, v := range values {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}
