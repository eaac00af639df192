// Package operationstest is what the tests of the subjects of operations stand on: an installation in a
// database, with which operations are carried out, and what several subjects need in it.
package operationstest

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

// Office carries operations out in a database, and looks at it as its owner.
type Office struct {
	*storetest.Database
	*operations.Operations

	T     *testing.T
	Store *store.Store
	Owner *pgx.Conn
}

// NewOffice returns an office with a database of its own.
func NewOffice(t *testing.T) *Office {
	t.Helper()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.WithoutCancel(t.Context())) })
	s := store.New(db.Pool)
	return &Office{Database: db, Operations: operations.New(s, time.Now, operations.Settings{}), T: t, Store: s, Owner: owner}
}

// Clerk is a key of an organization that asks for something.
func Clerk(org int64) caller.Caller {
	return caller.Caller{OrgID: org, Kind: caller.Key, ID: 1, Cause: "test"}
}

// One is the one value of a query that the owner makes.
func One[T any](o *Office, sql string, args ...any) T {
	o.T.Helper()
	rows, err := o.Owner.Query(o.T.Context(), sql, args...)
	require.NoError(o.T, err)
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	require.NoError(o.T, err)
	return value
}

// EveryRow is each row of every organization's tables, and which transaction
// wrote it where.
func (o *Office) EveryRow() string {
	o.T.Helper()
	tables := One[[]string](o, `
		select array_agg(distinct c.relname::text) from pg_class c join pg_attribute a on a.attrelid = c.oid
		where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
			and (a.attname = 'org_id' or c.relname = 'organizations')`)
	var all strings.Builder
	for _, table := range tables {
		all.WriteString(table + ": " + One[string](o, `
			select coalesce(string_agg(concat_ws(' ', t.xmin, t.ctid, t::text), ',' order by t.ctid), '') from `+table+" t") + "\n")
	}
	return all.String()
}

// Head begins the document of the organization that most tests ask in.
const Head = "organization: {slug: acme, name: Acme, timezone: Europe/Oslo}\n"

// Apply makes an organization what a document says, and returns what became of
// each section, such as "+1 ~2 =3 -4".
func (o *Office) Apply(text string, options masterdata.Options) map[string]string {
	o.T.Helper()
	document, err := file.Read([]byte(text))
	require.NoError(o.T, err)
	applied, err := o.MasterData.ApplyOrganization(o.T.Context(), Clerk(0), document, options)
	require.NoError(o.T, err)
	sections := map[string]string{}
	for _, s := range applied.Sections {
		sections[s.Name] = fmt.Sprintf("+%d ~%d =%d -%d", s.Created, s.Updated, s.Unchanged, s.Removed)
	}
	return sections
}

// Imported saves entries as an import does.
func (o *Office) Imported(org int64, entries ...order.Request) order.Plan {
	o.T.Helper()
	var plan order.Plan
	err := o.Store.InTx(o.T.Context(), Clerk(org), func(t *store.Tx) error {
		s, err := t.Snapshot(o.T.Context(), store.Scope{Entries: entries, Lock: true})
		if err != nil {
			return err
		}
		plan = order.Decide(s, order.Defaults{}, entries)
		return t.Save(o.T.Context(), plan, order.Defaults{})
	})
	require.NoError(o.T, err)
	return plan
}

// HeavyOrder is an order that can be accepted, of 150 kg.
func HeavyOrder(number string) order.Request {
	weight := 150.0
	return order.Request{
		ExternalID: number, Date: "2026-03-02", Reference: "PO", Customer: &order.Ref{ExternalID: "C-100"},
		VehicleType: &order.Ref{Name: "Van"}, OrderType: &order.Ref{Name: "Standard"},
		Pickup: &order.LocationRequest{ExternalID: "L-1"}, Delivery: &order.LocationRequest{ExternalID: "L-2"},
		Products: []order.ProductRequest{{Name: "Sofa", ExternalID: "P", Weight: &weight}},
	}
}

// Do runs a statement as the owner.
func (o *Office) Do(sql string, args ...any) {
	o.T.Helper()
	_, err := o.Owner.Exec(o.T.Context(), sql, args...)
	require.NoError(o.T, err, sql)
}

// Sequenced gives what is in the log its places.
func (o *Office) Sequenced() { o.Do("select sequence_events(10000)") }

// Attempt begins the request with a key, or begins it again when the process
// that worked on it is gone: its claim has lapsed.
func (o *Office) Attempt(org int64, key string) caller.Caller {
	o.T.Helper()
	_, err := o.Owner.Exec(o.T.Context(), "update idempotency_keys set claimed_until = now() - interval '1 second' where org_id = $1", org)
	require.NoError(o.T, err)
	call := store.IdempotentCall{OrgID: org, Operation: "test", Key: key, Fingerprint: []byte(key)}
	attempt, kept, err := o.Store.ClaimKey(o.T.Context(), call, time.Minute, time.Hour)
	require.NoError(o.T, err)
	require.Nil(o.T, kept, "nobody has answered")
	c := Clerk(org)
	c.Repeat = attempt
	return c
}
