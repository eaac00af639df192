package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

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

// reactivated makes a number's order active again and keeps the outcome.
func (w *world) reactivated(number string) (order.Reactivation, []string) {
	outcome, o, numbers := order.Reactivate(w.snapshot(), number)
	if outcome == order.Reactivated {
		w.write(o)
	}
	for _, n := range numbers {
		w.numbers[n] = order.Number{OrderID: o.ID}
	}
	return outcome, numbers
}

func TestCancellingSaysWhatBecameOfEachNumber(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(order.Defaults{}, entry("A"), entry("B"), entry("C"), entry("D"), entry("E"), with(entry("draft"), func(r *order.Request) { r.Date = "" }))
	for i, status := range []order.Status{order.Planned, order.AtDelivery, order.Delivered, order.Failed, order.Cancelled} {
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
	require.Equal(t, order.Event{Kind: order.EventCancelled, Number: "A", Order: plan.Orders[0], Status: order.Cancelled}, plan.Events[0])
	require.Len(t, w.orders[0].Products, 1, "nothing is deleted")
	require.Equal(t, order.Delivered, w.orders[2].Status)
}

func TestAMergedOrderIsCancelledWithItsLastNumber(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	w.orders[0].Products[1].Parent = w.orders[0].Products[0]
	plan := w.cancelled("A")
	require.Equal(t, order.EventUpdated, plan.Events[0].Kind)
	require.Equal(t, order.Changes{Products: true}, plan.Orders[0].Changes)
	require.Equal(t, order.Registered, w.orders[0].Status)
	require.Len(t, w.orders[0].Products, 1)
	require.Equal(t, "B", w.orders[0].Products[0].Number)
	require.Nil(t, w.orders[0].Products[0].Parent)
	require.True(t, w.cancelled("A").Results[0].Already)

	plan = w.cancelled("B")
	require.Equal(t, order.EventCancelled, plan.Events[0].Kind)
	require.Equal(t, "A", plan.Events[0].Number, "the order's own number")
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

func TestImportingACancelledNumberAgainBringsItsGoodsBack(t *testing.T) {
	t.Parallel()
	for _, number := range []string{"A", "B"} {
		w := setup(t)
		w.imported(merging, entry("A"), entry("B"))
		w.cancelled(number)
		plan := w.imported(merging, entry(number))
		require.Equal(t, []order.Kind{order.OrderUpdated}, kinds(plan))
		require.Equal(t, []order.EventKind{order.EventUpdated}, events(plan))
		require.Len(t, w.orders, 1)
		require.Len(t, w.orders[0].Products, 2)
		require.False(t, w.numbers[number].Cancelled)
		unchanged(t, w.imported(merging, entry("A"), entry("B")))
	}
}

func TestACancelledNumberWithoutGoodsCountsAgainToo(t *testing.T) {
	t.Parallel()
	w := setup(t)
	empty := with(entry("B"), func(r *order.Request) { r.Products = nil })
	w.imported(merging, entry("A"), empty)
	w.cancelled("B")
	require.Equal(t, []order.EventKind{order.EventUpdated}, events(w.imported(merging, empty)))
	require.False(t, w.numbers["B"].Cancelled)
	unchanged(t, w.imported(merging, empty))
}

func TestReactivatingSaysWhatBecameOfTheNumber(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	outcome, _ := w.reactivated("none")
	require.Equal(t, order.ReactivateNotFound, outcome)
	outcome, _ = w.reactivated("A")
	require.Equal(t, order.ReactivateNotCancelled, outcome)
	w.cancelled("B")
	outcome, _ = w.reactivated("B")
	require.Equal(t, order.ReactivateMerged, outcome)

	w.cancelled("A")
	outcome, numbers := w.reactivated("A")
	require.Equal(t, order.Reactivated, outcome)
	require.Equal(t, []string{"A"}, numbers)
	require.Equal(t, order.Registered, w.orders[0].Status)
	require.True(t, w.numbers["B"].Cancelled)
}

func TestReactivatingBringsBackTheNumbersWhoseGoodsAreThere(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(merging, entry("A"), entry("B"))
	w.orders[0].Status = order.Cancelled // by a person, as a whole
	outcome, numbers := w.reactivated("B")
	require.Equal(t, order.Reactivated, outcome)
	require.Equal(t, []string{"A", "B"}, numbers)

	w.cancelled("A", "B") // A's goods are taken out first
	_, numbers = w.reactivated("B")
	require.Equal(t, []string{"B"}, numbers)
	w.cancelled("B")
	require.Equal(t, order.Cancelled, w.orders[0].Status, "nothing holds it any more")
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

func TestStatusesKnowWhatTheyAllow(t *testing.T) {
	t.Parallel()
	for s := order.Registered; s <= order.Cancelled; s++ {
		require.Equal(t, s <= 5, s.Active(), s)
		require.Equal(t, s >= 4 && s <= 7, s.Loaded(), s)
	}
}
