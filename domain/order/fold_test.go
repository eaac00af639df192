package order_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/event"
	"waybill/domain/order"
)

// window fixes a stop's time.
func window(l *order.LocationRequest, earliest, latest string) *order.LocationRequest {
	l.Earliest, l.Latest = "2026-06-15T"+earliest+":00Z", "2026-06-15T"+latest+":00Z"
	return l
}

func TestSharedOrderKeepsContentOfEachNumber(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := with(entry("A"), func(r *order.Request) {
		window(r.Delivery, "08:00", "12:00")
		r.Delivery.Contacts = []order.Contact{{FirstName: "Kari"}}
		r.Delivery.Instructions, r.Delivery.Skills = "Gate 4711", []order.SkillRequest{{Name: "Tail lift"}}
		r.Groups, r.Pricing = []order.Ref{{Name: "Morning"}}, []order.PriceRequest{{Price: "10", Currency: "NOK"}}
		r.CustomFields = []order.CustomFieldValue{{ExternalID: "floor", Value: []byte(`1`)}}
	})
	b := with(entry("B"), func(r *order.Request) {
		window(r.Delivery, "10:00", "14:00")
		r.Reference = "PO-2"
		r.Delivery.Contacts = []order.Contact{{FirstName: "Kari"}, {FirstName: "Ola"}}
		r.Delivery.Instructions, r.Delivery.Skills = "Leave with the neighbour", []order.SkillRequest{{Name: "Cold"}}
		r.Delivery.EstimatedTimeOnLocation, r.Delivery.Priority = ptr(int32(20)), order.PriorityHigh
		r.Groups, r.Pricing = []order.Ref{{Name: "Evening"}}, []order.PriceRequest{{Price: "5", Currency: "NOK"}}
		r.CustomFields = []order.CustomFieldValue{
			{ExternalID: "floor", Value: []byte(`2`)}, {ExternalID: "lane", Value: []byte(`"x"`), Stop: order.Delivery},
		}
	})
	plan := w.imported(merging, a, b)
	require.Equal(t, []order.Kind{order.OrderCreated, order.OrderMerged}, kinds(plan))
	o := w.orders[0]
	require.Equal(t, "10:00", o.Delivery.Window.Earliest.UTC().Format("15:04"))
	require.Equal(t, "12:00", o.Delivery.Window.Latest.UTC().Format("15:04"))
	require.Equal(t, map[int64]order.SkillType{lift: order.SkillRequired, cold: order.SkillRequired}, o.Delivery.Skills)
	require.Equal(t, []order.Contact{{FirstName: "Kari"}, {FirstName: "Ola"}}, o.Delivery.Contacts)
	require.Equal(t, "Gate 4711\nLeave with the neighbour", o.Delivery.Instructions)
	require.Equal(t, int32(20), *o.Delivery.EstimatedTimeOnLocation)
	require.Equal(t, order.PriorityHigh, o.Delivery.Priority)
	require.Equal(t, "PO-2", o.Reference)
	require.ElementsMatch(t, []int64{morning, evening}, o.Groups)
	require.Len(t, o.Prices, 2)
	require.Equal(t, map[int64]order.FieldValue{
		1: {JSON: "1"}, 2: {JSON: `"x"`, Stop: order.Delivery},
	}, o.CustomFields, "the first that says")
}

func TestInstructionsAreNotAppendedIfTheImportForbidsIt(t *testing.T) {
	t.Parallel()
	w := setup(t)
	keep := merging
	keep.UpdateConfig.AppendStopInstructions, keep.UpdateConfig.AppendStopContacts = ptr(false), ptr(false)
	say := func(number, text string) order.Request {
		return with(entry(number), func(r *order.Request) {
			r.Delivery.Instructions, r.Delivery.Contacts = text, []order.Contact{{FirstName: text}}
		})
	}
	w.imported(keep, say("A", "first"), say("B", "second"))
	require.Equal(t, "first", w.orders[0].Delivery.Instructions)
	require.Equal(t, []order.Contact{{FirstName: "first"}}, w.orders[0].Delivery.Contacts)
	w.cancelled("A")
	require.Equal(t, "second", w.orders[0].Delivery.Instructions, "it was kept all the time")
}

