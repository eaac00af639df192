package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/order"
)

// cancelled cancels numbers and keeps the outcome.
func (w *world) cancelled(numbers ...string) order.CancelPlan {
	s := w.snapshot()
	plan := order.Cancel(s, numbers)
	for _, o := range plan.Orders {
		w.write(o)
	}
	for _, n := range plan.Numbers {
		w.numbers[n] = order.Number{OrderID: w.numbers[n].OrderID, Cancelled: true}
	}
	return plan
}

// reactivated makes a number count again and keeps the outcome.
func (w *world) reactivated(number string) (order.Reactivation, order.Plan) {
	outcome, _, plan := order.Reactivate(w.snapshot(), number)
	w.apply(plan)
	return outcome, plan
}

// detached detaches a number and keeps the outcome.
func (w *world) detached(number string) (order.Detaching, order.Plan) {
	outcome, _, plan := order.Detach(w.snapshot(), number)
	w.apply(plan)
	return outcome, plan
}

func TestCancellingReportsEachNumber(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(order.Defaults{}, entry("A"), entry("B"), entry("C"), entry("D"),
		entry("E"), with(entry("draft"), func(r *order.Request) { r.Date = "" }))
	for i, status := range []order.Status{
		order.Planned, order.AtDelivery, order.Delivered, order.Failed, order.Cancelled,
	} {
		w.orders[i].Status = status
	}
	plan := w.cancelled("A", "none", "B", "C", "D", "E", "A", "", "draft")
	require.Equal(t, []order.Cancellation{
		{Number: "A", Result: order.CancelSuccess},
		{Number: "none", Result: order.CancelNotFound},
		{Number: "B", Result: order.CancelSuccess},
		{Number: "C", Result: order.CancelUnknown},
		{Number: "D", Result: order.CancelUnknown},
		{Number: "E", Result: order.CancelSuccess, Already: true},
		{Number: "A", Result: order.CancelSuccess, Already: true},
		{Number: "", Result: order.CancelNotFound},
		{Number: "draft", Result: order.CancelNotFound},
	}, plan.Results)
	require.Equal(t, []string{"A", "B"}, plan.Numbers)
	require.Len(t, plan.Orders, 2)
	require.Equal(t, order.Changes{Status: true}, plan.Orders[0].Changes)
	require.Equal(t, order.Event{Kind: event.OrderCancelled, Number: "A", Order: plan.Orders[0], Status: order.Cancelled},
		plan.Events[0])
	require.Len(t, w.orders[0].Products, 1, "nothing is deleted")
	require.Equal(t, order.Delivered, w.orders[2].Status)
}

func TestAMergedOrderIsCancelledWithItsLastNumber(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	w.orders[0].Products[1].Parent = w.orders[0].Products[0]
	plan := w.cancelled("A")
	require.Equal(t, event.OrderNumberCancelled, plan.Events[0].Kind)
	require.Equal(t, order.Cancelled, plan.Events[0].Status)
	require.Equal(t, order.Changes{Products: true, Shares: true}, plan.Orders[0].Changes)
	require.Equal(t, order.Registered, w.orders[0].Status)
	require.Len(t, w.orders[0].Products, 1)
	require.Equal(t, "B", w.orders[0].Products[0].Number)
	require.Nil(t, w.orders[0].Products[0].Parent)
	require.True(t, w.cancelled("A").Results[0].Already)

	plan = w.cancelled("B")
	require.Equal(t, event.OrderCancelled, plan.Events[0].Kind)
	require.Equal(t, "B", plan.Events[0].Number, "each number hears of its own end")
	require.Equal(t, order.Cancelled, w.orders[0].Status)
	require.Len(t, w.orders[0].Products, 1)
}

func TestBothNumbersAtOnceCancelTheOrderOnce(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	plan := w.cancelled("A", "B")
	require.Len(t, plan.Orders, 1)
	require.Equal(t, []string{"A", "B"}, plan.Numbers)
	require.Equal(t, order.Cancelled, w.orders[0].Status)
}

