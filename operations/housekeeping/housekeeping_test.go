package housekeeping_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/housekeeping"
	"waybill/operations"
	"waybill/operations/core"
	"waybill/operations/operationstest"
	"waybill/store"
)

// keptForAWhile has, for each duty, statements that make something that was there a
// second before the moment to which it is kept (old) and a second after it (young),
// of organization $1, and one that says what of it is there.
var keptForAWhile = map[housekeeping.Duty]struct{ makes, left string }{
	housekeeping.Keys: {
		`insert into idempotency_keys (org_id, operation, key, fingerprint, claimed_until, expires_at)
			select $1, 'createDriver', k.name, '\x01', k.at, k.at from ages k`,
		"select key from idempotency_keys",
	},
	housekeeping.SignIns: {
		`with failures as (insert into sign_in_failures (subject, failures, next_try_at)
			select convert_to(k.name || $1, 'UTF8'), 1, k.at from ages k)
		insert into sign_in_challenges (id, purpose, data, expires_at)
			select convert_to(k.name || $1, 'UTF8'), 'factor', '{}', k.at from ages k`,
		`select rtrim(convert_from(id, 'UTF8'), '0123456789') from sign_in_challenges
			union all select rtrim(convert_from(subject, 'UTF8'), '0123456789') from sign_in_failures`,
	},
	housekeeping.Tallies: {
		`insert into message_tallies (org_id, day, channel, receiver, made)
			select $1, (k.at at time zone 'UTC')::date - case k.name when 'old' then 1 else 0 end, 'EMAIL', convert_to(k.name, 'UTF8'), 1
			from ages k`,
		"select convert_from(receiver, 'UTF8') from message_tallies",
	},
	housekeeping.Positions: {
		`with driver as (insert into drivers (org_id, name) values ($1, 'Nora') returning id),
		somewhere as (insert into driver_whereabouts (org_id, driver_id) select $1, id from driver),
		driven as (insert into driven_legs (org_id, driver_id, day, from_at, until_at, positions, ways, meters, matched)
			select $1, d.id, k.at::date, k.at - interval '1 hour', k.at, 0, '[]', k.n, true from driver d, ages k)
		insert into driver_positions (org_id, driver_id, at, latitude, longitude)
			select $1, d.id, k.at, 59.9, k.n from driver d, ages k`,
		`select case longitude when 1 then 'old' else 'young' end from driver_positions
			union all select case meters when 1 then 'old' else 'young' end from driven_legs`,
	},
	housekeeping.Imports: {
		`with i as (insert into imports (org_id, defaults, total, chunks, request_id, created_at)
			select $1, '{}', 2, 1, k.name, k.at from ages k returning id),
		c as (insert into import_chunks (org_id, import_id, chunk, positions) select $1, id, 0, '{0,1}' from i)
		insert into import_results (org_id, import_id, position, kind, external_id)
			select $1, id, n, 'failedUpdate', 'N' from i, generate_series(0, 1) n`,
		"select i.request_id from imports i join import_results r on r.import_id = i.id join import_chunks c on c.import_id = i.id",
	},
	housekeeping.Templates: {
		`insert into recurring_order_changes (org_id, recurring_order_id, creates, change, created_at)
			select $1, 1, true, k.name, k.at from ages k`,
		"select change from recurring_order_changes",
	},
	housekeeping.Texts: {
		`with n as (insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, receiver, sender,
				subject, body, body_html, provider, status, created_at)
			select $1, 'EMAIL', k.name, 'w', 'r', 'ORDER_CREATED', 1, 'kari@example.com', '', k.name, k.name, '<p>', 'smtp', 'sent', k.at
			from ages k returning id, body)
		insert into notification_steps (org_id, notification_id, kind, status, answer) select $1, id, 'sent', 'sent', body from n`,
		`select concat(n.subject, n.body, n.body_html, s.answer) from notifications n
			join notification_steps s on s.org_id = n.org_id and s.notification_id = n.id where n.receiver <> '' and n.subject <> ''`,
	},
	housekeeping.Bodies: {
		`insert into external_updates (org_id, order_id, event_type, occurred_at, received_at, raw_body)
			select $1, o.id, 'EVENT_TYPE_DELIVERED', k.at, k.at, k.name from ages k, orders o where o.org_id = $1`,
		"select raw_body from external_updates where raw_body <> ''",
	},
	housekeeping.Links: {
		`insert into tracking_links (org_id, code, order_id, stop_id, link, expires_at)
			select $1, k.name || $1, s.order_id, s.id, '', k.at from ages k, order_stops s where s.org_id = $1 and s.kind = 'pickup'`,
		"select rtrim(code, '0123456789') from tracking_links",
	},
	housekeeping.Pictures: {
		`with o as (select id from orders where org_id = $1 limit 1), p as (insert into proof_pictures
			(org_id, sha256, content_type, size, storage_key, driver_id, arrived_at)
			select $1, sha256((k.name || w.what || $1)::bytea), 'image/png', 1, k.name || w.what, 1, k.at
			from ages k, (values (''), (' proof'), (' signature'), (' failure')) w (what)
			returning sha256, storage_key, arrived_at),
		c as (insert into completion_proofs (org_id, order_id, type, signature_sha256, occurred_at, counts)
			select $1, o.id, 'IN_PERSON', p.sha256, p.arrived_at, false from p, o where p.storage_key like '%signature'),
		i as (insert into completion_proofs (org_id, order_id, type, occurred_at, counts)
			select $1, o.id, 'IN_PERSON', now(), false from o returning id),
		n as (insert into completion_proof_images (org_id, proof_id, seq, sha256)
			select $1, i.id, row_number() over (), p.sha256 from p, i where p.storage_key like '%proof'),
		d as (insert into drivers (org_id, name) values ($1, 'Ola') returning id)
		insert into driver_actions (org_id, id, driver_id, type, occurred_at, device_at, sent_at, outcome, data)
			select $1, gen_random_uuid(), d.id, 'FAIL', now(), now(), now(), 'APPLIED',
				jsonb_build_object('pictures', jsonb_build_array(encode(p.sha256, 'hex')))
			from d, p where p.storage_key like '%failure'`,
		"select storage_key from proof_pictures where storage_key not like '% %'",
	},
	housekeeping.Sessions: {
		`with d as (insert into drivers (org_id, name) values ($1, 'Ola') returning id),
		s as (insert into sessions (org_id, kind, public_part, hash, driver_id, name, created_at, last_used_at, expires_at)
			select $1, 'device', k.name || w.what || $1, '', d.id, k.name || w.what, k.at, k.at, k.at
			from ages k, d, (values (''), (' and used')) w (what) returning id, driver_id, name, created_at)
		insert into driver_actions (org_id, id, driver_id, device_id, type, occurred_at, device_at, sent_at, outcome)
			select $1, gen_random_uuid(), driver_id, id, 'START_ROUTE', created_at, created_at, created_at, 'APPLIED'
			from s where name like '%used'`,
		"select name from sessions where name <> 'old and used' and name <> 'young and used'",
	},
	housekeeping.Codes: {
		`with d as (insert into drivers (org_id, name) values ($1, 'Ola') returning id)
		insert into account_codes (org_id, purpose, public_part, hash, driver_id, created_at, expires_at)
			select $1, 'phone', k.name || $1, '', d.id, k.at, k.at from ages k, d`,
		"select rtrim(public_part, '0123456789') from account_codes",
	},
	housekeeping.Legs: {
		`with w as (insert into travel_ways (org_id, provider, profile, from_place, to_place, polyline, seconds, meters, found_at)
			select $1, k.name, 'car', 1, 2, '??', 3, 4, k.at from ages k)
		insert into travel_legs (org_id, provider, profile, from_cell, to_cell, seconds, meters, found_at)
			select $1, k.name, 'car', 1, 2, 3, 4, k.at from ages k`,
		"select provider from travel_legs union all select provider from travel_ways",
	},
	housekeeping.Webhooks: {
		`with e as (insert into webhook_endpoints (org_id, url, sealed_secret, position)
			values ($1, 'https://erp.example.com', '', 0) returning id)
		insert into webhook_attempts (org_id, endpoint_id, position, place, kind, number, at, duration_ms, delivered, status, answer)
			select $1, e.id, 1, 1, 'order.created', 1, k.at, 7, true, 200, k.name from ages k, e`,
		"select answer from webhook_attempts",
	},
	housekeeping.ParkedEvents: {
		`insert into parked_events (org_id, follower, event_id, position, kind, reason, parked_at)
			select $1, k.name, 1, 1, 'order.created', 'panic', k.at from ages k`,
		"select follower from parked_events",
	},
	housekeeping.Documents: {
		`with d as (insert into documents (org_id, name, content_type, size, loose_since)
			select $1, k.name || w.what, 'text/plain', 1, k.at from ages k, (values (''), (' and attached')) w (what) returning id, name)
		insert into order_documents (org_id, order_id, document_id)
			select $1, o.id, d.id from d, orders o where o.org_id = $1 and d.name like '%attached'`,
		"select name from documents where name not like '%attached'",
	},
}

