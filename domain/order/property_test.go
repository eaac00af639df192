package order_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/order"
)

// some draws one of a few values, so that entries collide.
func some[T any](t *rapid.T, label string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, label)
}

func drawRef(t *rapid.T, names ...string) *order.Ref {
	return some(t, "ref", nil, nil, &order.Ref{Name: some(t, "name", names...)},
		&order.Ref{ID: ptr(some(t, "id", int64(1), 2, 9))}, &order.Ref{ExternalID: "C-2"})
}

// drawEntry draws an entry that is mostly valid, or with wild set mostly not.
func drawEntry(t *rapid.T, number string, wild bool) order.Request {
	e := entry(number)
	e.Pickup, e.Delivery = drawStop(t), drawStop(t)
	e.Products = drawProducts(t)
	e.Reference = some(t, "reference", "", "x", "y")
	e.RouteNumber = some(t, "route", order.Loose(""), "", "R")
	if rapid.Bool().Draw(t, "lists") {
		e.Groups = some(t, "groups", nil, []order.Ref{}, []order.Ref{{Name: "Morning"}}, []order.Ref{
			{ID: ptr(int64(2))}, {Name: "morning"},
		})
		e.Pricing = some(t, "pricing", nil, []order.PriceRequest{}, []order.PriceRequest{{Price: "1.50", Currency: "NOK"}})
		e.CustomFields = some(t, "fields", nil, []order.CustomFieldValue{}, []order.CustomFieldValue{
			{ExternalID: "floor", Value: []byte(`{"b":1,"a":[1e2]}`), Stop: some(t, "stop", "", order.Pickup)},
		})
	}
	if wild || some(t, "fault", 0, 0, 0, 0, 0, 0, 1) == 1 {
		e.Customer, e.VehicleType, e.OrderType = drawRef(t, "Fjord", "Nord AS"), drawRef(t, "Van", "?"), drawRef(t,
			"Standard", "Bare")
		e.Date = some(t, "date", "", "2026-06-15", "2026-03-29", "x")
		e.Pickup = some(t, "pickup", nil, e.Pickup)
		e.Consignee = drawRef(t, "Mottaker")
	}
	return e
}

func drawStop(t *rapid.T) *order.LocationRequest {
	l := place(some(t, "place", "", "", "L1", "L2"), some(t, "street", "One 1", "One 1", "Two 2"))
	l.Name = some(t, "place name", "", "Name")
	l.Instructions = some(t, "text", "", "in", "out")
	l.Contacts = some(t, "contacts", nil, []order.Contact{},
		[]order.Contact{{FirstName: "a"}, {FirstName: "a"}}, []order.Contact{{FirstName: "b"}})
	if some(t, "hours", 0, 0, 1) == 1 {
		l.HasOpeningTimes, l.OpeningHoursIsDefault = true, ptr(rapid.Bool().Draw(t, "default"))
		l.Opens, l.Closes = "22:00", "05:00"
	}
	if some(t, "window", 0, 0, 1) == 1 {
		l.Earliest, l.Latest = "2026-06-15T10:00:00Z", some(t, "latest",
			"2026-06-15T12:00:00Z", "2026-06-15T14:00:00+02:00", "")
	}
	l.Skills = some(t, "skills", nil, []order.SkillRequest{
		{Name: "Cold"}, {ID: ptr(int64(1)), Type: order.SkillProhibited},
	})
	return l
}

func drawProducts(t *rapid.T) []order.ProductRequest {
	n := rapid.IntRange(-1, 4).Draw(t, "products")
	if n < 0 {
		return nil
	}
	out := make([]order.ProductRequest, n)
	for i := range out {
		out[i] = order.ProductRequest{
			Name: some(t, "goods", "", "box", "bag"), ExternalID: some(t, "own", "", fmt.Sprint(i), "0", "1"),
			Weight: ptr(float64(rapid.IntRange(0, 60).Draw(t, "weight"))),
		}
		if i > 0 {
			out[i].ParentExternalID = some(t, "parent", "", "", "", out[0].ExternalID)
		}
	}
	return out
}

func drawDefaults(t *rapid.T) order.Defaults {
	flag := func(name string) *bool { return some(t, name, nil, ptr(true), ptr(false)) }
	return order.Defaults{
		FallbackCustomer: drawRef(t, "Nord AS"),
		UpdateConfig: order.UpdateSettings{
			OrderLocation: some(t, "orderLocation", "", "", order.IgnoreLocation, order.ReplaceLocation),
			OrderProducts: some(t, "orderProducts", "", "", order.IgnoreProducts,
				order.ReplaceProducts, order.ReplaceProductsIfUnmodified),
			Order:        some(t, "order", "", "", order.IgnoreOrder),
			OrderGroups:  some(t, "orderGroups", "", order.IgnoreGroups),
			OrderPricing: some(t, "orderPricing", "", order.ReplacePricing), AllowMerge: flag("allowMerge"),
			AppendStopContacts: flag("contacts"), AppendStopInstructions: flag("instructions"),
			AppendStopParkingInstructions: flag("parking"), AppendCustomerInstructions: flag("customer"),
		},
	}
}

