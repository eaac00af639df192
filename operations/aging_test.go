package operations_test

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/attachment"
	"waybill/domain/housekeeping"
	"waybill/domain/proof"
	"waybill/operations"
	"waybill/operations/core"
	"waybill/providers/files"
)

// attic is an object storage that may fail, and stop the process, behind a write.
type attic struct {
	*files.Storage
	// fails and stops say of a write what becomes of it; they may be nil.
	fails func() error
	stops func()
}

func (a *attic) Write(ctx context.Context, key string, f attachment.File, content io.Reader) ([]byte, error) {
	if a.fails != nil {
		if err := a.fails(); err != nil {
			return nil, err
		}
	}
	sum, err := a.Storage.Write(ctx, key, f, content)
	if a.stops != nil {
		a.stops()
	}
	return sum, err
}

// oldHouse is a house whose first organization keeps orders for 200 days, with orders of
// two months long ago, and whose second one keeps them for ever.
type oldHouse struct {
	*house
	attic *attic
}

func newOldHouse(t *testing.T) *oldHouse {
	t.Helper()
	h := houseWithAttic(t)
	h.exec("update organizations set keep_orders_days = 200 where id = $1", h.orgs[0])
	for _, org := range h.orgs {
		for n := range 6 {
			h.imported(org, heavyOrder(fmt.Sprintf("OLD-%d", n)))
		}
		// SO-1 of the house has not ended, however old it is.
		h.exec("update orders set date = '2020-01-05', updated_at = '2020-02-01' where org_id = $1", org)
		h.exec(`update orders set status_id = 6 + serial % 3, cancelled_at = case when serial % 3 = 2 then updated_at end,
			date = case when number < 'OLD-3' then date '2020-01-05' else '2020-03-07' end
			where org_id = $1 and number like 'OLD%'`, org)
	}
	h.exec("update events set recorded_at = '2020-02-01', position = id")
	return h
}

// houseWithAttic is a house with an object storage.
func houseWithAttic(t *testing.T) *oldHouse {
	t.Helper()
	h := &oldHouse{house: newHouse(t)}
	storage, err := files.Open(t.Context(), "file://"+t.TempDir(), "https://waybill.example", []byte("key"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = storage.Close() })
	h.attic = &attic{Storage: storage}
	h.Operations = operations.New(h.store, func() time.Time { return h.now }, operations.Settings{
		OpenFiles: func(context.Context) (core.FileStorage, error) { return h.attic, nil },
	})
	return h
}

// archived are the lines of all archives that count, by the numbers of their orders.
func (h *oldHouse) archived() map[string]map[string][]map[string]any {
	h.t.Helper()
	lines := map[string]map[string][]map[string]any{}
	archives, err := h.store.Archives(h.t.Context(), h.orgs[0])
	require.NoError(h.t, err)
	for _, a := range archives {
		content, err := h.attic.Read(h.t.Context(), a.StorageKey)
		require.NoError(h.t, err)
		zip, err := gzip.NewReader(content)
		require.NoError(h.t, err)
		text, err := io.ReadAll(zip)
		require.NoError(h.t, err)
		require.NoError(h.t, content.Close())
		require.Equal(h.t, int(a.Lines), strings.Count(string(text), "\n"))
		for line := range strings.Lines(string(text)) {
			var said struct {
				Table string
				Rows  map[string][]map[string]any
			}
			require.NoError(h.t, json.Unmarshal([]byte(line), &said))
			if said.Table == "orders" {
				number := said.Rows["orders"][0]["number"].(string)
				require.NotContains(h.t, lines, number, "an order is archived once")
				lines[number] = said.Rows
				require.Equal(h.t, a.Month.Format("2006-01"), said.Rows["orders"][0]["date"].(string)[:7])
			}
		}
	}
	return lines
}

func (h *oldHouse) numbers(org int64) string {
	return one[string](h.office, "select coalesce(string_agg(number, ' ' order by number), '') from orders where org_id = $1", org)
}

