package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/load"
	"waybill/domain/order"
)

var dimensions = load.Dimensions{{Name: "PALLETS", Unit: "pallet places"}, {Name: "ADR"}}

func amounts(dimension string, amount float64) load.Amounts {
	return load.Amounts{{Dimension: dimension, Amount: amount}}
}

// TestAnOrderNeedsWhatItAndItsProductsSay shares amounts between numbers, as far as a vehicle holds them.
func TestAnOrderNeedsWhatItAndItsProductsSay(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.allowMerge, w.base.LoadDimensions = true, dimensions
	w.base.VehicleTypes[0].MaxLoads = amounts("PALLETS", 6)
	a := entry("A")
	a.LoadAmounts = load.Amounts{{Dimension: "PALLETS", Amount: 1}, {Dimension: "ADR", Amount: 0}}
	a.Products = []order.ProductRequest{{Name: "Sofa", Quantity: ptr(3.0), LoadAmounts: amounts("PALLETS", 0.5)}}
	got := w.one(order.Defaults{}, a)
	require.Equal(t, order.OrderCreated, got.Kind, "%v", got.Reasons)
	require.Equal(t, amounts("PALLETS", 1), got.Order.Asks.LoadAmounts, "nothing is not kept")
	require.Equal(t, amounts("PALLETS", 2.5), got.Order.Loads())
	unchanged(t, w.imported(order.Defaults{}, a))
	require.Equal(t, amounts("PALLETS", 1), order.Editable(got.Order).LoadAmounts)
	back := w.snapshot().AsRequest(got.Order)
	require.Equal(t, amounts("PALLETS", 0.5), back.Products[0].LoadAmounts)

	b := entry("B")
	b.LoadAmounts = amounts("PALLETS", 4)
	other := w.one(order.Defaults{}, b)
	require.Equal(t, order.OrderCreated, other.Kind, "6.5 pallets are more than the vehicle holds")
	c := entry("C")
	c.LoadAmounts = load.Amounts{{Dimension: "PALLETS", Amount: 2}, {Dimension: "ADR", Amount: 7}}
	merged := w.one(order.Defaults{}, c)
	require.Equal(t, order.OrderMerged, merged.Kind, "%v", merged.Reasons)
	sum := merged.Order.Loads()
	require.Equal(t, load.Amount{Dimension: "ADR", Amount: 7}, sum[0])
	require.Contains(t, []float64{4.5, 6}, sum[1].Amount, "with either of the others")
}

// TestUnknownDimensionsAreReported names the field and the dimensions that there are.
func TestUnknownDimensionsAreReported(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.base.LoadDimensions = dimensions
	got := w.one(order.Defaults{}, with(entry("A"), func(r *order.Request) { r.LoadAmounts = amounts("pallets", 1) }))
	require.Equal(t, []order.Code{order.UnknownInvalidInput}, codes(got))
	require.Equal(t, "loadAmounts[0].dimension", got.Reasons[0].Field)
	require.Equal(t, "PALLETS, ADR", got.Reasons[0].Text.Args["known"])
	got = w.one(order.Defaults{}, with(entry("B"), func(r *order.Request) {
		r.Products = []order.ProductRequest{{Name: "Sofa"}, {Name: "Chair", LoadAmounts: amounts("ADR", -1)}}
	}))
	require.Equal(t, []order.Code{order.InvalidProduct}, codes(got))
	require.Equal(t, "products[1].loadAmounts[0].amount", got.Reasons[0].Field)

	changes := []order.ProductChange{{ExternalID: "S", LoadAmounts: order.Give(amounts("M", 1))}}
	require.True(t, order.NamesLoads(changes))
	require.ErrorContains(t, order.CheckLoads(changes, nil), "order_products[0].load_amounts[0].dimension")
	require.NoError(t, order.CheckLoads(changes, load.Dimensions{{Name: "M"}}))
}

// TestAnEditForgetsDimensionsThatAreGone has an organization that no longer counts what an order needs.
func TestAnEditForgetsDimensionsThatAreGone(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.base.LoadDimensions = dimensions
	o := w.one(order.Defaults{}, with(entry("A"), func(r *order.Request) {
		r.LoadAmounts = load.Amounts{{Dimension: "PALLETS", Amount: 1}, {Dimension: "ADR", Amount: 3}}
	})).Order
	w.base.LoadDimensions = dimensions[1:]
	edit := order.Edit{Request: order.Editable(o), Header: true}
	edit.Request.Reference = "new"
	s := w.snapshot()
	plan, err := order.ApplyEdit(s, s.Orders[0], edit)
	require.NoError(t, err)
	require.Equal(t, amounts("ADR", 3), plan.Results[0].Order.Asks.LoadAmounts)
	edit.Request.LoadAmounts = amounts("PALLETS", 2)
	s = w.snapshot()
	_, err = order.ApplyEdit(s, s.Orders[0], edit)
	require.ErrorContains(t, err, "loadAmounts[0].dimension", "which is new")
}

// TestAPartAsksForWhatTheOrderAsks splits an order whose goods are of a kind.
func TestAPartAsksForWhatTheOrderAsks(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.base.LoadDimensions = dimensions
	o := w.one(order.Defaults{}, with(entry("A"), func(r *order.Request) {
		r.LoadAmounts, r.GoodsKinds = amounts("PALLETS", 1), []string{"FOOD"}
		r.Products = []order.ProductRequest{
			{Name: "Sofa", LoadAmounts: amounts("PALLETS", 2)}, {Name: "Chair", LoadAmounts: amounts("PALLETS", 0.5)},
		}
	})).Order
	s := w.snapshot()
	plan, err := order.Split(s, s.Orders[0], []order.Part{{
		Number: "A-2", Products: []order.PartProduct{{ID: o.Products[1].ID}},
	}}, false)
	require.NoError(t, err)
	part := plan.Results[0].Order
	require.Equal(t, order.Asks{GoodsKinds: []string{"FOOD"}}, part.Asks)
	require.Equal(t, amounts("PALLETS", 0.5), part.Loads())
	require.Equal(t, amounts("PALLETS", 3), s.Orders[0].Loads(), "its own stays with it")
}
