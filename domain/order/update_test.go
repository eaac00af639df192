package order_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/order"
)

// full returns an entry that uses every field.
func full(number, mark string) order.Request {
	e := entry(number)
	e.Reference = mark
	e.Pickup.Instructions, e.Delivery.Instructions = mark, mark
	e.Pickup.Contacts = []order.Contact{{FirstName: mark}}
	e.Products = append(e.Products, order.ProductRequest{Name: "Box " + mark, ExternalID: mark})
	e.Groups = []order.Ref{{Name: map[string]string{"old": "Morning", "new": "Evening"}[mark]}}
	e.Pricing = []order.PriceRequest{{Name: mark, Price: "1", Currency: "NOK"}}
	e.CustomFields = []order.CustomFieldValue{{ExternalID: "floor", Value: []byte(`"` + mark + `"`)}}
	return e
}

func TestUpdateSettingsSayWhatAnUpdateTouches(t *testing.T) {
	t.Parallel()
	all := order.Changes{Header: true, Pickup: true, Delivery: true, Products: true, Groups: true, Fields: true}
	but := func(change func(*order.Changes)) order.Changes {
		c := all
		change(&c)
		return c
	}
	for name, c := range map[string]struct {
		settings order.UpdateSettings
		want     order.Changes
	}{
		"Default": {order.UpdateSettings{}, all},
		"Unknown": {order.UpdateSettings{
			OrderLocation: "UNKNOWN_UPDATE_ORDER_LOCATION_BEHAVIOR", OrderProducts: "UNKNOWN_UPDATE_PRODUCT_BEHAVIOR",
			Order: "UNKNOWN_UPDATE_ORDER_BEHAVIOR", OrderGroups: "UNKNOWN_UPDATE_ORDER_GROUP_BEHAVIOR",
			OrderPricing: "UNKNOWN_UPDATE_PRICING_BEHAVIOR",
		}, all},
		"ReplaceEverything": {order.UpdateSettings{
			OrderLocation: order.ReplaceLocation, OrderProducts: order.ReplaceProducts, Order: order.ReplaceOrder,
			OrderGroups: order.ReplaceGroups, OrderPricing: order.ReplacePricing,
		}, but(func(c *order.Changes) { c.Prices = true })},
		"IgnoreLocation": {
			order.UpdateSettings{OrderLocation: order.IgnoreLocation},
			but(func(c *order.Changes) { c.Pickup, c.Delivery = false, false }),
		},
		"IgnoreProducts": {
			order.UpdateSettings{OrderProducts: order.IgnoreProducts}, but(func(c *order.Changes) { c.Products = false }),
		},
		"UnmodifiedOnly": {order.UpdateSettings{OrderProducts: order.ReplaceProductsIfUnmodified}, all},
		"IgnoreOrder": {
			order.UpdateSettings{Order: order.IgnoreOrder}, but(func(c *order.Changes) { c.Header, c.Fields = false, false }),
		},
		"IgnoreGroups": {
			order.UpdateSettings{OrderGroups: order.IgnoreGroups}, but(func(c *order.Changes) { c.Groups = false }),
		},
		"IgnorePricing": {order.UpdateSettings{OrderPricing: order.IgnorePricing}, all},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			w.one(order.Defaults{}, full("A", "old"))
			d := order.Defaults{UpdateConfig: c.settings}
			plan := w.imported(d, full("A", "new"))
			require.Equal(t, []order.Kind{order.OrderUpdated}, kinds(plan))
			require.Equal(t, []event.Kind{event.OrderUpdated}, events(plan))
			require.Equal(t, c.want, plan.Orders[0].Changes)

			fresh := setup(t)
			before := fresh.one(order.Defaults{}, full("A", "old")).Order
			after := setup(t).one(order.Defaults{}, full("A", "new")).Order
			want, got := seen(before), seen(w.orders[0])
			next := seen(after)
			if c.want.Header {
				want.Header, want.Fields = next.Header, next.Fields
			}
			if c.want.Pickup {
				want.Pickup, want.Delivery = next.Pickup, next.Delivery
			}
			if c.want.Products {
				want.Goods = next.Goods
			}
			if c.want.Groups {
				want.Groups = next.Groups
			}
			if c.want.Prices {
				want.Prices = next.Prices
			}
			require.Equal(t, want, got)
			unchanged(t, w.imported(d, full("A", "new")))
		})
	}
}