// TestOldOrdersAreArchivedAndRemoved has orders of two months that have ended, and one
// that has not. A file for each month has all of them, and the other organization keeps
// its own.
func TestOldOrdersAreArchivedAndRemoved(t *testing.T) {
	t.Parallel()
	h := newOldHouse(t)
	before := one[string](h.office, "select string_agg(t::text, ',' order by id) from orders t where org_id = $1", h.orgs[1])
	rows := one[int](h.office, "select count(*)::int from order_stops where org_id = $1", h.orgs[0])
	require.Equal(t, 14, rows)
	counted, err := h.Housekeeping.KeepHouse(t.Context(), housekeeping.Orders, true)
	require.NoError(t, err)
	require.Equal(t, 6, counted.Done)
	require.Empty(t, h.archived(), "a dry run does nothing")

	require.Equal(t, 6, h.keep(housekeeping.Orders))
	require.Equal(t, "SO-1", h.numbers(h.orgs[0]))
	require.Equal(t, 2, one[int](h.office, "select count(*)::int from order_stops where org_id = $1", h.orgs[0]))
	require.Equal(t, before, one[string](h.office, "select string_agg(t::text, ',' order by id) from orders t where org_id = $1", h.orgs[1]))
	lines := h.archived()
	require.Len(t, lines, 6)
	for number, of := range lines {
		require.Len(t, of["order_stops"], 2, number)
		require.Len(t, of["order_products"], 1, number)
		require.Len(t, of["order_numbers"], 1, number)
	}
	require.Equal(t, []string{"2020-01", "2020-03"}, h.all("select to_char(month, 'YYYY-MM') from order_archives"), "one file a month")
	require.Zero(t, h.keep(housekeeping.Orders))
	require.Positive(t, one[int](h.office, `select count(*)::int from events where org_id = $1
		and kind = 'organization.orders_archived'`, h.orgs[0]))
	// Files that were put together go with what nothing refers to.
	h.now = h.now.Add(72 * time.Hour)
	require.Positive(t, h.keep(housekeeping.Files))
	require.Len(t, h.archived(), 6)
	require.Zero(t, h.keep(housekeeping.Files))
}

// TestStoppedAnywhereNothingIsLostOrDoubled stops archiving before and behind each of
// its writes: each order is in the database or in one archive, and never in both.
func TestStoppedAnywhereNothingIsLostOrDoubled(t *testing.T) {
	t.Parallel()
	h := newOldHouse(t)
	broken := errors.New("broken")
	everything := func() {
		t.Helper()
		seen := h.archived()
		for number := range strings.FieldsSeq(h.numbers(h.orgs[0])) {
			require.NotContains(t, seen, number)
			seen[number] = nil
		}
		require.Len(t, seen, 7)
	}
	stops := 0
	for n := 0; ; n++ {
		ctx, cancel := context.WithCancel(t.Context())
		writes := 0
		h.attic.fails, h.attic.stops = nil, nil
		switch n % 3 {
		case 0:
			h.attic.fails = func() error { return broken }
		case 1:
			h.attic.stops = cancel // the file is there, and nothing says so
		default:
			h.attic.stops = func() { writes++ }
		}
		batch, err := h.Housekeeping.KeepHouse(ctx, housekeeping.Orders, false)
		cancel()
		everything()
		if err != nil {
			stops++
			continue
		}
		if !batch.Left {
			break
		}
		require.Less(t, n, 100)
	}
	require.Greater(t, stops, 5)
	require.Equal(t, "SO-1", h.numbers(h.orgs[0]))
	require.Equal(t, []string{"2020-01", "2020-03"}, h.all("select to_char(month, 'YYYY-MM') from order_archives"))
}

