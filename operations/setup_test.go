package operations_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/organization/file"
	"waybill/operations"
	"waybill/store"
	"waybill/store/masterdata"
	"waybill/store/storetest"
)

// office carries operations out in a database, and looks at it as its owner.
type office struct {
	*storetest.Database
	*operations.Operations

	t     *testing.T
	store *store.Store
	owner *pgx.Conn
}

func newOffice(t *testing.T) *office {
	t.Helper()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.WithoutCancel(t.Context())) })
	s := store.New(db.Pool)
	return &office{Database: db, Operations: operations.New(s, time.Now, operations.Settings{}), t: t, store: s, owner: owner}
}

// clerk is a key of an organization that asks for something.
func clerk(org int64) caller.Caller {
	return caller.Caller{OrgID: org, Kind: caller.Key, ID: 1, Cause: "test"}
}

// one is the one value of a query that the owner makes.
func one[T any](o *office, sql string, args ...any) T {
	o.t.Helper()
	rows, err := o.owner.Query(o.t.Context(), sql, args...)
	require.NoError(o.t, err)
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	require.NoError(o.t, err)
	return value
}

// everyRow is each row of every organization's tables, and which transaction
// wrote it where.
func (o *office) everyRow() string {
	o.t.Helper()
	tables := one[[]string](o, `
		select array_agg(distinct c.relname::text) from pg_class c join pg_attribute a on a.attrelid = c.oid
		where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
			and (a.attname = 'org_id' or c.relname = 'organizations')`)
	var all strings.Builder
	for _, table := range tables {
		all.WriteString(table + ": " + one[string](o, `
			select coalesce(string_agg(concat_ws(' ', t.xmin, t.ctid, t::text), ',' order by t.ctid), '') from `+table+" t") + "\n")
	}
	return all.String()
}

// head begins the document of the organization that most tests ask in.
const head = "organization: {slug: acme, name: Acme, timezone: Europe/Oslo}\n"

// apply makes an organization what a document says, and returns what became of
// each section, such as "+1 ~2 =3 -4".
func (o *office) apply(text string, options masterdata.Options) map[string]string {
	o.t.Helper()
	document, err := file.Read([]byte(text))
	require.NoError(o.t, err)
	applied, err := o.MasterData.ApplyOrganization(o.t.Context(), clerk(0), document, options)
	require.NoError(o.t, err)
	sections := map[string]string{}
	for _, s := range applied.Sections {
		sections[s.Name] = fmt.Sprintf("+%d ~%d =%d -%d", s.Created, s.Updated, s.Unchanged, s.Removed)
	}
	return sections
}

// imported saves entries as an import does.
func (o *office) imported(org int64, entries ...order.Request) order.Plan {
	o.t.Helper()
	var plan order.Plan
	err := o.store.InTx(o.t.Context(), clerk(org), func(t *store.Tx) error {
		s, err := t.Snapshot(o.t.Context(), store.Scope{Entries: entries, Lock: true})
		if err != nil {
			return err
		}
		plan = order.Decide(s, order.Defaults{}, entries)
		return t.Save(o.t.Context(), plan, order.Defaults{})
	})
	require.NoError(o.t, err)
	return plan
}

// heavyOrder is an order that can be accepted, of 150 kg.
func heavyOrder(number string) order.Request {
	weight := 150.0
	return order.Request{
		ExternalID: number, Date: "2026-03-02", Reference: "PO", Customer: &order.Ref{ExternalID: "C-100"},
		VehicleType: &order.Ref{Name: "Van"}, OrderType: &order.Ref{Name: "Standard"},
		Pickup: &order.LocationRequest{ExternalID: "L-1"}, Delivery: &order.LocationRequest{ExternalID: "L-2"},
		Products: []order.ProductRequest{{Name: "Sofa", ExternalID: "P", Weight: &weight}},
	}
}
