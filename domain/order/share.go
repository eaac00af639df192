package order

import (
	"cmp"
	"maps"
	"slices"
)

// ERPOrder is one external number of a shared order: the content of its own
// imports, which imports of the other numbers never change. A number with its
// own order has none, because the order is its content.
type ERPOrder struct {
	Number string
	// Cancelled numbers do not count in the order; they can be reactivated.
	Cancelled bool
	Own       Own
}

// Own is the checked content of one number's imports. The store keeps it as
// JSON under the names of its fields, which must not change.
type Own struct {
	Header       Header
	Pickup       Stop
	Delivery     Stop
	Asks         Asks
	Groups       []int64
	Prices       []Price
	CustomFields map[int64]FieldValue
	// Yields are the parts in which the number gives way to the ones before it.
	Yields Yields
	// Products are those of a cancelled number, which have left the order;
	// those of the others are among the order's.
	Products []*Product
}

// Yields are the parts of a stop that are not appended to those of the numbers
// before (spec.md, appendStop…: false).
type Yields struct {
	Contacts, Instructions, ParkingInstructions, CustomerInstructions bool
}

// yields returns the parts that an import asks not to append. Otherwise the
// shared order has both.
func (s UpdateSettings) yields() Yields {
	no := func(flag *bool) bool { return flag != nil && !*flag }
	return Yields{
		Contacts: no(s.AppendStopContacts), Instructions: no(s.AppendStopInstructions),
		ParkingInstructions:  no(s.AppendStopParkingInstructions),
		CustomerInstructions: no(s.AppendCustomerInstructions),
	}
}

// ownOf returns an order's content as the share of one number. Computed prices
// belong to the order and to no share.
func ownOf(o *Order, y Yields) Own {
	return Own{
		Header: o.Header, Asks: o.Asks, Pickup: o.Pickup, Delivery: o.Delivery, Groups: slices.Clone(o.Groups),
		Prices: given(o.Prices), CustomFields: maps.Clone(o.CustomFields), Yields: y,
	}
}

// OwnOf returns an order's content as the share of a number about which nothing
// else is known.
func OwnOf(o *Order) Own { return ownOf(o, Yields{}) }

// given returns the prices that a caller set.
func given(prices []Price) []Price {
	return slices.DeleteFunc(slices.Clone(prices), func(p Price) bool { return p.Computed })
}

// sharing returns the numbers of an order with their content. An order with
// a single number gets a share, as if imported with the same settings. The
// result is a copy.
func (o *Order) sharing(y Yields) []ERPOrder {
	if len(o.Shares) == 0 {
		return []ERPOrder{{Number: o.Number, Own: ownOf(o, y)}}
	}
	return slices.Clone(o.Shares)
}

// share finds a number among those that share the order, or returns -1.
func (o *Order) share(number string) int {
	return slices.IndexFunc(o.Shares, func(e ERPOrder) bool { return e.Number == number })
}

// others returns the active numbers of an order, except one.
func (o *Order) others(number string) []ERPOrder {
	return slices.DeleteFunc(slices.Clone(o.Shares), func(e ERPOrder) bool { return e.Cancelled || e.Number == number })
}

// asOrder returns a share as an order of its own, with the number's products
// from the shared order.
func (e *ERPOrder) asOrder(o *Order) *Order {
	alone := &Order{
		Number: e.Number, Status: o.Status, Booked: o.Booked,
		Header: e.Own.Header, Asks: e.Own.Asks, Pickup: e.Own.Pickup, Delivery: e.Own.Delivery,
		Products: e.Own.Products, Groups: e.Own.Groups, Prices: e.Own.Prices, CustomFields: e.Own.CustomFields,
	}
	if o.holdsProductsOf(e) {
		alone.Products = nil
		for _, p := range o.Products {
			if p.Number == e.Number {
				alone.Products = append(alone.Products, p)
			}
		}
	}
	return alone
}

// holdsProductsOf reports whether the order contains a number's products, rather
// than its share: this is so for active numbers, and for the last one, with which
// the order was cancelled.
func (o *Order) holdsProductsOf(e *ERPOrder) bool {
	return !e.Cancelled || slices.ContainsFunc(o.Products, func(p *Product) bool { return p.Number == e.Number })
}

// fold returns the combination of numbers: the order that they share. It does
// not depend on the order in which they arrived; where only one value is
// possible, the first number's counts. Products are not folded: each number has
// its own.
func (o *Order) fold(shares []ERPOrder) *Order {
	next := *o
	next.Changes = Changes{}
	next.Shares = shares
	counting := slices.DeleteFunc(slices.Clone(shares), func(e ERPOrder) bool { return e.Cancelled })
	if len(counting) == 0 {
		return &next
	}
	slices.SortFunc(counting, func(a, b ERPOrder) int { return cmp.Compare(a.Number, b.Number) })
	together := foldOwn(counting)
	together.Pickup.ID, together.Delivery.ID = o.Pickup.ID, o.Delivery.ID
	next.Header, next.Asks = together.Header, together.Asks
	next.Pickup, next.Delivery = together.Pickup, together.Delivery
	next.Groups, next.CustomFields = together.Groups, together.CustomFields
	if next.Prices = together.Prices; len(next.Prices) == 0 {
		next.Prices = o.computed()
	}
	next.Changes.Prices = !slices.EqualFunc(o.Prices, next.Prices, Price.same)
	return &next
}

