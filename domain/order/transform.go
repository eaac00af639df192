package order

import (
	"maps"

	"waybill/domain/event"
)

// Trigger is an occasion on which an organization's transformation rules run
// (spec.md, "Order operations").
type Trigger string

// The triggers.
const (
	TriggerCreated         Trigger = "TRANSFORM_TRIGGER_ORDER_CREATED"
	TriggerUpdated         Trigger = "TRANSFORM_TRIGGER_ORDER_UPDATED"
	TriggerMerged          Trigger = "TRANSFORM_TRIGGER_ORDER_MERGED"
	TriggerProductsChanged Trigger = "TRANSFORM_TRIGGER_ORDER_PRODUCTS_CHANGED"
)

// Triggers are all triggers.
var Triggers = []Trigger{TriggerCreated, TriggerUpdated, TriggerMerged, TriggerProductsChanged}

// Transformer runs the rules of an organization on an order. It changes the
// order and none of the maps and lists that it shares with others, and names
// the rules that failed and so changed nothing. A rule with several of the
// triggers runs once.
type Transformer interface {
	Transform(o *Order, on ...Trigger) (failed []string)
}

// transform runs the rules, if there are any.
func (s *Snapshot) transform(o *Order, on ...Trigger) (failed []string) {
	if s.Rules == nil {
		return nil
	}
	return s.Rules.Transform(o, on...)
}

// transformed runs the rules on the order as updated, and records the
// differences from the present one: a rule with the same outcome as before
// makes no change. Rules leave the stops of goods on their way alone.
func (s *Snapshot) transformed(o, next *Order, on ...Trigger) (failed []string) {
	before := *next
	pickup, delivery := next.Pickup, next.Delivery
	failed = s.transform(next, on...)
	if o.Status.Over() {
		next.Header = s.keptHeader(o, before)
	}
	o.keepVehicleType(next)
	next.Changes = o.differences(next)
	if _, blocked := o.blocks(next.Changes); blocked && len(on) > 0 {
		next.Pickup, next.Delivery = pickup, delivery
		next.Changes = o.differences(next)
	}
	return failed
}

// keptHeader returns the header of a finished order after an entry, which is in
// next. Rules no longer change it: fields that a rule would set are unchanged,
// and all others are the entry's.
func (s *Snapshot) keptHeader(o *Order, next Order) Header {
	said := next.Header
	s.transform(&next, Triggers...)
	ruled, kept := next.Header, said
	unlessRuled(&kept.Reference, said.Reference, ruled.Reference, o.Reference)
	unlessRuled(&kept.FreightNumber, said.FreightNumber, ruled.FreightNumber, o.FreightNumber)
	unlessRuled(&kept.RouteNumber, said.RouteNumber, ruled.RouteNumber, o.RouteNumber)
	unlessRuled(&kept.VehicleTypeID, said.VehicleTypeID, ruled.VehicleTypeID, o.VehicleTypeID)
	return kept
}

// unlessRuled keeps the present value of a field that rules would set.
func unlessRuled[T comparable](field *T, said, ruled, present T) {
	if said != ruled {
		*field = present
	}
}

// differences returns the parts in which next differs from the present order.
// Changes to products and prices, which only an entry can make, are already
// recorded in next.
func (o *Order) differences(next *Order) Changes {
	return Changes{
		Header: !o.sameHeader(next.Header) || len(o.Asks.differing(&next.Asks)) > 0,
		Pickup: !o.Pickup.same(&next.Pickup), Delivery: !o.Delivery.same(&next.Delivery),
		Products: next.Changes.Products, Prices: next.Changes.Prices,
		Groups: !sameSet(o.Groups, next.Groups), Fields: !maps.Equal(o.CustomFields, next.CustomFields),
		Shares: next.Changes.Shares, Number: next.Changes.Number,
	}
}

// Transform runs the rules of one trigger on a single order of the snapshot.
// The plan holds the changes, and an event for each rule that failed.
func Transform(s *Snapshot, o *Order, on Trigger) Plan {
	d := newDecider(s, Defaults{})
	next := *o
	next.Changes = Changes{}
	failed := s.transformed(o, &next, on)
	d.adopt(o, &next, o.Number)
	d.tellFailed(o, o.Number, failed)
	return d.plan
}

// tellFailed records the rules that failed on an order.
func (d *decider) tellFailed(o *Order, number string, failed []string) {
	for _, rule := range failed {
		d.plan.Events = append(d.plan.Events, Event{Kind: event.OrderRuleSkipped, Number: number, Order: o, Rule: rule})
	}
}
