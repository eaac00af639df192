package orders_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/operations/operationstest"
)

// poison is the reference of orders, and the name of places, that refuse makes
// the database refuse.
const poison = "poison"

// refuse makes the database refuse data with an SQLSTATE.
func refuse(b *operationstest.Depot, t *testing.T, state string) {
	t.Helper()
	owner, err := pgx.Connect(t.Context(), b.DB.OwnerURL)
	require.NoError(t, err)
	_, err = owner.Exec(t.Context(), fmt.Sprintf(`
		create function refuse() returns trigger language plpgsql as $$ begin
			raise exception 'refused: %%', new using errcode = '%s'; end $$;
		create trigger refuse before insert or update on orders for each row when (new.reference = '%s') execute function refuse();
		create trigger refuse before insert on locations for each row when (new.name = '%s') execute function refuse();`,
		state, poison, poison))
	require.NoError(t, err)
	require.NoError(t, owner.Close(t.Context()))
}

func TestImportChunk(t *testing.T) {
	t.Parallel()

	t.Run("CreatesThenUpdatesWithoutChangingAnything", func(t *testing.T) {
		t.Parallel()
		b := operationstest.NewDepot(t)
		first := b.Stage(t, operationstest.Request("A-1"), operationstest.Request("A-2"))
		b.Run(t, first)
		require.Equal(t, []order.Kind{order.OrderCreated, order.OrderCreated}, b.Kinds(t, first))
		events := b.Count(t, "select count(*) from events")

		again := b.Stage(t, operationstest.Request("A-1"), operationstest.Request("A-2"))
		b.Run(t, again)
		require.Equal(t, []order.Kind{order.OrderUpdated, order.OrderUpdated}, b.Kinds(t, again))
		require.Equal(t, events, b.Count(t, "select count(*) from events"), "nothing changed, so nothing happened")
		require.Equal(t, 4, b.Count(t, "select count(*) from order_products"))
		require.Equal(t, 3, b.Count(t, "select count(*) from locations"), "the pickup is shared")
		require.Equal(t, b.Results(t, first)[0].OrderID, b.Results(t, again)[0].OrderID)
	})

	t.Run("WritesAnUpdateWithItsParts", func(t *testing.T) {
		t.Parallel()
		b := operationstest.NewDepot(t)
		id := b.Stage(t, operationstest.Request("A-1"))
		b.Run(t, id)
		changed := operationstest.Request("A-1")
		changed.Reference = "PO 7"
		changed.Delivery.Instructions = "Ring twice"
		changed.Delivery.Contacts = append(changed.Delivery.Contacts, order.Contact{FirstName: "Ola"})
		changed.Products = changed.Products[:1]
		id = b.Stage(t, changed)
		b.Run(t, id)
		require.Equal(t, 1, b.Count(t, "select count(*) from order_products"))
		require.Equal(t, 3, b.Count(t, "select count(*) from stop_contacts"))
		require.Equal(t, 1, b.Count(t, "select count(*) from order_stops where instructions = 'Ring twice'"))
		require.Equal(t, 1, b.Count(t, "select count(*) from orders where reference = 'PO 7'"))
		require.Equal(t, 1, b.Count(t, "select count(*) from events where kind = 'order.updated'"))
	})

	t.Run("DoneTwiceIsDoneOnce", func(t *testing.T) {
		t.Parallel()
		b := operationstest.NewDepot(t)
		bad := operationstest.Request("")
		id := b.Stage(t, operationstest.Request("A-1"), bad)
		first := b.Run(t, id)
		require.Equal(t, map[order.Kind]int{order.OrderCreated: 1, order.DraftCreated: 1}, first)
		require.Equal(t, first, b.Run(t, id), "the second counts what the first did")
		require.Equal(t, []order.Kind{order.OrderCreated, order.DraftCreated}, b.Kinds(t, id))
		require.Equal(t, 1, b.Count(t, "select count(*) from drafts"))
		progress, err := b.Store.ImportProgress(t.Context(), 1, id)
		require.NoError(t, err)
		require.NotNil(t, progress.CompletedAt)
		require.Equal(t, 2, progress.Done)
	})

	t.Run("WhatTheDatabaseRefusesFailsAlone", func(t *testing.T) {
		t.Parallel()
		for _, state := range []string{"22003", "23514", "54000"} {
			b := operationstest.NewDepot(t)
			refuse(b, t, state)
			requests := make([]order.Request, 7)
			for i := range requests {
				requests[i] = operationstest.Request(fmt.Sprintf("A-%d", i))
			}
			requests[2].Reference, requests[2].Pickup.Name = poison, poison
			requests[5].Customer = nil
			id := b.Stage(t, requests...)
			require.NoError(t, b.Orders.RegisterLocations(t.Context(), caller.Service(b.Org, "import/1"), id, 1))
			require.Equal(t, map[order.Kind]int{order.OrderCreated: 5, order.DraftCreated: 1, order.FailedUpdate: 1}, b.Run(t, id))
			require.Equal(t, []order.Kind{
				order.OrderCreated, order.OrderCreated, order.FailedUpdate, order.OrderCreated, order.OrderCreated,
				order.DraftCreated, order.OrderCreated,
			}, b.Kinds(t, id))
			failed := b.Results(t, id)[2]
			require.Equal(t, "A-2", failed.ExternalID)
			require.Equal(t, "entry.unstorable", failed.Reasons[0].Text.ID)
			require.Equal(t, 5, b.Count(t, "select count(*) from orders"))
			progress, err := b.Store.ImportProgress(t.Context(), 1, id)
			require.NoError(t, err)
			require.NotNil(t, progress.CompletedAt)
		}
	})

	t.Run("WhatTheRulesPanicOverFailsAlone", func(t *testing.T) {
		t.Parallel()
		b := operationstest.NewDepot(t)
		b.Orders.PanicOver("A-2")
		requests := make([]order.Request, 5)
		for i := range requests {
			requests[i] = operationstest.Request(fmt.Sprintf("A-%d", i))
		}
		id := b.Stage(t, requests...)
		require.Equal(t, map[order.Kind]int{order.OrderCreated: 4, order.FailedUpdate: 1}, b.Run(t, id))
		failed := b.Results(t, id)[2]
		require.Equal(t, "A-2", failed.ExternalID)
		require.Equal(t, "entry.unstorable", failed.Reasons[0].Text.ID)
	})

	t.Run("PromotesADraft", func(t *testing.T) {
		t.Parallel()
		b := operationstest.NewDepot(t)
		bad := operationstest.Request("A-1")
		bad.Customer = &order.Ref{ExternalID: "nobody"}
		id := b.Stage(t, bad)
		b.Run(t, id)
		require.Equal(t, order.CustomerNotFound, b.Results(t, id)[0].Reasons[0].Code)
		id = b.Stage(t, bad)
		b.Run(t, id)
		require.Equal(t, 1, b.Count(t, "select count(*) from drafts"), "the same draft again")
		id = b.Stage(t, operationstest.Request("A-1"))
		b.Run(t, id)
		require.Equal(t, []order.Kind{order.OrderCreated}, b.Kinds(t, id))
		require.Equal(t, 1, b.Count(t, "select count(*) from drafts where state = 'promoted' and order_id is not null"))
	})

	t.Run("ImportsOfTheSameNumbersAtOnceLeaveEachOrderOnce", func(t *testing.T) {
		t.Parallel()
		b := operationstest.NewDepot(t)
		const clients, orders = 8, 50
		var wg sync.WaitGroup
		failures := make(chan error, clients)
		for range clients {
			requests := make([]order.Request, orders)
			for i := range requests {
				requests[i] = operationstest.Request(fmt.Sprintf("A-%d", i))
			}
			id := b.Stage(t, requests...)
			wg.Go(func() {
				_, err := b.Orders.ImportChunk(t.Context(), caller.Service(b.Org, "import/1"), id, 0)
				failures <- err
			})
		}
		wg.Wait()
		close(failures)
		for err := range failures {
			require.NoError(t, err)
		}
		require.Equal(t, orders, b.Count(t, "select count(*) from orders"))
		require.Equal(t, orders, b.Count(t, "select count(*) from events where kind = 'order.created'"))
		require.Equal(t, clients*orders, b.Count(t, "select count(*) from import_results"))
	})

	t.Run("MergesAndCancelsByNumber", func(t *testing.T) {
		t.Parallel()
		b := operationstest.NewDepot(t)
		b.Exec(t, "update organizations set allow_merge = true")
		one, two := operationstest.Request("A-1"), operationstest.Request("A-2")
		two.Delivery = one.Delivery
		id := b.Stage(t, one, two)
		b.Run(t, id)
		require.Equal(t, []order.Kind{order.OrderCreated, order.OrderMerged}, b.Kinds(t, id))
		require.Equal(t, 4, b.Count(t, "select count(*) from order_products"))

		results, err := b.Orders.CancelOrders(t.Context(), operationstest.Clerk(1), []string{"A-2", "nobody"})
		require.NoError(t, err)
		require.Equal(t, []order.Cancellation{{Number: "A-2", Result: order.CancelSuccess}, {Number: "nobody", Result: order.CancelNotFound}}, results)
		require.Equal(t, 2, b.Count(t, "select count(*) from order_products"), "only the products of the other number are left")
		require.Equal(t, 1, b.Count(t, "select count(*) from orders where status_id = 1"))

		_, err = b.Orders.CancelOrders(t.Context(), operationstest.Clerk(1), []string{"A-1"})
		require.NoError(t, err)
		require.Equal(t, 1, b.Count(t, "select count(*) from orders where status_id = 8 and cancelled_at is not null"))
		require.Equal(t, 2, b.Count(t, "select count(*) from order_stops where cancelled_at is not null"))

		done, err := b.Orders.ReactivateOrder(t.Context(), operationstest.Clerk(1), "A-1")
		require.NoError(t, err)
		require.Equal(t, order.Reactivated, done.Outcome)
		require.Equal(t, 1, b.Count(t, "select count(*) from orders where status_id = 1 and cancelled_at is null"))
		require.Equal(t, 0, b.Count(t, "select count(*) from order_stops where cancelled_at is not null"))
	})

	t.Run("PreviewTellsTheOutcomeAndWritesNothing", func(t *testing.T) {
		t.Parallel()
		b := operationstest.NewDepot(t)
		bad := operationstest.Request("A-2")
		bad.Pickup = nil
		results, err := b.Orders.PreviewImport(t.Context(), operationstest.Clerk(1), operationstest.Body(t, operationstest.Request("A-1"), bad, operationstest.Request("A-1")))
		require.NoError(t, err)
		var kinds []order.Kind
		for _, r := range results {
			kinds = append(kinds, r.Kind)
		}
		require.Equal(t, []order.Kind{order.OrderCreated, order.DraftCreated, order.OrderUpdated}, kinds)
		for _, table := range []string{"orders", "order_numbers", "drafts", "locations", "events", "imports"} {
			require.Zero(t, b.Count(t, "select count(*) from "+table), table)
		}
	})
}
