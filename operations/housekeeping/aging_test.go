package housekeeping_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/housekeeping"
	"waybill/domain/proof"
	"waybill/operations"
	"waybill/operations/core"
	"waybill/operations/operationstest"
)

// TestOldOrdersAreArchivedAndRemoved has orders of two months that have ended, and one
// that has not. A file for each month has all of them, and the other organization keeps
// its own.
func TestOldOrdersAreArchivedAndRemoved(t *testing.T) {
	t.Parallel()
	h := operationstest.NewOldHouse(t)
	before := operationstest.One[string](h.Office, "select string_agg(t::text, ',' order by id) from orders t where org_id = $1", h.Orgs[1])
	rows := operationstest.One[int](h.Office, "select count(*)::int from order_stops where org_id = $1", h.Orgs[0])
	require.Equal(t, 14, rows)
	counted, err := h.Housekeeping.KeepHouse(t.Context(), housekeeping.Orders, true)
	require.NoError(t, err)
	require.Equal(t, 6, counted.Done)
	require.Empty(t, h.Archived(), "a dry run does nothing")

	require.Equal(t, 6, h.Keep(housekeeping.Orders))
	require.Equal(t, "SO-1", h.Numbers(h.Orgs[0]))
	require.Equal(t, 2, operationstest.One[int](h.Office, "select count(*)::int from order_stops where org_id = $1", h.Orgs[0]))
	require.Equal(t, before, operationstest.One[string](h.Office, "select string_agg(t::text, ',' order by id) from orders t where org_id = $1", h.Orgs[1]))
	lines := h.Archived()
	require.Len(t, lines, 6)
	for number, of := range lines {
		require.Len(t, of["order_stops"], 2, number)
		require.Len(t, of["order_products"], 1, number)
		require.Len(t, of["order_numbers"], 1, number)
	}
	require.Equal(t, []string{"2020-01", "2020-03"}, h.All("select to_char(month, 'YYYY-MM') from order_archives"), "one file a month")
	require.Zero(t, h.Keep(housekeeping.Orders))
	require.Positive(t, operationstest.One[int](h.Office, `select count(*)::int from events where org_id = $1
		and kind = 'organization.orders_archived'`, h.Orgs[0]))
	// Files that were put together go with what nothing refers to.
	h.Now = h.Now.Add(72 * time.Hour)
	require.Positive(t, h.Keep(housekeeping.Files))
	require.Len(t, h.Archived(), 6)
	require.Zero(t, h.Keep(housekeeping.Files))
}

// TestCrashAtAnyPointLosesAndDoublesNothing stops archiving before and behind each of
// its writes: each order is in the database or in one archive, and never in both.
func TestCrashAtAnyPointLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	h := operationstest.NewOldHouse(t)
	broken := errors.New("broken")
	everything := func() {
		t.Helper()
		seen := h.Archived()
		for number := range strings.FieldsSeq(h.Numbers(h.Orgs[0])) {
			require.NotContains(t, seen, number)
			seen[number] = nil
		}
		require.Len(t, seen, 7)
	}
	stops := 0
	for n := 0; ; n++ {
		ctx, cancel := context.WithCancel(t.Context())
		writes := 0
		h.Attic.Fails, h.Attic.Stops = nil, nil
		switch n % 3 {
		case 0:
			h.Attic.Fails = func() error { return broken }
		case 1:
			h.Attic.Stops = cancel // the file is there, and nothing says so
		default:
			h.Attic.Stops = func() { writes++ }
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
	require.Equal(t, "SO-1", h.Numbers(h.Orgs[0]))
	require.Equal(t, []string{"2020-01", "2020-03"}, h.All("select to_char(month, 'YYYY-MM') from order_archives"))
}

// TestNeededRowsAreKept has old orders that something still needs: none of them
// goes, whatever their age.
func TestNeededRowsAreKept(t *testing.T) {
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
			h := operationstest.NewOldHouse(t)
			for statement := range strings.SplitSeq(needs, ";") {
				if strings.Contains(statement, "interval '100 days'") {
					h.Exec("select make_event_partition((now() - interval '100 days')::date)")
				}
				h.Exec(statement, h.Orgs[0])
			}
			if strings.Contains(needs, "= 120") {
				h.Operations = operations.New(h.Store, func() time.Time { return h.Now }, operations.Settings{
					KeepEvents: 300 * 24 * time.Hour,
					OpenFiles:  func(context.Context) (core.FileStorage, error) { return h.Attic, nil },
				})
			}
			require.Zero(t, h.Keep(housekeeping.Orders))
			require.Contains(t, h.Numbers(h.Orgs[0]), "OLD-5")
		})
	}
}