// TestExpiredRowsAreDeleted has something of each sort that is just
// too old and something that just is not, of two organizations.
func TestExpiredRowsAreDeleted(t *testing.T) {
	t.Parallel()
	for duty, of := range keptForAWhile {
		t.Run(string(duty), func(t *testing.T) {
			t.Parallel()
			h := operationstest.NewHouse(t)
			bound := h.Now.Add(-duty.Keeps())
			at := bound.Format(time.RFC3339)
			ages := "with ages as (select * from (values ('old', 1, '" + at + "'::timestamptz - interval '1 second'), " +
				"('young', 2, '" + at + "'::timestamptz + interval '1 second')) k (name, n, at))"
			for _, org := range h.Orgs {
				makes, more := strings.CutPrefix(of.makes, "with ")
				if more {
					makes = ", " + makes
				}
				h.Exec(ages + strings.ReplaceAll(makes, "$1", fmt.Sprint(org)))
			}
			before := h.EveryRow()
			counted, err := h.Housekeeping.KeepHouse(t.Context(), duty, true)
			require.NoError(t, err)
			require.Equal(t, before, h.EveryRow(), "a dry run does nothing")
			done := h.Keep(duty)
			require.Equal(t, counted.Done, done, "a dry run counts what is done")
			require.Positive(t, done)
			left := h.All(of.left)
			require.NotEmpty(t, left)
			require.Empty(t, slices.DeleteFunc(left, func(name string) bool { return strings.HasPrefix(name, "young") }))
			require.Zero(t, h.Keep(duty), "there is no more")
		})
	}
}

