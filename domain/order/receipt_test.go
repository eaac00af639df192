package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/order"
)

// received imports entries that have a place in the order of receipt.
func (w *world) received(receipt int64, entries ...order.Request) order.Plan {
	w.create(entries)
	s := w.snapshot()
	s.Receipt = receipt
	plan := order.Decide(s, order.Defaults{}, entries)
	w.apply(plan)
	return plan
}

// says returns an entry with a reference.
func says(number, reference string) order.Request {
	return with(entry(number), func(r *order.Request) { r.Reference = reference })
}

func TestOvertakenEntryDoesNotChangeTheOrder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.received(9, says("A", "new"), says("B", "new"))
	w.numbers["A"] = order.Number{OrderID: 1, Receipt: 9}

	plan := w.received(7, says("A", "old"), says("B", "old"), says("A", "old again"))
	require.Equal(t, []order.Kind{order.OrderUpdated, order.OrderUpdated, order.OrderUpdated}, kinds(plan))
	for _, i := range []int{0, 2} {
		require.Equal(t, map[string]order.Code{"": order.Overtaken}, notApplied(plan.Results[i]))
		require.Equal(t, order.Registered, plan.Results[i].Status)
	}
	require.Empty(t, plan.Results[1].NotApplied)
	require.Equal(t, []string{"new", "old"}, []string{w.orders[0].Reference, w.orders[1].Reference})
	require.Equal(t, int64(7), plan.Receipt)
	require.Contains(t, plan.Spoken(), "B")

	for _, receipt := range []int64{9, 10, 0} { // its own, a newer one, and a person's
		require.Empty(t, w.received(receipt, says("A", "newest")).Results[0].NotApplied)
	}
}

func TestOvertakenEntryOfACancelledNumberIsReported(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.received(3, says("A", "first"))
	w.numbers["A"] = order.Number{OrderID: 1, Receipt: 9, Cancelled: true}
	require.Equal(t, order.Cancelled, w.received(7, says("A", "old")).Results[0].Status)
}

func TestOrderCancelledBeforeItsImportIsCreatedCancelled(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.numbers["A"] = order.Number{Awaited: true}
	cancelled := order.Cancel(w.snapshot(), []string{"A", "A", "B"})
	require.Equal(t, []order.Cancellation{
		{Number: "A", Result: order.CancelSuccess},
		{Number: "A", Result: order.CancelSuccess, Already: true},
		{Number: "B", Result: order.CancelNotFound},
	}, cancelled.Results)
	require.Equal(t, []string{"A"}, cancelled.Numbers)
	require.Empty(t, cancelled.Orders)

	for receipt, noted := range map[int64]bool{7: true, 11: false} {
		w := setup(t)
		w.allowMerge = true
		w.received(1, entry("Z"))
		w.numbers["A"] = order.Number{Cancelled: true, Receipt: 9}
		plan := w.received(receipt, says("A", "made"), says("A", "again"))
		require.Equal(t, []order.Kind{order.OrderCreated, order.OrderUpdated}, kinds(plan))
		require.Equal(t, order.Cancelled, plan.Results[0].Status)
		require.Equal(t, order.Cancelled, plan.Results[1].Status)
		require.Equal(t, noted, len(plan.Results[0].NotApplied) == 1)
		require.True(t, plan.Numbers[0].Cancelled)
		require.Equal(t, []event.Kind{event.OrderCreated, event.OrderCancelled, event.OrderUpdated}, events(plan))
		require.Equal(t, order.Cancelled, w.orders[1].Status, "it shares no order")
		require.Equal(t, "again", w.orders[1].Reference)
	}

	w.numbers["A"] = order.Number{Cancelled: true, Receipt: 9}
	require.Equal(t, order.Registered, w.one(order.Defaults{}, entry("A")).Status, "a person makes it all the same")
}

func TestOvertakenEntryDoesNotChangeTheDraft(t *testing.T) {
	t.Parallel()
	bad := func(reference string) order.Request {
		return with(says("A", reference), func(r *order.Request) { r.Customer = nil })
	}
	w := setup(t)
	w.received(9, bad("new"))
	w.drafts[0].Receipt = 9
	plan := w.received(7, bad("old"))
	require.Equal(t, order.DraftCreated, plan.Results[0].Kind)
	require.Equal(t, w.drafts[0].ID, plan.Results[0].Draft.ID)
	require.Equal(t, []order.Code{order.CustomerNotFound}, codes(plan.Results[0]))
	require.Equal(t, map[string]order.Code{"": order.Overtaken}, notApplied(plan.Results[0]))
	require.Empty(t, plan.Drafts)
	require.Equal(t, "new", w.drafts[0].Request.Reference)

	require.Empty(t, w.received(10, bad("newer")).Results[0].NotApplied)
	require.Equal(t, order.OrderCreated, w.received(5, says("A", "right")).Results[0].Kind, "a draft keeps no order out")
}

func TestImportPlanListsItsNumbers(t *testing.T) {
	t.Parallel()
	w := setup(t)
	bad := with(entry("BAD"), func(r *order.Request) { r.Customer = nil })
	plan := w.received(1, entry("A"), bad, entry("A"))
	spoken := plan.Spoken()
	require.Contains(t, spoken, "A")
	require.NotContains(t, spoken, "BAD", "a draft is no word about an order")
	failed := w.received(2, with(entry("A"), func(r *order.Request) { r.Customer = nil }))
	require.NotContains(t, failed.Spoken(), "A", "nor is an update that failed")
}

func TestUnreadableValueAffectsOnlyItsEntry(t *testing.T) {
	t.Parallel()
	w := setup(t)
	unreadable := func(number string) order.Request {
		return with(entry(number), func(r *order.Request) {
			r.Date = ""
			r.Unreadable = []order.Reason{{Code: order.UnknownInvalidInput, Field: "date"}}
		})
	}
	plan := w.imported(order.Defaults{}, entry("A"), unreadable("B"), unreadable("A"))
	require.Equal(t, []order.Kind{order.OrderCreated, order.DraftCreated, order.FailedUpdate}, kinds(plan))
	for _, r := range plan.Results[1:] {
		require.Equal(t, []order.Reason{{Code: order.UnknownInvalidInput, Field: "date"}}, r.Reasons)
	}
}
