package operationstest

import (
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/order/wire"
	"waybill/operations"
	"waybill/store"
	"waybill/store/storetest"
)

// Depot carries imports out for a small organization.
type Depot struct {
	*operations.Operations

	Store *store.Store
	DB    *storetest.Database
	Org   int64
}

// NewDepot makes a small organization with one customer, vehicle type and order
// type, written straight into the tables.
func NewDepot(t *testing.T) *Depot {
	t.Helper()
	db := storetest.New(t)
	s := store.New(db.Pool)
	b := &Depot{Operations: operations.New(s, time.Now, operations.Settings{}), Store: s, DB: db, Org: 1}
	b.Exec(t, `insert into organizations (id, slug, name, timezone) values (1, 'nordfrakt', 'Nordfrakt AS', 'Europe/Oslo')`)
	b.Exec(t, `insert into customers (org_id, external_id, business_name) values (1, 'C-100', 'Fjord Møbler AS')`)
	b.Exec(t, `insert into vehicle_types (org_id, name, max_weight_kg) values (1, 'Van', 1200)`)
	b.Exec(t, `insert into order_types (org_id, name, ready_from, pick_up_before, deliver_before) values (1, 'Standard', 480, 720, 960)`)
	return b
}

// Exec writes as the organization.
func (b *Depot) Exec(t *testing.T, sql string) {
	t.Helper()
	tx, err := b.DB.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "set local app.org_id = '1'")
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), sql)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
}

// Count returns the number that a query of the owner counts.
func (b *Depot) Count(t *testing.T, sql string) int {
	t.Helper()
	tx, err := b.DB.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), "set local app.org_id = '1'")
	require.NoError(t, err)
	var n int
	require.NoError(t, tx.QueryRow(t.Context(), sql).Scan(&n))
	return n
}

// Request is an order that can be accepted.
func Request(number string) order.Request {
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

// Body is an import of requests.
func Body(t *testing.T, requests ...order.Request) wire.Body {
	t.Helper()
	b := wire.Body{Entries: make([]wire.Entry, len(requests))}
	for i := range requests {
		raw, err := jsonv2.Marshal(requests[i])
		require.NoError(t, err)
		b.Entries[i] = wire.Entry{ExternalID: requests[i].ExternalID, Raw: raw}
	}
	return b
}

// Stage keeps requests as an import of one chunk.
func (b *Depot) Stage(t *testing.T, requests ...order.Request) (id int64) {
	t.Helper()
	staged, err := b.Orders.StageImport(t.Context(), Clerk(b.Org), Body(t, requests...))
	require.NoError(t, err)
	require.Equal(t, 1, staged.Chunks)
	return staged.ID
}

// Run works on the one chunk of an import, and counts what became of its entries by kind.
func (b *Depot) Run(t *testing.T, id int64) map[order.Kind]int {
	t.Helper()
	outcomes, err := b.Orders.ImportChunk(t.Context(), caller.Service(b.Org, "import/1"), id, 0)
	require.NoError(t, err)
	return outcomes
}

// Results returns what became of the entries of an import, in the order of the request.
func (b *Depot) Results(t *testing.T, id int64) []store.ImportResult {
	t.Helper()
	var out []store.ImportResult
	for r, err := range b.Store.ImportResults(t.Context(), b.Org, id) {
		require.NoError(t, err)
		out = append(out, r)
	}
	return out
}

// Kinds returns the kinds of the results of an import, in the order of the request.
func (b *Depot) Kinds(t *testing.T, id int64) []order.Kind {
	var out []order.Kind
	for _, r := range b.Results(t, id) {
		out = append(out, r.Kind)
	}
	return out
}
