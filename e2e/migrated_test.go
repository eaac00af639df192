package e2e_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/testing/stack"
)

// previousDump is a database of the previous release with something of every kind
// in it, as pg_dump writes it. TestThePreviousReleaseWorksOnThisSchema records it:
//
//	go test ./e2e -run '^TestThePreviousRelease' -dump
var previousDump = filepath.Join("testdata", "v0.2.0.sql.gz")

var recordDump = flag.Bool("dump", false, "record the database of the previous release")

// keptSlug is the organization in the dump.
const keptSlug = "kept"

// fill creates something of every kind. It is in the dump, so it only calls
// what the previous release supports.
func (o *organization) fill(t *testing.T, template int64) {
	t.Helper()
	results := o.importOrders(t, orders(
		richOrder("RICH"), newOrder("GONE"), newOrder("BOOKED"), carrierOrder("SENT"), newOrder("UNKNOWN", object{"customer": object{"externalId": "C-999"}}),
	))
	require.Equal(t, map[string]int{"orderCreated": 4, "draftCreated": 1}, kinds(results))
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{"GONE"}})
	o.exported(t, o.awaitFeed(t, 1)[0].ExportToken)
	o.awaitFeed(t, 0)
	o.importOrders(t, orders(carrierOrder("WAITING")))
	o.awaitFeed(t, 1)
	o.attach(t, "RICH", nil, o.upload(t, "kept.txt", "kept"))
	o.reserve(t, "RICH")
	o.proveCompletion(t, fmt.Sprint(orderID(t, results[0])))
	o.createDriver(t, object{"name": "Kept Driver"})
	free := o.intervals(t, bookableDay(), "&orderType=standard")[0]
	o.expect(t, http.StatusOK, http.MethodPost, ofOrder(orderID(t, results[2]), "book-on-interval"), on(free.IntervalID))

	// A user edits an order that a template generated.
	number := one[string](t, o.installation,
		"select max(number) from recurring_occurrences where org_id = $1 and recurring_order_id = $2", o.id, template)
	o.importOrders(t, orders(newOrder(number, object{"reference": "EDITED"})))
	eventually(t, "the log is in order", func() bool {
		return one[bool](t, o.installation, "select not exists (select from events where position is null)")
	})
}

// dump writes the database to testdata.
func (i *installation) dump(t *testing.T) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "pg_dump", "--no-owner", "--rows-per-insert=100", i.postgres.URL(stack.Superuser, database))
	text, err := cmd.Output()
	require.NoError(t, err)
	text = regexp.MustCompile(`(?m)^\\.*\n`).ReplaceAll(text, nil) // what only psql understands
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.MkdirAll(filepath.Dir(previousDump), 0o750))
	require.NoError(t, os.WriteFile(previousDump, packed.Bytes(), 0o600))
}

// restore fills an empty database with the dump.
func (i *installation) restore(t *testing.T) {
	t.Helper()
	packed, err := os.Open(previousDump)
	require.NoError(t, err)
	defer func() { _ = packed.Close() }()
	r, err := gzip.NewReader(packed)
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	owner, err := pgx.Connect(t.Context(), i.postgres.URL(ownerRole, database))
	require.NoError(t, err)
	defer func() { _ = owner.Close(context.WithoutCancel(t.Context())) }()
	_, err = owner.PgConn().Exec(t.Context(), string(text)).ReadAll()
	require.NoError(t, err)
}

// A database of the previous release is migrated with all that is in it.
func TestADatabaseOfThePreviousReleaseIsMigrated(t *testing.T) {
	t.Parallel()
	i := install(t)
	i.empty(t)
	i.restore(t)
	_, err := i.command(t.Context(), "migrate")
	require.NoError(t, err)
	for _, command := range []string{"serve", "work"} {
		require.NoError(t, i.start(command))
	}
	require.NoError(t, i.ready(t.Context()))
	o := &organization{installation: i, slug: keptSlug}
	o.id = one[int64](t, i, "select id from organizations where slug = $1", keptSlug)
	o.key, err = i.command(t.Context(), "keys", "create", "--org", keptSlug, "--name", "e2e")
	require.NoError(t, err)

	listed := read[[]contract.Order](t, o.get(t, "/v1/orders?startDate=2026-03-02&endDate=2026-03-02&loads=OrderStatus"))
	status := func(number string) contract.OrderStatusName {
		at := slices.IndexFunc(listed, func(l contract.Order) bool { return l.InternalOrderNumber == number })
		require.NotEqual(t, -1, at, number)
		return listed[at].OrderStatus.Name
	}
	require.Equal(t, contract.OrderStatusNameCancelled, status("GONE"))
	require.Equal(t, contract.OrderStatusNameRegistered, status("BOOKED"))
	rich := listed[slices.IndexFunc(listed, func(l contract.Order) bool { return l.InternalOrderNumber == "RICH" })]
	require.Len(t, read[[]object](t, o.get(t, fmt.Sprintf("/v1/orders/%d/order-products", rich.OrderID))), 3)
	require.Equal(t, []string{"kept.txt"}, o.attached(t, "RICH"))
	require.Equal(t, http.StatusOK, o.track(t, one[string](t, i, "select min(code) from tracking_links where org_id = $1", o.id), program).status)
	require.Equal(t, 1, one[int](t, i, "select count(*)::int from drafts where org_id = $1 and state = 'incomplete'", o.id))
	require.Equal(t, []string{"EDITED"}, list(t, i, `select coalesce(o.reference, '') from orders o
		join recurring_occurrences c on c.org_id = o.org_id and c.number = o.number
		where o.org_id = $1 and o.edited_at is not null`, o.id), "one order of the template was edited")
	booked := listed[slices.IndexFunc(listed, func(l contract.Order) bool { return l.InternalOrderNumber == "BOOKED" })]
	require.NotZero(t, read[contract.DetailedBooking](t, o.get(t, ofOrder(booked.OrderID, "booking"))).IntervalID)

	// The carrier continues where it was, and so do followers of the feed.
	waiting := o.awaitFeed(t, 1)[0]
	o.exported(t, waiting.ExportToken)
	o.awaitFeed(t, 0)
	said := read[contract.OrderStatusFeed](t, o.get(t, "/v2/orders/summary/orderstatusfeed?pageSize=1000&token="))
	at := slices.IndexFunc(said.Items, func(c contract.OrderStatusChange) bool {
		return c.ExternalID == "GONE" && c.Status == contract.OrderStatusNameCancelled
	})
	require.NotEqual(t, -1, at)
	o.importsAndReads(t, "AFTER")
	require.Equal(t, map[string]int{"orderUpdated": 1}, kinds(o.importOrders(t, orders(richOrder("RICH")))))
	i.requireUnderstood(t, "serve", "work")
}
