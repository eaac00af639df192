package order

import (
	"fmt"

	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/load"
)

// Given is a field of a change: absent, or with a value.
type Given[T any] struct {
	Set   bool
	Value T
}

// Give is a field that gets a value.
func Give[T any](value T) Given[T] { return Given[T]{Set: true, Value: value} }

func (g Given[T]) apply(to *T) {
	if g.Set {
		*to = g.Value
	}
}

// ProductChange is a change of one product of an existing order. Absent
// fields stay unchanged; a nil measure is removed.
type ProductChange struct {
	ExternalID       string
	Name             Given[string]
	Quantity         Given[float64]
	Weight           Given[*float64]
	Length           Given[*float64]
	Width            Given[*float64]
	Height           Given[*float64]
	BarcodeID        Given[string]
	InstanceNumber   Given[string]
	AtomType         Given[string]
	ParentExternalID Given[string] // empty is the top
	LoadAmounts      Given[load.Amounts]
}

// maxProblems is how many problems one answer names.
const maxProblems = 20

// UpsertProducts changes the products of an order by their external ids, and
// adds missing ones; all others stay. New ones belong to the number. Changed
// and added products count as modified, so imports leave them alone unless they
// say otherwise. Nothing changes if anything is invalid.
func UpsertProducts(o *Order, number string, changes []ProductChange) (Event, error) {
	u := newUpsert(o, number)
	for i := range changes {
		u.change(&changes[i], fmt.Sprintf("order_products[%d]", i))
	}
	for i := range changes {
		u.tie(&changes[i], fmt.Sprintf("order_products[%d]", i))
	}
	if len(u.next) > maxProducts {
		u.complain("order_products", fault.Say("field.too_many", "max", fmt.Sprint(maxProducts)))
	}
	if findCycle(u.next) >= 0 {
		u.complain("order_products", fault.Say("product.cycle"))
	}
	if len(u.problems) > 0 {
		return Event{}, unprocessable(u.problems)
	}
	return o.replan(number, u.next)
}

func unprocessable(problems []fault.Violation) error {
	return &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"), Violations: problems}
}

// upsert works on copies, because the order must not change before it is known
// that it may.
type upsert struct {
	number   string
	next     []*Product
	byID     map[string][]*Product // by external id
	changed  map[string]*Product   // those in this request
	problems []fault.Violation
}

func newUpsert(o *Order, number string) *upsert {
	u := &upsert{number: number, next: copies(o.Products), byID: map[string][]*Product{}, changed: map[string]*Product{}}
	own := map[string]bool{} // where one is the number's own, those of others do not count
	for _, p := range u.next {
		id := p.ExternalID
		switch {
		case id == "" || own[id] && p.Number != number:
		case !own[id] && p.Number == number:
			own[id], u.byID[id] = true, []*Product{p}
		default:
			u.byID[id] = append(u.byID[id], p)
		}
	}
	return u
}

// copies returns separate products with the same relations.
func copies(products []*Product) []*Product {
	stands := make(map[*Product]*Product, len(products))
	out := make([]*Product, len(products))
	for i, p := range products {
		out[i] = keep(p, stands)
	}
	for _, p := range out {
		if p.Parent != nil {
			p.Parent = stands[p.Parent]
		}
	}
	return out
}

func (u *upsert) complain(field string, text fault.Text) {
	if len(u.problems) < maxProblems {
		u.problems = append(u.problems, fault.Violation{Field: field, Text: text})
	}
}

