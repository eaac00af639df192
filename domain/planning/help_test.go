package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// lateDay is a day on which driver 1 cannot reach a pickup in time that does
// not begin soon, and order 4 would be planned if its delivery could be later.
func lateDay() planning.Day {
	done, late := carried(2, order.Delivered, 59.91, 59.92), carried(1, order.Planned, 60.31, 60.32)
	late.Pickup.Window.Latest = hm(9, 10)
	left := carried(4, order.Registered, 59.91, 60.31)
	left.DriverID = 0
	left.Pickup.Window = order.Window{Earliest: hm(12, 0), Latest: hm(12, 30)}
	left.Delivery.Window = order.Window{Earliest: hm(12, 10), Latest: hm(12, 50)}
	day := aDay(8, []planning.Order{late, done, left}, unpaused(1), unpaused(2))
	day.Now = hm(8, 5)
	day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(12), Stops: []planning.Placed{
		planned(&done, order.Pickup, hm(7, 30)), planned(&done, order.Delivery, hm(7, 50)),
		planned(&late, order.Pickup, hm(9, 5)), planned(&late, order.Delivery, hm(9, 30)),
	}}}
	day.Unplanned = []planning.Unplanned{{OrderID: 4}}
	return day
}

// TestLateDriverDoesNotPreventHelpForOthers has one infeasible route, and
// computes the counterfactuals of an order that is unrelated to it.
func TestLateDriverDoesNotPreventHelpForOthers(t *testing.T) {
	t.Parallel()
	day := lateDay()
	draft := drafted(day, nil)
	require.NotEmpty(t, routing.Broken(&draft.Problem, draft.Present), "the driver is late")
	helper := draft.Helper()
	require.NotNil(t, helper)
	require.Equal(t, []int64{4}, helper.Left())
	changes := map[planning.HelpChange]planning.Help{}
	for _, help := range helper.Help(4, nil).Changes {
		changes[help.Change] = help
	}
	require.Contains(t, changes, planning.LaterDelivery)
	require.Zero(t, changes[planning.LaterDelivery].MovesOrders)
}

// TestCounterfactualsHoldDespiteALateDriver follows the advice for the order: planning then finds a place.
func TestCounterfactualsHoldDespiteALateDriver(t *testing.T) {
	t.Parallel()
	day := lateDay()
	for _, help := range drafted(day, nil).Helper().Help(4, nil).Changes {
		if help.Change == planning.LaterDelivery {
			w := &day.Orders[2].Delivery.Window
			w.Latest = w.Latest.Add(time.Duration(help.Seconds) * time.Second)
		}
	}
	_, s := solve(t, day, 50)
	require.NotNil(t, of(s, 2, 4, order.Delivery))
}