// TestOldDraftsAndDaysAreRemoved has drafts, days and plans of long ago and of today.
func TestOldDraftsAndDaysAreRemoved(t *testing.T) {
	t.Parallel()
	h := operationstest.NewOldHouse(t)
	org := h.Orgs[0]
	h.Exec(`insert into drafts (org_id, external_id, state, request, created_at, updated_at) values
		($1, 'D-1', 'discarded', '{}', '2020-01-01', '2020-01-02'), ($1, 'D-2', 'incomplete', '{}', '2020-01-01', '2020-01-02'),
		($1, 'D-3', 'incomplete', '{}', '2020-01-01', now())`, org)
	h.Exec("insert into order_numbers (org_id, number) values ($1, 'D-1'), ($1, 'D-2'), ($1, 'D-3')", org)
	h.Exec(`with d as (insert into drivers (org_id, name) values ($1, 'Ola') returning id),
		days as (insert into driver_days (org_id, driver_id, day) select $1, id, x from d, (values (date '2020-01-05'), (current_date)) v (x)),
		work as (insert into driver_workdays (org_id, driver_id, date, starts, ends)
			select $1, id, x, 0, 600 from d, (values (date '2020-01-05'), (current_date)) v (x))
		insert into driver_actions (org_id, id, driver_id, type, occurred_at, device_at, sent_at, outcome)
			select $1, gen_random_uuid(), id, 'START_ROUTE', x, x, x, 'APPLIED' from d, (values (timestamptz '2020-01-05'), (now())) v (x)`, org)
	h.Exec("insert into plans (org_id, day) values ($1, '2020-01-05'), ($1, current_date)", org)
	require.Equal(t, 12, h.Keep(housekeeping.Orders))
	for _, table := range []string{"driver_days", "driver_workdays", "driver_actions", "plans"} {
		require.Equal(t, 1, operationstest.One[int](h.Office, "select count(*)::int from "+table+" where org_id = $1", org), table)
	}
	require.Equal(t, "D-3 SO-1", operationstest.One[string](h.Office, "select string_agg(number, ' ' order by number) from order_numbers where org_id = $1", org))
}