func (u *upsert) change(c *ProductChange, field string) {
	found := u.byID[c.ExternalID]
	switch {
	case c.ExternalID == "":
		u.complain(field+".external_id", fault.Say("product.external_id_missing"))
		return
	case u.changed[c.ExternalID] != nil:
		u.complain(field+".external_id", fault.Say("product.twice", "name", fault.Clip(c.ExternalID)))
		return
	case len(found) > 1:
		u.complain(field+".external_id", fault.Say("product.ambiguous", "name", fault.Clip(c.ExternalID)))
		return
	case len(found) == 0:
		found = []*Product{u.added(c.ExternalID)}
	}
	p := found[0]
	u.changed[c.ExternalID] = p
	c.Name.apply(&p.Name)
	c.Quantity.apply(&p.Quantity)
	c.Weight.apply(&p.Weight)
	c.Length.apply(&p.Length)
	c.Width.apply(&p.Width)
	c.Height.apply(&p.Height)
	c.BarcodeID.apply(&p.BarcodeID)
	c.InstanceNumber.apply(&p.InstanceNumber)
	c.AtomType.apply(&p.AtomType)
	c.LoadAmounts.Value = c.LoadAmounts.Value.Needed()
	c.LoadAmounts.apply(&p.LoadAmounts)
	u.judge(p, field)
}

// added is a new product behind those of its number.
func (u *upsert) added(externalID string) *Product {
	p := &Product{
		Number: u.number, Quantity: 1, ExternalID: externalID, InstanceNumber: externalID, AtomType: AtomTradeItem,
	}
	for _, other := range u.next {
		if other.Number == u.number && other.Seq >= p.Seq {
			p.Seq = other.Seq + 1
		}
	}
	u.next = append(u.next, p)
	u.byID[externalID] = []*Product{p}
	return p
}

func (u *upsert) judge(p *Product, field string) {
	for _, n := range []struct {
		field string
		value *float64
	}{
		{"quantity", &p.Quantity}, {"weight", p.Weight}, {"length", p.Length}, {"width", p.Width}, {"height", p.Height},
	} {
		if !sensibleNumber(n.value) {
			u.complain(field+"."+n.field, fault.Say("field.number_range"))
		}
	}
	for _, text := range []struct{ field, value string }{
		{"name", p.Name}, {"barcode_id", p.BarcodeID}, {"external_id", p.ExternalID}, {"instance_number", p.InstanceNumber},
	} {
		if tooLong(text.value, maxName) {
			u.complain(field+"."+text.field, fault.Say("field.too_long", "max", fmt.Sprint(maxName)))
		}
	}
	if p.AtomType != AtomColli && p.AtomType != AtomTradeItem {
		u.complain(field+".atom_type", fault.Say("request.not_one_of", "allowed", AtomColli+", "+AtomTradeItem))
	}
}

// tie moves a product to the parent that the change names; all products are
// known by then.
func (u *upsert) tie(c *ProductChange, field string) {
	p := u.changed[c.ExternalID]
	if p == nil || !c.ParentExternalID.Set {
		return
	}
	wanted := c.ParentExternalID.Value
	if wanted == "" {
		p.Parent = nil
		return
	}
	switch parents := u.byID[wanted]; len(parents) {
	case 0:
		u.complain(field+".parent_external_id", fault.Say("product.no_parent", "name", fault.Clip(wanted)))
	case 1:
		p.Parent = parents[0]
	default:
		u.complain(field+".parent_external_id", fault.Say("product.ambiguous", "name", fault.Clip(wanted)))
	}
}

// replan makes next the order's products when it still may change, and returns
// the event of it; an event without a kind means that nothing differs. next has
// the order's products first, in their order, and then the new ones.
func (o *Order) replan(number string, next []*Product) (Event, error) {
	if sameProducts(o.Products, next) {
		return Event{}, nil
	}
	if o.Status.Loaded() {
		return Event{}, &fault.Error{
			Kind: fault.IllegalState, Text: fault.Say("order.already_picked_up"), Resource: "order", Name: o.Number,
		}
	}
	for i, p := range next {
		if i >= len(o.Products) || !sameProducts(o.Products[i:i+1], next[i:i+1]) {
			p.Modified = true
		}
	}
	after := *o
	after.Products = next
	differences := o.differencesTo(&after)
	o.Products, o.Changes.Products = next, true
	return Event{
		Kind: event.OrderUpdated, Number: number, Order: o, Added: arrivals(next), Differences: differences,
	}, nil
}
