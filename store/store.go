// Package store keeps Waybill's data in Postgres: the queries and the code
// generated from them, transactions, tenancy, and the log. It has no rules: it
// loads the input of decisions that domain makes, and writes the results.
package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/internal/wait"
	"waybill/store/queries"
)

// Store reads and writes through a pool whose role is subject to row-level
// security.
type Store struct {
	pool *pgxpool.Pool
	// quick are connections for lookups by key, which heavy queries can't
	// occupy. It equals pool if there are none.
	quick *pgxpool.Pool
	// replica are connections for heavy reads that may be a moment old. It
	// equals pool if there are none.
	replica *pgxpool.Pool
	// relay are connections for the relay's lease and the positions of the log.
	// It equals pool if there are none.
	relay *pgxpool.Pool
	// missed is called each time the replica is bypassed; it may be nil.
	missed func()
	// compiled are the transformation rules of organizations.
	compiled *compiledRules
	// names are the organizations' names in workflow IDs, by id.
	names *sync.Map
	// sealing is the cached key with which secrets are encrypted.
	sealing *sealingKey
}

// New returns a store over a pool; the caller closes the pool.
func New(pool *pgxpool.Pool) *Store {
	return &Store{
		pool: pool, quick: pool, replica: pool, relay: pool,
		compiled: newCompiledRules(), names: &sync.Map{}, sealing: &sealingKey{},
	}
}

// WithLookups returns the store with its own connections for lookups by key,
// such as identifying callers, so that they are free however busy the others
// are. Their sessions use generic plans (plan_cache_mode). The caller closes
// the pool.
func (s *Store) WithLookups(quick *pgxpool.Pool) *Store {
	with := *s
	with.quick = quick
	return &with
}

// WithRelay returns the store with its own connections for the relay's lease
// and the positions of the log, so that no other work of the process can cost
// the lease. The caller closes the pool.
func (s *Store) WithRelay(relay *pgxpool.Pool) *Store {
	with := *s
	with.relay = relay
	return &with
}

// WithReplica returns the store with connections to a replica, which may be a
// moment behind. Lists, searches and counts use it, or the database while the
// replica is unreachable, which is reported to missed. The caller closes the
// pool.
func (s *Store) WithReplica(replica *pgxpool.Pool, missed func()) *Store {
	with := *s
	with.replica, with.missed = replica, missed
	return &with
}

// finds are queries without an organization that find a row by a key that is
// unique among all organizations.
func (s *Store) finds() *queries.Queries { return queries.New(s.quick) }

// find reads a row by a public part, across organizations, or returns
// ErrNotFound. It retries on another connection if the server closed the first.
func (s *Store) find(ctx context.Context, query, public string, into ...any) error {
	return translate(onLive(s.quick, func() error { return s.quick.QueryRow(ctx, query, public).Scan(into...) }))
}

// anyone are queries without an organization: no row of any is visible, and
// only the few functions that look across are of use.
func (s *Store) anyone() *queries.Queries { return queries.New(s.pool) }

// of are single queries in the name of one organization, each its own
// transaction and one round trip. They append no events: those need a caller.
func (s *Store) of(org int64) *queries.Queries {
	return s.tenant(tenantSettings, fmt.Sprint(org))
}

// as returns queries as single statements of a caller, each its own transaction
// and one round trip.
func (s *Store) as(by caller.Caller) *queries.Queries {
	return s.tenant(callerSettings, fmt.Sprint(by.OrgID), by.Actor(), by.Cause)
}

// lookups is like of, for queries that find a few rows by key and wait for no
// lock: they are planned once per connection, for any key.
func (s *Store) lookups(org int64) *queries.Queries {
	if s.quick != s.pool {
		return queries.New(&tenantDB{pool: s.quick, settings: tenantSettings, args: []any{fmt.Sprint(org)}})
	}
	return s.tenant(tenantSettings+genericPlan, fmt.Sprint(org))
}

// reads is like of, for queries with many optional conditions: each call is
// planned for its parameters.
func (s *Store) reads(org int64) *queries.Queries {
	return s.tenant(tenantSettings+customPlan, fmt.Sprint(org))
}

// lists is like of, for heavy queries whose results may be a moment old.
func (s *Store) lists(org int64) *queries.Queries { return s.copied(tenantSettings, org) }

// searches are lists, planned like reads.
func (s *Store) searches(org int64) *queries.Queries { return s.copied(tenantSettings+customPlan, org) }

// walks are like searches, for pages of a long list: they go along an index, and do
// not read all that the list would have to be sorted from. The planner takes an
// organization for smaller than it may be.
func (s *Store) walks(org int64) *queries.Queries {
	return s.copied(tenantSettings+customPlan+alongIndex, org)
}

