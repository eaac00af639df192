package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

// TestAnUpdateSaysWhatItChanged imports an order again with another day, window, place and weight, and
// with nothing that a dispatcher looks at.
func TestAnUpdateSaysWhatItChanged(t *testing.T) {
	t.Parallel()
	w := setup(t)
	first := with(entry("A"), func(r *order.Request) {
		r.Delivery.Earliest, r.Delivery.Latest = "2026-06-15T08:00:00Z", "2026-06-15T12:00:00Z"
	})
	w.one(order.Defaults{}, first)
	plan := w.imported(order.Defaults{}, with(first, func(r *order.Request) { r.Reference = "another" }))
	require.Empty(t, plan.Events[0].Differences)
	delivery := *first.Delivery
	plan = w.imported(order.Defaults{}, with(first, func(r *order.Request) {
		delivery.Earliest, delivery.Latest = "2026-06-15T10:00:00+02:00", "2026-06-15T14:30:00Z"
		delivery.Address = &order.Address{Address1: "Havnegata 3", PostalCode: "0150", City: "Oslo", Country: "NO"}
		r.Delivery = &delivery
		r.Products = []order.ProductRequest{{Name: "Sofa", ExternalID: "A-1", Quantity: ptr(2.0), Weight: ptr(42.5)}}
	}))
	require.Equal(t, []order.Difference{
		{
			What: order.DeliveryWindowDiffers, From: "2026-06-15T08:00:00Z/2026-06-15T12:00:00Z",
			To: "2026-06-15T08:00:00Z/2026-06-15T14:30:00Z",
		},
		{What: order.DeliveryPlaceDiffers},
		{What: order.WeightDiffers, From: "40", To: "85"},
	}, plan.Events[0].Differences)
}

// TestChangesAreToldTogether folds several changes of one order, some of which take others back.
func TestChangesAreToldTogether(t *testing.T) {
	t.Parallel()
	require.Equal(t, []order.Difference{
		{What: order.WeightDiffers, From: "5", To: "9"},
		{What: order.DeliveryPlaceDiffers},
		{What: order.VehicleTypeDiffers, To: "4"},
	}, order.Altogether([][]order.Difference{
		{{What: order.WeightDiffers, From: "5", To: "7"}, {What: order.DayDiffers, From: "2026-06-15", To: "2026-06-16"}},
		nil,
		{{What: order.DeliveryPlaceDiffers}, {What: order.DayDiffers, From: "2026-06-16", To: "2026-06-15"}},
		{
			{What: order.WeightDiffers, From: "7", To: "9"},
			{What: order.DeliveryPlaceDiffers},
			{What: order.VehicleTypeDiffers, To: "4"},
		},
	}))
}

// TestDifferencesNameVehicleTypes replaces ids by names, and leaves a type out that is gone.
func TestDifferencesNameVehicleTypes(t *testing.T) {
	t.Parallel()
	d := order.Difference{What: order.VehicleTypeDiffers, From: "3", To: "4"}
	require.Equal(t, []int64{3, 4}, d.VehicleTypes())
	require.Equal(t, order.Difference{What: order.VehicleTypeDiffers, To: "Van"}, d.Named(map[int64]string{4: "Van"}))
	weight := order.Difference{What: order.WeightDiffers, From: "3", To: "4"}
	require.Empty(t, weight.VehicleTypes())
	require.Equal(t, weight, weight.Named(map[int64]string{4: "Van"}))
}
