package tenants_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/attachment"
	"waybill/domain/caller"
	"waybill/domain/order"
	leaving "waybill/operations/tenants"
	"waybill/providers/files"
	"waybill/store"
	"waybill/store/catalogue"
	"waybill/store/storetest"
	"waybill/store/tenants"
)

// registry are the workflows of organizations, without a server.
type registry map[int64]int64

func (r registry) Count(_ context.Context, org int64) (running, all int64, err error) {
	return r[org], r[org], nil
}

func (r registry) Delete(_ context.Context, org int64, said func(int64)) error {
	delete(r, org)
	said(0)
	return nil
}

// premises are two organizations with orders, files and workflows.
type premises struct {
	t         *testing.T
	db        *storetest.Database
	owner     *pgx.Conn
	tenants   *tenants.Owner
	files     *files.Storage
	workflows registry
	orgs      []int64
}

func newPremises(t *testing.T) *premises {
	t.Helper()
	p := &premises{t: t, db: storetest.New(t), workflows: registry{}}
	var err error
	p.owner, err = pgx.Connect(t.Context(), p.db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = p.owner.Close(context.WithoutCancel(t.Context())) })
	p.tenants, err = tenants.New(t.Context(), p.owner)
	require.NoError(t, err)
	p.files, err = files.Open(t.Context(), "file://"+t.TempDir(), "https://waybill.example", []byte("key"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = p.files.Close() })
	for _, slug := range []string{"leaves", "stays"} {
		org := storetest.Organization(t, p.db, slug)
		p.orgs = append(p.orgs, org)
		p.workflows[org] = 3
		for n := range 7 {
			p.order(org, fmt.Sprintf("SO-%d", n))
			p.document(org, fmt.Sprintf("note %d", n))
		}
	}
	return p
}

// order imports an order with an item that has an item in it.
func (p *premises) order(org int64, number string) {
	p.t.Helper()
	entries := []order.Request{{
		ExternalID: number, Date: "2026-03-02", Customer: &order.Ref{ExternalID: "C-100"},
		VehicleType: &order.Ref{Name: "Van"}, OrderType: &order.Ref{Name: "Standard"},
		Pickup: &order.LocationRequest{ExternalID: "L-1"}, Delivery: &order.LocationRequest{ExternalID: "L-2"},
		Products: []order.ProductRequest{{Name: "Sofa", ExternalID: "P"}, {Name: "Leg", ExternalID: "Q"}},
	}}
	by := caller.Caller{OrgID: org, Kind: caller.Key, ID: 1, Cause: "test"}
	require.NoError(p.t, store.New(p.db.Pool).InTx(p.t.Context(), by, func(t *store.Tx) error {
		s, err := t.Snapshot(p.t.Context(), store.Scope{Entries: entries, Lock: true})
		if err != nil {
			return err
		}
		return t.Save(p.t.Context(), order.Decide(s, order.Defaults{}, entries), order.Defaults{})
	}))
	_, err := p.owner.Exec(p.t.Context(), `update order_products p set parent_id = x.id from order_products x
		where p.org_id = $1 and x.org_id = $1 and x.order_id = p.order_id and p.name = 'Sofa' and x.name = 'Leg'`, org)
	require.NoError(p.t, err)
}

// document stores a file, and its row.
func (p *premises) document(org int64, name string) {
	p.t.Helper()
	var id int64
	require.NoError(p.t, p.owner.QueryRow(p.t.Context(), `insert into documents (org_id, name, content_type, size)
		values ($1, $2, 'text/plain', 5) returning id`, org, name).Scan(&id))
	key := fmt.Sprintf("%d/documents/%d/A", org, id)
	_, err := p.owner.Exec(p.t.Context(), "update documents set storage_key = $3, uploaded_at = now(), sha256 = sha256('hello') where org_id = $1 and id = $2", org, id, key)
	require.NoError(p.t, err)
	file := attachment.File{Name: name, ContentType: "text/plain", Size: 5}
	_, err = p.files.Write(p.t.Context(), key, file, strings.NewReader("hello"))
	require.NoError(p.t, err)
}

// all is each row of an organization, and each of its files and workflows.
func (p *premises) all(org int64) string {
	p.t.Helper()
	c, err := catalogue.Read(p.t.Context(), p.owner)
	require.NoError(p.t, err)
	var all strings.Builder
	for _, table := range c.Tables {
		all.WriteString(p.text("select coalesce(string_agg(t::text, ',' order by t::text), '') from "+table.Name+" t where org_id = $1", org))
	}
	all.WriteString(p.text("select coalesce(string_agg(t::text, ','), '') from organizations t where id = $1", org))
	all.WriteString(p.text("select coalesce(string_agg(c.relname, ','), '') from pg_class c where c.relname = 'order_serial_' || $1::bigint", org))
	found, _, err := p.files.ListUnder(p.t.Context(), fmt.Sprintf("%d/", org), "", 1000)
	require.NoError(p.t, err)
	for _, f := range found {
		all.WriteString(f.Key)
	}
	if n := p.workflows[org]; n > 0 {
		fmt.Fprintf(&all, "%d workflows", n)
	}
	return all.String()
}

