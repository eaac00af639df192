package schema

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"waybill/internal/wait"
	"waybill/migrations"
)

// Options control how a migration treats running sessions.
type Options struct {
	// Patience is how long one migration keeps trying to get its locks. The
	// default is DefaultPatience.
	Patience time.Duration
	// Tell receives a line for each step. It may be nil.
	Tell func(line string)
}

const (
	// DefaultPatience is how long one migration keeps trying to get its locks.
	DefaultPatience = 10 * time.Minute
	// lockTimeout is how long a migration waits for a lock. Other users of the
	// table queue behind it for that long.
	lockTimeout = 2 * time.Second
	// shortestPause is the pause after the first try. Each pause is twice as
	// long as the one before, up to longestPause, so that writers can catch up.
	shortestPause = time.Second
	longestPause  = 15 * time.Second
	// turnPatience is how many seconds a migration waits for another process that migrates.
	turnPatience = 300
	// Session is the name of the connections that migrate.
	Session = "waybill-migrate"
)

// Migrate brings the schema up to date as the owner of the database, creates the
// partitions of the log for the coming months, and returns the names of the
// migrations that it ran. Two processes that migrate at the same time take turns.
//
// A migration waits two seconds at most for a lock, because writers wait behind
// it. When it does not get the lock, it rolls back and tries again later, until
// its patience is over; then the error is a *BlockedError.
func Migrate(ctx context.Context, ownerURL string, options Options) (applied []string, err error) {
	m, err := newMigrator(ownerURL, migrations.Files, options)
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.db.Close() }()
	if applied, err = m.run(ctx); err != nil {
		return applied, err
	}
	makePartitions := func(ctx context.Context) error {
		_, err := m.db.ExecContext(ctx, "select make_event_partitions()")
		return err
	}
	if err := m.patiently(ctx, "make_event_partitions", makePartitions); err != nil {
		return applied, fmt.Errorf("create log partitions: %w", err)
	}
	return applied, nil
}

// migrator runs migrations, one after the other.
type migrator struct {
	db       *sql.DB
	provider *goose.Provider
	watch    *watch
	options  Options
}

func newMigrator(ownerURL string, files fs.FS, options Options) (*migrator, error) {
	config, err := pgx.ParseConfig(ownerURL)
	if err != nil {
		return nil, fmt.Errorf("read the owner's database URL: %w", err)
	}
	config.RuntimeParams["application_name"] = Session
	config.RuntimeParams["lock_timeout"] = fmt.Sprint(lockTimeout.Milliseconds())
	if options.Patience == 0 {
		options.Patience = DefaultPatience
	}
	if options.Tell == nil {
		options.Tell = func(string) {}
	}
	m := &migrator{watch: newWatch(config.Copy()), options: options}
	m.db = stdlib.OpenDB(*config, stdlib.OptionAfterConnect(m.watch.follow))
	// A migration that fails may leave settings in its session. The next try gets a new one.
	m.db.SetMaxIdleConns(0)
	if m.provider, err = newProvider(m.db, files); err != nil {
		_ = m.db.Close()
		return nil, err
	}
	return m, nil
}

func newProvider(db *sql.DB, files fs.FS) (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, turnPatience))
	if err != nil {
		return nil, fmt.Errorf("create the migration lock: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker))
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return provider, nil
}

// run runs all migrations that are pending.
func (m *migrator) run(ctx context.Context) (applied []string, err error) {
	for {
		name := "the migrations"
		err := m.patiently(ctx, "", func(ctx context.Context) error {
			result, err := m.provider.UpByOne(ctx)
			if result != nil && err == nil {
				name = result.Source.Path
			}
			return err
		})
		switch {
		case errors.Is(err, goose.ErrNoNextVersion):
			return applied, nil
		case err != nil:
			return applied, fmt.Errorf("migrate: %w", err)
		}
		applied = append(applied, name)
		m.options.Tell("ran migration " + name)
	}
}

// patiently retries until it succeeds, fails for a reason other than a lock, or
// runs out of patience. The error names what goose ran.
func (m *migrator) patiently(ctx context.Context, name string, try func(context.Context) error) error {
	var giveUp time.Time
	for tries, next := 1, shortestPause; ; tries, next = tries+1, min(2*next, longestPause) {
		err := m.watch.during(ctx, m.options.Tell, try)
		if !isBlocked(err) {
			return err
		}
		if tries == 1 {
			giveUp = time.Now().Add(m.options.Patience)
		}
		var failed *goose.PartialError
		if errors.As(err, &failed) && failed.Failed != nil {
			name = failed.Failed.Source.Path
		}
		blocked := &BlockedError{Migration: name, Tries: tries, By: m.watch.seen(), Err: err}
		if time.Now().Add(next).After(giveUp) {
			return blocked
		}
		m.options.Tell(fmt.Sprintf("%s; retrying in %s", blocked.what(), next))
		if !wait.For(ctx, next) {
			return errors.Join(blocked, ctx.Err())
		}
	}
}

// isBlocked reports whether another try may succeed because all that was missing
// is a lock.
func isBlocked(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == "55P03" || refused.Code == "40P01") // or a deadlock
}
