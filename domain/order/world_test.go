package order_test

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/order"
)

// The master data of every test.
const (
	fjord, nord, receiver = 1, 2, 3 // customers
	van, bike             = 1, 2    // vehicle types
	standard, bare        = 1, 2    // order types; bare has no window
	lift, cold            = 1, 2    // skills
	morning, evening      = 1, 2    // groups
)

// world replaces the store: it keeps orders between imports, and writes only
// the changes in a plan, so that missing ones are noticed.
type world struct {
	t          require.TestingT
	base       order.Snapshot
	locations  []*order.Location
	orders     []*order.Order
	numbers    map[string]order.Number
	drafts     []*order.Draft
	lastStop   int64
	lastGood   int64
	lastDraft  int64
	allowMerge bool
}

func setup(t require.TestingT) *world {
	zone, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	w := &world{t: t, numbers: map[string]order.Number{}}
	w.base = order.Snapshot{
		Zone: zone,
		Customers: []order.Customer{
			{ID: fjord, ExternalID: "C-1", BusinessName: "Fjord Møbler AS", DepartmentID: 7},
			{ID: nord, ExternalID: "C-2", BusinessName: "Nord AS"},
			{ID: receiver, ExternalID: "C-3", BusinessName: "Mottaker"},
		},
		VehicleTypes: []order.VehicleType{
			{Named: order.Named{ID: van, Name: "Van"}, MaxWeightKg: 100, MaxVolumeM3: 2},
			{Named: order.Named{ID: bike, Name: "Bike"}},
		},
		OrderTypes: []order.OrderType{
			{
				Named: order.Named{ID: standard, Name: "Standard"}, ReadyFrom: clock("08:00"),
				PickUpBefore: clock("12:00"), DeliverBefore: clock("16:00"),
			},
			{Named: order.Named{ID: bare, Name: "Bare"}},
		},
		Skills:       []order.Named{{ID: lift, Name: "Tail lift"}, {ID: cold, Name: "Cold"}},
		Groups:       []order.Named{{ID: morning, Name: "Morning"}, {ID: evening, Name: "Evening"}},
		CustomFields: []order.CustomField{{ID: 1, ExternalID: "floor"}, {ID: 2, ExternalID: "lane"}},
	}
	return w
}

func clock(text string) *order.Clock {
	c, ok := order.ParseClock(text)
	if !ok {
		panic(text)
	}
	return &c
}

func ptr[T any](v T) *T { return &v }

// snapshot is a fresh copy of everything known.
func (w *world) snapshot() *order.Snapshot {
	s := w.base
	s.AllowMerge = w.allowMerge
	s.Locations = slices.Clone(w.locations)
	for _, o := range w.orders {
		s.Orders = append(s.Orders, clone(o))
	}
	s.Numbers = maps.Clone(w.numbers)
	for _, d := range w.drafts {
		s.Drafts = append(s.Drafts, ptr(*d))
	}
	s.Prepare()
	return &s
}

// clone copies an order with its products and their tree.
func clone(o *order.Order) *order.Order {
	c := *o
	c.Changes = order.Changes{}
	c.Products = nil
	c.Shares = slices.Clone(o.Shares)
	copies := map[*order.Product]*order.Product{}
	for _, p := range o.Products {
		copies[p] = ptr(*p)
		c.Products = append(c.Products, copies[p])
	}
	for _, p := range c.Products {
		if p.Parent != nil {
			p.Parent = copies[p.Parent]
		}
	}
	return &c
}

// create makes the locations that entries need.
func (w *world) create(entries []order.Request) {
	for _, n := range order.NewLocations(w.snapshot(), entries) {
		w.locations = append(w.locations, &order.Location{
			ID: int64(len(w.locations)) + 1, ExternalID: n.ExternalID, Key: n.Key, Name: n.Name,
			Address: n.Address, Hours: n.Hours, HoursAreDefault: n.HoursAreDefault,
		})
	}
	require.Empty(w.t, order.NewLocations(w.snapshot(), entries), "what was created is known")
}

