// Package schema has the tasks of the database's owner: it migrates the tables
// and gives the application access. It neither reads nor writes the data of
// organizations.
package schema

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"waybill/migrations"
)

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

// Check reports whether this program can work with the schema. A newer schema
// is fine unless it declares otherwise, so that the old release keeps working
// during a rollout.
func Check(ctx context.Context, db Querier) error {
	const query = "select coalesce(max(version_id), 0) from goose_db_version where is_applied"
	var version int64
	if err := db.QueryRow(ctx, query).Scan(&version); err != nil && !isMissing(err) {
		return fmt.Errorf("read the schema version: %w", err)
	}
	latest := Latest()
	if version < latest {
		return &OutdatedError{Version: version, Latest: latest}
	}
	oldest, err := OldestProgram(ctx, db)
	if err == nil && oldest > latest {
		return &TooNewError{Version: version, Oldest: oldest, Latest: latest}
	}
	return err
}

// OldestProgram is the schema version of the oldest program that can work with
// the database's schema. Migrations that remove something that programs use
// raise it.
func OldestProgram(ctx context.Context, db Querier) (oldest int64, err error) {
	if err := db.QueryRow(ctx, "select oldest_program from schema_compatibility").Scan(&oldest); err != nil {
		return 0, fmt.Errorf("read the oldest compatible program version: %w", err)
	}
	return oldest, nil
}

// OutdatedError is a schema older than the program.
type OutdatedError struct {
	Version, Latest int64
}

// Error explains what to do.
func (e *OutdatedError) Error() string {
	return fmt.Sprintf("the database has schema version %d, but this program needs %d: run waybill migrate",
		e.Version, e.Latest)
}

// TooNewError is a schema that lacks what the program needs.
type TooNewError struct {
	Version, Oldest, Latest int64
}

// Error explains what to do.
func (e *TooNewError) Error() string {
	return fmt.Sprintf("the database has schema version %d, which works with programs of schema version %d or later, "+
		"and this program has %d: run a later release, or restore the backup from before the upgrade",
		e.Version, e.Oldest, e.Latest)
}