func TestIncompatibleNumbersAreNotMerged(t *testing.T) {
	t.Parallel()
	skill := func(typ order.SkillType) []order.SkillRequest { return []order.SkillRequest{{Name: "Cold", Type: typ}} }
	for name, change := range map[string]func(*order.Request){
		"Windows":   func(r *order.Request) { window(r.Delivery, "12:00", "14:00") },
		"Skills":    func(r *order.Request) { r.Delivery.Skills = skill(order.SkillProhibited) },
		"Across":    func(r *order.Request) { r.Delivery.Skills, r.Pickup.Skills = nil, skill(order.SkillProhibited) },
		"Products":  func(r *order.Request) { r.Delivery.Skills, r.Products[0].Skills = nil, skill(order.SkillProhibited) },
		"Consignee": func(r *order.Request) { r.Consignee = &order.Ref{ExternalID: "C-3"} },
		"Consignor": func(r *order.Request) { r.Consignor = &order.Ref{ExternalID: "C-3"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			a := with(entry("A"), func(r *order.Request) {
				window(r.Delivery, "08:00", "12:00")
				r.Delivery.Skills = skill(order.SkillRequired)
			})
			b := with(with(a, func(r *order.Request) {
				r.ExternalID, r.Products = "B", []order.ProductRequest{good1("B")}
				r.Pickup, r.Delivery = ptr(*r.Pickup), ptr(*r.Delivery)
			}), change)
			require.Equal(t, order.OrderCreated, kinds(w.imported(merging, a, b))[1])

			// A number that changes to this value leaves the shared order.
			w = setup(t)
			w.imported(merging, a, with(a, func(r *order.Request) {
				r.ExternalID, r.Products = "B", []order.ProductRequest{good1("B")}
			}))
			require.Len(t, w.orders, 1)
			plan := w.imported(merging, b)
			require.Equal(t, []order.Kind{order.OrderCreated}, kinds(plan))
			require.Equal(t, []event.Kind{event.OrderUpdated, event.OrderCreated}, events(plan))
			require.Len(t, w.orders, 2)
			require.Len(t, w.orders[0].Products, 1)
			require.Equal(t, order.Number{OrderID: 2}, w.numbers["B"])
			unchanged(t, w.imported(merging, a, b))
		})
	}
}

func TestTheNumberThatNamesAnOrderMayLeaveIt(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	later := with(entry("A"), func(r *order.Request) { r.Date = "2026-06-16" })
	plan := w.imported(merging, later)
	require.Equal(t, []order.Kind{order.OrderCreated}, kinds(plan))
	require.Equal(t, "B", w.orders[0].Number, "the order goes on under the other number")
	require.Equal(t, "A", w.orders[1].Number)
	require.Equal(t, map[string]order.Number{"A": {OrderID: 2}, "B": {OrderID: 1}}, w.numbers)
	unchanged(t, w.imported(merging, later, entry("B")))

	w = setup(t)
	w.imported(merging, entry("A"), entry("B"))
	w.orders[0].Status = order.PickedUp
	require.Equal(t, order.FailedUpdate, w.one(merging, later).Kind, "goods on their way cannot part")
	require.Len(t, w.orders, 1)
}

func TestLeavingNumberCanJoinAnotherOrder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	tomorrow := func(r *order.Request) { r.Date = "2026-06-16" }
	w.imported(merging, entry("A"), entry("B"), with(entry("C"), tomorrow))
	plan := w.imported(merging, with(entry("B"), tomorrow))
	require.Equal(t, []order.Kind{order.OrderMerged}, kinds(plan))
	require.Equal(t, order.Number{OrderID: 2}, w.numbers["B"])
}