// imported imports entries in one chunk and keeps the outcome.
func (w *world) imported(d order.Defaults, entries ...order.Request) order.Plan {
	w.create(entries)
	plan := order.Decide(w.snapshot(), d, entries)
	require.Len(w.t, plan.Results, len(entries))
	w.apply(plan)
	return plan
}

// one imports one entry.
func (w *world) one(d order.Defaults, entry order.Request) order.Result {
	return w.imported(d, entry).Results[0]
}

func (w *world) apply(plan order.Plan) {
	for _, o := range plan.Orders {
		w.write(o)
	}
	for _, n := range plan.Numbers {
		w.numbers[n.Number] = order.Number{OrderID: n.Order.ID}
	}
	for _, d := range plan.Drafts {
		w.writeDraft(d)
	}
}

func (w *world) write(o *order.Order) {
	if o.Changes.New {
		require.Zero(w.t, o.ID)
		o.ID = int64(len(w.orders)) + 1
		w.orders = append(w.orders, &order.Order{ID: o.ID, Number: o.Number, Status: o.Status})
	}
	for _, s := range []*order.Stop{&o.Pickup, &o.Delivery} {
		if s.ID == 0 {
			w.lastStop++
			s.ID = w.lastStop
		}
	}
	here := map[*order.Product]bool{}
	ids := map[int64]bool{}
	for _, e := range o.Shares {
		for _, p := range e.Own.Products {
			if p.ID == 0 {
				w.lastGood++
				p.ID = w.lastGood
			}
		}
	}
	for _, p := range o.Products {
		here[p] = true
		if p.ID == 0 {
			w.lastGood++
			p.ID = w.lastGood
		}
		require.False(w.t, ids[p.ID], "two products are one")
		ids[p.ID] = true
	}
	for _, p := range o.Products {
		require.True(w.t, p.Parent == nil || here[p.Parent], "a parent is not in the order")
	}
	stored := w.orders[o.ID-1]
	writeParts(stored, o)
	w.orders[o.ID-1] = clone(stored)
	w.sameOrder(o, w.orders[o.ID-1])
}

// writeParts writes the changed parts.
func writeParts(stored, o *order.Order) {
	c := o.Changes
	if c.Status {
		stored.Status = o.Status
	}
	if c.Header {
		stored.Header, stored.Asks = o.Header, o.Asks
	}
	if c.Pickup {
		stored.Pickup = o.Pickup
	}
	if c.Delivery {
		stored.Delivery = o.Delivery
	}
	if c.Products {
		stored.Products = o.Products
	}
	if c.Groups {
		stored.Groups = o.Groups
	}
	if c.Prices {
		stored.Prices = o.Prices
	}
	if c.Fields {
		stored.CustomFields = o.CustomFields
	}
	if c.Shares {
		stored.Shares = slices.Clone(o.Shares)
	}
	if c.Number {
		stored.Number = o.Number
	}
}

func (w *world) writeDraft(d *order.Draft) {
	if d.ID == 0 {
		w.lastDraft++
		d.ID = w.lastDraft
	}
	w.drafts = slices.DeleteFunc(w.drafts, func(known *order.Draft) bool { return known.ID == d.ID })
	if d.Promoted == nil {
		w.drafts = append(w.drafts, ptr(*d))
	}
}

// sameOrder compares an order with its stored state.
func (w *world) sameOrder(want, got *order.Order) {
	require.Equal(w.t, seen(want), seen(got), "a plan must say all that it changes")
}

// look is an order without the ids of its parts, in which absent and empty
// lists are equal.
type look struct {
	Number           string
	Status           order.Status
	Header           order.Header
	Pickup, Delivery order.Stop
	Goods            []good
	Groups           []int64
	Prices           []order.Price
	Fields           map[int64]order.FieldValue
	Shares           []look // the content of each number that shares it
	Cancelled        bool
}

type good struct {
	Product order.Product
	Parent  string
}

