package order

import (
	"fmt"
	"slices"
	"time"

	"waybill/domain/event"
	"waybill/domain/fault"
)

// Part is a part of an order that becomes a separate order.
type Part struct {
	Number   string
	Products []PartProduct
	// Date is the day of the part; the order's own where it is zero.
	Date time.Time
	// Delivery is the part's delivery window; zero keeps the present times, on
	// the part's day.
	Delivery Window
}

// PartProduct is a product of the order, and how much of it leaves; 0 is all.
type PartProduct struct {
	ID       int64
	Quantity float64
}

// Split moves parts of an order's goods to new orders; goods in no part stay. A
// colli takes its contents along, so the tree of goods stays whole. If anything
// is invalid, all of it is reported and nothing changes. The plan has the order
// and then its parts; Results names the parts.
func Split(s *Snapshot, o *Order, parts []Part, computed bool) (Plan, error) {
	switch {
	case len(o.Shares) > 0:
		return Plan{}, fault.Illegal("order.shared", "order", o.Number)
	case o.Status != Registered && o.Status != Planned:
		return Plan{}, fault.Illegal("split.begun", "order", o.Number)
	}
	c := newCut(o)
	for i := range parts {
		c.part(i, &parts[i])
	}
	if len(c.problems) == 0 && len(c.left) == 0 {
		c.complain("parts", fault.Say("split.nothing_left"))
	}
	if len(c.problems) > 0 {
		return Plan{}, unprocessable(c.problems)
	}
	never := false
	d := newDecider(s, Defaults{ComputePrices: computed, UpdateConfig: UpdateSettings{AllowMerge: &never}})
	return d.split(o, c, parts), nil
}

// cut shares the goods of an order out.
type cut struct {
	byID     map[int64]*Product
	children map[int64][]*Product
	left     []*Product // the rest
	goods    [][]*Product
	taken    map[int64]string // where a product was named
	problems []fault.Violation
}

func newCut(o *Order) *cut {
	c := &cut{byID: map[int64]*Product{}, children: map[int64][]*Product{}, taken: map[int64]string{}}
	c.left = copies(o.Products)
	for _, p := range c.left {
		c.byID[p.ID] = p
		if p.Parent != nil {
			c.children[p.Parent.ID] = append(c.children[p.Parent.ID], p)
		}
	}
	return c
}

func (c *cut) complain(field string, text fault.Text) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, fault.Violation{Field: field, Text: text})
	}
}

// part takes the goods of a part out.
func (c *cut) part(i int, part *Part) {
	at := fmt.Sprintf("parts[%d]", i)
	if len(part.Products) == 0 {
		c.complain(at+".order_products", fault.Say("split.empty_part"))
	}
	if part.Delivery != (Window{}) && !part.Delivery.Earliest.Before(part.Delivery.Latest) {
		c.complain(at+".delivery", fault.Say("stop.window_reversed"))
	}
	var goods []*Product
	for k, named := range part.Products {
		goods = append(goods, c.take(named, fmt.Sprintf("%s.order_products[%d]", at, k))...)
	}
	c.goods = append(c.goods, goods)
}

// take removes a product, or the given quantity of it.
func (c *cut) take(named PartProduct, at string) []*Product {
	p := c.byID[named.ID]
	if p == nil {
		c.complain(at+".id", fault.Say("product.not_in_order", "name", fmt.Sprint(named.ID)))
		return nil
	}
	if first, twice := c.taken[p.ID]; twice {
		c.complain(at+".id", fault.Say("split.twice", "first", first))
		return nil
	}
	switch part := named.Quantity != 0 && named.Quantity != p.Quantity; {
	case named.Quantity < 0 || named.Quantity > p.Quantity:
		c.complain(at+".quantity", fault.Say("split.too_much", "has", fmt.Sprint(p.Quantity)))
		return nil
	case part && len(c.children[p.ID]) > 0:
		c.complain(at+".quantity", fault.Say("split.colli"))
		return nil
	case part:
		c.taken[p.ID] = at
		return c.some(p, named.Quantity)
	}
	return c.whole(p, nil, at)
}

// some leaves the rest of a product where it is.
func (c *cut) some(p *Product, quantity float64) []*Product {
	own := *p
	own.ID, own.Parent, own.Quantity = 0, nil, quantity
	p.Quantity -= quantity
	p.Modified = true
	return []*Product{&own}
}

