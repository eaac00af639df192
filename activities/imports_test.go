package activities_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"waybill/activities"
	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/order/wire"
	"waybill/operations"
	"waybill/store"
	"waybill/store/storetest"
)

type bundle struct {
	operations *operations.Operations
	store      *store.Store
	db         *storetest.Database
	org        int64
	env        *testsuite.TestActivityEnvironment
}

// setup makes a small organization with one customer, vehicle type and order
// type, written straight into the tables.
func setup(t *testing.T) *bundle {
	t.Helper()
	db := storetest.New(t)
	b := &bundle{store: store.New(db.Pool), db: db, org: 1}
	b.operations = operations.New(b.store, time.Now)
	b.exec(t, `insert into organizations (id, slug, name, timezone) values (1, 'nordfrakt', 'Nordfrakt AS', 'Europe/Oslo')`)
	b.exec(t, `insert into customers (org_id, external_id, business_name) values (1, 'C-100', 'Fjord Møbler AS')`)
	b.exec(t, `insert into vehicle_types (org_id, name, max_weight_kg) values (1, 'Van', 1200)`)
	b.exec(t, `insert into order_types (org_id, name, ready_from, pick_up_before, deliver_before) values (1, 'Standard', 480, 720, 960)`)
	var suite testsuite.WorkflowTestSuite
	b.env = suite.NewTestActivityEnvironment()
	b.env.RegisterActivity(activities.NewImports(b.store))
	return b
}

// exec writes as the organization.
func (b *bundle) exec(t *testing.T, sql string) {
	t.Helper()
	tx, err := b.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "set local app.org_id = '1'")
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), sql)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
}

