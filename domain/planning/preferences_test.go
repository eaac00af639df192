package planning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/freight"
	"waybill/domain/order"
	"waybill/domain/planning"
)

// TestCustomersKeepTheirDriver unless that costs more than the preference is worth.
func TestCustomersKeepTheirDriver(t *testing.T) {
	t.Parallel()
	o, other := anOrder(1), anOrder(2)
	o.CustomerID, other.CustomerID = 5, 6
	first, second := aDriver(1), aDriver(2)
	second.Preferences.Customers = []int64{5}
	day := aDay(6, []planning.Order{o}, first, second)
	_, s := paid(t, day)
	require.EqualValues(t, 2, s.Routes[0].DriverID)
	require.Zero(t, s.Routes[0].Costs.OtherDriver)

	day.Drivers = []planning.Driver{first}
	_, s = paid(t, day)
	require.Zero(t, s.Routes[0].Costs.OtherDriver, "who should have it is off, so nobody is worse")

	day.Orders, day.Drivers = []planning.Order{o, other}, []planning.Driver{first, second}
	day.Orders[1].LockedTo = 1
	_, s = paid(t, day)
	require.Len(t, s.Routes, 1, "no preference outweighs a shift")
	require.EqualValues(t, 15*60, s.Routes[0].Costs.OtherDriver)
	day.Costs.OtherDriverMinutes = amount(40)
	_, s = paid(t, day)
	require.EqualValues(t, 40*60, s.Routes[0].Costs.OtherDriver)

	day.Orders[1].LockedTo, day.Drivers[1].Preferences = 0, driver.Preferences{Locations: []int64{9}}
	day.Orders[0].Delivery.LocationID = 9
	_, s = paid(t, day)
	require.EqualValues(t, 2, s.Routes[0].DriverID, "a location can have one as well")
	require.Zero(t, s.Routes[0].Costs.OtherDriver)
}

// TestStopsAreInTheTerritoryOfTheirDriver counts stops outside, but not the depot and those without a postal code.
func TestStopsAreInTheTerritoryOfTheirDriver(t *testing.T) {
	t.Parallel()
	o := anOrder(1)
	o.Pickup.Postal = freight.Place{Country: "NO", PostalCode: "0150"}
	o.Delivery.Postal = freight.Place{Country: "no", PostalCode: "2000"}
	west, east := aDriver(1), aDriver(2)
	west.Preferences.Territory = []freight.Area{{Country: "NO", From: "13", To: "14"}}
	east.Preferences.Territory = []freight.Area{{Country: "NO", From: "20", To: "20"}}
	day := aDay(6, []planning.Order{o}, west, east)
	_, s := paid(t, day)
	require.EqualValues(t, 2, s.Routes[0].DriverID)
	require.Zero(t, s.Routes[0].Costs.OutsideTerritory, "the pickup is at the depot")

	day.Drivers = []planning.Driver{west}
	_, s = paid(t, day)
	require.EqualValues(t, 15*60, s.Routes[0].Costs.OutsideTerritory)
	commit(&day, s)
	for i := range s.Routes[0].Stops {
		stop := s.Routes[0].Stops[i]
		standing := served(stop.Arrives, stop.Leaves)
		if day.Orders[0].Status = order.PickedUp; stop.Kind == order.Pickup {
			day.Orders[0].Pickup.Standing = standing
		} else {
			day.Orders[0].Status, day.Orders[0].Delivery.Standing = order.Delivered, standing
		}
		day.Now, day.Routes[0].Costs = stop.Leaves, nil
		_, s = paid(t, day)
		require.EqualValues(t, 15*60, s.Routes[0].Costs.OutsideTerritory, "also once it is served")
	}

	day = aDay(6, []planning.Order{o}, west)
	day.Orders[0].Delivery.Postal.PostalCode = ""
	_, s = paid(t, day)
	require.Zero(t, s.Routes[0].Costs.OutsideTerritory)
}
