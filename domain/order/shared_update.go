package order

import (
	"slices"

	"waybill/domain/event"
	"waybill/domain/fault"
)

// updateShared applies an entry to its own share of a shared order, and
// folds the order again. A number whose content no longer fits the others
// leaves and is judged as an order of its own.
func (d *decider) updateShared(o *Order, req *Request) Result {
	r, notes := d.updateShare(o, req)
	r.NotApplied = notes
	return r
}

func (d *decider) updateShare(o *Order, req *Request) (Result, []Reason) {
	number := req.ExternalID
	present := o.Shares[o.share(number)]
	alone, held := present.asOrder(o), o.holdsProductsOf(&present)
	next, products, notes, why := d.appliedAlone(o, alone, req, held)
	if len(why) > 0 {
		return Result{Kind: FailedUpdate, ExternalID: number, Reasons: why}, nil
	}
	failed := d.snapshot.transformed(alone, next, TriggerCreated, TriggerUpdated)
	notes = append(notes, alone.vehicleTypeKept(next, d.settings.parts())...)
	if reason, over := alone.isHistory(next); over {
		return Result{Kind: FailedUpdate, ExternalID: number, Reasons: []Reason{reason}}, nil
	}
	own := ownOf(next, d.settings.yields())
	shareChanges := next.Changes.Any() || own.Yields != present.Own.Yields
	present.Own = own
	if present.Cancelled {
		if !held {
			present.Own.Products, products = next.Products, o.Products
		}
		return d.updateCancelledShare(o, present, products, shareChanges), notes
	}
	shares := slices.Clone(o.Shares)
	shares[o.share(number)] = present
	if rest := o.without(number); len(o.others(number)) > 0 && !d.joins(rest, next) {
		return d.part(o, next, failed), notes
	}
	whole := o.fold(shares)
	whole.Products, whole.Changes.Products = products, next.Changes.Products
	whole.Changes.Shares = shareChanges
	d.snapshot.transformed(o, whole, whole.foldTriggers()...)
	whole.Changes.Prices = d.price(whole) || whole.Changes.Prices
	if reason, blocked := o.blocks(whole.Changes); blocked {
		return Result{Kind: FailedUpdate, ExternalID: number, Reasons: []Reason{reason}}, nil
	}
	if d.adopt(o, whole, number) {
		d.tellFailed(o, number, failed)
	}
	return Result{Kind: OrderUpdated, ExternalID: number, Order: o, Status: o.Status}, notes
}

// appliedAlone returns a number's share after its entry, as a separate order,
// and the products of the whole order with the number's replaced. They are
// replaced within the order's products, because other products may be packed in
// them.
func (d *decider) appliedAlone(
	o, alone *Order, req *Request, held bool,
) (next *Order, products []*Product, notes, why []Reason) {
	p := d.settings.parts()
	b := d.own(req)
	if !p.header {
		b = basis{day: alone.Date, ok: true, typ: d.snapshot.index.orderTypesByID[alone.OrderTypeID]}
	}
	j := d.judge(req, p, b)
	if j.reasons.any() {
		return nil, nil, nil, j.reasons.sorted()
	}
	wanted := j.products
	if held {
		j.products = nil
	}
	next = d.applied(alone, &j, p, req.ExternalID)
	products = o.Products
	if held && p.products && wanted != nil {
		products, next.Changes.Products = replaceProducts(o, req.ExternalID,
			wanted, d.settings.OrderProducts == ReplaceProducts)
		next.Products = ofNumber(products, req.ExternalID)
	}
	return next, products, d.notApplied(alone, next, req, &j, p, b), nil
}

// updateCancelledShare stores the new content of a cancelled number, for when it
// is reactivated. It stays cancelled, and the order unchanged, except for
// products of the number that it still contains.
func (d *decider) updateCancelledShare(o *Order, share ERPOrder, products []*Product, changes bool) Result {
	if changes {
		o.Shares = slices.Clone(o.Shares)
		o.Shares[o.share(share.Number)] = share
		o.Changes.Shares = true
		o.Products, o.Changes.Products = products, true
		d.touch(o)
		d.plan.Events = append(d.plan.Events, Event{Kind: event.OrderUpdated, Number: share.Number, Order: o})
	}
	return Result{Kind: OrderUpdated, ExternalID: share.Number, Order: o, Status: Cancelled}
}

// part removes a number from its shared order, and makes it a separate order or
// merges it with another. Goods on board can't leave.
func (d *decider) part(o, alone *Order, failed []string) Result {
	number := alone.Number
	if o.Status.Loaded() {
		why := Reason{Code: UnknownInvalidInput, Field: "externalId", Text: fault.Say("order.already_picked_up")}
		return Result{Kind: FailedUpdate, ExternalID: number, Reasons: []Reason{why}}
	}
	d.leave(o, number)
	return d.settle(o.released(alone), failed)
}

// settle merges an order that is new, or has left another, with one that has
// capacity for it, or keeps it separate.
func (d *decider) settle(o *Order, failed []string) Result {
	d.price(o)
	if target := d.mergeTarget(o); target != nil {
		return d.merge(target, o)
	}
	return d.create(o, failed)
}

// released is a share as a new order: it is registered, and its stops and
// products are its own.
func (o *Order) released(alone *Order) *Order {
	fresh := *alone
	fresh.ID, fresh.Status, fresh.Booked, fresh.Changes, fresh.Shares = 0, Registered, false, Changes{}, nil
	fresh.Pickup.ID, fresh.Delivery.ID = 0, 0
	fresh.Products = copies(alone.Products)
	for _, p := range fresh.Products {
		p.ID = 0
	}
	return &fresh
}

// leave removes a number from an order, with its products; the event names
// the number. The order keeps one of the other numbers.
func (d *decider) leave(o *Order, number string) {
	rest := o.without(number)
	if len(rest.Shares) == 1 {
		rest.Shares = nil // the order equals its last number's content
	}
	rest.Changes.Shares = true
	rest.Changes.Products = len(rest.Products) < len(o.Products)
	if o.Number == number {
		rest.Number, rest.Changes.Number = o.heir(number), true
	}
	d.snapshot.transformed(o, rest, rest.foldTriggers()...)
	rest.Changes.Prices = d.price(rest) || rest.Changes.Prices
	d.adopt(o, rest, number)
	d.offerForMerge(o)
	if d.left == nil {
		d.left = map[string]*Order{}
	}
	d.left[number] = o
}

// without returns the order without one of its numbers.
func (o *Order) without(number string) *Order {
	shares := slices.DeleteFunc(slices.Clone(o.Shares), func(e ERPOrder) bool { return e.Number == number })
	rest := o.fold(shares)
	rest.Products = except(o.Products, number)
	return rest
}

// heir is the number that names an order after the present one leaves: the
// first active one.
func (o *Order) heir(number string) string {
	first := ""
	for _, e := range o.others(number) {
		if first == "" || e.Number < first {
			first = e.Number
		}
	}
	return first
}

func ofNumber(products []*Product, number string) []*Product {
	return slices.DeleteFunc(slices.Clone(products), func(p *Product) bool { return p.Number != number })
}

// except returns products without those of a number. Products of others that
// were packed into these move to the top level.
func except(products []*Product, number string) []*Product {
	var kept []*Product
	for _, p := range copies(products) {
		if p.Number == number {
			continue
		}
		if p.Parent != nil && p.Parent.Number == number {
			p.Parent = nil
		}
		kept = append(kept, p)
	}
	return kept
}
