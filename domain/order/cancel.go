package order

import "slices"

// CancelResult is what became of one number that was to be cancelled
// (spec.md, "Operation-specific results").
type CancelResult string

// The results of cancelling.
const (
	CancelSuccess  CancelResult = "SUCCESS"
	CancelNotFound CancelResult = "ORDER_NOT_FOUND"
	CancelUnknown  CancelResult = "UNKNOWN_RESULT"
)

// Cancellation is the outcome for one number. Already tells that nothing was
// left to do.
type Cancellation struct {
	Number  string
	Result  CancelResult
	Already bool
}

// CancelPlan is what cancelling changes. Orders carry their new status and
// products, and are not on the list when nothing of them changes.
type CancelPlan struct {
	Results []Cancellation
	Orders  []*Order
	// Numbers are those that no longer count.
	Numbers []string
	Events  []Event
}

// Cancel takes numbers out, one after the other. An order is cancelled when
// the last number that leads to it is; until then a merged order only loses
// that number's products. The snapshot must know all numbers that lead to its
// orders. What is delivered or failed cannot be cancelled any more, nor can one
// number's products leave an order that is on its way.
func Cancel(s *Snapshot, numbers []string) CancelPlan {
	var plan CancelPlan
	listed := map[*Order]bool{}
	counting := map[int64]int{} // how many numbers of an order still count
	for _, n := range s.Numbers {
		if !n.Cancelled {
			counting[n.OrderID]++
		}
	}
	for _, number := range numbers {
		c, o, event, left := s.cancelOne(number, counting)
		plan.Results = append(plan.Results, c)
		if event == "" {
			continue
		}
		plan.Numbers = append(plan.Numbers, number)
		plan.Events = append(plan.Events, cancelEvent(event, number, o, left))
		if !listed[o] {
			listed[o] = true
			plan.Orders = append(plan.Orders, o)
		}
	}
	return plan
}

func cancelEvent(kind EventKind, number string, o *Order, left []*Product) Event {
	e := Event{Kind: kind, Number: number, Order: o, Removed: left}
	if kind == EventCancelled {
		e.Number, e.Status = o.Number, Cancelled
	}
	return e
}

// cancelOne takes one number out, and tells which products left the order with
// it; the event is empty when nothing changed.
func (s *Snapshot) cancelOne(number string, counting map[int64]int) (Cancellation, *Order, EventKind, []*Product) {
	entry, known := s.Numbers[number]
	o := s.index.ordersByID[entry.OrderID]
	switch {
	case !known || o == nil:
		return Cancellation{number, CancelNotFound, false}, nil, "", nil
	case entry.Cancelled || o.Status == Cancelled:
		return Cancellation{number, CancelSuccess, true}, nil, "", nil
	case !o.Status.Active(), o.Status.Loaded() && counting[o.ID] > 1:
		return Cancellation{number, CancelUnknown, false}, nil, "", nil
	}
	s.Numbers[number] = Number{OrderID: o.ID, Cancelled: true}
	if counting[o.ID]--; counting[o.ID] > 0 {
		before := o.Products
		o.drop(number)
		return Cancellation{number, CancelSuccess, false}, o, EventUpdated, departures(before, o.Products)
	}
	o.Status = Cancelled
	o.Changes.Status = true
	return Cancellation{number, CancelSuccess, false}, o, EventCancelled, nil
}

// drop removes the products that a number brought. What others had packed
// into them comes to the top.
func (o *Order) drop(number string) {
	var kept []*Product
	for _, p := range o.Products {
		if p.Number == number {
			continue
		}
		if p.Parent != nil && p.Parent.Number == number {
			p.Parent = nil
		}
		kept = append(kept, p)
	}
	o.Changes.Products = o.Changes.Products || len(kept) < len(o.Products)
	o.Products = kept
}

// Reactivation is what became of a number that was to be planned again.
type Reactivation int

// The outcomes of planning a cancelled order again.
const (
	Reactivated Reactivation = iota
	ReactivateNotFound
	// ReactivateNotCancelled is an order that is not cancelled.
	ReactivateNotCancelled
	// ReactivateMerged is a number whose products were taken out of an order
	// that others still share: only importing it again brings them back.
	ReactivateMerged
)

// Reactivate makes the cancelled order of a number active again. The numbers
// whose products are still in it count again, and are given with it.
func Reactivate(s *Snapshot, number string) (Reactivation, *Order, []string) {
	entry, known := s.Numbers[number]
	o := s.index.ordersByID[entry.OrderID]
	switch {
	case !known || o == nil:
		return ReactivateNotFound, nil, nil
	case o.Status != Cancelled && entry.Cancelled:
		return ReactivateMerged, o, nil
	case o.Status != Cancelled:
		return ReactivateNotCancelled, o, nil
	}
	o.Status = Registered
	o.Changes.Status = true
	numbers := []string{number}
	for _, p := range o.Products {
		numbers = append(numbers, p.Number)
	}
	slices.Sort(numbers)
	return Reactivated, o, slices.Compact(numbers)
}