func (b *bundle) count(t *testing.T, sql string) int {
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

// stage keeps requests as an import of chunks of the given size.
func (b *bundle) stage(t testing.TB, size int, requests ...order.Request) (id int64, chunks int) {
	t.Helper()
	entries := make([]wire.Entry, len(requests))
	for i := range requests {
		raw, err := jsonv2.Marshal(requests[i])
		require.NoError(t, err)
		entries[i] = wire.Entry{ExternalID: requests[i].ExternalID, Raw: raw}
	}
	n := store.NewImport{Total: len(entries)}
	for _, positions := range order.Cut(wire.Body{Entries: entries}.Numbers(), size) {
		chunk := make([]wire.Entry, len(positions))
		for i, p := range positions {
			chunk[i] = entries[p]
		}
		n.Chunks = append(n.Chunks, store.ImportChunk{Positions: positions, Entries: wire.EncodeEntries(chunk)})
	}
	id, err := b.store.CreateImport(t.Context(), caller.Service(b.org, "test"), n)
	require.NoError(t, err)
	return id, len(n.Chunks)
}

func (b *bundle) run(id int64, chunk int) (outcomes activities.Outcomes, err error) {
	in := activities.ChunkInput{OrgID: b.org, ImportID: id, Chunk: chunk}
	out, err := b.env.ExecuteActivity((&activities.Imports{}).ImportChunk, in)
	if err != nil {
		return outcomes, err
	}
	return outcomes, out.Get(&outcomes)
}

func (b *bundle) imported(t *testing.T, id int64, chunk int) {
	t.Helper()
	_, err := b.run(id, chunk)
	require.NoError(t, err)
}

func (b *bundle) register(id int64, chunks int) error {
	in := activities.RegisterInput{OrgID: b.org, ImportID: id, Chunks: chunks}
	_, err := b.env.ExecuteActivity((&activities.Imports{}).RegisterLocations, in)
	return err
}

// poison is the reference of orders, and the name of places, that refuse makes
// the database refuse.
const poison = "poison"

// refuse makes the database refuse data with an SQLSTATE.
func (b *bundle) refuse(t *testing.T, state string) {
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

func (b *bundle) results(t *testing.T, id int64) []store.ImportResult {
	t.Helper()
	var out []store.ImportResult
	for r, err := range b.store.ImportResults(t.Context(), b.org, id) {
		require.NoError(t, err)
		out = append(out, r)
	}
	return out
}

func (b *bundle) kinds(t *testing.T, id int64) []order.Kind {
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
		b := setup(t)
		first, _ := b.stage(t, 500, request("A-1"), request("A-2"))
		b.imported(t, first, 0)
		require.Equal(t, []order.Kind{order.OrderCreated, order.OrderCreated}, b.kinds(t, first))
		events := b.count(t, "select count(*) from events")

		again, _ := b.stage(t, 500, request("A-1"), request("A-2"))
		b.imported(t, again, 0)
		require.Equal(t, []order.Kind{order.OrderUpdated, order.OrderUpdated}, b.kinds(t, again))
		require.Equal(t, events, b.count(t, "select count(*) from events"), "nothing changed, so nothing happened")
		require.Equal(t, 4, b.count(t, "select count(*) from order_products"))
		require.Equal(t, 3, b.count(t, "select count(*) from locations"), "the pickup is shared")
		require.Equal(t, b.results(t, first)[0].OrderID, b.results(t, again)[0].OrderID)
	})

	t.Run("WritesAnUpdateWithItsParts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id, _ := b.stage(t, 500, request("A-1"))
		b.imported(t, id, 0)
		changed := request("A-1")
		changed.Reference = "PO 7"
		changed.Delivery.Instructions = "Ring twice"
		changed.Delivery.Contacts = append(changed.Delivery.Contacts, order.Contact{FirstName: "Ola"})
		changed.Products = changed.Products[:1]
		id, _ = b.stage(t, 500, changed)
		b.imported(t, id, 0)
		require.Equal(t, 1, b.count(t, "select count(*) from order_products"))
		require.Equal(t, 3, b.count(t, "select count(*) from stop_contacts"))
		require.Equal(t, 1, b.count(t, "select count(*) from order_stops where instructions = 'Ring twice'"))
		require.Equal(t, 1, b.count(t, "select count(*) from orders where reference = 'PO 7'"))
		require.Equal(t, 1, b.count(t, "select count(*) from events where kind = 'order.updated'"))
	})

	t.Run("DoneTwiceIsDoneOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		bad := request("")
		id, _ := b.stage(t, 500, request("A-1"), bad)
		b.imported(t, id, 0)
		b.imported(t, id, 0)
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
			b := setup(t)
			b.refuse(t, state)
			requests := make([]order.Request, 7)
			for i := range requests {
				requests[i] = request(fmt.Sprintf("A-%d", i))
			}
			requests[2].Reference, requests[2].Pickup.Name = poison, poison
			requests[5].Customer = nil
			id, chunks := b.stage(t, 500, requests...)
			require.NoError(t, b.register(id, chunks))
			outcomes, err := b.run(id, 0)
			require.NoError(t, err)
			require.Equal(t, activities.Outcomes{Created: 5, Drafts: 1, Failed: 1}, outcomes)
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

	t.Run("PromotesADraft", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		bad := request("A-1")
		bad.Customer = &order.Ref{ExternalID: "nobody"}
		id, _ := b.stage(t, 500, bad)
		b.imported(t, id, 0)
		require.Equal(t, order.CustomerNotFound, b.results(t, id)[0].Reasons[0].Code)
		id, _ = b.stage(t, 500, bad)
		b.imported(t, id, 0)
		require.Equal(t, 1, b.count(t, "select count(*) from drafts"), "the same draft again")
		id, _ = b.stage(t, 500, request("A-1"))
		b.imported(t, id, 0)
		require.Equal(t, []order.Kind{order.OrderCreated}, b.kinds(t, id))
		require.Equal(t, 1, b.count(t, "select count(*) from drafts where state = 'promoted' and order_id is not null"))
	})

	t.Run("ImportsOfTheSameNumbersAtOnceLeaveEachOrderOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		const clients, orders = 8, 50
		var wg sync.WaitGroup
		failures := make(chan error, clients)
		acts := activities.NewImports(b.store)
		for range clients {
			requests := make([]order.Request, orders)
			for i := range requests {
				requests[i] = request(fmt.Sprintf("A-%d", i))
			}
			id, _ := b.stage(t, 500, requests...)
			var suite testsuite.WorkflowTestSuite
			env := suite.NewTestActivityEnvironment()
			env.RegisterActivity(acts)
			wg.Go(func() {
				_, err := env.ExecuteActivity(acts.ImportChunk, activities.ChunkInput{OrgID: 1, ImportID: id})
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
		b := setup(t)
		b.exec(t, "update organizations set allow_merge = true")
		one, two := request("A-1"), request("A-2")
		two.Delivery = one.Delivery
		id, _ := b.stage(t, 500, one, two)
		b.imported(t, id, 0)
		require.Equal(t, []order.Kind{order.OrderCreated, order.OrderMerged}, b.kinds(t, id))
		require.Equal(t, 4, b.count(t, "select count(*) from order_products"))

		results, err := b.operations.CancelOrders(t.Context(), caller.Service(1, "test"), []string{"A-2", "nobody"})
		require.NoError(t, err)
		require.Equal(t, []order.Cancellation{{Number: "A-2", Result: order.CancelSuccess}, {Number: "nobody", Result: order.CancelNotFound}}, results)
		require.Equal(t, 2, b.count(t, "select count(*) from order_products"), "only the products of the other number are left")
		require.Equal(t, 1, b.count(t, "select count(*) from orders where status_id = 1"))

		_, err = b.operations.CancelOrders(t.Context(), caller.Service(1, "test"), []string{"A-1"})
		require.NoError(t, err)
		require.Equal(t, 1, b.count(t, "select count(*) from orders where status_id = 8 and cancelled_at is not null"))
		require.Equal(t, 2, b.count(t, "select count(*) from order_stops where cancelled_at is not null"))

		outcome, _, err := b.operations.ReactivateOrder(t.Context(), caller.Service(1, "test"), "A-1")
		require.NoError(t, err)
		require.Equal(t, order.Reactivated, outcome)
		require.Equal(t, 1, b.count(t, "select count(*) from orders where status_id = 1 and cancelled_at is null"))
		require.Equal(t, 0, b.count(t, "select count(*) from order_stops where cancelled_at is not null"))
	})

	t.Run("PreviewTellsTheOutcomeAndWritesNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		bad := request("A-2")
		bad.Pickup = nil
		results, err := b.store.PreviewImport(t.Context(), 1, order.Defaults{}, []order.Request{request("A-1"), bad, request("A-1")})
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
