package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/order"
)

// complete completes a draft like the store does.
func (w *world) complete(draft *order.Draft, request order.Request) order.Plan {
	w.create([]order.Request{request})
	plan := order.Complete(w.snapshot(), order.Defaults{}, draft, request)
	w.apply(plan)
	return plan
}

func TestACompleteDraftIsPromoted(t *testing.T) {
	t.Parallel()
	w := setup(t)
	draft := w.one(order.Defaults{}, with(entry("A"), func(r *order.Request) { r.Date = "" })).Draft
	plan := w.complete(draft, entry("A"))
	require.Equal(t, []order.Kind{order.OrderCreated}, kinds(plan))
	require.Equal(t, []event.Kind{event.DraftPromoted, event.OrderCreated}, events(plan))
	require.Same(t, plan.Results[0].Order, plan.Drafts[0].Promoted)
	require.Empty(t, w.drafts)
}

func TestIncompleteDraftStaysADraft(t *testing.T) {
	t.Parallel()
	w := setup(t)
	draft := w.one(order.Defaults{}, with(entry("A"), func(r *order.Request) { r.Date = "" })).Draft
	worse := with(entry("A"), func(r *order.Request) { r.Customer = nil })
	plan := w.complete(draft, worse)
	require.Equal(t, []event.Kind{event.DraftUpdated}, events(plan))
	require.Equal(t, []order.Code{order.CustomerNotFound}, codes(plan.Results[0]))
	require.Len(t, w.drafts, 1)
	require.Equal(t, draft.ID, w.drafts[0].ID)
	require.Equal(t, worse, w.drafts[0].Request)
}

func TestADraftWithoutANumberIsCompletedByItsID(t *testing.T) {
	t.Parallel()
	w := setup(t)
	draft := w.one(order.Defaults{}, entry("")).Draft
	still := w.complete(draft, entry(""))
	require.Equal(t, []order.Kind{order.DraftCreated}, kinds(still))
	require.Len(t, w.drafts, 1, "no second draft")
	require.Equal(t, draft.ID, w.drafts[0].ID)
	plan := w.complete(draft, entry("NEW"))
	require.Equal(t, []order.Kind{order.OrderCreated}, kinds(plan))
	require.Equal(t, "NEW", plan.Results[0].Order.Number)
	require.Equal(t, draft.ID, plan.Drafts[0].ID)
}

func TestACompletedDraftMayBeMerged(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.allowMerge = true
	w.imported(order.Defaults{}, entry("A"))
	draft := w.one(order.Defaults{}, with(entry("B"), func(r *order.Request) { r.Date = "" })).Draft
	plan := w.complete(draft, entry("B"))
	require.Equal(t, []order.Kind{order.OrderMerged}, kinds(plan))
	require.Equal(t, []event.Kind{event.DraftPromoted, event.OrderMerged}, events(plan))
}

func TestTheNumberOfADraft(t *testing.T) {
	t.Parallel()
	named, nameless := order.Draft{ID: 1, ExternalID: "A"}, order.Draft{ID: 2}
	number := func(d order.Draft, sent string) string {
		n, err := d.NumberFor(&order.Request{ExternalID: sent})
		require.NoError(t, err)
		return n
	}
	require.Equal(t, "A", number(named, ""))
	require.Equal(t, "A", number(named, "A"))
	require.Equal(t, "B", number(nameless, "B"))
	require.Empty(t, number(nameless, ""))
	_, err := named.NumberFor(&order.Request{ExternalID: "B"})
	require.Equal(t, fault.Unprocessable, fault.KindOf(err))

	w := setup(t)
	w.imported(order.Defaults{}, entry("A"), with(entry("D"), func(r *order.Request) { r.Date = "" }))
	require.True(t, nameless.Taken(w.snapshot(), "A"), "an order has it")
	require.True(t, nameless.Taken(w.snapshot(), "D"), "another draft has it")
	require.False(t, nameless.Taken(w.snapshot(), "B"))
	require.False(t, nameless.Taken(w.snapshot(), ""))
}