func TestDetachingGivesANumberAnOrderOfItsOwn(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	w.imported(order.Defaults{}, with(entry("C"), func(r *order.Request) { r.Date = "2026-06-17" }))
	for number, want := range map[string]order.Detaching{"none": order.DetachNotFound, "C": order.DetachAlone} {
		outcome, _ := w.detached(number)
		require.Equal(t, want, outcome)
	}
	w.orders[0].Status = order.AtDelivery
	outcome, _ := w.detached("A")
	require.Equal(t, order.DetachUnderWay, outcome)
	w.orders[0].Status = order.Planned
	outcome, plan := w.detached("A")
	require.Equal(t, order.Detached, outcome)
	require.Equal(t, []event.Kind{event.OrderUpdated, event.OrderCreated}, events(plan))
	require.Equal(t, "B", w.orders[0].Number)
	require.Equal(t, order.Planned, w.orders[0].Status)
	require.Equal(t, order.Registered, w.orders[2].Status)
	require.Equal(t, order.Number{OrderID: 3}, w.numbers["A"])
	outcome, _ = w.detached("A")
	require.Equal(t, order.DetachAlone, outcome)
}

// deed is one thing that happens to a number.
type deed struct {
	kind  string
	entry order.Request
}

// drawActions draws what happens to a few numbers that may share orders.
func drawActions(t *rapid.T) []deed {
	out := make([]deed, rapid.IntRange(1, 14).Draw(t, "deeds"))
	for i := range out {
		number := some(t, "number", "A", "B", "C")
		kind := some(t, "kind", "import", "import", "import", "cancel", "replan", "detach")
		out[i] = deed{kind: kind, entry: with(entry(number), func(r *order.Request) {
			r.Date = some(t, "date", "2026-06-15", "2026-06-15", "2026-06-15", "2026-06-16")
			window(r.Delivery, some(t, "from", "08:00", "09:00", "11:00"), some(t, "to", "11:00", "12:00", "15:00"))
			if r.Delivery.Earliest[11:13] == "11" && r.Delivery.Latest[11:13] == "11" {
				r.Delivery.Latest = "2026-06-15T15:00:00Z"
			}
			r.Products[0].Weight = ptr(some(t, "weight", 1.0, 30, 60))
			r.Reference = some(t, "reference", "", "x", "y")
			r.Delivery.Instructions = some(t, "text", "", "in", "out")
			r.Delivery.Contacts = some(t, "contacts", []order.Contact{}, []order.Contact{{FirstName: "a"}}, []order.Contact{
				{FirstName: "b"}, {FirstName: "a"},
			})
			r.Delivery.Skills = some(t, "skills", nil, []order.SkillRequest{{Name: "Cold"}}, []order.SkillRequest{
				{Name: "Cold", Type: order.SkillProhibited},
			})
			r.Groups = some(t, "groups", []order.Ref{}, []order.Ref{{Name: "Morning"}}, []order.Ref{{Name: "Evening"}})
			r.Pricing = some(t, "pricing", []order.PriceRequest{}, []order.PriceRequest{{Price: "1.50", Currency: "NOK"}})
			r.CustomFields = some(t, "fields", []order.CustomFieldValue{}, []order.CustomFieldValue{
				{ExternalID: "floor", Value: []byte(`1`), Stop: some(t, "stop", "", order.Pickup, order.Delivery)},
			})
		})}
	}
	return out
}

