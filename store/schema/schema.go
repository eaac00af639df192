// Package schema is what the owner of the database does to it: it brings the
// tables up to date and lets the application in. Nothing in here reads or
// writes what an organization keeps.
package schema

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"waybill/migrations"
)

// Migrate brings the schema up to date as the owner of the database, makes room
// in the log for the months to come, and returns the names of the migrations that
// it ran. Two that run at the same time take
// turns.
func Migrate(ctx context.Context, ownerURL string) (applied []string, err error) {
	config, err := pgx.ParseConfig(ownerURL)
	if err != nil {
		return nil, fmt.Errorf("read the owner's database URL: %w", err)
	}
	db := stdlib.OpenDB(*config)
	defer func() { _ = db.Close() }()
	provider, err := newProvider(db)
	if err != nil {
		return nil, err
	}
	results, err := provider.Up(ctx)
	for _, r := range results {
		applied = append(applied, r.Source.Path)
	}
	if err != nil {
		return applied, fmt.Errorf("migrate: %w", err)
	}
	if _, err := db.ExecContext(ctx, "select make_event_partitions()"); err != nil {
		return applied, fmt.Errorf("make partitions of the log: %w", err)
	}
	return applied, nil
}

// lockPatience is how many seconds a migration waits for another one.
const lockPatience = 300

func newProvider(db *sql.DB) (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, lockPatience))
	if err != nil {
		return nil, fmt.Errorf("make the lock of migrations: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.Files, goose.WithSessionLocker(locker))
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return provider, nil
}

// Latest is the version that this program needs the schema to have.
func Latest() int64 {
	var latest int64
	files, _ := fs.Glob(migrations.Files, "*.sql") // the pattern is good
	for _, file := range files {
		number, _, _ := strings.Cut(file, "_")
		if version, err := strconv.ParseInt(number, 10, 64); err == nil {
			latest = max(latest, version)
		}
	}
	return latest
}

// Querier runs a query for one row; pools and connections do.
type Querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Check reports whether the schema is what this program needs. A newer schema is
// fine, so that an old program goes on while a new one is rolled out.
func Check(ctx context.Context, db Querier) error {
	const query = "select coalesce(max(version_id), 0) from goose_db_version where is_applied"
	var version int64
	if err := db.QueryRow(ctx, query).Scan(&version); err != nil && !isMissing(err) {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if latest := Latest(); version < latest {
		return &OutdatedError{Version: version, Latest: latest}
	}
	return nil
}

// OutdatedError is a schema older than the program.
type OutdatedError struct {
	Version, Latest int64
}

// Error says what to do about it.
func (e *OutdatedError) Error() string {
	return fmt.Sprintf("the database has schema version %d and this program needs %d: run waybill migrate",
		e.Version, e.Latest)
}
