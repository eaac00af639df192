// Package schema is what the owner of the database does to it: it brings the
// tables up to date and lets the application in. Nothing in here reads or
// writes what an organization keeps.
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
