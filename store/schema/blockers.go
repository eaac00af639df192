package schema

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/internal/wait"
)

const (
	// lookEvery is how often the watch checks for sessions that block a
	// migration.
	lookEvery = 250 * time.Millisecond
	// tellEvery is how often it repeats that a migration still waits.
	tellEvery = 15 * time.Second
)

// Blocker is a session that holds a lock that a migration needs.
type Blocker struct {
	PID         int32
	Application string
	User        string
	// State is the session's state, such as "idle in transaction". It is empty
	// if the owner may not see it.
	State string
	// Age is how long its transaction has run, or 0 if the owner may not see
	// it.
	Age time.Duration
}

// String names the session.
func (b Blocker) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "pid %d (%s, role %s)", b.PID, cmp.Or(b.Application, "no application name"), cmp.Or(b.User, "unknown"))
	if b.State != "" {
		s.WriteString(", " + b.State)
	}
	if b.Age > 0 {
		fmt.Fprintf(&s, ", in a transaction for %s", b.Age.Round(time.Second))
	}
	return s.String()
}

// BlockedError is a migration that did not get its locks.
type BlockedError struct {
	// Migration is the name of its file.
	Migration string
	Tries     int
	// By are the sessions that the migration waited for last.
	By  []Blocker
	Err error
}

// Unwrap is the error of the last try.
func (e *BlockedError) Unwrap() error { return e.Err }

// Error names the blocking sessions and what to do.
func (e *BlockedError) Error() string {
	advice := "Wait until the long transactions have ended"
	if len(e.By) > 0 {
		advice += fmt.Sprintf(", or end the session (select pg_terminate_backend(%d))", e.By[0].PID)
	}
	return fmt.Sprintf(
		"%s; gave up after %d tries. %s, then run waybill migrate again: completed migrations are kept. (%v)",
		e.what(), e.Tries, advice, e.Err)
}

// what is the event, as half a sentence.
func (e *BlockedError) what() string {
	by := make([]string, len(e.By))
	for i, b := range e.By {
		by[i] = b.String()
	}
	holders := cmp.Or(strings.Join(by, "; "), "a session that has since ended")
	return fmt.Sprintf("%s did not get a lock held by %s", cmp.Or(e.Migration, "the migration"), holders)
}

// watch finds the sessions that block the migrating connections.
type watch struct {
	config *pgx.ConnConfig

	mu   sync.Mutex
	pids []int32
	last []Blocker
}

func newWatch(config *pgx.ConnConfig) *watch {
	config.RuntimeParams["application_name"] = Session + "-watch"
	return &watch{config: config}
}

// follow watches a connection.
func (w *watch) follow(_ context.Context, conn *pgx.Conn) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pids = append(w.pids, int32(conn.PgConn().PID()))
	return nil
}

// seen are the sessions that were waited for last.
func (w *watch) seen() []Blocker {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.last)
}

// during watches while something is tried.
func (w *watch) during(ctx context.Context, tell func(string), try func(context.Context) error) error {
	w.mu.Lock()
	w.pids, w.last = nil, nil
	w.mu.Unlock()
	watching, stop := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() { w.look(watching, tell) })
	err := try(ctx)
	stop()
	done.Wait()
	return err
}

// look polls until its context ends. It ignores failures to look: the migration
// does not depend on it.
func (w *watch) look(ctx context.Context, tell func(string)) {
	if !wait.For(ctx, lookEvery) { // Most migrations have ended by then.
		return
	}
	conn, err := pgx.ConnectConfig(ctx, w.config)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var since, told time.Time
	for next := true; next; next = wait.For(ctx, lookEvery) {
		blockers, err := w.blockers(ctx, conn)
		if err != nil {
			return
		}
		if len(blockers) == 0 {
			since = time.Time{}
			continue
		}
		w.mu.Lock()
		w.last = blockers
		w.mu.Unlock()
		now := time.Now()
		if since.IsZero() {
			since, told = now, now
		}
		if now.Sub(told) >= tellEvery { // Only migrations that don't block writers wait that long.
			told = now
			tell(fmt.Sprintf("waiting %s for %s", now.Sub(since).Round(time.Second), blockers[0]))
		}
	}
}

func (w *watch) blockers(ctx context.Context, conn *pgx.Conn) ([]Blocker, error) {
	w.mu.Lock()
	pids := slices.Clone(w.pids)
	w.mu.Unlock()
	const query = `
		select a.pid, coalesce(nullif(a.application_name, ''), nullif(a.backend_type, 'client backend'), ''),
			coalesce(a.usename, ''), coalesce(a.state, ''),
			(coalesce(extract(epoch from clock_timestamp() - a.xact_start), 0) * 1000)::bigint
		from (select distinct unnest(pg_blocking_pids(w.pid)) as pid from unnest($1::int[]) as w (pid)) b
		join pg_stat_activity a on a.pid = b.pid
		where a.pid <> all ($1)
		order by a.xact_start nulls last, a.pid`
	rows, err := conn.Query(ctx, query, pids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (b Blocker, err error) {
		var milliseconds int64
		err = row.Scan(&b.PID, &b.Application, &b.User, &b.State, &milliseconds)
		b.Age = time.Duration(milliseconds) * time.Millisecond
		return b, err
	})
}