// foldTriggers are the rules that run on combined numbers. They are the same for
// every cause, so that the outcome is the same too.
func (o *Order) foldTriggers() []Trigger {
	if len(o.others("")) < 2 {
		return nil
	}
	return []Trigger{TriggerMerged, TriggerProductsChanged}
}

// computed are the order's prices from the price lists.
func (o *Order) computed() []Price {
	return slices.DeleteFunc(slices.Clone(o.Prices), func(p Price) bool { return !p.Computed })
}

func foldOwn(counting []ERPOrder) Own {
	sum := counting[0].Own
	sum.Groups, sum.Prices = slices.Clone(sum.Groups), slices.Clone(sum.Prices)
	sum.CustomFields = maps.Clone(sum.CustomFields)
	for i := range counting[1:] {
		own := &counting[i+1].Own
		sum.Header.Reference = cmp.Or(sum.Header.Reference, own.Header.Reference)
		sum.Header.DepartmentID = cmp.Or(sum.Header.DepartmentID, own.Header.DepartmentID)
		sum.Asks = sum.Asks.with(&own.Asks)
		sum.Pickup = sum.Pickup.with(&own.Pickup, own.Yields)
		sum.Delivery = sum.Delivery.with(&own.Delivery, own.Yields)
		sum.Prices = append(sum.Prices, own.Prices...)
		for _, g := range own.Groups {
			if !slices.Contains(sum.Groups, g) {
				sum.Groups = append(sum.Groups, g)
			}
		}
		for id, value := range own.CustomFields {
			if _, said := sum.CustomFields[id]; !said {
				if sum.CustomFields == nil {
					sum.CustomFields = map[int64]FieldValue{}
				}
				sum.CustomFields[id] = value
			}
		}
	}
	return sum
}

// with combines a stop from two numbers: the common window, all skills,
// contacts and instructions, the longer stay, and the higher priority.
func (s *Stop) with(more *Stop, y Yields) Stop {
	both := *s
	both.Name = cmp.Or(s.Name, more.Name)
	both.Window = s.Window.meet(more.Window)
	both.Asks = s.Asks.with(&more.Asks, both.Window)
	both.EstimatedTimeOnLocation = longer(s.EstimatedTimeOnLocation, more.EstimatedTimeOnLocation)
	both.NotifyBeforeArrival = either(s.NotifyBeforeArrival, more.NotifyBeforeArrival)
	if slices.Index(priorities, more.Priority) > slices.Index(priorities, s.Priority) {
		both.Priority = more.Priority
	}
	both.Contacts = combinedContacts(s.Contacts, more.Contacts, y.Contacts)
	both.Instructions = combinedText(s.Instructions, more.Instructions, y.Instructions)
	both.ParkingInstructions = combinedText(s.ParkingInstructions, more.ParkingInstructions, y.ParkingInstructions)
	both.CustomerInstructions = combinedText(s.CustomerInstructions, more.CustomerInstructions, y.CustomerInstructions)
	if len(more.Skills) > 0 {
		both.Skills = maps.Clone(s.Skills)
		if both.Skills == nil {
			both.Skills = map[int64]SkillType{}
		}
		maps.Copy(both.Skills, more.Skills)
	}
	return both
}

// priorities from the lowest to the highest.
var priorities = []LocationPriority{PriorityLow, PriorityNormal, PriorityHigh, PriorityCritical}

// meet is the time that two windows have in common. Its source is that of the
// window that opens it.
func (w Window) meet(other Window) Window {
	both := w
	if other.Earliest.After(w.Earliest) {
		both.Earliest, both.Source = other.Earliest, other.Source
	}
	if other.Latest.Before(w.Latest) {
		both.Latest = other.Latest
	}
	return both
}

func longer(a, b *int32) *int32 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// either is true when any value is true, and nil when both are nil.
func either(a, b *bool) *bool {
	if a == nil || isTrue(b) {
		return b
	}
	return a
}

func combinedContacts(first, more []Contact, yields bool) []Contact {
	if yields && len(first) > 0 {
		return first
	}
	all := slices.Clone(first)
	for _, c := range more {
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

// combinedText appends one text to the other, unless it already contains
// it.
func combinedText(first, more string, yields bool) string {
	if yields && first != "" {
		return first
	}
	yes := true
	return joined(&yes, first, more)
}

// SetCustomFields sets an order's values of custom fields. They also become part
// of every share, so that the next import of a number does not undo them.
func (o *Order) SetCustomFields(next map[int64]FieldValue) {
	before := o.CustomFields
	o.CustomFields, o.Changes.Fields = next, true
	o.tellShares(func(own *Own) {
		own.CustomFields = maps.Clone(own.CustomFields)
		for id := range before {
			if _, stays := next[id]; !stays {
				delete(own.CustomFields, id)
			}
		}
		for id, value := range next {
			if before[id] != value {
				if own.CustomFields == nil {
					own.CustomFields = map[int64]FieldValue{}
				}
				own.CustomFields[id] = value
			}
		}
	})
}

// tellShares appends the changes of each share.
func (o *Order) tellShares(change func(*Own)) {
	if len(o.Shares) == 0 {
		return
	}
	o.Shares = slices.Clone(o.Shares)
	for i := range o.Shares {
		change(&o.Shares[i].Own)
	}
	o.Changes.Shares = true
}