func TestIgnoredPartIsNotValidated(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.one(order.Defaults{}, full("A", "old"))
	ignore := order.Defaults{UpdateConfig: order.UpdateSettings{
		OrderLocation: order.IgnoreLocation, OrderProducts: order.IgnoreProducts,
		Order: order.IgnoreOrder, OrderGroups: order.IgnoreGroups,
	}}
	unchanged(t, w.imported(ignore, order.Request{
		ExternalID: "A", Date: "x", Products: []order.ProductRequest{{Weight: ptr(-1.0)}},
		Groups: []order.Ref{{}}, Pricing: []order.PriceRequest{{}},
	}))
}

func TestStopsOfAnIgnoredHeaderUseTheOrdersOwnDay(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.one(order.Defaults{}, entry("A"))
	ignore := order.Defaults{UpdateConfig: order.UpdateSettings{Order: order.IgnoreOrder}}
	unchanged(t, w.imported(ignore, with(entry("A"), func(r *order.Request) {
		r.Date, r.OrderType = "2030-01-01", &order.Ref{Name: "?"}
	})))
}

func TestAbsentStaysAndEmptyIsRemoved(t *testing.T) {
	t.Parallel()
	d := order.Defaults{UpdateConfig: order.UpdateSettings{OrderPricing: order.ReplacePricing}}
	w := setup(t)
	w.one(d, full("A", "old"))
	unchanged(t, w.imported(d, with(full("A", "old"), func(r *order.Request) {
		r.Products, r.Groups, r.Pricing, r.CustomFields = nil, nil, nil, nil
	})))
	plan := w.imported(d, with(full("A", "old"), func(r *order.Request) {
		r.Products, r.Groups = []order.ProductRequest{}, []order.Ref{}
		r.Pricing, r.CustomFields = []order.PriceRequest{}, []order.CustomFieldValue{}
	}))
	require.Equal(t, order.Changes{Products: true, Groups: true, Prices: true, Fields: true}, plan.Orders[0].Changes)
	o := w.orders[0]
	require.Empty(t, o.Products)
	require.Empty(t, o.Groups)
	require.Empty(t, o.Prices)
	require.Empty(t, o.CustomFields)
}

func TestReimportingTheSameChangesNothing(t *testing.T) {
	t.Parallel()
	w := setup(t)
	d := order.Defaults{UpdateConfig: order.UpdateSettings{OrderPricing: order.ReplacePricing}}
	e := full("A", "old")
	w.one(d, e)
	// As a database may return them.
	w.orders[0].Prices[0].Amount = "1.000000"
	w.orders[0].Pickup.Window.Earliest = w.orders[0].Pickup.Window.Earliest.UTC()
	w.orders[0].Delivery.Contacts = []order.Contact{}
	w.orders[0].Groups = slices.Clone(w.orders[0].Groups)
	slices.Reverse(w.orders[0].Products)
	unchanged(t, w.imported(d, e))
	e.Pricing[0].Price = "01.00"
	unchanged(t, w.imported(d, e))
}