// lookupsAs are as, planned like lookups.
func (s *Store) lookupsAs(by caller.Caller) *queries.Queries {
	return s.tenant(callerSettings+genericPlan, fmt.Sprint(by.OrgID), by.Actor(), by.Cause)
}

func (s *Store) tenant(settings string, args ...any) *queries.Queries {
	return queries.New(&tenantDB{pool: s.pool, settings: settings, args: args})
}

// copied are queries of the replica.
func (s *Store) copied(settings string, org int64) *queries.Queries {
	db := &tenantDB{pool: s.replica, settings: settings, args: []any{fmt.Sprint(org)}}
	if s.replica != s.pool {
		db.instead, db.missed = s.pool, s.missed
	}
	return queries.New(db)
}

// Settings of one query: the organization and, for queries that may append
// events, the actor and the cause.
const (
	tenantSettings = "select set_config('app.org_id', $1, true)"
	callerSettings = tenantSettings + ", set_config('app.actor', $2, true), set_config('app.cause', $3, true)"

	customPlan  = ", set_config('plan_cache_mode', 'force_custom_plan', true)"
	alongIndex  = ", set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)"
	genericPlan = ", set_config('plan_cache_mode', 'force_generic_plan', true)"
)

// Tx is a transaction in the name of one organization.
type Tx struct {
	tx  pgx.Tx
	q   *queries.Queries
	org int64

	compiled *compiledRules
	sealing  *sealingKey

	// claims is true if the transaction runs again, because a number was
	// created concurrently.
	claims bool
	// fresh are the numbers that did not exist when they were looked up. They
	// are inserted when the plan is saved.
	fresh map[string]bool
}

// Org is the organization in whose name the transaction runs.
func (t *Tx) Org() int64 { return t.org }

// Queries are the statements of the transaction, for the packages below store.
func (t *Tx) Queries() *queries.Queries { return t.q }

// InTx runs work in one transaction of the caller: it commits everything, or
// rolls back if work returns an error. The events that it appends name the
// caller's actor and cause. If the database aborts the transaction to resolve a
// deadlock, work runs again from its beginning after a short pause. So it must
// not depend on variables that an earlier try changed.
func (s *Store) InTx(ctx context.Context, by caller.Caller, work func(*Tx) error) error {
	return s.inTx(ctx, by.OrgID, beginAs(ctx, by), work)
}

// beginAs begins a transaction of a caller. Its events record the trace of ctx.
func beginAs(ctx context.Context, by caller.Caller) string {
	return fmt.Sprintf("begin; set local app.org_id = '%d'; set local app.actor = %s; set local app.cause = %s",
		by.OrgID, literal(by.Actor()), literal(by.Cause)) + rememberTrace(ctx)
}

// InReadOnlyTx runs work in one transaction that cannot write and sees one
// state of the database throughout.
func (s *Store) InReadOnlyTx(ctx context.Context, org int64, work func(*Tx) error) error {
	begin := fmt.Sprintf("begin isolation level repeatable read read only; set local app.org_id = '%d'", org)
	return s.inTx(ctx, org, begin, work)
}

// inTx begins with statements that travel in one round trip.
func (s *Store) inTx(ctx context.Context, org int64, begin string, work func(*Tx) error) error {
	options, claims := pgx.TxOptions{BeginQuery: begin}, false
	for attempt := 1; ; attempt++ {
		err := pgx.BeginTxFunc(ctx, s.pool, options, func(tx pgx.Tx) error {
			return work(&Tx{
				tx: tx, q: queries.New(tx), org: org, compiled: s.compiled, sealing: s.sealing,
				claims: claims, fresh: map[string]bool{},
			})
		})
		claims = claims || numberMade(err)
		if !brokenOff(err) || attempt == maxAttempts || !wait.For(ctx, tryAgainAfter(attempt)) {
			return translate(err)
		}
	}
}

// tryAgainAfter is the pause before an aborted transaction runs again. It is
// random, so that conflicting transactions do not meet again.
func tryAgainAfter(attempt int) time.Duration {
	most := shortestPause << attempt
	return shortestPause + rand.N(most) //nolint:gosec // it keeps no secret
}

// shortestPause is the shortest pause between two tries; the longest is 85 ms.
const shortestPause = 5 * time.Millisecond