// drawEntries draws entries of numbers that may repeat.
func drawEntries(t *rapid.T, wild bool) []order.Request {
	out := make([]order.Request, rapid.IntRange(0, 8).Draw(t, "entries"))
	for i := range out {
		out[i] = drawEntry(t, some(t, "number", "A", "B", "C", "D", "E", "F", ""), wild)
	}
	return out
}

// drawWorld draws a world in which drivers and users have been at work. Calling
// the result twice gives two equal worlds.
func drawWorld(t *rapid.T) func() *world {
	d, entries := drawDefaults(t), drawEntries(t, false)
	type deed struct{ order, status, modified, packed int }
	deeds := make([]deed, rapid.IntRange(0, 4).Draw(t, "deeds"))
	for i := range deeds {
		deeds[i] = deed{
			rapid.IntRange(0, 5).Draw(t, "which"), rapid.IntRange(1, 8).Draw(t, "status"),
			rapid.IntRange(0, 3).Draw(t, "modified"), rapid.IntRange(0, 3).Draw(t, "packed"),
		}
	}
	gone := some(t, "cancelled", nil, []string{"A"}, []string{"B", "C"})
	return func() *world {
		w := setup(t)
		w.imported(d, entries...)
		w.cancelled(gone...)
		for _, it := range deeds {
			if it.order >= len(w.orders) {
				continue
			}
			o := w.orders[it.order]
			o.Status = order.Status(it.status)
			if it.modified < len(o.Products) {
				o.Products[it.modified].Modified = true
				if it.packed < it.modified && o.Products[it.packed].Parent == nil && len(o.Products) > 0 {
					pack(o.Products[it.modified], o.Products[it.packed])
				}
			}
		}
		return w
	}
}

// pack puts one product into another, unless the other one is inside it.
func pack(inner, outer *order.Product) {
	for at := outer; at != nil; at = at.Parent {
		if at == inner {
			return
		}
	}
	inner.Parent = outer
}

func TestEveryEntryHasOneResult(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)()
		entries := drawEntries(t, true)
		plan := w.imported(drawDefaults(t), entries...)
		leads := map[string]*order.Order{}
		for i, r := range plan.Results {
			require.Equal(t, entries[i].ExternalID, r.ExternalID)
			drafted, failed := r.Kind == order.DraftCreated, r.Kind == order.FailedUpdate
			require.Equal(t, drafted, r.Draft != nil)
			require.Equal(t, drafted || failed, len(r.Reasons) > 0)
			require.Equal(t, drafted || failed, r.Order == nil)
			if r.Order == nil {
				continue
			}
			if known := leads[r.ExternalID]; known != nil {
				require.Same(t, known, r.Order, "one number, one order")
			}
			leads[r.ExternalID] = r.Order
			require.Equal(t, r.Order.ID, w.numbers[r.ExternalID].OrderID)
		}
	})
}

// TestAnyRequestIsDecided draws entries without any regard to sense.
func TestAnyRequestIsDecided(t *testing.T) {
	t.Parallel()
	requests := rapid.SliceOfN(rapid.Make[order.Request](), 0, 3)
	rapid.Check(t, func(t *rapid.T) {
		w, entries := setup(t), requests.Draw(t, "entries")
		s := w.snapshot()
		s.Foresee(order.NewLocations(s, entries))
		require.Len(t, order.Decide(s, drawDefaults(t), entries).Results, len(entries))
	})
}

func TestImportingTheSameAgainChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, d := drawWorld(t)(), drawDefaults(t)
		var entries []order.Request
		for _, number := range []string{"A", "B", "C", "G", "H", "I"} {
			entries = append(entries, drawEntry(t, number, false))
		}
		first := w.imported(d, entries...)
		var accepted []order.Request
		for i, r := range first.Results {
			if r.Order != nil {
				accepted = append(accepted, entries[i])
			}
		}
		unchanged(t, w.imported(d, accepted...))
	})
}

// TestChunkEqualsEntriesImportedOneByOne holds because the outcome of an
// import must not depend on how it is cut.
func TestChunkEqualsEntriesImportedOneByOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		build, d, entries := drawWorld(t), drawDefaults(t), drawEntries(t, false)
		whole, single := build(), build()
		plan := whole.imported(d, entries...)
		single.create(entries)
		for i, e := range entries {
			one := single.one(d, e)
			require.Equal(t, plan.Results[i].Kind, one.Kind)
			require.Equal(t, plan.Results[i].Reasons, one.Reasons)
			if one.Order != nil {
				require.Equal(t, plan.Results[i].Order.ID, one.Order.ID)
			}
		}
		require.Equal(t, len(whole.orders), len(single.orders))
		for i := range whole.orders {
			require.Equal(t, seen(whole.orders[i]), seen(single.orders[i]))
		}
		require.Equal(t, whole.numbers, single.numbers)
		require.Equal(t, len(whole.drafts), len(single.drafts))
	})
}
