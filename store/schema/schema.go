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
func Latest() int64 { return latestOf(migrations.Files) }

func latestOf(migrations fs.FS) (latest int64) {
	files, _ := fs.Glob(migrations, "*.sql") // the pattern is good
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

// versionQuery reads the version of the schema, 0 before the first migration.
const versionQuery = "select coalesce(max(version_id), 0) from goose_db_version where is_applied"

// Check reports whether this program can work with the schema. A newer schema is
// fine as long as it does not say otherwise, so that the old release goes on while
// a new one is rolled out.
func Check(ctx context.Context, db Querier) error {
	var version int64
	if err := db.QueryRow(ctx, versionQuery).Scan(&version); err != nil && !isMissing(err) {
		return fmt.Errorf("read the schema version: %w", err)
	}
	latest := Latest()
	if version < latest {
		return &OutdatedError{Version: version, Latest: latest}
	}
	if version == latest {
		if err := checkDefinitions(ctx, db, version); err != nil {
			return err
		}
	}
	oldest, err := OldestProgram(ctx, db)
	if err == nil && oldest > latest {
		return &TooNewError{Version: version, Oldest: oldest, Latest: latest}
	}
	return err
}

// checkDefinitions reports whether the definitions of this program have been applied, now or
// before those of another program with the same migrations.
func checkDefinitions(ctx context.Context, db Querier, version int64) error {
	definitions, err := presentDefinitions()
	if err != nil {
		return err
	}
	names, hashes := make([]string, len(definitions)), make([]string, len(definitions))
	for i, d := range definitions {
		names[i], hashes[i] = d.key(), d.hash
	}
	const query = `select coalesce(min(d.name), '') from unnest($1::text[], $2::text[]) as d (name, hash)
		where not exists (select from schema_definitions s where s.name = d.name and s.hash = d.hash)`
	var lacks string
	if err := db.QueryRow(ctx, query, names, hashes).Scan(&lacks); err != nil {
		return fmt.Errorf("read the applied definitions: %w", err)
	}
	if lacks != "" {
		return &OutdatedError{Version: version, Latest: version, Definition: lacks}
	}
	return nil
}

// OldestProgram is the schema version of the oldest program that can work with the
// schema of the database. Migrations that take away what programs use raise it.
func OldestProgram(ctx context.Context, db Querier) (oldest int64, err error) {
	if err := db.QueryRow(ctx, "select oldest_program from schema_compatibility").Scan(&oldest); err != nil {
		return 0, fmt.Errorf("read the oldest compatible program version: %w", err)
	}
	return oldest, nil
}

// OutdatedError is a schema older than the program.
type OutdatedError struct {
	Version, Latest int64
	// Definition is an object whose text in this program was never applied, such as
	// "VIEW v1_orders". It is empty when the version is older.
	Definition string
}

// Error explains what to do.
func (e *OutdatedError) Error() string {
	if e.Definition != "" {
		return fmt.Sprintf("the database has schema version %d, but not the %s of this program: run waybill migrate",
			e.Version, e.Definition)
	}
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