// whole takes a product with all its contents.
func (c *cut) whole(p, parent *Product, at string) []*Product {
	if first, twice := c.taken[p.ID]; twice {
		c.complain(at+".id", fault.Say("split.twice", "first", first))
		return nil
	}
	c.taken[p.ID] = at
	c.left = slices.DeleteFunc(c.left, func(left *Product) bool { return left == p })
	own := *p
	own.ID, own.Parent = 0, parent
	goods := []*Product{&own}
	for _, child := range c.children[p.ID] {
		goods = append(goods, c.whole(child, &own, at)...)
	}
	return goods
}

// split makes the orders of a cut.
func (d *decider) split(o *Order, c *cut, parts []Part) Plan {
	before := o.Products
	o.Products, o.Changes.Products = c.left, true
	d.touch(o)
	d.reprice(o)
	divided := Event{
		Kind: event.OrderSplit, Number: o.Number, Order: o, Removed: departures(before, c.left),
	}
	for i := range parts {
		fresh := o.partOf(&parts[i], c.goods[i], d.snapshot.Zone)
		divided.Into = append(divided.Into, fresh)
		d.reprice(fresh)
	}
	d.plan.Events = append(d.plan.Events, divided)
	for _, fresh := range divided.Into {
		d.plan.Results = append(d.plan.Results, d.create(fresh, nil))
	}
	return d.plan
}

// reprice computes the prices of an order again, if they are computed.
func (d *decider) reprice(o *Order) {
	if d.price(o) {
		o.Changes.Prices = true
	}
}

// partOf returns a new order for a part of this order's goods, and otherwise
// like it. Prices that a caller set stay with this one, as do loads that are not those of products.
func (o *Order) partOf(part *Part, goods []*Product, zone *time.Location) *Order {
	fresh := &Order{
		Number: part.Number, Status: Registered, Header: o.Header, Pickup: o.Pickup, Delivery: o.Delivery,
		Asks: o.Asks, Products: goods, Groups: slices.Clone(o.Groups), CustomFields: o.CustomFields,
	}
	fresh.Pickup.ID, fresh.Delivery.ID = 0, 0
	fresh.Asks.LoadAmounts = nil
	for i, p := range goods {
		p.Number, p.Seq, p.Modified = part.Number, int32(i), true
	}
	if !part.Date.IsZero() {
		days := DaysBetween(o.Date, part.Date)
		fresh.Date, fresh.Asks.PossibleDays = part.Date, nil
		fresh.Pickup.move(days, zone)
		fresh.Delivery.move(days, zone)
	}
	for _, stop := range []*Stop{&fresh.Pickup, &fresh.Delivery} {
		if stop.Window.Source == FromBooking {
			stop.Window.Source = FromRequest // the seat stays with the order
		}
	}
	if part.Delivery != (Window{}) {
		fresh.Delivery.Window = Window{Earliest: part.Delivery.Earliest, Latest: part.Delivery.Latest, Source: FromRequest}
		fresh.Delivery.Asks.Windows = nil
	}
	return fresh
}

// move moves the times of a stop by some days, on the clock of a zone.
func (s *Stop) move(days int, zone *time.Location) {
	s.Window = s.Window.later(days, zone)
	windows := slices.Clone(s.Asks.Windows)
	for i, w := range windows {
		windows[i] = w.Later(days, zone)
	}
	s.Asks.Windows = windows
}

// later is a window some days later, on the clock of a zone.
func (w Window) later(days int, zone *time.Location) Window {
	s := Span{w.Earliest, w.Latest}.Later(days, zone)
	w.Earliest, w.Latest = s.Earliest, s.Latest
	return w
}

// Later is a stretch of time some days later, on the clock of a zone.
func (s Span) Later(days int, zone *time.Location) Span {
	return Span{s.Earliest.In(zone).AddDate(0, 0, days).UTC(), s.Latest.In(zone).AddDate(0, 0, days).UTC()}
}

// HasComputedPrices reports whether the order's prices come from the price
// lists.
func (o *Order) HasComputedPrices() bool {
	return slices.ContainsFunc(o.Prices, func(p Price) bool { return p.Computed })
}