func seen(o *order.Order) look {
	l := look{
		Number: o.Number, Status: o.Status, Header: o.Header, Pickup: bareStop(o.Pickup), Delivery: bareStop(o.Delivery),
		Groups: slices.Sorted(slices.Values(o.Groups)),
		Prices: append([]order.Price{}, o.Prices...), Fields: map[int64]order.FieldValue{},
	}
	maps.Copy(l.Fields, o.CustomFields)
	for _, e := range o.Shares {
		share := seen(&order.Order{
			Number: e.Number, Header: e.Own.Header, Pickup: e.Own.Pickup, Delivery: e.Own.Delivery,
			Products: e.Own.Products, Groups: e.Own.Groups, Prices: e.Own.Prices, CustomFields: e.Own.CustomFields,
		})
		share.Cancelled = e.Cancelled
		l.Shares = append(l.Shares, share)
	}
	slices.SortFunc(l.Shares, func(a, b look) int { return cmp.Compare(a.Number, b.Number) })
	for _, p := range o.Products {
		g := good{Product: *p}
		if p.Parent != nil {
			g.Parent = p.Parent.Number + "/" + p.Parent.InstanceNumber + "/" + p.Parent.Name
		}
		g.Product.Parent, g.Product.ID = nil, 0
		if len(g.Product.Skills) == 0 {
			g.Product.Skills = nil
		}
		l.Goods = append(l.Goods, g)
	}
	slices.SortStableFunc(l.Goods, func(a, b good) int {
		return cmp.Or(cmp.Compare(a.Product.Number, b.Product.Number), cmp.Compare(a.Product.Seq, b.Product.Seq))
	})
	return l
}

func bareStop(s order.Stop) order.Stop {
	s.ID = 0
	s.Contacts = append([]order.Contact{}, s.Contacts...)
	s.Window.Earliest, s.Window.Latest = s.Window.Earliest.UTC(), s.Window.Latest.UTC()
	if len(s.Skills) == 0 {
		s.Skills = nil
	}
	return s
}

// entry is a valid order.
func entry(number string) order.Request {
	return order.Request{
		ExternalID: number, Date: "2026-06-15",
		Customer: &order.Ref{ExternalID: "C-1"}, VehicleType: &order.Ref{Name: "Van"},
		OrderType: &order.Ref{Name: "Standard"},
		Pickup:    place("P-1", "Storgata 1"), Delivery: place("D-1", "Havnegata 2"),
		Products: []order.ProductRequest{good1(number)},
	}
}

func place(externalID, street string) *order.LocationRequest {
	return &order.LocationRequest{
		ExternalID: externalID, Name: "Place " + street,
		Address: &order.Address{Address1: street, PostalCode: "0150", City: "Oslo", Country: "NO"},
	}
}

func good1(number string) order.ProductRequest {
	return order.ProductRequest{Name: "Sofa", ExternalID: number + "-1", Quantity: ptr(1.0), Weight: ptr(40.0)}
}

// with changes an entry.
func with(r order.Request, change func(*order.Request)) order.Request {
	change(&r)
	return r
}

func kinds(plan order.Plan) (out []order.Kind) {
	for _, r := range plan.Results {
		out = append(out, r.Kind)
	}
	return out
}

func codes(r order.Result) (out []order.Code) {
	for _, reason := range r.Reasons {
		out = append(out, reason.Code)
	}
	return out
}

func events(plan order.Plan) (out []event.Kind) {
	for _, e := range plan.Events {
		out = append(out, e.Kind)
	}
	return out
}

// unchanged asserts that a plan updates everything and changes nothing.
func unchanged(t require.TestingT, plan order.Plan) {
	for _, r := range plan.Results {
		require.Equal(t, order.OrderUpdated, r.Kind, "%v", r.Reasons)
	}
	require.Empty(t, plan.Orders)
	require.Empty(t, plan.Numbers)
	require.Empty(t, plan.Drafts)
	require.Empty(t, plan.Events)
}
