package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

func TestChangeVehicleType(t *testing.T) {
	t.Parallel()
	for before, want := range map[order.Status]struct {
		outcome order.VehicleTypeChange
		after   order.Status
	}{
		order.Registered: {order.VehicleTypeChanged, order.Registered},
		order.Planned:    {order.VehicleTypeChanged, order.Registered},
		order.AtPickup:   {order.VehicleTypeChanged, order.Registered},
		order.PickedUp:   {order.VehicleTypeFixed, order.PickedUp},
		order.AtDelivery: {order.VehicleTypeFixed, order.AtDelivery},
		order.Delivered:  {order.VehicleTypeFixed, order.Delivered},
		order.Failed:     {order.VehicleTypeFixed, order.Failed},
		order.Cancelled:  {order.VehicleTypeChanged, order.Cancelled},
	} {
		o := order.Order{Status: before}
		o.VehicleTypeID = 1
		require.Equal(t, order.VehicleTypeSame, o.ChangeVehicleType(1), before)
		require.False(t, o.Changes.Any(), before)
		require.Equal(t, want.outcome, o.ChangeVehicleType(2), before)
		require.Equal(t, want.after, o.Status, before)
		require.Equal(t, want.after != before, o.Changes.Status, before)
		require.Equal(t, want.outcome == order.VehicleTypeChanged, o.VehicleTypeID == 2, before)
	}
}

// TestAt shows that a pickup has no data of the delivery.
func TestAt(t *testing.T) {
	t.Parallel()
	for s := order.Registered; s <= order.Cancelled; s++ {
		require.Equal(t, s, s.At(order.Delivery))
		require.NotEmpty(t, s.String())
	}
	require.Equal(t, order.AtPickup, order.AtPickup.At(order.Pickup))
	require.Equal(t, order.PickedUp, order.AtDelivery.At(order.Pickup))
	require.Equal(t, order.PickedUp, order.Delivered.At(order.Pickup))
	require.Equal(t, order.Cancelled, order.Cancelled.At(order.Pickup))
	require.Empty(t, order.Status(9).String())
}
