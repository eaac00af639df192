package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/order"
)

var merging = order.Defaults{UpdateConfig: order.UpdateSettings{AllowMerge: ptr(true)}}

func TestOrdersOfOneKeyTravelTogether(t *testing.T) {
	t.Parallel()
	w := setup(t)
	plan := w.imported(merging, entry("A"), entry("B"))
	require.Equal(t, []order.Kind{order.OrderCreated, order.OrderMerged}, kinds(plan))
	require.Equal(t, []event.Kind{event.OrderCreated, event.OrderMerged}, events(plan))
	require.Equal(t, "B", plan.Events[1].Number)
	require.Same(t, plan.Results[0].Order, plan.Results[1].Order)
	require.Len(t, w.orders, 1)
	require.Len(t, w.orders[0].Products, 2)
	require.Equal(t, map[string]order.Number{"A": {OrderID: 1}, "B": {OrderID: 1}}, w.numbers)

	unchanged(t, w.imported(merging, entry("A"), entry("B")))
	unchanged(t, w.imported(order.Defaults{}, entry("B")))
	require.Equal(t, []order.Kind{order.OrderCreated}, kinds(w.imported(merging, entry("C"))), "the van is full")
}

func TestMergingIsAllowedByTheImportOrTheOrganization(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		own          *bool
		organization bool
		want         order.Kind
	}{
		{nil, false, order.OrderCreated},
		{nil, true, order.OrderMerged},
		{ptr(true), false, order.OrderMerged},
		{ptr(false), true, order.OrderCreated},
	} {
		w := setup(t)
		w.allowMerge = c.organization
		d := order.Defaults{UpdateConfig: order.UpdateSettings{AllowMerge: c.own}}
		w.imported(d, entry("A"))
		require.Equal(t, c.want, w.one(d, entry("B")).Kind)
	}
}

func TestDifferentMergeKeysAreNotMerged(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*order.Request){
		"Customer":    func(r *order.Request) { r.Customer = &order.Ref{ExternalID: "C-2"} },
		"Date":        func(r *order.Request) { r.Date = "2026-06-16" },
		"OrderType":   func(r *order.Request) { r.OrderType = &order.Ref{Name: "Other"} },
		"VehicleType": func(r *order.Request) { r.VehicleType = &order.Ref{Name: "Bike"} },
		"Pickup":      func(r *order.Request) { r.Pickup = place("P-2", "Storgata 1") },
		"Delivery":    func(r *order.Request) { r.Delivery = place("", "Havnegata 3") },
		"Freight":     func(r *order.Request) { r.InternalFreightNumber = "F" },
		"Route":       func(r *order.Request) { r.RouteNumber = "R" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			other := w.base.OrderTypes[0]
			other.Named = order.Named{ID: 3, Name: "Other"}
			w.base.OrderTypes = append(w.base.OrderTypes, other)
			require.Equal(t, []order.Kind{order.OrderCreated, order.OrderCreated},
				kinds(w.imported(merging, entry("A"), with(entry("B"), change))))
			require.Equal(t, order.OrderCreated,
				w.one(merging, with(entry("C"), func(r *order.Request) { r.Products[0].Weight = ptr(90.0) })).Kind)
		})
	}
	w := setup(t)
	e := with(entry("B"), func(r *order.Request) {
		r.Reference, r.Groups, r.Pickup.Instructions = "x", []order.Ref{{Name: "Morning"}}, "x"
	})
	require.Equal(t, []order.Kind{order.OrderCreated, order.OrderMerged},
		kinds(w.imported(merging, entry("A"), e)), "all else may differ")
}

func TestMergedOrdersMustFitTheVehicle(t *testing.T) {
	t.Parallel()
	box := func(quantity, weight, side float64) order.ProductRequest {
		return order.ProductRequest{
			Name: "Box", Quantity: &quantity, Weight: &weight, Length: &side, Width: &side, Height: &side,
		}
	}
	for name, c := range map[string]struct {
		products []order.ProductRequest
		vehicle  string
		want     order.Kind
	}{
		"JustLightEnough": {[]order.ProductRequest{box(2, 25, 1)}, "Van", order.OrderMerged},
		"TooHeavy":        {[]order.ProductRequest{box(2, 25.5, 1)}, "Van", order.OrderCreated},
		"JustSmallEnough": {[]order.ProductRequest{box(1, 1, 100)}, "Van", order.OrderMerged},
		"TooLarge":        {[]order.ProductRequest{box(2, 1, 100)}, "Van", order.OrderCreated},
		"NoLimit":         {[]order.ProductRequest{box(1000, 1000, 1000)}, "Bike", order.OrderMerged},
		"AColliWeighsWhatItSays": {[]order.ProductRequest{
			{ExternalID: "P", Weight: ptr(50.0)},
			{ParentExternalID: "P", Weight: ptr(49.0)},
			{ParentExternalID: "P", Weight: ptr(49.0)},
		}, "Van", order.OrderMerged},
		"ASilentColliWeighsWhatItHolds": {[]order.ProductRequest{
			{ExternalID: "P"}, {ParentExternalID: "P", Weight: ptr(26.0)}, {ParentExternalID: "P", Weight: ptr(26.0)},
		}, "Van", order.OrderCreated},
		"TwoSilentCollisHoldTwice": {[]order.ProductRequest{
			{ExternalID: "P", Quantity: ptr(2.0)}, {ParentExternalID: "P", Weight: ptr(26.0)},
		}, "Van", order.OrderCreated},
		"NothingFits":   {[]order.ProductRequest{}, "Van", order.OrderMerged},
		"AbsentGoodsDo": {nil, "Van", order.OrderMerged},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			vehicle := func(r *order.Request) { r.VehicleType = &order.Ref{Name: c.vehicle} }
			first := with(with(entry("A"), vehicle), func(r *order.Request) {
				r.Products = []order.ProductRequest{box(1, 50, 100)}
			})
			second := with(with(entry("B"), vehicle), func(r *order.Request) { r.Products = c.products })
			require.Equal(t, c.want, kinds(setup(t).imported(merging, first, second))[1])
		})
	}
}

