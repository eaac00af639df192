package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/store"
	"waybill/store/storetest"
)

// log is a database whose log is looked at.
type log struct {
	t     *testing.T
	store *store.Store
	owner *pgx.Conn
	org   int64
	url   string // of the owner
}

func newLog(t *testing.T) *log {
	t.Helper()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	org := storetest.Organization(t, db, "acme")
	return &log{t: t, store: store.New(db.Pool), owner: owner, org: org, url: db.OwnerURL}
}

// text runs a query of the owner for one text.
func (l *log) text(sql string, args ...any) (text string) {
	l.t.Helper()
	require.NoError(l.t, l.owner.QueryRow(l.t.Context(), sql, args...).Scan(&text))
	return text
}

func (l *log) exec(sql string, args ...any) {
	l.t.Helper()
	_, err := l.owner.Exec(l.t.Context(), sql, args...)
	require.NoError(l.t, err)
}

func TestEveryEventSaysWhoAndWhy(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	write := func(by caller.Caller) error {
		return l.store.InTx(t.Context(), by, func(tx *store.Tx) error {
			return tx.Append(t.Context(), event.Order{ID: 7, Number: "N-7"}.Event(event.ExportMarked))
		})
	}
	require.NoError(t, write(caller.Caller{OrgID: l.org, Kind: caller.Person, ID: 12, Cause: `it's \ 'quoted'`}))
	require.NoError(t, write(caller.Caller{OrgID: l.org, Kind: caller.Key, ID: 3, Cause: "request-1"}))
	const story = `
		select string_agg(concat_ws(' ', kind, external_id, actor, cause), '|' order by id) from events
		where org_id = $1 and subject_type = 'order' and subject_id = 7`
	require.Equal(t, `export.marked N-7 user:12 it's \ 'quoted'|export.marked N-7 key:3 request-1`, l.text(story, l.org))

	var refused *pgconn.PgError
	require.ErrorAs(t, write(caller.Caller{OrgID: l.org}), &refused, "nobody changes anything without a cause")
	require.Equal(t, "cause", refused.ColumnName)
}

func TestAdministrationIsInTheLog(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	by := caller.Caller{OrgID: l.org, Kind: caller.Person, ID: 1, Cause: "request-2"}
	id, err := l.store.CreateAPIKey(t.Context(), by, store.NewAPIKey{Name: "erp", Public: "p"})
	require.NoError(t, err)
	for range 2 { // The second call has nothing to do.
		_, err = l.store.RevokeAPIKeys(t.Context(), by, "erp", time.Now().Add(-time.Second))
		require.NoError(t, err)
	}
	l.exec("insert into suppressions (org_id, channel, address, reason) values ($1, 'EMAIL', 'a@b.example', 'bounced')",
		l.org)
	require.NoError(t, l.store.RemoveSuppression(t.Context(), by, "A@b.example"))
	require.ErrorIs(t, l.store.RemoveSuppression(t.Context(), by, "A@b.example"), store.ErrNotFound)

	const all = `select string_agg(concat_ws(' ', kind, subject_type, subject_id, external_id, actor, data::text), '|'
		order by id)
		from events where kind <> 'organization.applied'`
	require.Equal(t, fmt.Sprintf(`key.created key %d erp user:1|key.revoked key %[1]d erp user:1|`, id)+
		`suppression.lifted notification 0 user:1 {"reason": "bounced", "channel": "EMAIL"}`, l.text(all))
	require.Equal(t, "acme system t", l.text(`
		select concat_ws(' ', external_id, actor, (data->>'created')::int > 0) from events
			where kind = 'organization.applied'`))
}

// TestEventsLieInTheirMonth also finds events in their month that were appended
// before the month had a partition.
func TestEventsLieInTheirMonth(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	made, err := l.store.MakeEventPartitions(t.Context())
	require.NoError(t, err)
	require.Zero(t, made, "the migrations have made them")
	now := time.Now().UTC()
	last := time.Date(now.Year(), now.Month()+2, 1, 0, 0, 0, 0, time.UTC)
	l.exec("drop table " + last.Format("events_2006_01"))

	const write = `insert into events (org_id, kind, subject_type, subject_id, actor, cause, recorded_at)
		values ($1, 'order.updated', 'order', 7, 'system', 'test', $2)`
	for _, at := range []time.Time{
		last.Add(-time.Nanosecond * 1000), last, last.AddDate(0, 1, 0).Add(-time.Second), last.AddDate(0, 1, 0),
	} {
		l.exec(write, l.org, at)
	}
	const places = `select string_agg(tableoid::regclass::text, ' ' order by recorded_at) from events where subject_id = 7`
	before := last.AddDate(0, -1, 0).Format("events_2006_01")
	require.Equal(t, before+" events_default events_default events_default", l.text(places))
	made, err = l.store.MakeEventPartitions(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, made)
	month := last.Format("events_2006_01")
	require.Equal(t, strings.Join([]string{before, month, month, "events_default"}, " "), l.text(places))
}

