package order

import (
	"waybill/domain/event"
	"waybill/domain/fault"
)

// overtaken reports whether an import or a change of a number was received after the
// entries that are being judged, and has been carried out.
func (d *decider) overtaken(number string) bool {
	n := d.snapshot.Numbers[number]
	return n.OrderID != 0 && d.older(n.Receipt)
}

// older reports whether the current entries were received before the given
// receipt.
func (d *decider) older(receipt int64) bool {
	return d.snapshot.Receipt != 0 && receipt > d.snapshot.Receipt
}

// draftOvertaken reports whether a newer request for a draft was processed. A
// draft without an id comes from these entries.
func (d *decider) draftOvertaken(draft *Draft) bool {
	return draft.ID != 0 && draft != d.completing && d.older(draft.Receipt)
}

// leftAlone is the result of an entry that has been overtaken.
func (d *decider) leftAlone(o *Order, number string) Result {
	r := Result{
		Kind: OrderUpdated, ExternalID: number, Order: o, Status: o.Status,
		NotApplied: []Reason{{Code: Overtaken, Text: fault.Say("import.overtaken")}},
	}
	if d.snapshot.Numbers[number].Cancelled {
		r.Status = Cancelled
	}
	return r
}

// calledOff reports whether a number was cancelled before its order was
// created. No import undoes that, whenever it was received, just as none
// reactivates a cancelled order.
func (d *decider) calledOff(number string) bool {
	n := d.snapshot.Numbers[number]
	return n.OrderID == 0 && n.Cancelled && d.snapshot.Receipt != 0
}

// createCancelled creates an order that is cancelled from the beginning.
func (d *decider) createCancelled(o *Order, failed []string, notes []Reason) Result {
	d.price(o)
	r := d.create(o, failed)
	d.plan.Numbers[len(d.plan.Numbers)-1].Cancelled = true
	o.Status, o.Changes.Status = Cancelled, true
	d.plan.Events = append(d.plan.Events, Event{Kind: event.OrderCancelled, Number: o.Number, Order: o, Status: Cancelled})
	r.Status, r.NotApplied = Cancelled, notes
	if d.older(d.snapshot.Numbers[o.Number].Receipt) {
		r.NotApplied = append(r.NotApplied, Reason{Code: Overtaken, Text: fault.Say("import.overtaken_cancelled")})
	}
	return r
}

// Spoken are the numbers that a plan speaks of: they remember its receipt.
func (p *Plan) Spoken() []string {
	spoken := make([]string, 0, len(p.Results))
	for i := range p.Results {
		switch r := &p.Results[i]; r.Kind {
		case OrderCreated, OrderUpdated, OrderMerged:
			spoken = append(spoken, r.ExternalID)
		case DraftCreated, FailedUpdate:
		}
	}
	for i := range p.Events {
		if e := &p.Events[i]; e.Order != nil && e.Number != "" && !e.Kind.About(event.OfDraft) {
			spoken = append(spoken, e.Number)
		}
	}
	return spoken
}

// Numbers are all numbers that lead to the order.
func (o *Order) Numbers() []string {
	if len(o.Shares) == 0 {
		return []string{o.Number}
	}
	numbers := make([]string, len(o.Shares))
	for i := range o.Shares {
		numbers[i] = o.Shares[i].Number
	}
	return numbers
}
