package order

import (
	"slices"

	"waybill/domain/event"
)

// CancelResult is the result for one cancelled number (spec.md,
// "Operation-specific results").
type CancelResult string

// The results of cancelling.
const (
	CancelSuccess  CancelResult = "SUCCESS"
	CancelNotFound CancelResult = "ORDER_NOT_FOUND"
	CancelUnknown  CancelResult = "UNKNOWN_RESULT"
)

// Cancellation is the outcome for one number. Already reports that it was
// cancelled before.
type Cancellation struct {
	Number  string
	Result  CancelResult
	Already bool
}

// CancelPlan has the changes of a cancellation. Orders have their new status
// and products; unchanged orders are left out.
type CancelPlan struct {
	Results []Cancellation
	Orders  []*Order
	// Numbers are those that no longer count.
	Numbers []string
	Events  []Event
	// Silent marks a cancellation that nobody requested, so it overtakes no
	// import.
	Silent bool
}

// Cancel cancels numbers one after the other. An order is cancelled with its
// last active number; until then it combines the others. The content of a
// cancelled number is kept with it. Delivered and failed orders cannot be
// cancelled, nor can one number leave an order that has been picked up.
func Cancel(s *Snapshot, numbers []string) CancelPlan {
	d := newDecider(s, Defaults{})
	var plan CancelPlan
	for _, number := range numbers {
		c := d.cancel(number)
		plan.Results = append(plan.Results, c)
		if c.Result == CancelSuccess && !c.Already {
			plan.Numbers = append(plan.Numbers, number)
		}
	}
	plan.Orders, plan.Events = d.plan.Orders, d.plan.Events
	return plan
}

func (d *decider) cancel(number string) Cancellation {
	entry, known := d.snapshot.Numbers[number]
	o := d.snapshot.index.ordersByID[entry.OrderID]
	switch {
	case o == nil && entry.Awaited:
		// The import that is to make the order makes it cancelled.
		d.snapshot.Numbers[number] = Number{Cancelled: true, Awaited: true}
		return Cancellation{number, CancelSuccess, entry.Cancelled}
	case !known || o == nil:
		return Cancellation{number, CancelNotFound, false}
	case entry.Cancelled || o.Status == Cancelled:
		return Cancellation{number, CancelSuccess, true}
	case !o.Status.Active(), o.Status.Loaded() && len(o.others(number)) > 0:
		return Cancellation{number, CancelUnknown, false}
	}
	d.snapshot.Numbers[number] = Number{OrderID: o.ID, Cancelled: true}
	if len(o.others(number)) > 0 {
		d.withdraw(o, number)
	} else {
		d.cancelWhole(o, number)
	}
	return Cancellation{number, CancelSuccess, false}
}

// cancelWhole cancels an order with the last number that counts in it.
func (d *decider) cancelWhole(o *Order, number string) {
	if i := o.share(number); i >= 0 {
		o.Shares = slices.Clone(o.Shares)
		o.Shares[i].Cancelled = true
		o.Changes.Shares = true
	}
	o.Status = Cancelled
	o.Changes.Status = true
	d.touch(o)
	d.plan.Events = append(d.plan.Events, Event{Kind: event.OrderCancelled, Number: number, Order: o, Status: Cancelled})
}

// withdraw removes a number from the fold and keeps its content.
func (d *decider) withdraw(o *Order, number string) {
	shares := slices.Clone(o.Shares)
	i := o.share(number)
	shares[i].Cancelled = true
	shares[i].Own.Products = uprooted(ofNumber(o.Products, number))
	rest := o.fold(shares)
	rest.Products = except(o.Products, number)
	d.refold(o, rest, Event{
		Kind: event.OrderNumberCancelled, Number: number, Order: o, Status: Cancelled,
		Added: []*Product{}, Removed: departures(o.Products, rest.Products),
	})
}

// refold replaces the order's state with rest, which has a different set of
// active numbers, and records it with the event.
func (d *decider) refold(o, rest *Order, e Event) {
	rest.Changes.Shares = true
	rest.Changes.Products = len(rest.Products) != len(o.Products)
	failed := d.snapshot.transformed(o, rest, rest.foldTriggers()...)
	rest.Changes.Prices = d.price(rest) || rest.Changes.Prices
	rest.Changes = o.Changes.with(rest.Changes)
	*o = *rest
	d.touch(o)
	d.plan.Events = append(d.plan.Events, e)
	d.tellFailed(o, e.Number, failed)
}

// uprooted are products that leave an order, tied only among themselves.
func uprooted(products []*Product) []*Product {
	own := copies(products)
	here := map[*Product]bool{}
	for _, p := range own {
		here[p] = true
	}
	for _, p := range own {
		if p.Parent != nil && !here[p.Parent] {
			p.Parent = nil
		}
	}
	return own
}
