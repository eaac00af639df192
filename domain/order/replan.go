package order

import (
	"slices"

	"waybill/domain/event"
)

// Reactivation is the result of reactivating a number.
type Reactivation int

// The outcomes of planning a cancelled order again.
const (
	Reactivated Reactivation = iota
	ReactivateNotFound
	// ReactivateNotCancelled is an order that is not cancelled.
	ReactivateNotCancelled
	// ReactivateUnderWay is a number of an order whose goods are on their way.
	ReactivateUnderWay
)

// Reactivate makes a cancelled number active again. If its content no longer
// fits the other numbers of its order, it gets its own order, which is then in
// the plan. The returned order is the one with the number.
func Reactivate(s *Snapshot, number string) (Reactivation, *Order, Plan) {
	d := newDecider(s, Defaults{})
	entry, known := s.Numbers[number]
	o := s.index.ordersByID[entry.OrderID]
	switch {
	case !known || o == nil:
		return ReactivateNotFound, nil, Plan{}
	case o.Status != Cancelled && !entry.Cancelled:
		return ReactivateNotCancelled, o, Plan{}
	case o.Status == Cancelled:
		d.revive(o, number)
		return Reactivated, o, d.plan
	case o.Status.Loaded():
		return ReactivateUnderWay, o, Plan{}
	}
	return Reactivated, d.putBack(o, number), d.plan
}

// revive reactivates a cancelled order with one of its numbers: other
// cancelled numbers stay cancelled until they are reactivated themselves.
func (d *decider) revive(o *Order, number string) {
	next := *o
	next.Changes = Changes{}
	if i := o.share(number); i >= 0 {
		shares, products := o.sharesOf(number)
		next = *o.fold(shares)
		next.Products = products
	}
	if len(next.Shares) > 0 {
		next.Changes.Products, next.Changes.Shares = true, true
		d.snapshot.transformed(o, &next, next.foldTriggers()...)
	}
	next.Status, next.Changes.Status = Registered, true
	next.Changes = o.Changes.with(next.Changes)
	*o = next
	d.touch(o)
	d.lead(number, o)
	d.plan.Events = append(d.plan.Events, Event{Kind: event.OrderReactivated, Number: number, Order: o, Status: o.Status})
}

// sharesOf returns the numbers of a cancelled order after one of them is
// reactivated, and the products of the active ones.
func (o *Order) sharesOf(number string) ([]ERPOrder, []*Product) {
	shares := slices.Clone(o.Shares)
	var products []*Product
	for i := range shares {
		e := &shares[i]
		all := append(ofNumber(o.Products, e.Number), e.Own.Products...)
		if e.Cancelled = e.Cancelled && e.Number != number; e.Cancelled {
			e.Own.Products = uprooted(all)
			continue
		}
		products, e.Own.Products = append(products, uprooted(all)...), nil
	}
	return shares, products
}

// putBack reactivates a number within an active order, or gives it its own
// order if it does not fit.
func (d *decider) putBack(o *Order, number string) *Order {
	shares := slices.Clone(o.Shares)
	i := o.share(number)
	alone := shares[i].asOrder(o)
	if d.joins(o, alone) {
		products := shares[i].Own.Products
		shares[i].Cancelled, shares[i].Own.Products = false, nil
		whole := o.fold(shares)
		whole.Products = append(slices.Clone(o.Products), products...)
		d.refold(o, whole, Event{
			Kind: event.OrderNumberReplanned, Number: number, Order: o,
			Status: o.Status, Added: append([]*Product{}, products...),
		})
		d.lead(number, o)
		return o
	}
	d.leave(o, number)
	fresh := o.released(alone)
	d.create(fresh, nil)
	return fresh
}
