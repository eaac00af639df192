package apitest

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/orders"
	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/operations"
	"waybill/operations/webhooks/delivery"
	"waybill/store"
	"waybill/store/storetest"
)

// Office is a server with its own database and two organizations, for tests
// without a Temporal server.
type Office struct {
	*Bundle

	Store      *store.Store
	Operations *operations.Operations
	Org        int64
	Other      int64
	Owner      *pgxpool.Pool // sees the rows of both
}

// NewOffice returns an office; edit may change how its server is made.
func NewOffice(t *testing.T, edit ...func(*api.Config, *api.Dependencies)) *Office {
	t.Helper()
	db := storetest.New(t)
	o := &Office{
		Store: store.New(db.Pool),
		Org:   storetest.Organization(t, db, "office"), Other: storetest.Organization(t, db, "other"),
	}
	o.Operations = operations.New(o.Store, time.Now, operations.Settings{
		Webhooks: delivery.Settings{Entry: orders.FeedEntry, AllowPrivate: true},
	})
	office := func(_ *api.Config, d *api.Dependencies) {
		d.Store, d.Operations, d.Now = o.Store, o.Operations, time.Now
	}
	o.Bundle = New(t, append([]func(*api.Config, *api.Dependencies){office}, edit...)...)
	var err error
	o.Owner, err = pgxpool.New(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(o.Owner.Close)
	return o
}

// Text returns one text of the organization, such as a list built by the query.
func (o *Office) Text(sql string, args ...any) (text string) {
	o.T.Helper()
	require.NoError(o.T, o.Owner.QueryRow(o.T.Context(), sql, append([]any{o.Org}, args...)...).Scan(&text), sql)
	return text
}

// ID reads one identifier of the organization, or the result of a
// statement.
func (o *Office) ID(sql string, args ...any) (id int64) {
	o.T.Helper()
	require.NoError(o.T, o.Owner.QueryRow(o.T.Context(), sql, append([]any{o.Org}, args...)...).Scan(&id), sql)
	return id
}

// Import imports an order with this number into the organization as an import
// does, changed by edit, and returns its identifier.
func (o *Office) Import(number string, edit ...func(*order.Request)) int64 {
	o.T.Helper()
	weight := 150.0
	entry := order.Request{
		ExternalID: number, Date: "2026-03-02", Reference: "PO", Customer: &order.Ref{ExternalID: "C-100"},
		VehicleType: &order.Ref{Name: "Van"}, OrderType: &order.Ref{Name: "Standard"},
		Pickup: &order.LocationRequest{ExternalID: "L-1"}, Delivery: &order.LocationRequest{ExternalID: "L-2"},
		Products: []order.ProductRequest{{Name: "Sofa", ExternalID: "P", Weight: &weight}},
	}
	for _, e := range edit {
		e(&entry)
	}
	var plan order.Plan
	integrator := caller.Caller{OrgID: o.Org, Kind: caller.Key, ID: 1, Cause: "test"}
	err := o.Store.InTx(o.T.Context(), integrator, func(t *store.Tx) error {
		s, err := t.Snapshot(o.T.Context(), store.Scope{Entries: []order.Request{entry}, Lock: true})
		if err != nil {
			return err
		}
		plan = order.Decide(s, order.Defaults{}, []order.Request{entry})
		return t.Save(o.T.Context(), plan, order.Defaults{})
	})
	require.NoError(o.T, err)
	require.NotNil(o.T, plan.Results[0].Order, "%+v", plan.Results[0].Reasons)
	return plan.Results[0].Order.ID
}