func TestOnlyOrdersThatWaitAreMergedInto(t *testing.T) {
	t.Parallel()
	for status, want := range map[order.Status]order.Kind{
		order.Registered: order.OrderMerged, order.Planned: order.OrderMerged, order.AtPickup: order.OrderMerged,
		order.PickedUp: order.OrderCreated, order.AtDelivery: order.OrderCreated, order.Delivered: order.OrderCreated,
		order.Failed: order.OrderCreated, order.Cancelled: order.OrderCreated,
	} {
		w := setup(t)
		w.one(merging, entry("A"))
		w.orders[0].Status = status
		require.Equal(t, want, w.one(merging, entry("B")).Kind, status)
	}
}

func TestTheOldestOrderIsMergedInto(t *testing.T) {
	t.Parallel()
	other := func(r *order.Request) { r.RouteNumber = "R" }
	w := setup(t)
	w.imported(order.Defaults{}, with(entry("A"), other), entry("B"))
	plan := w.imported(merging, entry("A"), entry("C")) // A comes to share B's key
	require.Equal(t, "A", plan.Results[1].Order.Number)

	plan = setup(t).imported(merging, with(entry("A"), other), entry("B"), entry("A"), entry("C"))
	require.Equal(t,
		[]order.Kind{order.OrderCreated, order.OrderCreated, order.OrderUpdated, order.OrderMerged}, kinds(plan))
	require.Equal(t, "A", plan.Results[3].Order.Number)

	plan = setup(t).imported(merging, entry("A"), with(entry("A"), other), entry("B"))
	require.Equal(t, order.OrderCreated, plan.Results[2].Kind, "A has gone elsewhere")
}

func TestUpdateOfMergedNumberReplacesItsContent(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	again := with(full("B", "new"), func(r *order.Request) {
		r.VehicleType, r.Pickup, r.Delivery = entry("B").VehicleType, entry("B").Pickup, entry("B").Delivery
		r.Customer, r.Date, r.InternalFreightNumber, r.RouteNumber = entry("B").Customer, entry("B").Date, "", ""
		r.OrderType, r.Consignee, r.Consignor = entry("B").OrderType, nil, nil
		r.Pickup.Instructions, r.Reference = "Ring", "for B"
	})
	plan := w.imported(merging, again)
	require.Equal(t, []order.Kind{order.OrderUpdated}, kinds(plan), "%v", plan.Results[0].Reasons)
	require.Equal(t, "B", plan.Events[0].Number)
	o := w.orders[0]
	require.Equal(t, []string{"A", "B", "B"}, []string{o.Products[0].Number, o.Products[1].Number, o.Products[2].Number})
	require.Equal(t, "for B", o.Reference, "A has none")
	require.Equal(t, "Ring", o.Pickup.Instructions)

	w.imported(merging, with(entry("A"), func(r *order.Request) {
		r.Products, r.Reference = []order.ProductRequest{}, "for A"
	}))
	require.Len(t, w.orders[0].Products, 2, "nor does the order's number reach the others")
	require.Equal(t, "for A", w.orders[0].Reference)
	require.Equal(t, "Ring", w.orders[0].Pickup.Instructions)
	bad := with(entry("B"), func(r *order.Request) { r.Products[0].Weight, r.Date = ptr(-1.0), "x" })
	require.Equal(t, []order.Code{order.InvalidProduct, order.UnknownInvalidInput}, codes(w.one(merging, bad)))
}

func TestProductsPackedAcrossNumbersStayPacked(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	a, b := w.orders[0].Products[0], w.orders[0].Products[1]
	b.Parent, b.Modified = a, true
	w.imported(merging, with(entry("A"), func(r *order.Request) { r.Products[0].Name = "Other" }))
	require.Same(t, w.orders[0].Products[1], w.orders[0].Products[0].Parent, "on what stands in its place")
	unchanged(t, w.imported(merging, entry("B")))

	w.imported(merging, with(entry("A"), func(r *order.Request) { r.Products = []order.ProductRequest{} }))
	require.Nil(t, w.orders[0].Products[0].Parent)
}

func TestAMergedDraftIsPromoted(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), with(entry("B"), func(r *order.Request) { r.Date = "" }))
	plan := w.imported(merging, entry("B"))
	require.Equal(t, []order.Kind{order.OrderMerged}, kinds(plan))
	require.Equal(t, w.orders[0].ID, plan.Drafts[0].Promoted.ID)
	require.Empty(t, w.drafts)
}