// TestTheChainOfProofsOutlivesThem has a proof of each order, one of which stays between
// the others.
func TestTheChainOfProofsOutlivesThem(t *testing.T) {
	t.Parallel()
	h := operationstest.NewOldHouse(t)
	org, at := h.Orgs[0], time.Date(2020, 2, 1, 12, 0, 0, 0, time.UTC)
	h.Exec("select set_config('app.actor', 'system', false), set_config('app.cause', 'test', false)")
	for _, number := range []string{"OLD-0", "SO-1", "OLD-1", "OLD-2", "OLD-3", "OLD-4", "OLD-5"} {
		id := operationstest.One[int64](h.Office, "select id from orders where org_id = $1 and number = $2", org, number)
		text, place := proof.Manifest{Order: id, Type: "IN_PERSON", Signee: number, Occurred: at}.Open()
		h.Exec(`select chain_proof($1, $2, $3, $4)`, org, operationstest.One[int64](h.Office, `insert into completion_proofs (org_id, order_id, type, signee, occurred_at)
			values ($1, $2, 'IN_PERSON', $3, $4) returning id`, org, id, number, at), text, place)
	}
	h.Exec("update events set recorded_at = '2020-02-01', position = id")
	verified, err := h.Driving.VerifyProofs(t.Context(), org, nil, nil)
	require.NoError(t, err)
	require.Equal(t, int64(7), verified.Count)

	require.Equal(t, 6, h.Keep(housekeeping.Orders))
	require.Equal(t, 1, operationstest.One[int](h.Office, "select count(*)::int from completion_proofs where org_id = $1", org))
	again, err := h.Driving.VerifyProofs(t.Context(), org, verified.Last, nil)
	require.NoError(t, err)
	require.Equal(t, verified.Last, again.Last)
	require.Equal(t, int64(7), again.Count)
	require.Equal(t, 6, again.Archived)
	for number, of := range h.Archived() {
		manifest := of["completion_proofs"][0]["manifest"].(string)
		sum := sha256.Sum256([]byte(manifest))
		require.Equal(t, fmt.Sprintf(`\x%x`, sum), of["completion_proofs"][0]["hash"], number)
	}

	h.Exec("update archived_proofs set hash = sha256('another') where org_id = $1 and seq = 1", org)
	_, err = h.Driving.VerifyProofs(t.Context(), org, nil, nil)
	require.ErrorContains(t, err, "proof 2 was changed")
	h.Exec("delete from archived_proofs where org_id = $1 and seq = 1", org)
	_, err = h.Driving.VerifyProofs(t.Context(), org, nil, nil)
	require.ErrorContains(t, err, "proof 1 was changed: it is missing")
}

// TestPictureIsDeletedWithItsLastReference has three pictures of old orders, one of which
// an order names that stays.
func TestPictureIsDeletedWithItsLastReference(t *testing.T) {
	t.Parallel()
	h := operationstest.NewOldHouse(t)
	org := h.Orgs[0]
	h.Exec(`insert into proof_pictures (org_id, sha256, content_type, size, storage_key, driver_id)
		select $1, sha256(x::bytea), 'image/png', 1, x, 1 from (values ('image'), ('signature'), ('failure'), ('shared')) v (x)`, org)
	h.Exec(`with p as (insert into completion_proofs (org_id, order_id, type, signature_sha256)
			select org_id, id, 'IN_PERSON', sha256('signature') from orders where org_id = $1 and number = 'OLD-0' returning id)
		insert into completion_proof_images (org_id, proof_id, seq, sha256)
			select $1, id, n, sha256(x::bytea) from p, (values (1, 'image'), (2, 'shared')) v (n, x)`, org)
	h.Exec(`with d as (insert into drivers (org_id, name) values ($1, 'Ola') returning id)
		insert into driver_actions (org_id, id, driver_id, order_id, type, occurred_at, device_at, sent_at, outcome, data)
			select $1, gen_random_uuid(), d.id, o.id, 'FAIL', now(), now(), now(), 'APPLIED', jsonb_build_object('pictures',
				jsonb_build_array(encode(sha256(x::bytea), 'hex')))
			from d, (values ('OLD-1', 'failure'), ('SO-1', 'shared')) v (number, x) join orders o on o.org_id = $1 and o.number = v.number`, org)
	require.Positive(t, h.Keep(housekeeping.Orders))
	require.Equal(t, []string{"shared"}, h.All("select storage_key from proof_pictures"))
}

// TestOrganizationsDoNotDelayOthers has two organizations of which one cannot be
// archived: the other one is.
func TestOrganizationsDoNotDelayOthers(t *testing.T) {
	t.Parallel()
	h := operationstest.NewOldHouse(t)
	h.Exec("update organizations set keep_orders_days = 200")
	h.Exec(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
		create trigger refused before insert on order_archives for each row when (new.org_id = ` + fmt.Sprint(h.Orgs[0]) + `)
		execute function refuse()`)
	for range 10 {
		if _, err := h.Housekeeping.KeepHouse(t.Context(), housekeeping.Orders, false); err != nil {
			require.ErrorContains(t, err, fmt.Sprintf("organization %d", h.Orgs[0]))
		}
	}
	require.Contains(t, h.Numbers(h.Orgs[0]), "OLD-0")
	require.Equal(t, "SO-1", h.Numbers(h.Orgs[1]))
}