// TestEventsArePartitionedByTimeOfWriting has events with arbitrary times of
// occurrence.
func TestEventsArePartitionedByTimeOfWriting(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	for n, at := range []string{"1970-01-01", "2150-01-01", time.Now().AddDate(-1, 0, 0).Format(time.DateOnly)} {
		l.exec(`insert into events (org_id, kind, subject_type, subject_id, actor, cause, occurred_at)
			values ($1, 'order.updated', 'order', $2, 'system', 'test', $3)`, l.org, n, at)
	}
	require.Equal(t, time.Now().UTC().Format("events_2006_01"), l.text(
		"select string_agg(distinct tableoid::regclass::text, ' ') from events where cause = 'test'"))
	lag, err := l.store.Lag(t.Context())
	require.NoError(t, err)
	require.Less(t, lag.Oldest, time.Hour, "how long they wait counts from when they were written")
}

// TestPartitionsOfPastMonthsAreCreated has a month that had no partition while events
// were written.
func TestPartitionsOfPastMonthsAreCreated(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	now := time.Now().UTC()
	past := time.Date(now.Year(), now.Month()-2, 10, 0, 0, 0, 0, time.UTC)
	const write = `insert into events (org_id, kind, subject_type, subject_id, actor, cause, recorded_at)
		values ($1, 'order.updated', 'order', 7, 'system', 'test', $2)`
	l.exec(write, l.org, past)
	l.exec(write, l.org, past.AddDate(-40, 0, 0))
	made, err := l.store.MakeEventPartitions(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, made)
	require.Equal(t, "events_default "+past.Format("events_2006_01"), l.text(
		`select string_agg(tableoid::regclass::text, ' ' order by recorded_at) from events where subject_id = 7`))
}

// TestPartitionsAreAllLikeTheLog finds the indexes, the policy and the trigger
// of the log at each partition.
func TestPartitionsAreAllLikeTheLog(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	require.Equal(t, "4 1 1", l.text(`
		select count(*) || ' ' || count(distinct indexes) || ' ' || count(distinct guards) from (
			select (select count(*) from pg_index x where x.indrelid = i.inhrelid) as indexes,
				(select count(*) from pg_policy p where p.polrelid = i.inhrelid)
				+ (select count(*) from pg_trigger g where g.tgrelid = i.inhrelid and g.tgname = 'events_name_subjects') as guards
			from pg_inherits i where i.inhparent = 'events'::regclass) x`))
	require.Equal(t, "8", l.text("select count(*)::text from pg_index where indrelid = 'events_default'::regclass"))
}

// TestSequencingLooksIntoOnePartition updates events without a look at the
// partitions of other months, and finds all by their indexes.
func TestSequencingLooksIntoOnePartition(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.exec(`insert into events (org_id, kind, subject_type, subject_id, actor, cause, position)
		select $1, 'order.updated', 'order', n, 'system', 'test', case when n <= 20000 then n end
			from generate_series(1, 22000) n`, l.org)
	l.exec("vacuum analyze events")
	body := l.text("select prosrc from pg_proc where proname = 'sequence_events'")
	update := body[strings.Index(body, "WITH waiting"):strings.Index(body, "GET DIAGNOSTICS")]
	update = strings.NewReplacer("LIMIT batch", "LIMIT 1000", "start +", "20000 +", "behind", "0").Replace(update)
	l.exec("set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off")
	tx, err := l.owner.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.Background()) }()
	rows, err := tx.Query(t.Context(), "explain (analyze, costs off, timing off) "+update)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	plan := strings.Join(lines, "\n")
	require.NotContains(t, plan, "Seq Scan", plan)
	require.Equal(t, 3, strings.Count(plan, "(never executed)"), plan)
}