// TestNeededShipmentsAreKept has exports in all states: what may
// still be fetched, or is compared with, stays however old it is.
func TestNeededShipmentsAreKept(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	const days = 24 * time.Hour
	for n, e := range []struct {
		state, reason     string
		version, exported int
		age               time.Duration
	}{
		{"pending", "", 3, 2, 40 * days}, // 1 goes: a newer one is acknowledged
		{"exported", "", 2, 2, 40 * days},
		{"closed", "spent", 2, 2, 40 * days}, // both go
		{"closed", "spent", 2, 2, 20 * days}, // 1 goes
		{"closed", "left", 2, 1, 40 * days},  // it may come back
	} {
		id := int64(100 + n)
		h.Exec(`insert into orders (org_id, id, number, serial, date, customer_id, order_type_id, vehicle_type_id)
			select org_id, $2::bigint, 'X-' || $2::bigint, $2::bigint, date, customer_id, order_type_id, vehicle_type_id from orders
			where org_id = $1 and number = 'SO-1'`, h.Orgs[0], id)
		h.Exec(`insert into order_exports (org_id, order_id, state, reason, place, version, fetched_version, exported_version, updated_at)
			values ($1, $2, $3::text, nullif($4, ''), case when $3::text = 'pending' then 1 end, $5, $5, $6, $7)`,
			h.Orgs[0], id, e.state, e.reason, e.version, e.exported, h.Now.Add(-e.age))
		h.Exec(`insert into export_versions (org_id, order_id, version, token, fingerprint, payload, offered_at)
			select $1, $2::bigint, v, $2::bigint || '/' || v, '', $2::bigint || '/' || v, $4::timestamptz from generate_series(1, $3::int) v`,
			h.Orgs[0], id, e.version, h.Now.Add(-40*days))
	}
	require.Equal(t, 5, h.Keep(housekeeping.Payloads))
	require.Equal(t, []string{"100/2", "100/3", "101/2", "103/2", "104/1", "104/2"},
		h.All("select payload from export_versions where payload <> ''"))
	require.Equal(t, 11, operationstest.One[int](h.Office, "select count(*)::int from export_versions"), "their tokens stay")
	seen, err := h.Exports.OrderExport(t.Context(), operationstest.Clerk(h.Orgs[0]), 102)
	require.NoError(t, err)
	require.Nil(t, seen.Changes, "with what nobody knows any more, nothing is compared")
}