// literal returns text as an SQL literal, for statements that take no
// parameters. It drops characters that Postgres can't store.
func literal(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// Attempt runs work in a savepoint. If work returns an error, its writes are
// undone and its locks released, and the transaction continues.
func (t *Tx) Attempt(ctx context.Context, work func(*Tx) error) error {
	return pgx.BeginFunc(ctx, t.tx, func(savepoint pgx.Tx) error {
		part := *t
		part.tx, part.q = savepoint, queries.New(savepoint)
		return work(&part)
	})
}

// maxAttempts bounds how often a transaction that was broken off runs again.
const maxAttempts = 5

// tenantDB sets the organization of queries in the same round trip: both
// statements are sent in one batch, which is one implicit transaction.
type tenantDB struct {
	pool     *pgxpool.Pool
	settings string
	args     []any
	// instead is used when the pool is unreachable, which is reported to
	// missed; both may be nil.
	instead *pgxpool.Pool
	missed  func()
}

func (t *tenantDB) batch(sql string, args []any) *pgx.Batch {
	var b pgx.Batch
	b.Queue(t.settings, t.args...)
	b.Queue(sql, args...)
	return &b
}

// begin sends a statement of the organization and has its settings set.
func (t *tenantDB) begin(ctx context.Context, sql string, args []any) (pgx.BatchResults, error) {
	results, err := t.beginOn(ctx, t.pool, sql, args)
	if t.instead == nil || ctx.Err() != nil || fault.KindOf(translate(err)) != fault.Unavailable {
		return results, err
	}
	if t.missed != nil {
		t.missed()
	}
	return t.beginOn(ctx, t.instead, sql, args)
}

func (t *tenantDB) beginOn(
	ctx context.Context, pool *pgxpool.Pool, sql string, args []any,
) (results pgx.BatchResults, err error) {
	err = onLive(pool, func() error {
		results = pool.SendBatch(ctx, t.batch(sql, args))
		if _, err := results.Exec(); err != nil {
			return closeAfter(results, err)
		}
		return nil
	})
	return results, err
}

// onLive runs do on one connection of a pool after another, for as long as the
// server had already closed them, as it does on a restart. Nothing was executed
// on those.
func onLive(pool *pgxpool.Pool, do func() error) error {
	for try := int32(1); ; try++ {
		if err := do(); !endedByServer(err) || try > pool.Stat().MaxConns() {
			return err
		}
	}
}

// Exec runs a statement of the organization.
func (t *tenantDB) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	results, err := t.begin(ctx, sql, args)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	tag, err := results.Exec()
	return tag, closeAfter(results, err)
}

// Query runs a query of the organization.
func (t *tenantDB) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	results, err := t.begin(ctx, sql, args)
	if err != nil {
		return nil, err
	}
	rows, err := results.Query()
	if err != nil {
		return nil, closeAfter(results, err)
	}
	return &tenantRows{Rows: rows, results: results}, nil
}

// QueryRow runs a query of the organization for its first row.
func (t *tenantDB) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	results, err := t.begin(ctx, sql, args)
	if err != nil {
		return tenantRow{err: err}
	}
	return tenantRow{row: results.QueryRow(), results: results}
}

// closeAfter ends a batch and returns the first error.
func closeAfter(results pgx.BatchResults, err error) error {
	if closing := results.Close(); err == nil {
		err = closing
	}
	return err
}

// tenantRows end their batch, and so return the connection, when they are
// closed.
type tenantRows struct {
	pgx.Rows
	results pgx.BatchResults
	closed  bool
}

// Next moves to the next row, and closes behind the last one.
func (r *tenantRows) Next() bool {
	if r.Rows.Next() {
		return true
	}
	r.Close()
	return false
}

// Close ends the rows and their batch.
func (r *tenantRows) Close() {
	if !r.closed {
		r.closed = true
		r.Rows.Close()
		_ = r.results.Close() // an error of the query is in Err
	}
}

type tenantRow struct {
	row     pgx.Row
	results pgx.BatchResults
	err     error
}

// Scan reads the row and ends its batch.
func (r tenantRow) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	return closeAfter(r.results, r.row.Scan(dest...))
}

// pipeline collects statements of a transaction and sends them in one round
// trip. It only takes statements whose results nobody needs.
type pipeline struct {
	tx    pgx.Tx
	batch pgx.Batch
}

// Exec queues a statement; its error shows when the pipeline is sent.
func (p *pipeline) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	p.batch.Queue(sql, args...)
	return pgconn.CommandTag{}, nil
}

// Query is not for pipelines.
func (p *pipeline) Query(context.Context, string, ...any) (pgx.Rows, error) {
	panic("store: a pipeline takes only statements without rows")
}

// QueryRow is not for pipelines.
func (p *pipeline) QueryRow(context.Context, string, ...any) pgx.Row {
	panic("store: a pipeline takes only statements without rows")
}

func (p *pipeline) send(ctx context.Context) error {
	if p.batch.Len() == 0 {
		return nil
	}
	return p.tx.SendBatch(ctx, &p.batch).Close()
}