func (p *premises) text(query string, org int64) (text string) {
	p.t.Helper()
	require.NoError(p.t, p.owner.QueryRow(p.t.Context(), query, org).Scan(&text), query)
	return text
}

var errStopped = errors.New("stopped")

// breaking are the parts of a removal that stop the process after so many steps.
type breaking struct {
	*premises
	steps int
}

func (b *breaking) step() error {
	if b.steps--; b.steps < 0 {
		return errStopped
	}
	return nil
}

func (b *breaking) Counts(ctx context.Context, org int64) ([]tenants.Count, error) {
	return b.tenants.Counts(ctx, org)
}

func (b *breaking) Close(ctx context.Context, org int64) error {
	return errors.Join(b.tenants.Close(ctx, org), b.step())
}

// DeleteRows stops as the connection does, behind any batch.
func (b *breaking) DeleteRows(ctx context.Context, org int64, _ int, said func(tenants.Count)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := b.tenants.DeleteRows(ctx, org, 3, func(c tenants.Count) {
		said(c)
		if err := b.step(); err != nil {
			cancel(err)
		}
	})
	if context.Cause(ctx) != nil {
		return errStopped
	}
	return err
}

func (b *breaking) Forget(ctx context.Context, org int64) error {
	return errors.Join(b.tenants.Forget(ctx, org), b.step())
}

// TestInterruptedRemovalResumes stops a removal after each of its steps. The
// next one resumes, in the end nothing is left, and the other organization has
// everything that it had.
func TestInterruptedRemovalResumes(t *testing.T) {
	t.Parallel()
	p := newPremises(t)
	leaves, stays := p.orgs[0], p.orgs[1]
	before := p.all(stays)
	require.NotEmpty(t, p.all(leaves))

	stops := 0
	for {
		owner, err := pgx.Connect(t.Context(), p.db.OwnerURL)
		require.NoError(t, err)
		p.tenants, err = tenants.New(t.Context(), owner)
		require.NoError(t, err)
		b := &breaking{premises: p, steps: 2 + stops%3}
		r := leaving.Removal{Rows: b, Files: p.files, Workflows: p.workflows, Said: func(string) {}}
		err = r.Run(t.Context(), leaves)
		_ = owner.Close(t.Context())
		if err == nil {
			break
		}
		require.ErrorIs(t, err, errStopped)
		stops++
		require.Less(t, stops, 1000)
	}
	require.Greater(t, stops, 10)
	require.Empty(t, p.all(leaves))
	require.Equal(t, before, p.all(stays))
}

// TestCountIsReadOnly counts the data.
func TestCountIsReadOnly(t *testing.T) {
	t.Parallel()
	p := newPremises(t)
	before := p.all(p.orgs[0])
	r := leaving.Removal{Rows: p.tenants, Files: p.files, Workflows: p.workflows, Said: func(string) {}}
	c, err := r.Count(t.Context(), p.orgs[0])
	require.NoError(t, err)
	require.Equal(t, before, p.all(p.orgs[0]))
	require.Contains(t, c.Tables, tenants.Count{Table: "orders", Rows: 7})
	require.Greater(t, c.Rows(), int64(50))
	require.Equal(t, int64(7), c.Files)
	require.Equal(t, int64(35), c.Bytes)
	require.Equal(t, int64(3), c.Running)
}

// TestClosedOrganizationRejectsAllCallers looks for a key and for the organization
// itself.
func TestClosedOrganizationRejectsAllCallers(t *testing.T) {
	t.Parallel()
	p := newPremises(t)
	s := store.New(p.db.Pool)
	by := caller.Service(p.orgs[0], "test")
	_, err := s.CreateAPIKey(t.Context(), by, store.NewAPIKey{Name: "key", Public: "public"})
	require.NoError(t, err)
	_, err = s.FindAPIKey(t.Context(), "public")
	require.NoError(t, err)
	require.NoError(t, p.tenants.Close(t.Context(), p.orgs[0]))
	closed, err := p.tenants.Find(t.Context(), "leaves")
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), *closed.ClosedAt, time.Hour)

	_, err = s.FindAPIKey(t.Context(), "public")
	require.ErrorIs(t, err, store.ErrNotFound)
	_, err = s.OrganizationID(t.Context(), "leaves")
	require.ErrorIs(t, err, store.ErrNotFound)
	_, err = s.OrganizationID(t.Context(), "stays")
	require.NoError(t, err)
}
