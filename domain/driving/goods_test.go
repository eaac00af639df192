package driving_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/event"
	"waybill/domain/order"
)

// pallet is a pallet with four chairs and a table, and a separate parcel.
var pallet = driving.Goods{{ID: 1, Quantity: 1}, {ID: 2, Parent: 1, Quantity: 4}, {ID: 3, Parent: 1, Quantity: 1}}

func TestRefusingAContainerRefusesItsContents(t *testing.T) {
	t.Parallel()
	goods := slices.Concat(pallet, driving.Goods{{ID: 4, Quantity: 2}})
	all, nothing := goods.Delivered([]driving.Product{{ID: 1, Refused: 1, Reason: "damaged"}}, nil)
	require.Equal(t, []driving.Product{
		{
			ID:      1,
			Refused: 1,
			Reason:  "damaged",
		}, {ID: 2, Refused: 4, Reason: "damaged"}, {ID: 3, Refused: 1, Reason: "damaged"},
	}, all)
	require.False(t, nothing, "the parcel was taken")

	_, nothing = pallet.Delivered([]driving.Product{{ID: 1, Refused: 1}}, nil)
	require.True(t, nothing)
	_, nothing = pallet.Delivered([]driving.Product{{ID: 2, Refused: 4}, {ID: 3, Refused: 1}}, nil)
	require.True(t, nothing, "an empty pallet is no delivery")
	_, nothing = pallet.Delivered([]driving.Product{{ID: 2, Delivered: 1, Refused: 3}, {ID: 3, Refused: 1}}, nil)
	require.False(t, nothing)
	_, nothing = driving.Goods{}.Delivered(nil, nil)
	require.False(t, nothing, "an order without goods is delivered")
}

func TestMissingGoodsAreNotDelivered(t *testing.T) {
	t.Parallel()
	missing, nothing := pallet.Missing([]driving.Product{{ID: 2, Missing: 1, Reason: "Was not there"}}, nil)
	require.False(t, nothing)
	all, nothing := pallet.Delivered(nil, missing)
	require.False(t, nothing)
	require.Equal(t, []driving.Product{{ID: 2, Delivered: 3, Missing: 1, Reason: "Was not there"}}, all)
	all, nothing = pallet.Delivered([]driving.Product{{ID: 2, Refused: 4}, {ID: 3, Refused: 1}}, missing)
	require.True(t, nothing)
	require.Equal(t, 3.0, all[0].Refused, "what was not there cannot be refused")

	all, nothing = pallet.Missing([]driving.Product{{ID: 1, Missing: 1}}, missing)
	require.True(t, nothing)
	require.Len(t, all, 3, "with all that it holds")
}

func TestOrdersWithoutDeliveredGoodsFail(t *testing.T) {
	t.Parallel()
	said := func(id string, deed driving.Deed, minute int) driving.Fact {
		return driving.Fact{
			ID: id, Deed: deed, At: time.Date(2026, 11, 24, 8, minute, 0, 0, time.UTC), DriverID: 7, Stop: order.Delivery,
		}
	}
	of := &order.Order{ID: 1, Number: "A-1"}
	h := driving.History{GivenTo: 7}

	refused := said("b", driving.Deliver, 5)
	refused.Nothing, refused.Products = true, []driving.Product{{ID: 1, Refused: 1}}
	a := h.With(of, refused)
	require.Equal(t, order.Failed, a.After.Status)
	require.Equal(t, driving.StopFailed, a.After.Delivery.Status)
	require.Equal(t, driving.ReasonRefused, a.After.Reason)
	require.Empty(t, a.After.Delivered, "no proof counts")
	require.Equal(t, event.OrderFailed, a.Event.Kind)
	kind, conflicts := a.Effect.Conflict(refused, &a.After)
	require.True(t, conflicts)
	require.Equal(t, driving.AllRefused, kind)

	gone := said("a", driving.ReportMissing, 0)
	gone.Stop, gone.Nothing, gone.Products = order.Pickup, true, []driving.Product{{ID: 1, Missing: 1}}
	a = h.With(of, gone)
	require.Equal(t, order.Failed, a.After.Status)
	require.Equal(t, driving.StopFailed, a.After.Pickup.Status)
	require.Equal(t, driving.StopDropped, a.After.Delivery.Status)
	require.Equal(t, driving.ReasonMissing, a.After.Reason)
	kind, _ = a.Effect.Conflict(gone, &a.After)
	require.Equal(t, driving.GoodsMissing, kind)

	h.Facts = []driving.Fact{gone}
	picked := said("c", driving.PickUp, 3)
	picked.Stop = order.Pickup
	require.Equal(t, driving.AlreadyDone, h.With(of, picked).Effect, "what was not there is not picked up")

	gone.Nothing = false
	a = driving.History{GivenTo: 7}.With(of, gone)
	require.Equal(t, driving.Moved, a.Effect)
	require.False(t, a.Changes(), "planning goes on")
	require.True(t, a.Lacks())
	require.Equal(t, []driving.Product{{ID: 1, Missing: 1, ReportedBy: 7, ReportedAt: gone.At}}, a.After.Missing)
	require.Equal(t, driving.NotYours, driving.History{GivenTo: 8, Facts: []driving.Fact{{
		ID: "x", Deed: driving.Arrive, At: gone.At.Add(-time.Hour), DriverID: 8, Stop: order.Pickup,
	}}}.With(of, gone).Effect)
}

func TestLateActionOvertakesActionOfAnotherPhone(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 24, 0, 5, 22, 0, time.UTC)
	fail := driving.Fact{ID: "b", Deed: driving.Fail, At: at.Add(3 * time.Second), DriverID: 7, Stop: order.Delivery}
	deliver := driving.Fact{ID: "a", Deed: driving.Deliver, At: at, DriverID: 7, Stop: order.Delivery}
	a := driving.History{GivenTo: 7, Facts: []driving.Fact{fail}}.With(&order.Order{}, deliver)
	require.Equal(t, order.Delivered, a.After.Status)
	require.Equal(t, []string{"b"}, a.Overtaken([]driving.Fact{fail}))

	arrive := driving.Fact{ID: "c", Deed: driving.Arrive, At: at.Add(time.Second), DriverID: 7, Stop: order.Delivery}
	a = driving.History{GivenTo: 7, Facts: []driving.Fact{arrive}}.With(&order.Order{}, deliver)
	require.Empty(t, a.Overtaken([]driving.Fact{arrive}), "an arrival is implied")
}