// TestOldMonthsOfTheLogAreDropped has months of all ages: only those go that were over
// before the moment to which the log is kept, and that every follower has taken.
func TestOldMonthsOfTheLogAreDropped(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	first := time.Date(h.Now.Year(), h.Now.Month(), 1, 0, 0, 0, 0, time.UTC)
	const days = 24 * time.Hour
	for n := 1; n <= 9; n++ {
		month := first.AddDate(0, -n, 0)
		h.Exec("select make_event_partition($1::date)", month)
		h.Exec(`insert into events (org_id, kind, subject_type, subject_id, actor, cause, position, recorded_at)
			values ($1, 'order.updated', 'order', $2, 'system', 'test', $3, $4)`, h.Orgs[0], n, 100-n, month.Add(time.Hour))
	}
	left := func() int {
		return operationstest.One[int](h.Office, "select count(*)::int from events where subject_id < 100 and cause = 'test' and position < 100")
	}
	// Months that are over: so many are older than 120 days, whatever day it is.
	old := 0
	for n := 1; n <= 9; n++ {
		if !first.AddDate(0, -n+1, 0).After(h.Now.Add(-120 * days)) {
			old++
		}
	}
	require.Positive(t, old)
	counted, err := h.Housekeeping.KeepHouse(t.Context(), housekeeping.Log, true)
	require.NoError(t, err)
	require.Zero(t, counted.Done, "nobody knows how old they are")
	h.Exec("insert into log_marks values ($1, 200)", h.Now.Add(-120*days))
	counted, err = h.Housekeeping.KeepHouse(t.Context(), housekeeping.Log, true)
	require.NoError(t, err)
	require.Equal(t, old, counted.Done)

	h.Exec("update event_sequencer set last_position = 200")
	h.Exec("update event_followers set position = 91 where name = 'exports'") // the oldest month is taken
	h.Exec("update event_followers set position = 200 where name <> 'exports'")
	done := 0
	for n := 0; n < 9 && err == nil; n++ {
		var batch housekeeping.Batch
		batch, err = h.Housekeeping.KeepHouse(t.Context(), housekeeping.Log, false)
		done += batch.Done
	}
	require.ErrorIs(t, err, store.ErrStillNeeded)
	require.Equal(t, 1, done, "the month of position 92 is still needed")
	require.Equal(t, 8, left())

	h.Exec("update event_followers set position = 200")
	require.Equal(t, old-1, h.Keep(housekeeping.Log))
	require.Equal(t, 9-old, left(), "what is younger stays")
	made, err := h.Store.MakeEventPartitions(t.Context())
	require.NoError(t, err)
	require.Zero(t, made, "months to come are there")

	h.Operations = operations.New(h.Store, func() time.Time { return h.Now }, operations.Settings{KeepEvents: 30 * days})
	_, err = h.Housekeeping.KeepHouse(t.Context(), housekeeping.Log, false)
	require.ErrorContains(t, err, "90 days", "whatever the settings say")
}

// TestMonthWithOpenTransactionsIsDroppedLater has a transaction that has written an
// event and does not end: nobody who comes after it waits long behind the duty.
func TestMonthWithOpenTransactionsIsDroppedLater(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	month := h.Now.AddDate(0, -8, 0)
	h.Exec("select make_event_partition($1::date)", month)
	h.Exec("insert into log_marks values ($1, 0)", h.Now.AddDate(0, -7, 0))
	tx, err := h.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.Background()) }()
	_, err = tx.Exec(t.Context(), fmt.Sprintf(`set local app.org_id = '%d'; insert into events
		(org_id, kind, subject_type, subject_id, actor, cause) values (%[1]d, 'order.updated', 'order', 7, 'system', 'test')`, h.Orgs[0]))
	require.NoError(t, err)
	_, err = h.Housekeeping.KeepHouse(t.Context(), housekeeping.Log, false)
	require.ErrorContains(t, err, "lock timeout")
	require.NoError(t, tx.Rollback(t.Context()))
	require.Equal(t, 1, h.Keep(housekeeping.Log))
}