// TestNoFunctionCompilesWhatItMayNotScan checks the functions that disable
// sequential scans: the cost that the planner adds to a scan of even one row
// makes Postgres compile the statement with JIT on each call.
func TestNoFunctionCompilesWhatItMayNotScan(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	require.Contains(t, l.text(`
		select string_agg(proname, ' ') from pg_proc where 'enable_seqscan=off' = any (proconfig)`), "sequence_events")
	require.Empty(t, l.text(`
		select coalesce(string_agg(proname, ' '), '') from pg_proc
		where 'enable_seqscan=off' = any (proconfig) and not 'jit=off' = any (proconfig)`))
}

// look has the sequencer look once, and makes the waiting time of its sweep pass.
func (l *log) look() {
	l.t.Helper()
	l.exec("select sequence_events(100)")
	l.exec("update event_sequencer set marked_at = marked_at - interval '1 minute'")
}

// swept runs the sequencer until it has assigned all positions. Transactions in
// other databases of the server can delay it.
func (l *log) swept() {
	l.t.Helper()
	require.Eventually(l.t, func() bool {
		l.look()
		return l.text("select (s.swept_id = q.last_value)::text from event_sequencer s, events_id_seq q") == "true"
	}, 30*time.Second, 10*time.Millisecond)
}

// TestSequencingWaitsForSlowWriters has a transaction that takes an id and
// commits long after others. The next round gives its event a position, before
// the events after it.
func TestSequencingWaitsForSlowWriters(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	const write = `insert into events (org_id, kind, subject_type, subject_id, actor, cause)
		values ($1, 'order.updated', 'order', $2, 'system', 'test')`
	const swept = "select swept_id::text from event_sequencer"
	l.swept()
	slow, err := pgx.Connect(t.Context(), l.url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = slow.Close(context.Background()) })
	tx, err := slow.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), write, l.org, 1)
	require.NoError(t, err)
	before := l.text(swept)
	for n := range 5 {
		l.exec(write, l.org, 10+n)
		l.look()
	}
	require.Equal(t, before, l.text(swept), "nothing is swept that somebody may still commit")
	require.NoError(t, tx.Commit(t.Context()))
	l.exec(write, l.org, 20)
	l.look()
	require.Equal(t, "10 11 12 13 14 1 20", l.text(`select string_agg(subject_id::text, ' ' order by position) from events
		where kind = 'order.updated' and position is not null`))
	l.swept()
	l.exec("update events set position = null where subject_id = 1 and kind = 'order.updated'")
	l.look()
	require.Equal(t, "1", l.text("select count(*)::text from events where position is null"), "it is swept")
	l.exec("update event_sequencer set looked_at_all = looked_at_all - interval '1 minute'")
	l.look()
	unsequenced := l.text("select count(*)::text from events where position is null")
	require.Equal(t, "0", unsequenced, "once a minute all is looked at")
}

// TestSequencingNextToASnapshotIsShort keeps a snapshot open while events get
// their positions. No round reads the same events again.
func TestSequencingNextToASnapshotIsShort(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	dump, err := pgx.Connect(t.Context(), l.url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = dump.Close(context.Background()) })
	_, err = dump.Exec(t.Context(), "begin isolation level repeatable read; select count(*) from events")
	require.NoError(t, err)
	for range 2 {
		l.exec(`insert into events (org_id, kind, subject_type, subject_id, actor, cause)
			select $1, 'order.updated', 'order', n, 'system', 'test' from generate_series(1, 10000) n`, l.org)
		l.exec("select sequence_events(20000)")
	}
	l.swept()
	body := l.text("select prosrc from pg_proc where proname = 'sequence_events'")
	_, probe, found := strings.Cut(body, "EXISTS (SELECT FROM events")
	require.True(t, found)
	probe, _, found = strings.Cut(probe, " THEN")
	require.True(t, found)
	probe = "EXISTS (SELECT FROM events" + strings.ReplaceAll(probe, "behind", "(select swept_id from event_sequencer)")
	l.exec("set enable_seqscan = off")
	rows, err := l.owner.Query(t.Context(), "explain (analyze, buffers, costs off, timing off, summary off) select "+probe)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	plan := strings.Join(lines, "\n")
	var hit int
	for _, line := range lines {
		if at := strings.Index(line, "shared hit="); at >= 0 {
			var pages int
			_, _ = fmt.Sscanf(line[at:], "shared hit=%d", &pages)
			hit = max(hit, pages)
		}
	}
	require.Positive(t, hit, plan)
	require.Less(t, hit, 100, plan)
}
