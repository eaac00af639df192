package operations_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/order/wire"
	"waybill/operations"
	"waybill/store"
	"waybill/store/storetest"
)

// depot carries imports out for a small organization.
type depot struct {
	*operations.Operations

	store *store.Store
	db    *storetest.Database
	org   int64
}

// newDepot makes a small organization with one customer, vehicle type and order
// type, written straight into the tables.
func newDepot(t *testing.T) *depot {
	t.Helper()
	db := storetest.New(t)
	s := store.New(db.Pool)
	b := &depot{Operations: operations.New(s, time.Now, operations.Settings{}), store: s, db: db, org: 1}
	b.exec(t, `insert into organizations (id, slug, name, timezone) values (1, 'nordfrakt', 'Nordfrakt AS', 'Europe/Oslo')`)
	b.exec(t, `insert into customers (org_id, external_id, business_name) values (1, 'C-100', 'Fjord Møbler AS')`)
	b.exec(t, `insert into vehicle_types (org_id, name, max_weight_kg) values (1, 'Van', 1200)`)
	b.exec(t, `insert into order_types (org_id, name, ready_from, pick_up_before, deliver_before) values (1, 'Standard', 480, 720, 960)`)
	return b
}

// exec writes as the organization.
func (b *depot) exec(t *testing.T, sql string) {
	t.Helper()
	tx, err := b.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "set local app.org_id = '1'")
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), sql)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
}

func (b *depot) count(t *testing.T, sql string) int {
	t.Helper()
	tx, err := b.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), "set local app.org_id = '1'")
	require.NoError(t, err)
	var n int
	require.NoError(t, tx.QueryRow(t.Context(), sql).Scan(&n))
	return n
}

// request is an order that can be accepted.
func request(number string) order.Request {
	place := func(name string) *order.LocationRequest {
		return &order.LocationRequest{
			Name:     name,
			Address:  &order.Address{Address1: name + " 1", PostalCode: "0668", City: "Oslo", Country: "NO"},
			Contacts: []order.Contact{{FirstName: "Kari", PhoneNumber: "+4740000000"}},
		}
	}
	return order.Request{
		ExternalID: number, Date: "2026-12-07", Customer: &order.Ref{ExternalID: "C-100"},
		VehicleType: &order.Ref{Name: "van"}, OrderType: &order.Ref{Name: "Standard"},
		Pickup: place("Alnabru"), Delivery: place("Grünerløkka " + number),
		Products: []order.ProductRequest{{Name: "Pallet", ExternalID: "P"}, {Name: "Chair", ExternalID: "A", ParentExternalID: "P"}},
	}
}

// body is an import of requests.
func body(t *testing.T, requests ...order.Request) wire.Body {
	t.Helper()
	b := wire.Body{Entries: make([]wire.Entry, len(requests))}
	for i := range requests {
		raw, err := jsonv2.Marshal(requests[i])
		require.NoError(t, err)
		b.Entries[i] = wire.Entry{ExternalID: requests[i].ExternalID, Raw: raw}
	}
	return b
}

// stage keeps requests as an import of one chunk.
func (b *depot) stage(t *testing.T, requests ...order.Request) (id int64) {
	t.Helper()
	staged, err := b.Orders.StageImport(t.Context(), clerk(b.org), body(t, requests...))
	require.NoError(t, err)
	require.Equal(t, 1, staged.Chunks)
	return staged.ID
}

func (b *depot) run(t *testing.T, id int64) map[order.Kind]int {
	t.Helper()
	outcomes, err := b.Orders.ImportChunk(t.Context(), caller.Service(b.org, "import/1"), id, 0)
	require.NoError(t, err)
	return outcomes
}

// poison is the reference of orders, and the name of places, that refuse makes
// the database refuse.
const poison = "poison"