// TestUnreferencedFilesAreDeleted has files that documents and proofs refer to, some
// that nothing does, one that has just arrived and one that is not ours.
func TestUnreferencedFilesAreDeleted(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	old, young := h.Now.Add(-49*time.Hour), h.Now.Add(-47*time.Hour)
	sum := strings.Repeat("ab", 32)
	s := &operationstest.Shelf{Kept: map[string]time.Time{}}
	key := func(name string) string { return fmt.Sprintf("%d/%s", h.Orgs[0], name) }
	held := []string{key("documents/7/HELD"), key("pictures/" + sum + "/HELD")}
	kept := append([]string{key("documents/8/YOUNG"), "backup/of/somebody", key("proofs/signature")}, held...)
	for _, k := range kept {
		s.Kept[k] = old
	}
	s.Kept[key("documents/8/YOUNG")] = young
	for n := range 1200 {
		s.Kept[key(fmt.Sprintf("documents/%d/LOOSE", n))] = old
	}
	s.Kept[key("documents/7/OTHER")], s.Kept[key("pictures/"+sum+"/OTHER")] = old, old
	h.Exec(`insert into documents (org_id, id, name, content_type, size, uploaded_at, storage_key, sha256)
		values ($1, 7, 'd', 'text/plain', 1, now(), $2, '\x01')`, h.Orgs[0], held[0])
	h.Exec(`insert into proof_pictures (org_id, sha256, content_type, size, storage_key, driver_id)
		values ($1, decode($2, 'hex'), 'image/png', 1, $3, 1)`, h.Orgs[0], sum, held[1])

	h.Operations = operations.New(h.Store, func() time.Time { return h.Now }, operations.Settings{
		OpenFiles: func(context.Context) (core.FileStorage, error) { return s, nil },
	})
	counted, err := h.Housekeeping.KeepHouse(t.Context(), housekeeping.Files, true)
	require.NoError(t, err)
	require.Equal(t, 1202, counted.Done)
	require.Len(t, s.Kept, 1207, "a dry run deletes nothing")
	first, err := h.Housekeeping.KeepHouse(t.Context(), housekeeping.Files, false)
	require.NoError(t, err)
	require.True(t, first.Left)
	require.LessOrEqual(t, first.Done, 500, "a part at a time")
	require.Equal(t, 1202-first.Done, h.Keep(housekeeping.Files))
	require.ElementsMatch(t, kept, slices.Collect(maps.Keys(s.Kept)))
}