// TestWhatSomebodyNeedsStays has old orders that something still needs: none of them
// goes, whatever their age.
func TestWhatSomebodyNeedsStays(t *testing.T) {
	t.Parallel()
	for name, needs := range map[string]string{
		"an export that is not closed": `insert into order_exports (org_id, order_id, state, place)
			select org_id, id, 'pending', id from orders where org_id = $1`,
		"a message that is not sent": `insert into notifications (org_id, order_id, channel, key, workflow_id, run_id, event, event_id,
				receiver, sender, subject, body, provider, status, created_at)
			select org_id, id, 'EMAIL', 'k' || id, 'w', 'r', 'ORDER_CREATED', 1, 'kari@example.com', '', '', '', 'smtp', 'queued', '2020-02-01'
			from orders where org_id = $1`,
		"a link that is good": `insert into tracking_links (org_id, code, order_id, stop_id, link, expires_at)
			select s.org_id, 'c' || s.id, s.order_id, s.id, '', now() from order_stops s where s.org_id = $1`,
		"news in the log": `insert into events (org_id, kind, subject_type, subject_id, actor, cause, position, recorded_at)
			select org_id, 'order.contact_erased', 'order', id, 'system', 'test', 1000 + id, now() - interval '100 days'
			from orders where org_id = $1`,
		"a change of late": "update orders set updated_at = now() - interval '150 days' where org_id = $1",
		"a retention that is shorter than the log's": `update organizations set keep_orders_days = 120 where id = $1;
			update orders set date = now() - interval '130 days', updated_at = now() - interval '130 days' where org_id = $1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newOldHouse(t)
			for statement := range strings.SplitSeq(needs, ";") {
				if strings.Contains(statement, "interval '100 days'") {
					h.exec("select make_event_partition((now() - interval '100 days')::date)")
				}
				h.exec(statement, h.orgs[0])
			}
			if strings.Contains(needs, "= 120") {
				h.Operations = operations.New(h.store, func() time.Time { return h.now }, operations.Settings{
					KeepEvents: 300 * 24 * time.Hour,
					OpenFiles:  func(context.Context) (core.FileStorage, error) { return h.attic, nil },
				})
			}
			require.Zero(t, h.keep(housekeeping.Orders))
			require.Contains(t, h.numbers(h.orgs[0]), "OLD-5")
		})
	}
}

// TestOldDraftsAndDaysGo has drafts, days and plans of long ago and of today.
func TestOldDraftsAndDaysGo(t *testing.T) {
	t.Parallel()
	h := newOldHouse(t)
	org := h.orgs[0]
	h.exec(`insert into drafts (org_id, external_id, state, request, created_at, updated_at) values
		($1, 'D-1', 'discarded', '{}', '2020-01-01', '2020-01-02'), ($1, 'D-2', 'incomplete', '{}', '2020-01-01', '2020-01-02'),
		($1, 'D-3', 'incomplete', '{}', '2020-01-01', now())`, org)
	h.exec("insert into order_numbers (org_id, number) values ($1, 'D-1'), ($1, 'D-2'), ($1, 'D-3')", org)
	h.exec(`with d as (insert into drivers (org_id, name) values ($1, 'Ola') returning id),
		days as (insert into driver_days (org_id, driver_id, day) select $1, id, x from d, (values (date '2020-01-05'), (current_date)) v (x)),
		work as (insert into driver_workdays (org_id, driver_id, date, starts, ends)
			select $1, id, x, 0, 600 from d, (values (date '2020-01-05'), (current_date)) v (x))
		insert into driver_actions (org_id, id, driver_id, type, occurred_at, device_at, sent_at, outcome)
			select $1, gen_random_uuid(), id, 'START_ROUTE', x, x, x, 'APPLIED' from d, (values (timestamptz '2020-01-05'), (now())) v (x)`, org)
	h.exec("insert into plans (org_id, day) values ($1, '2020-01-05'), ($1, current_date)", org)
	require.Equal(t, 12, h.keep(housekeeping.Orders))
	for _, table := range []string{"driver_days", "driver_workdays", "driver_actions", "plans"} {
		require.Equal(t, 1, one[int](h.office, "select count(*)::int from "+table+" where org_id = $1", org), table)
	}
	require.Equal(t, "D-3 SO-1", one[string](h.office, "select string_agg(number, ' ' order by number) from order_numbers where org_id = $1", org))
}

// TestTheChainOfProofsOutlivesThem has a proof of each order, one of which stays between
// the others.
func TestTheChainOfProofsOutlivesThem(t *testing.T) {
	t.Parallel()
	h := newOldHouse(t)
	org, at := h.orgs[0], time.Date(2020, 2, 1, 12, 0, 0, 0, time.UTC)
	h.exec("select set_config('app.actor', 'system', false), set_config('app.cause', 'test', false)")
	for _, number := range []string{"OLD-0", "SO-1", "OLD-1", "OLD-2", "OLD-3", "OLD-4", "OLD-5"} {
		id := one[int64](h.office, "select id from orders where org_id = $1 and number = $2", org, number)
		text, place := proof.Manifest{Order: id, Type: "IN_PERSON", Signee: number, Occurred: at}.Open()
		h.exec(`select chain_proof($1, $2, $3, $4)`, org, one[int64](h.office, `insert into completion_proofs (org_id, order_id, type, signee, occurred_at)
			values ($1, $2, 'IN_PERSON', $3, $4) returning id`, org, id, number, at), text, place)
	}
	h.exec("update events set recorded_at = '2020-02-01', position = id")
	verified, err := h.Driving.VerifyProofs(t.Context(), org, nil, nil)
	require.NoError(t, err)
	require.Equal(t, int64(7), verified.Count)

	require.Equal(t, 6, h.keep(housekeeping.Orders))
	require.Equal(t, 1, one[int](h.office, "select count(*)::int from completion_proofs where org_id = $1", org))
	again, err := h.Driving.VerifyProofs(t.Context(), org, verified.Last, nil)
	require.NoError(t, err)
	require.Equal(t, verified.Last, again.Last)
	require.Equal(t, int64(7), again.Count)
	require.Equal(t, 6, again.Archived)
	for number, of := range h.archived() {
		manifest := of["completion_proofs"][0]["manifest"].(string)
		sum := sha256.Sum256([]byte(manifest))
		require.Equal(t, fmt.Sprintf(`\x%x`, sum), of["completion_proofs"][0]["hash"], number)
	}

	h.exec("update archived_proofs set hash = sha256('another') where org_id = $1 and seq = 1", org)
	_, err = h.Driving.VerifyProofs(t.Context(), org, nil, nil)
	require.ErrorContains(t, err, "proof 2 was changed")
	h.exec("delete from archived_proofs where org_id = $1 and seq = 1", org)
	_, err = h.Driving.VerifyProofs(t.Context(), org, nil, nil)
	require.ErrorContains(t, err, "proof 1 was changed: it is missing")
}

// TestAPictureGoesWithTheLastThatNamesIt has three pictures of old orders, one of which
// an order names that stays.
func TestAPictureGoesWithTheLastThatNamesIt(t *testing.T) {
	t.Parallel()
	h := newOldHouse(t)
	org := h.orgs[0]
	h.exec(`insert into proof_pictures (org_id, sha256, content_type, size, storage_key, driver_id)
		select $1, sha256(x::bytea), 'image/png', 1, x, 1 from (values ('image'), ('signature'), ('failure'), ('shared')) v (x)`, org)
	h.exec(`with p as (insert into completion_proofs (org_id, order_id, type, signature_sha256)
			select org_id, id, 'IN_PERSON', sha256('signature') from orders where org_id = $1 and number = 'OLD-0' returning id)
		insert into completion_proof_images (org_id, proof_id, seq, sha256)
			select $1, id, n, sha256(x::bytea) from p, (values (1, 'image'), (2, 'shared')) v (n, x)`, org)
	h.exec(`with d as (insert into drivers (org_id, name) values ($1, 'Ola') returning id)
		insert into driver_actions (org_id, id, driver_id, order_id, type, occurred_at, device_at, sent_at, outcome, data)
			select $1, gen_random_uuid(), d.id, o.id, 'FAIL', now(), now(), now(), 'APPLIED', jsonb_build_object('pictures',
				jsonb_build_array(encode(sha256(x::bytea), 'hex')))
			from d, (values ('OLD-1', 'failure'), ('SO-1', 'shared')) v (number, x) join orders o on o.org_id = $1 and o.number = v.number`, org)
	require.Positive(t, h.keep(housekeeping.Orders))
	require.Equal(t, []string{"shared"}, h.all("select storage_key from proof_pictures"))
}

// TestOneOrganizationKeepsNoOtherWaiting has two organizations of which one cannot be
// archived: the other one is.
func TestOneOrganizationKeepsNoOtherWaiting(t *testing.T) {
	t.Parallel()
	h := newOldHouse(t)
	h.exec("update organizations set keep_orders_days = 200")
	h.exec(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
		create trigger refused before insert on order_archives for each row when (new.org_id = ` + fmt.Sprint(h.orgs[0]) + `)
		execute function refuse()`)
	for range 10 {
		if _, err := h.Housekeeping.KeepHouse(t.Context(), housekeeping.Orders, false); err != nil {
			require.ErrorContains(t, err, fmt.Sprintf("organization %d", h.orgs[0]))
		}
	}
	require.Contains(t, h.numbers(h.orgs[0]), "OLD-0")
	require.Equal(t, "SO-1", h.numbers(h.orgs[1]))
}
