package schema

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strings"
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

// Done is what a migration changed.
type Done struct {
	// Migrations are the names of the numbered migrations that ran, in their order.
	Migrations []string
	// Definitions are the files of the definitions that were applied, such as
	// orders/v1_orders.sql, in their order.
	Definitions []string
}

// Migrate brings the schema up to date as the owner of the database, creates the
// partitions of the log for the coming months, and returns what it changed: it runs the
// pending migrations, then it applies the definitions that have changed. Two processes
// that migrate at the same time take turns.
//
// A migration or a definition waits two seconds at most for a lock, because writers wait
// behind it. When it does not get the lock, it rolls back and tries again later, until
// its patience is over; then the error is a *BlockedError. What the database refuses of a
// definition is a *DefinitionError.
func Migrate(ctx context.Context, ownerURL string, options Options) (done Done, err error) {
	definitions, err := presentDefinitions()
	if err != nil {
		return done, err
	}
	m, err := newMigrator(ownerURL, migrations.Files, definitions, options)
	if err != nil {
		return done, err
	}
	defer func() { _ = m.db.Close() }()
	if done, err = m.run(ctx); err != nil {
		return done, err
	}
	makePartitions := func(ctx context.Context) error {
		_, err := m.db.ExecContext(ctx, "select make_event_partitions()")
		return err
	}
	if err := m.patiently(ctx, "make_event_partitions", makePartitions); err != nil {
		return done, fmt.Errorf("create log partitions: %w", err)
	}
	return done, nil
}

// migrator runs migrations, one after the other, and applies definitions.
type migrator struct {
	db       *sql.DB
	provider *goose.Provider
	locker   lock.SessionLocker
	// latest is the version of the last of the migrations.
	latest      int64
	definitions []definition
	watch       *watch
	options     Options
}

func newMigrator(ownerURL string, files fs.FS, definitions []definition, options Options) (*migrator, error) {
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
	m := &migrator{definitions: definitions, latest: latestOf(files), watch: newWatch(config.Copy()), options: options}
	m.db = stdlib.OpenDB(*config, stdlib.OptionAfterConnect(m.watch.follow))
	// A migration that fails may leave settings in its session. The next try gets a new one.
	m.db.SetMaxIdleConns(0)
	if err := m.prepare(files); err != nil {
		_ = m.db.Close()
		return nil, err
	}
	return m, nil
}

// prepare makes what runs the migrations, and the lock that it takes.
func (m *migrator) prepare(files fs.FS) (err error) {
	if m.locker, err = lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, turnPatience)); err != nil {
		return fmt.Errorf("create the migration lock: %w", err)
	}
	m.provider, err = goose.NewProvider(goose.DialectPostgres, m.db, files, goose.WithSessionLocker(m.locker))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	return nil
}

// run runs all migrations that are pending, and then applies the definitions that are.
func (m *migrator) run(ctx context.Context) (done Done, err error) {
	if done.Migrations, err = m.runMigrations(ctx); err != nil || len(m.definitions) == 0 {
		return done, err
	}
	err = m.patiently(ctx, "definitions", func(ctx context.Context) error {
		applied, err := m.define(ctx)
		done.Definitions = append(done.Definitions, applied...)
		return err
	})
	if line := tellApplied(done.Definitions); line != "" {
		m.options.Tell(line)
	}
	if err != nil {
		return done, fmt.Errorf("migrate: %w", err)
	}
	return done, nil
}

// mostNamed is how many definitions a line names; the first migration of a database applies all.
const mostNamed = 10

// tellApplied says which definitions were applied, and is empty for none.
func tellApplied(files []string) string {
	switch {
	case len(files) == 0:
		return ""
	case len(files) > mostNamed:
		return fmt.Sprintf("applied %d of the functions, views and triggers", len(files))
	}
	return fmt.Sprintf("applied %d of the functions, views and triggers: %s", len(files), strings.Join(files, ", "))
}

func (m *migrator) runMigrations(ctx context.Context) (applied []string, err error) {
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

// patiently tries until it succeeds, fails for another reason than a lock, or the
// patience is over. Migrations and definitions are named by their errors.
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
		blocked := &BlockedError{Migration: fileOf(err, name), Tries: tries, By: m.watch.seen(), Err: err}
		if time.Now().Add(next).After(giveUp) {
			return blocked
		}
		m.options.Tell(fmt.Sprintf("%s; retrying in %s", blocked.what(), next))
		if !wait.For(ctx, next) {
			return errors.Join(blocked, ctx.Err())
		}
	}
}

// fileOf is the file that an error is of, or otherwise the name.
func fileOf(err error, name string) string {
	var failed *goose.PartialError
	var refused *DefinitionError
	switch {
	case errors.As(err, &failed) && failed.Failed != nil:
		return failed.Failed.Source.Path
	case errors.As(err, &refused):
		return refused.File
	}
	return name
}

// isBlocked reports whether another try may succeed because all that was missing
// is a lock.
func isBlocked(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == "55P03" || refused.Code == "40P01") // or a deadlock
}