func TestProductsKeepTheirIdentity(t *testing.T) {
	t.Parallel()
	w := setup(t)
	tree := func(r *order.Request) {
		r.Products = []order.ProductRequest{
			{Name: "Pallet", ExternalID: "P"},
			{Name: "Box", ExternalID: "B", ParentExternalID: "P"},
			{Name: "Loose"},
			{Name: "Same", ExternalID: "S", ExternalInstanceNumber: "S1"},
			{Name: "Same", ExternalID: "S", ExternalInstanceNumber: "S2"},
		}
	}
	w.one(order.Defaults{}, with(entry("A"), tree))
	o := w.orders[0]
	require.Equal(t, []string{order.AtomColli, order.AtomTradeItem}, []string{
		o.Products[0].AtomType, o.Products[1].AtomType,
	})
	require.Same(t, o.Products[0], o.Products[1].Parent)

	w.one(order.Defaults{}, with(entry("A"), func(r *order.Request) {
		tree(r)
		r.Products[1].Weight = ptr(2.0)
		slices.Reverse(r.Products)
		r.Products = append(r.Products, order.ProductRequest{Name: "New"})
	}))
	ids := map[string]int64{}
	for _, p := range w.orders[0].Products {
		ids[p.Name+p.InstanceNumber] = p.ID
	}
	require.Equal(t, map[string]int64{"PalletP": 1, "BoxB": 2, "Loose": 3, "SameS1": 4, "SameS2": 5, "New": 6}, ids)
	require.Equal(t, int64(1), w.orders[0].Products[4-1].Parent.ID, "the box lies on the same pallet")
}

func TestModifiedProductsStayUnlessAllAreReplaced(t *testing.T) {
	t.Parallel()
	for _, all := range []bool{false, true} {
		w := setup(t)
		e := with(entry("A"), func(r *order.Request) {
			r.Products = []order.ProductRequest{
				{Name: "Box", ExternalID: "B", ParentExternalID: "P"},
				{Name: "Pallet", ExternalID: "P"},
				{Name: "Gone", ExternalID: "G"},
				{Name: "Gone too", ExternalID: "H"},
			}
		})
		w.one(order.Defaults{}, e)
		for _, i := range []int{0, 1, 2} {
			w.orders[0].Products[i].Modified = true
			w.orders[0].Products[i].Weight = ptr(77.0)
		}
		w.orders[0].Products[2].Parent = w.orders[0].Products[3] // packed by a person
		d := order.Defaults{}
		if all {
			d.UpdateConfig.OrderProducts = order.ReplaceProducts
		}
		next := with(e, func(r *order.Request) {
			r.Products = []order.ProductRequest{
				{Name: "Pallet", ExternalID: "P"},
				{Name: "Box 2", ExternalID: "B", ParentExternalID: "P"},
				{Name: "Third", ExternalID: "T", ParentExternalID: "P"},
			}
		})
		w.imported(d, next)
		got := w.orders[0].Products
		names := []string{}
		for i, p := range got {
			require.Equal(t, int32(i), p.Seq)
			names = append(names, p.Name)
		}
		require.Same(t, got[0], got[1].Parent)
		require.Same(t, got[0], got[2].Parent)
		require.Equal(t, []int64{2, 1, 5}, []int64{got[0].ID, got[1].ID, got[2].ID})
		if all {
			require.Equal(t, []string{"Pallet", "Box 2", "Third"}, names)
			require.False(t, got[0].Modified)
		} else {
			require.Equal(t, []string{"Pallet", "Box", "Third", "Gone"}, names)
			require.Equal(t, 77.0, *got[1].Weight)
			require.Nil(t, got[3].Parent, "what it lay in is gone")
		}
		unchanged(t, w.imported(d, next))
	}
}

// TestKeptProductsFormNoCycle has a person reverse two pairs of nested
// products that the entry still describes the original way.
func TestKeptProductsFormNoCycle(t *testing.T) {
	t.Parallel()
	w := setup(t)
	e := with(entry("A"), func(r *order.Request) {
		r.Products = []order.ProductRequest{
			{Name: "leaf", ExternalID: "0", ParentExternalID: "1"},
			{Name: "a", ExternalID: "1", ParentExternalID: "2"},
			{Name: "b", ExternalID: "2"},
			{Name: "c", ExternalID: "3", ParentExternalID: "4"},
			{Name: "d", ExternalID: "4"},
		}
	})
	w.one(order.Defaults{}, e)
	p := w.orders[0].Products
	for _, pair := range [][2]int{{1, 2}, {3, 4}} {
		inner, outer := p[pair[0]], p[pair[1]]
		inner.Parent, outer.Parent = nil, inner
		outer.Modified = true
	}
	w.imported(order.Defaults{}, e)
	for _, p := range w.orders[0].Products {
		steps := 0
		for at := p; at != nil; at = at.Parent {
			steps++
			require.LessOrEqual(t, steps, 5, "a ring")
		}
	}
	require.Equal(t, "a", w.orders[0].Products[0].Parent.Name, "only rings are cut")
	unchanged(t, w.imported(order.Defaults{}, e))
}