// TestOrderEqualsFreshImportOfItsNumbers checks that after any history each order
// equals a fresh import of its active numbers.
func TestOrderEqualsFreshImportOfItsNumbers(t *testing.T) {
	t.Parallel()
	settings := merging
	settings.UpdateConfig.OrderPricing = order.ReplacePricing
	settings.UpdateConfig.OrderProducts = order.ReplaceProducts
	rapid.Check(t, func(t *rapid.T) {
		w, last := setup(t), map[string]order.Request{}
		for _, d := range drawActions(t) {
			number := d.entry.ExternalID
			switch d.kind {
			case "import":
				w.imported(settings, d.entry)
				last[number] = d.entry
			case "cancel":
				w.cancelled(number)
			case "replan":
				w.reactivated(number)
			case "detach":
				w.detached(number)
			}
			w.consistent()
		}
		for _, o := range w.orders {
			requireFresh(t, w, settings, o, last)
		}
	})
}

// consistent asserts that every number is in just the order that it leads to.
func (w *world) consistent() {
	for number, n := range w.numbers {
		o := w.orders[n.OrderID-1]
		if len(o.Shares) == 0 {
			require.Equal(w.t, number, o.Number)
			continue
		}
		i := slices.IndexFunc(o.Shares, func(e order.ERPOrder) bool { return e.Number == number })
		require.GreaterOrEqual(w.t, i, 0, "%s is not in its order", number)
		require.Equal(w.t, n.Cancelled, o.Shares[i].Cancelled)
	}
	for _, o := range w.orders {
		for _, e := range o.Shares {
			require.Equal(w.t, o.ID, w.numbers[e.Number].OrderID, "%s is in an order that it does not lead to", e.Number)
		}
	}
}

// requireFresh imports an order's active numbers into an empty world, in any
// order, and compares.
func requireFresh(t *rapid.T, w *world, settings order.Defaults, o *order.Order, last map[string]order.Request) {
	if o.Status == order.Cancelled {
		return
	}
	var entries []order.Request
	for _, number := range slices.Sorted(maps.Keys(last)) {
		if n := w.numbers[number]; n.OrderID == o.ID && !n.Cancelled {
			entries = append(entries, last[number])
		}
	}
	fresh := setup(t)
	fresh.imported(settings, rapid.Permutation(entries).Draw(t, "order of coming")...)
	require.Len(t, fresh.orders, 1)
	require.Equal(t, alike(fresh.orders[0]), alike(o))
}

// alike returns an order without its name and without its inactive shares.
func alike(o *order.Order) look {
	l := seen(o)
	l.Number, l.Shares = "", nil
	slices.SortFunc(l.Prices, func(a, b order.Price) int { return len(a.Amount) - len(b.Amount) })
	l.Pickup.LocationID, l.Delivery.LocationID = 0, 0
	return l
}

// The last number takes the order along and leaves its products in it: they
// must not occur twice when it is imported meanwhile.
func TestTheLastNumberOfACancelledOrderIsImportedAndPutBack(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	w.cancelled("B")
	w.cancelled("A")
	changed := entry("A")
	changed.Products = append(changed.Products, order.ProductRequest{Name: "Chair", ExternalID: "A-2"})
	w.imported(merging, changed)
	require.Equal(t, order.Cancelled, w.orders[0].Status)
	require.Len(t, w.orders[0].Products, 2, "what it says now can be read")
	w.reactivated("A")
	require.Len(t, w.orders[0].Products, 2)
	w.reactivated("B")
	require.Len(t, w.orders[0].Products, 3)
}

func TestEditOfASharedOrderAppliesToAllNumbers(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	o := w.orders[0]
	require.Equal(t, order.VehicleTypeChanged, o.ChangeVehicleType(bike))
	o.SetCustomFields(map[int64]order.FieldValue{1: {JSON: "3"}})
	require.Equal(t, order.Changes{Header: true, Fields: true, Shares: true}, o.Changes)
	o.Changes = order.Changes{}
	w.cancelled("B")
	require.Equal(t, int64(bike), w.orders[0].VehicleTypeID)
	require.Equal(t, map[int64]order.FieldValue{1: {JSON: "3"}}, w.orders[0].CustomFields)
	w.reactivated("B")
	require.Len(t, w.orders, 1)
	require.Len(t, w.orders[0].Products, 2)
}