func TestImportingACancelledNumberAgainLeavesItCancelled(t *testing.T) {
	t.Parallel()
	for _, number := range []string{"A", "B"} {
		w := setup(t)
		w.imported(merging, entry("A"), entry("B"))
		w.cancelled(number)
		again := with(entry(number), func(r *order.Request) {
			r.Pickup.Instructions, r.Products[0].Name = "new", "Lamp"
		})
		plan := w.imported(merging, again)
		require.Equal(t, []order.Kind{order.OrderUpdated}, kinds(plan))
		require.Equal(t, order.Cancelled, plan.Results[0].Status, "and the result says so")
		require.Len(t, w.orders[0].Products, 1)
		require.Empty(t, w.orders[0].Pickup.Instructions)
		unchanged(t, w.imported(merging, again))

		outcome, plan := w.reactivated(number)
		require.Equal(t, order.Reactivated, outcome)
		require.Equal(t, []event.Kind{event.OrderNumberReplanned}, events(plan))
		require.Len(t, w.orders, 1)
		require.Len(t, w.orders[0].Products, 2)
		require.Equal(t, "new", w.orders[0].Pickup.Instructions, "what was imported meanwhile counts now")
		require.False(t, w.numbers[number].Cancelled)
	}
}

func TestAProductKeepsItsIDThroughCancellingAndReplanning(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	before := seen(w.orders[0])
	ids := []int64{w.orders[0].Products[0].ID, w.orders[0].Products[1].ID}
	w.cancelled("B")
	w.reactivated("B")
	require.Equal(t, before, seen(w.orders[0]))
	require.Equal(t, ids, []int64{w.orders[0].Products[0].ID, w.orders[0].Products[1].ID})
}

func TestReactivatingReportsTheNumber(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	outcome, _ := w.reactivated("none")
	require.Equal(t, order.ReactivateNotFound, outcome)
	outcome, _ = w.reactivated("A")
	require.Equal(t, order.ReactivateNotCancelled, outcome)
	w.cancelled("B")
	w.orders[0].Status = order.PickedUp
	outcome, _ = w.reactivated("B")
	require.Equal(t, order.ReactivateUnderWay, outcome)

	w.orders[0].Status = order.Registered
	w.cancelled("A")
	outcome, plan := w.reactivated("A")
	require.Equal(t, order.Reactivated, outcome)
	require.Equal(t, []event.Kind{event.OrderReactivated}, events(plan))
	require.Equal(t, order.Registered, w.orders[0].Status)
	require.True(t, w.numbers["B"].Cancelled)
	require.Len(t, w.orders[0].Products, 1)
}

func TestReplanningRestoresTheWholeOrder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	w.orders[0].Status = order.Cancelled // by a person
	outcome, _ := w.reactivated("B")
	require.Equal(t, order.Reactivated, outcome)
	require.Len(t, w.orders[0].Products, 2)

	w.cancelled("A", "B")
	w.reactivated("B")
	require.Len(t, w.orders[0].Products, 1)
	w.cancelled("B")
	require.Equal(t, order.Cancelled, w.orders[0].Status, "nothing holds it any more")
}

func TestReactivatedNumberThatDoesNotFitGetsItsOwnOrder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	w.cancelled("B")
	w.imported(merging, with(entry("A"), func(r *order.Request) { r.Products[0].Weight = ptr(90.0) }))
	outcome, plan := w.reactivated("B")
	require.Equal(t, order.Reactivated, outcome)
	require.Equal(t, []event.Kind{event.OrderUpdated, event.OrderCreated}, events(plan))
	require.Len(t, w.orders, 2)
	require.Equal(t, order.Number{OrderID: 2}, w.numbers["B"])
	require.Len(t, w.orders[1].Products, 1)
	require.Empty(t, w.orders[0].Shares, "A has its order to itself")
}

func TestACancelledOrderIsUpdatedAndStaysCancelled(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.one(order.Defaults{}, entry("A"))
	w.cancelled("A")
	plan := w.imported(merging, with(entry("A"), func(r *order.Request) { r.Reference = "x" }), entry("B"))
	require.Equal(t, []order.Kind{order.OrderUpdated, order.OrderCreated}, kinds(plan))
	require.Equal(t, order.Cancelled, w.orders[0].Status)
	require.True(t, w.numbers["A"].Cancelled)
	outcome, _ := w.reactivated("A")
	require.Equal(t, order.Reactivated, outcome)
	require.Equal(t, "x", w.orders[0].Reference)
}

func TestStatusesListAllowedTransitions(t *testing.T) {
	t.Parallel()
	for s := order.Registered; s <= order.Cancelled; s++ {
		require.Equal(t, s <= 5, s.Active(), s)
		require.Equal(t, s >= 4 && s <= 7, s.Loaded(), s)
	}
}