func TestAppendingAddsNewTextOnce(t *testing.T) {
	t.Parallel()
	w := setup(t)
	text := func(mark string) func(*order.Request) {
		return func(r *order.Request) {
			p := r.Pickup
			p.Contacts = []order.Contact{{FirstName: "both"}, {FirstName: mark}}
			p.Instructions, p.CustomerInstructions, p.ParkingInstructions = mark, mark, mark
		}
	}
	w.one(order.Defaults{}, with(entry("A"), text("old")))
	yes := ptr(true)
	d := order.Defaults{UpdateConfig: order.UpdateSettings{
		AppendStopContacts: yes, AppendStopInstructions: yes,
		AppendStopParkingInstructions: yes, AppendCustomerInstructions: yes,
	}}
	w.imported(d, with(entry("A"), text("new")))
	p := w.orders[0].Pickup
	require.Equal(t, []order.Contact{{FirstName: "both"}, {FirstName: "old"}, {FirstName: "new"}}, p.Contacts)
	require.Equal(t, []string{"old\nnew", "old\nnew", "old\nnew"}, []string{
		p.Instructions, p.CustomerInstructions, p.ParkingInstructions,
	})
	for _, again := range []string{"new", "old"} {
		unchanged(t, w.imported(d, with(entry("A"), text(again))))
	}
	w.imported(d, with(entry("A"), text("ol"))) // a part of a line is not the line
	require.Equal(t, "old\nnew\nol", w.orders[0].Pickup.Instructions)
	unchanged(t, w.imported(d, entry("A")))
	unchanged(t, w.imported(d, with(entry("A"), func(r *order.Request) {
		r.Pickup.Instructions = strings.Repeat("x", 9_995)
	})))

	w.imported(order.Defaults{UpdateConfig: order.UpdateSettings{AppendStopContacts: ptr(false)}},
		with(entry("A"), text("new")))
	p = w.orders[0].Pickup
	require.Equal(t, "new", p.Instructions)
	require.Len(t, p.Contacts, 2)
}

func TestEachFlagAppendsOneThing(t *testing.T) {
	t.Parallel()
	yes := ptr(true)
	for i, s := range []order.UpdateSettings{
		{AppendStopContacts: yes},
		{AppendStopInstructions: yes},
		{AppendStopParkingInstructions: yes},
		{AppendCustomerInstructions: yes},
	} {
		w := setup(t)
		text := func(mark string) order.Request {
			e := entry("A")
			e.Delivery.Contacts = []order.Contact{{FirstName: mark}}
			e.Delivery.Instructions, e.Delivery.ParkingInstructions, e.Delivery.CustomerInstructions = mark, mark, mark
			return e
		}
		w.one(order.Defaults{}, text("old"))
		w.imported(order.Defaults{UpdateConfig: s}, text("new"))
		d := w.orders[0].Delivery
		require.Equal(t, []bool{i == 0, i == 1, i == 2, i == 3}, []bool{
			len(d.Contacts) == 2, d.Instructions == "old\nnew",
			d.ParkingInstructions == "old\nnew", d.CustomerInstructions == "old\nnew",
		})
	}
}

