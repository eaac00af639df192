package order

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"waybill/domain/event"
	"waybill/domain/fault"
)

// update applies an entry to the order that its number leads to.
func (d *decider) update(o *Order, req *Request) Result {
	if len(o.Shares) > 0 {
		return d.updateShared(o, req)
	}
	p := d.settings.parts()
	req = d.onChosenDay(o, req)
	b := d.own(req)
	if !p.header {
		b = basis{day: o.Date, ok: true, typ: d.snapshot.index.orderTypesByID[o.OrderTypeID]}
	}
	j := d.judge(req, p, b)
	if j.reasons.any() {
		return Result{Kind: FailedUpdate, ExternalID: req.ExternalID, Reasons: j.reasons.sorted()}
	}
	next := d.applied(o, &j, p, req.ExternalID)
	notes := d.notApplied(o, next, req, &j, p, b)
	failed := d.snapshot.transformed(o, next, next.triggers(TriggerUpdated)...)
	next.Changes.Prices = d.price(next) || next.Changes.Prices // of the order as the rules leave it
	notes = append(notes, o.vehicleTypeKept(next, p)...)
	why, blocked := o.blocks(next.Changes)
	if !blocked {
		why, blocked = o.isHistory(next)
	}
	if blocked {
		return Result{Kind: FailedUpdate, ExternalID: req.ExternalID, Reasons: []Reason{why}}
	}
	if d.adopt(o, next, req.ExternalID) {
		d.tellFailed(o, req.ExternalID, failed)
	}
	return Result{Kind: OrderUpdated, ExternalID: req.ExternalID, Order: o, Status: o.Status, NotApplied: notes}
}

// parts are the parts of an order that an update may touch.
func (s UpdateSettings) parts() parts {
	return parts{
		header:   s.Order != IgnoreOrder,
		stops:    s.OrderLocation != IgnoreLocation,
		products: s.OrderProducts != IgnoreProducts,
		groups:   s.OrderGroups != IgnoreGroups,
		prices:   s.OrderPricing == ReplacePricing,
	}
}

// triggers returns the triggers of an update.
func (o *Order) triggers(first Trigger) []Trigger {
	if o.Changes.Products {
		return []Trigger{first, TriggerProductsChanged}
	}
	return []Trigger{first}
}

// applied returns the order after the entry; its Changes report differences in
// products and prices. Anything that the entry leaves out (products, groups,
// prices, custom fields) stays unchanged.
func (d *decider) applied(o *Order, j *judged, p parts, number string) *Order {
	next := *o
	next.Changes = Changes{}
	if p.header {
		next.Header, next.Asks = j.header, j.asks
		if j.customFields != nil {
			next.CustomFields = d.withRetired(j.customFields, o.CustomFields)
		}
	}
	if p.stops {
		o.keepWindows(j)
		next.Pickup = d.settings.replaceStop(&o.Pickup, j.pickup)
		next.Delivery = d.settings.replaceStop(&o.Delivery, j.delivery)
	}
	if p.products && j.products != nil {
		next.Products, next.Changes.Products = replaceProducts(o, number,
			j.products, d.settings.OrderProducts == ReplaceProducts)
	}
	if p.groups && j.groups != nil {
		next.Groups = j.groups
	}
	if p.prices && j.prices != nil {
		next.Prices = j.prices
		next.Changes.Prices = !slices.EqualFunc(o.Prices, j.prices, Price.same)
	}
	return &next
}

// withRetired adds the present values of inactive custom fields: no entry can
// name them, so none means to remove them.
func (d *decider) withRetired(wanted, present map[int64]FieldValue) map[int64]FieldValue {
	for id, value := range present {
		if !d.snapshot.index.customFieldIDs[id] {
			wanted[id] = value
		}
	}
	return wanted
}

// same compares prices; trailing zeros of an amount do not count.
func (p Price) same(other Price) bool {
	p.Amount, other.Amount = plain(p.Amount), plain(other.Amount)
	return p == other
}

// keepWindows keeps the windows of an order whose goods are on their way,
// unless the entry fixes them: later changes of opening hours do not change the
// order. What a register has learned meanwhile does not move its stops either.
func (o *Order) keepWindows(j *judged) {
	if !o.Status.Loaded() {
		return
	}
	j.keepPositions(o)
	if j.pickup.Window.Source != FromRequest {
		j.pickup.Window, j.pickup.Asks.Windows = o.Pickup.Window, o.Pickup.Asks.Windows
	}
	if j.delivery.Window.Source != FromRequest {
		j.delivery.Window, j.delivery.Asks.Windows = o.Delivery.Window, o.Delivery.Asks.Windows
	}
}

// sameSet compares lists of ids as sets.
func sameSet(a, b []int64) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func (h Header) sameHeader(other Header) bool {
	sameDay := h.Date.Equal(other.Date)
	h.Date = other.Date
	return sameDay && h == other
}