// TestRecordsWithWorkflowsAreFound has rows of each kind that live, that have ended, and
// with which something has happened a moment ago.
func TestRecordsWithWorkflowsAreFound(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	org := h.Orgs[0]
	quiet, news := h.Now.Add(-16*time.Minute), h.Now.Add(-14*time.Minute)
	h.Exec(`insert into recurring_orders (org_id, id, name, customer_id, order_type_id, vehicle_type_id, pickup_location_id,
			delivery_location_id, order_template, rruleset, start_date, days_to_generate_ahead, is_active, is_paused, next_run_at, owes, is_complete, updated_at)
		select o.org_id, k.id, 'T', o.customer_id, o.order_type_id, o.vehicle_type_id, s.location_id, s.location_id, '{}', '', now(), 1,
			k.is_active, k.is_paused, k.next, k.id = 6, k.id in (3, 4, 6), k.at from orders o join order_stops s on s.org_id = o.org_id and s.order_id = o.id and s.kind = 'pickup'
		cross join (values (1, true, false, now(), $2::timestamptz), (2, false, false, now(), $2), (3, true, true, now(), $2),
			(4, true, false, null, $2), (5, true, false, now(), $3::timestamptz),
			(6, true, false, null, $2)) k (id, is_active, is_paused, next, at) where o.org_id = $1`,
		org, quiet, news)
	order := operationstest.One[int64](h.Office, "select id from orders where org_id = $1", org)
	h.Exec(`insert into order_exports (org_id, order_id, state, place, updated_at) values ($1, $2, 'pending', 1, $3)`, org, order, quiet)
	h.Exec(`insert into notifications (org_id, id, channel, key, workflow_id, run_id, event, event_id, receiver, sender, provider, status, updated_at)
		select $1::bigint, k.id, 'EMAIL', k.id::text, 'w-' || k.id, 'r', 'ORDER_CREATED', 1, '', '', '', k.status, k.at
		from (values (1, 'queued', $2::timestamptz), (2, 'sent', $2), (3, 'job_dequeued', $3::timestamptz)) k (id, status, at)`, org, quiet, news)
	h.Exec(`with p as (insert into plans (org_id, id, day, updated_at) select $1::bigint, k.id, ($2::timestamptz at time zone 'Europe/Oslo')::date + k.ahead, $2
			from (values (1, 0), (2, -1), (3, 1)) k (id, ahead) returning id)
		insert into plan_unplanned (org_id, order_id, plan_id, state, certainty) values ($1, $3, 1, 'UNPLANNED', 'PROVEN')`,
		org, quiet, order)
	h.Exec(`insert into drivers (org_id, id, name) values ($1, 701, 'Nora'), ($1, 702, 'Ola'), ($1, 703, 'Per')`, org)
	h.Exec(`insert into driver_days (org_id, driver_id, day, started_at) select $1::bigint, k.id, ($2::timestamptz at time zone 'Europe/Oslo')::date - k.ago, $2
		from (values (701, 0), (702, 0), (703, 3)) k (id, ago)`, org, quiet)
	h.Exec(`insert into driver_actions (org_id, id, driver_id, type, occurred_at, device_at, sent_at, outcome)
		values ($1, gen_random_uuid(), 702, 'END_ROUTE', $2, $2, $2, 'APPLIED')`, org, h.Now)
	h.Exec(`insert into webhook_endpoints (org_id, id, url, sealed_secret, position, is_active, off_reason, off_at, deleted_at, updated_at)
		values ($1, 1, '', '', 0, true, null, null, null, $2), ($1, 2, '', '', 0, false, 'BY_CALLER', $2, null, $2),
			($1, 3, '', '', 0, true, null, null, $2, $2), ($1, 4, '', '', 0, true, null, null, null, $3)`, org, quiet, news)
	h.Exec(`insert into sandbox_runs (org_id, id, day, pace, incidents, state, started_at, ended_at)
		values ($1, 1, '2026-03-02', 60, 0, 'RUNNING', $2, null), ($1, 2, '2026-03-01', 60, 0, 'DONE', $2, $2)`, org, quiet)
	owing, err := h.Housekeeping.Lives(t.Context(), housekeeping.LiveTemplates, fmt.Sprintf("%d/%d", org, 1))
	require.NoError(t, err)
	require.Len(t, owing.All, 1, "a template that was saved, and has never come to its end")
	require.Equal(t, int64(6), owing.All[0].ID)
	h.Exec("update recurring_orders set owes = false where id = 6")
	for duty, id := range map[housekeeping.Duty]int64{
		housekeeping.LiveTemplates: 1, housekeeping.LiveExports: order, housekeeping.LiveMessages: 1, housekeeping.LivePlans: 1,
		housekeeping.LiveDrives: 701, housekeeping.LiveSimulations: 1, housekeeping.LiveWebhooks: 1,
	} {
		lives, err := h.Housekeeping.Lives(t.Context(), duty, "")
		require.NoError(t, err, duty)
		require.Len(t, lives.All, 1, duty)
		require.Equal(t, []int64{org, id}, []int64{lives.All[0].OrgID, lives.All[0].ID}, duty)
		require.Empty(t, lives.Next)
		behind, err := h.Housekeeping.Lives(t.Context(), duty, fmt.Sprintf("%d/%d", org, id))
		require.NoError(t, err, duty)
		require.Empty(t, behind.All, duty)
	}
}

// TestFailedWorkflowsAreCountedAfterACompleteCheck looks at all lives in parts. The count is that of
// the last complete look.
func TestFailedWorkflowsAreCountedAfterACompleteCheck(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	const duty = housekeeping.LiveTemplates
	for _, step := range []struct {
		mark    string
		seen    int
		counted int64
	}{
		{"", 2, 2},             // all at once
		{"1/5", 3, 2},          // a part
		{"1/9", 1, 2},          // another one
		{"", 4, 8}, {"", 0, 0}, // the rest, and all at once again
	} {
		require.NoError(t, o.Housekeeping.SetLivesMark(t.Context(), duty, step.mark, step.seen))
		mark, err := o.Housekeeping.LivesMark(t.Context(), duty)
		require.NoError(t, err)
		require.Equal(t, step.mark, mark)
		failed, err := o.Housekeeping.FailedLives(t.Context())
		require.NoError(t, err)
		require.Equal(t, step.counted, failed[duty], "%+v", step)
	}
}