func TestLoadedOrderKeepsStopsAndProducts(t *testing.T) {
	t.Parallel()
	for _, status := range []order.Status{order.PickedUp, order.AtDelivery, order.Delivered, order.Failed} {
		w := setup(t)
		w.one(order.Defaults{}, entry("A"))
		w.orders[0].Status = status
		unchanged(t, w.imported(order.Defaults{}, entry("A")))
		for field, change := range map[string]func(*order.Request){
			"pickup":   func(r *order.Request) { r.Pickup.Instructions = "x" },
			"delivery": func(r *order.Request) { r.Delivery.Instructions = "x" },
			"products": func(r *order.Request) { r.Products[0].Weight = ptr(1.0) },
		} {
			plan := w.imported(order.Defaults{}, with(entry("A"), func(r *order.Request) {
				change(r)
				r.Reference = "not this either"
			}))
			require.Equal(t, []order.Kind{order.FailedUpdate}, kinds(plan))
			require.Equal(t, []order.Code{order.UnknownInvalidInput}, codes(plan.Results[0]))
			require.Equal(t, field, plan.Results[0].Reasons[0].Field)
			require.Equal(t, "order.already_picked_up", plan.Results[0].Reasons[0].Text.ID)
			require.Empty(t, plan.Orders)
			require.Empty(t, plan.Events)
		}
		plan := w.imported(order.Defaults{}, with(entry("A"), func(r *order.Request) { r.Reference = "fine" }))
		require.Equal(t, order.Changes{Header: true}, plan.Orders[0].Changes)
		require.Equal(t, status, w.orders[0].Status)
	}
}

// rule is a rule of the triggers that it names.
type rule struct {
	on  []order.Trigger
	set func(*order.Order)
}

// Transform runs it.
func (r rule) Transform(o *order.Order, on ...order.Trigger) []string {
	if slices.ContainsFunc(on, func(t order.Trigger) bool { return slices.Contains(r.on, t) }) {
		r.set(o)
	}
	return nil
}

// Importing an order that is over again must not fail because of rules, with any
// trigger; changes by the entry itself are still refused.
func TestRulesChangeNoHeaderOfAnOrderThatIsOver(t *testing.T) {
	t.Parallel()
	for _, on := range []order.Trigger{order.TriggerCreated, order.TriggerUpdated} {
		w := setup(t)
		ruled := rule{[]order.Trigger{on}, func(o *order.Order) { o.RouteNumber = "7" }}
		decide := func(e order.Request) order.Result {
			s := w.snapshot()
			s.Rules = ruled
			return order.Decide(s, order.Defaults{}, []order.Request{e}).Results[0]
		}
		unrouted := with(full("A", "old"), func(r *order.Request) { r.RouteNumber = "" })
		w.one(order.Defaults{}, unrouted)
		o := w.orders[0]
		o.Status, o.RouteNumber = order.Delivered, "7"
		require.Equal(t, order.OrderUpdated, decide(unrouted).Kind, on)
		ruled.set = func(o *order.Order) { o.RouteNumber = "8" }
		require.Equal(t, order.OrderUpdated, decide(unrouted).Kind, "the rule is another one by now")
		moved := with(unrouted, func(r *order.Request) { r.Date = "2026-06-16" })
		require.Equal(t, order.FailedUpdate, decide(moved).Kind, on)
	}
}

func TestUnloadedOrderAcceptsEveryChange(t *testing.T) {
	t.Parallel()
	for _, status := range []order.Status{order.Registered, order.Planned, order.AtPickup, order.Cancelled} {
		w := setup(t)
		w.one(order.Defaults{}, full("A", "old"))
		w.orders[0].Status = status
		plan := w.imported(order.Defaults{}, full("A", "new"))
		require.Equal(t, []event.Kind{event.OrderUpdated}, events(plan))
		require.Equal(t, status, w.orders[0].Status, "an import moves no status")
		require.Equal(t, "new", w.orders[0].Reference)
	}
}

func TestRefusedUpdateDoesNotChangeTheOrder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.one(order.Defaults{}, full("A", "old"))
	o := w.orders[0]
	o.Status, o.Products[0].Modified = order.Delivered, true
	o.Products[0].Parent = o.Products[1]
	s := w.snapshot()
	e := with(full("A", "new"), func(r *order.Request) { r.Products = r.Products[1:] })
	require.Equal(t, order.FailedUpdate, order.Decide(s, order.Defaults{}, []order.Request{e}).Results[0].Kind)
	require.Equal(t, seen(o), seen(s.Orders[0]))
}