// blocks returns why an order cannot take changes: once the goods are on their
// way, stops and products are facts.
func (o *Order) blocks(c Changes) (Reason, bool) {
	if !o.Status.Loaded() || !c.Pickup && !c.Delivery && !c.Products {
		return Reason{}, false
	}
	field := "products"
	switch {
	case c.Pickup:
		field = "pickup"
	case c.Delivery:
		field = "delivery"
	}
	return Reason{Code: UnknownInvalidInput, Field: field, Text: fault.Say("order.already_picked_up")}, true
}

// isHistory returns why a finished order cannot change to next: its day, its
// customer and how it was driven are facts. Its reference, groups, prices and
// custom fields can still be corrected.
func (o *Order) isHistory(next *Order) (Reason, bool) {
	if !o.Status.Over() {
		return Reason{}, false
	}
	fields := append(o.differing(next.Header), o.Asks.differing(&next.Asks)...)
	fields = slices.DeleteFunc(fields, func(field string) bool { return field == "reference" })
	if len(fields) == 0 {
		return Reason{}, false
	}
	return Reason{Code: UnknownInvalidInput, Field: fields[0], Text: fault.Say("order.over")}, true
}

// adopt makes next the order's state, and records the change. It reports
// whether there was one.
func (d *decider) adopt(o, next *Order, number string) bool {
	change := next.Changes
	next.Changes = o.Changes.with(change)
	updated := Event{Kind: event.OrderUpdated, Number: number, Order: o, Differences: o.differencesTo(next)}
	if change.Products {
		updated.Added, updated.Removed = arrivals(next.Products), departures(o.Products, next.Products)
	}
	*o = *next
	if !change.Any() {
		return false
	}
	d.touch(o)
	if d.settings.MayMerge(d.snapshot.AllowMerge) && (change.Header || change.Pickup || change.Delivery) {
		d.offerForMerge(o)
	}
	d.plan.Events = append(d.plan.Events, updated)
	return true
}

func (c Changes) with(more Changes) Changes {
	return Changes{
		New: c.New, Status: c.Status || more.Status, Header: c.Header || more.Header, Pickup: c.Pickup || more.Pickup,
		Delivery: c.Delivery || more.Delivery, Products: c.Products || more.Products,
		Groups: c.Groups || more.Groups, Prices: c.Prices || more.Prices, Fields: c.Fields || more.Fields,
		Shares: c.Shares || more.Shares, Number: c.Number || more.Number,
	}
}

// replaceStop returns the stop after the entry, with fields to be appended
// added to the present ones.
func (s UpdateSettings) replaceStop(present, wanted *Stop) Stop {
	next := *wanted
	next.ID = present.ID
	next.Contacts = appended(s.AppendStopContacts, present.Contacts, wanted.Contacts)
	next.Instructions = joined(s.AppendStopInstructions, present.Instructions, wanted.Instructions)
	next.ParkingInstructions = joined(s.AppendStopParkingInstructions,
		present.ParkingInstructions, wanted.ParkingInstructions)
	next.CustomerInstructions = joined(s.AppendCustomerInstructions,
		present.CustomerInstructions, wanted.CustomerInstructions)
	return next
}

func isTrue(flag *bool) bool { return flag != nil && *flag }

// appended keeps the present contacts and adds the missing ones.
func appended(flag *bool, present, wanted []Contact) []Contact {
	if !isTrue(flag) {
		return wanted
	}
	out := slices.Clone(present)
	for _, c := range wanted {
		if !slices.Contains(out, c) && len(out) < maxContacts {
			out = append(out, c)
		}
	}
	return out
}

// joined appends the wanted text to the present one, unless that contains it:
// repeating an import adds nothing.
func joined(flag *bool, present, wanted string) string {
	if !isTrue(flag) || present == "" {
		return wanted
	}
	if wanted == "" || contains(present, wanted) {
		return present
	}
	if both := present + "\n" + wanted; !tooLong(both, maxText) {
		return both
	}
	return present
}

// contains reports whether a text contains another as whole lines.
func contains(text, lines string) bool { return strings.Contains("\n"+text+"\n", "\n"+lines+"\n") }

// same compares everything that an import can set in a stop.
func (s *Stop) same(other *Stop) bool {
	if !s.Window.Earliest.Equal(other.Window.Earliest) || !s.Window.Latest.Equal(other.Window.Latest) ||
		s.Window.Source != other.Window.Source || !slices.Equal(s.Contacts, other.Contacts) ||
		!maps.Equal(s.Skills, other.Skills) || !s.Position.sameAs(other.Position) || !s.Asks.same(&other.Asks) {
		return false
	}
	a, b := *s, *other
	a.ID, a.Window, a.Asks, a.Contacts, a.Skills, a.Position = b.ID, b.Window, b.Asks, nil, nil, nil
	b.Contacts, b.Skills, b.Position = nil, nil, nil
	return reflect.DeepEqual(a, b)
}