// refuse makes the database refuse data with an SQLSTATE.
func (b *depot) refuse(t *testing.T, state string) {
	t.Helper()
	owner, err := pgx.Connect(t.Context(), b.db.OwnerURL)
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

func (b *depot) results(t *testing.T, id int64) []store.ImportResult {
	t.Helper()
	var out []store.ImportResult
	for r, err := range b.store.ImportResults(t.Context(), b.org, id) {
		require.NoError(t, err)
		out = append(out, r)
	}
	return out
}

func (b *depot) kinds(t *testing.T, id int64) []order.Kind {
	var out []order.Kind
	for _, r := range b.results(t, id) {
		out = append(out, r.Kind)
	}
	return out
}

func TestImportChunk(t *testing.T) {
	t.Parallel()

	t.Run("CreatesThenUpdatesWithoutChangingAnything", func(t *testing.T) {
		t.Parallel()
		b := newDepot(t)
		first := b.stage(t, request("A-1"), request("A-2"))
		b.run(t, first)
		require.Equal(t, []order.Kind{order.OrderCreated, order.OrderCreated}, b.kinds(t, first))
		events := b.count(t, "select count(*) from events")

		again := b.stage(t, request("A-1"), request("A-2"))
		b.run(t, again)
		require.Equal(t, []order.Kind{order.OrderUpdated, order.OrderUpdated}, b.kinds(t, again))
		require.Equal(t, events, b.count(t, "select count(*) from events"), "nothing changed, so nothing happened")
		require.Equal(t, 4, b.count(t, "select count(*) from order_products"))
		require.Equal(t, 3, b.count(t, "select count(*) from locations"), "the pickup is shared")
		require.Equal(t, b.results(t, first)[0].OrderID, b.results(t, again)[0].OrderID)
	})

	t.Run("WritesAnUpdateWithItsParts", func(t *testing.T) {
		t.Parallel()
		b := newDepot(t)
		id := b.stage(t, request("A-1"))
		b.run(t, id)
		changed := request("A-1")
		changed.Reference = "PO 7"
		changed.Delivery.Instructions = "Ring twice"
		changed.Delivery.Contacts = append(changed.Delivery.Contacts, order.Contact{FirstName: "Ola"})
		changed.Products = changed.Products[:1]
		id = b.stage(t, changed)
		b.run(t, id)
		require.Equal(t, 1, b.count(t, "select count(*) from order_products"))
		require.Equal(t, 3, b.count(t, "select count(*) from stop_contacts"))
		require.Equal(t, 1, b.count(t, "select count(*) from order_stops where instructions = 'Ring twice'"))
		require.Equal(t, 1, b.count(t, "select count(*) from orders where reference = 'PO 7'"))
		require.Equal(t, 1, b.count(t, "select count(*) from events where kind = 'order.updated'"))
	})

	t.Run("DoneTwiceIsDoneOnce", func(t *testing.T) {
		t.Parallel()
		b := newDepot(t)
		bad := request("")
		id := b.stage(t, request("A-1"), bad)
		first := b.run(t, id)
		require.Equal(t, map[order.Kind]int{order.OrderCreated: 1, order.DraftCreated: 1}, first)
		require.Equal(t, first, b.run(t, id), "the second counts what the first did")
		require.Equal(t, []order.Kind{order.OrderCreated, order.DraftCreated}, b.kinds(t, id))
		require.Equal(t, 1, b.count(t, "select count(*) from drafts"))
		progress, err := b.store.ImportProgress(t.Context(), 1, id)
		require.NoError(t, err)
		require.NotNil(t, progress.CompletedAt)
		require.Equal(t, 2, progress.Done)
	})

	t.Run("WhatTheDatabaseRefusesFailsAlone", func(t *testing.T) {
		t.Parallel()
		for _, state := range []string{"22003", "23514", "54000"} {
			b := newDepot(t)
			b.refuse(t, state)
			requests := make([]order.Request, 7)
			for i := range requests {
				requests[i] = request(fmt.Sprintf("A-%d", i))
			}
			requests[2].Reference, requests[2].Pickup.Name = poison, poison
			requests[5].Customer = nil
			id := b.stage(t, requests...)
			require.NoError(t, b.Orders.RegisterLocations(t.Context(), caller.Service(b.org, "import/1"), id, 1))
			require.Equal(t, map[order.Kind]int{order.OrderCreated: 5, order.DraftCreated: 1, order.FailedUpdate: 1}, b.run(t, id))
			require.Equal(t, []order.Kind{
				order.OrderCreated, order.OrderCreated, order.FailedUpdate, order.OrderCreated, order.OrderCreated,
				order.DraftCreated, order.OrderCreated,
			}, b.kinds(t, id))
			failed := b.results(t, id)[2]
			require.Equal(t, "A-2", failed.ExternalID)
			require.Equal(t, "entry.unstorable", failed.Reasons[0].Text.ID)
			require.Equal(t, 5, b.count(t, "select count(*) from orders"))
			progress, err := b.store.ImportProgress(t.Context(), 1, id)
			require.NoError(t, err)
			require.NotNil(t, progress.CompletedAt)
		}
	})

	t.Run("WhatTheRulesPanicOverFailsAlone", func(t *testing.T) {
		t.Parallel()
		b := newDepot(t)
		b.Orders.PanicOver("A-2")
		requests := make([]order.Request, 5)
		for i := range requests {
			requests[i] = request(fmt.Sprintf("A-%d", i))
		}
		id := b.stage(t, requests...)
		require.Equal(t, map[order.Kind]int{order.OrderCreated: 4, order.FailedUpdate: 1}, b.run(t, id))
		failed := b.results(t, id)[2]
		require.Equal(t, "A-2", failed.ExternalID)
		require.Equal(t, "entry.unstorable", failed.Reasons[0].Text.ID)
	})

	t.Run("PromotesADraft", func(t *testing.T) {
		t.Parallel()
		b := newDepot(t)
		bad := request("A-1")
		bad.Customer = &order.Ref{ExternalID: "nobody"}
		id := b.stage(t, bad)
		b.run(t, id)
		require.Equal(t, order.CustomerNotFound, b.results(t, id)[0].Reasons[0].Code)
		id = b.stage(t, bad)
		b.run(t, id)
		require.Equal(t, 1, b.count(t, "select count(*) from drafts"), "the same draft again")
		id = b.stage(t, request("A-1"))
		b.run(t, id)
		require.Equal(t, []order.Kind{order.OrderCreated}, b.kinds(t, id))
		require.Equal(t, 1, b.count(t, "select count(*) from drafts where state = 'promoted' and order_id is not null"))
	})

	t.Run("ImportsOfTheSameNumbersAtOnceLeaveEachOrderOnce", func(t *testing.T) {
		t.Parallel()
		b := newDepot(t)
		const clients, orders = 8, 50
		var wg sync.WaitGroup
		failures := make(chan error, clients)
		for range clients {
			requests := make([]order.Request, orders)
			for i := range requests {
				requests[i] = request(fmt.Sprintf("A-%d", i))
			}
			id := b.stage(t, requests...)
			wg.Go(func() {
				_, err := b.Orders.ImportChunk(t.Context(), caller.Service(b.org, "import/1"), id, 0)
				failures <- err
			})
		}
		wg.Wait()
		close(failures)
		for err := range failures {
			require.NoError(t, err)
		}
		require.Equal(t, orders, b.count(t, "select count(*) from orders"))
		require.Equal(t, orders, b.count(t, "select count(*) from events where kind = 'order.created'"))
		require.Equal(t, clients*orders, b.count(t, "select count(*) from import_results"))
	})

	t.Run("MergesAndCancelsByNumber", func(t *testing.T) {
		t.Parallel()
		b := newDepot(t)
		b.exec(t, "update organizations set allow_merge = true")
		one, two := request("A-1"), request("A-2")
		two.Delivery = one.Delivery
		id := b.stage(t, one, two)
		b.run(t, id)
		require.Equal(t, []order.Kind{order.OrderCreated, order.OrderMerged}, b.kinds(t, id))
		require.Equal(t, 4, b.count(t, "select count(*) from order_products"))

		results, err := b.Orders.CancelOrders(t.Context(), clerk(1), []string{"A-2", "nobody"})
		require.NoError(t, err)
		require.Equal(t, []order.Cancellation{{Number: "A-2", Result: order.CancelSuccess}, {Number: "nobody", Result: order.CancelNotFound}}, results)
		require.Equal(t, 2, b.count(t, "select count(*) from order_products"), "only the products of the other number are left")
		require.Equal(t, 1, b.count(t, "select count(*) from orders where status_id = 1"))

		_, err = b.Orders.CancelOrders(t.Context(), clerk(1), []string{"A-1"})
		require.NoError(t, err)
		require.Equal(t, 1, b.count(t, "select count(*) from orders where status_id = 8 and cancelled_at is not null"))
		require.Equal(t, 2, b.count(t, "select count(*) from order_stops where cancelled_at is not null"))

		done, err := b.Orders.ReactivateOrder(t.Context(), clerk(1), "A-1")
		require.NoError(t, err)
		require.Equal(t, order.Reactivated, done.Outcome)
		require.Equal(t, 1, b.count(t, "select count(*) from orders where status_id = 1 and cancelled_at is null"))
		require.Equal(t, 0, b.count(t, "select count(*) from order_stops where cancelled_at is not null"))
	})

	t.Run("PreviewTellsTheOutcomeAndWritesNothing", func(t *testing.T) {
		t.Parallel()
		b := newDepot(t)
		bad := request("A-2")
		bad.Pickup = nil
		results, err := b.Orders.PreviewImport(t.Context(), clerk(1), body(t, request("A-1"), bad, request("A-1")))
		require.NoError(t, err)
		var kinds []order.Kind
		for _, r := range results {
			kinds = append(kinds, r.Kind)
		}
		require.Equal(t, []order.Kind{order.OrderCreated, order.DraftCreated, order.OrderUpdated}, kinds)
		for _, table := range []string{"orders", "order_numbers", "drafts", "locations", "events", "imports"} {
			require.Zero(t, b.count(t, "select count(*) from "+table), table)
		}
	})
}
