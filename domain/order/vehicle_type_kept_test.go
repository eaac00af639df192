package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

// truck is a third vehicle type.
const truck = 3

// sent is an entry with a vehicle type.
func sent(number string, vehicleType int64) order.Request {
	e := entry(number)
	e.VehicleType = &order.Ref{ID: &vehicleType}
	return e
}

// TestChosenVehicleTypeIsKeptByImports until imports resolve to another one
// than the one that it replaced.
func TestChosenVehicleTypeIsKeptByImports(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.base.VehicleTypes = append(w.base.VehicleTypes, order.VehicleType{Named: order.Named{ID: truck, Name: "Truck"}})
	w.one(order.Defaults{}, sent("A", van))
	chosen := func(id int64) { require.Equal(t, order.VehicleTypeChanged, w.orders[0].ChangeVehicleType(id)) }
	chosen(truck)
	w.orders[0].Changes = order.Changes{}

	again := w.one(order.Defaults{}, sent("A", van))
	require.Equal(t, order.OrderUpdated, again.Kind)
	require.Equal(t, int64(truck), w.orders[0].VehicleTypeID)
	require.Len(t, again.NotApplied, 1)
	require.Equal(t, order.ModifiedByPerson, again.NotApplied[0].Code)
	require.Equal(t, "vehicleType", again.NotApplied[0].Field)

	chosen(bike)
	w.one(order.Defaults{}, sent("A", van))
	require.Equal(t, int64(bike), w.orders[0].VehicleTypeID, "whatever it was in between")

	require.Empty(t, w.one(order.Defaults{}, sent("A", truck)).NotApplied)
	require.Equal(t, int64(truck), w.orders[0].VehicleTypeID)
	w.one(order.Defaults{}, sent("A", van))
	require.Equal(t, int64(van), w.orders[0].VehicleTypeID, "the import has the word again")
}

// TestTheVehicleTypeOfASharedOrderStays checks that no import of one of its
// numbers splits the order.
func TestTheVehicleTypeOfASharedOrderStays(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, sent("A", van), sent("B", van))
	require.Equal(t, order.VehicleTypeChanged, w.orders[0].ChangeVehicleType(bike))
	for _, number := range []string{"A", "B"} {
		again := w.one(merging, sent(number, van))
		require.Equal(t, order.OrderUpdated, again.Kind)
		require.Equal(t, "vehicleType", again.NotApplied[0].Field)
	}
	require.Len(t, w.orders, 1)
	require.Equal(t, int64(bike), w.orders[0].VehicleTypeID)
}

// TestFinishedOrderIsHistory checks that the facts of its transport cannot
// change, while descriptive fields can.
func TestFinishedOrderIsHistory(t *testing.T) {
	t.Parallel()
	for _, status := range []order.Status{order.Delivered, order.Failed} {
		w := setup(t)
		w.base.OrderTypes = append(w.base.OrderTypes, order.OrderType{
			Named: order.Named{ID: 3, Name: "Express"}, ReadyFrom: clock("08:00"),
			PickUpBefore: clock("12:00"), DeliverBefore: clock("16:00"),
		})
		w.one(order.Defaults{}, entry("A"))
		w.orders[0].Status = status
		for field, change := range map[string]func(*order.Request){
			"date":                  func(e *order.Request) { e.Date = "2026-03-03" },
			"customer":              func(e *order.Request) { e.Customer = &order.Ref{ExternalID: "C-2"} },
			"vehicleType":           func(e *order.Request) { e.VehicleType = &order.Ref{Name: "Bike"} },
			"orderType":             func(e *order.Request) { e.OrderType = &order.Ref{Name: "Express"} },
			"internalFreightNumber": func(e *order.Request) { e.InternalFreightNumber = "F-9" },
			"consignee":             func(e *order.Request) { e.Consignee = &order.Ref{ExternalID: "C-3"} },
			"routeNumber":           func(e *order.Request) { e.RouteNumber = "R-9" },
		} {
			e := entry("A")
			change(&e)
			refused := w.one(order.Defaults{}, e)
			require.Equal(t, order.FailedUpdate, refused.Kind, field)
			require.Equal(t, field, refused.Reasons[0].Field)
		}
		corrected := entry("A")
		corrected.Reference = "PO 7"
		require.Equal(t, order.OrderUpdated, w.one(order.Defaults{}, corrected).Kind)
		require.Equal(t, "PO 7", w.orders[0].Reference)
	}
}
