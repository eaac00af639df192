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

	"waybill/migrations"
)

// Pending returns what Migrate would change now, as the owner of the database, and changes
// nothing. A migration that drops objects makes their definitions pending, too, which is seen
// only once it has run.
func Pending(ctx context.Context, ownerURL string) (pending Done, err error) {
	config, err := pgx.ParseConfig(ownerURL)
	if err != nil {
		return pending, fmt.Errorf("read the owner's database URL: %w", err)
	}
	config.RuntimeParams["application_name"] = Session
	db := stdlib.OpenDB(*config)
	defer func() { _ = db.Close() }()
	var latest int64
	if pending.Migrations, latest, err = pendingMigrations(ctx, db); err != nil || latest > Latest() {
		return pending, err
	}
	all, err := presentDefinitions()
	if err != nil {
		return pending, err
	}
	definitions, err := pendingDefinitions(ctx, db, all)
	if isMissing(err) {
		for _, d := range all {
			definitions = append(definitions, pendingDefinition{definition: d})
		}
	} else if err != nil {
		return pending, err
	}
	for _, d := range definitions {
		pending.Definitions = append(pending.Definitions, d.file)
	}
	return pending, nil
}

// pendingMigrations are the names of the migrations that have not run; latest is the version
// of the database, 0 when nothing was ever migrated.
func pendingMigrations(ctx context.Context, db *sql.DB) (names []string, latest int64, err error) {
	ran, err := migrationsRun(ctx, db)
	if err != nil && !isMissing(err) {
		return nil, 0, fmt.Errorf("read the migrations that ran: %w", err)
	}
	for version := range ran {
		latest = max(latest, version)
	}
	files, _ := fs.Glob(migrations.Files, "*.sql") // the pattern is good
	for _, file := range files {
		number, _, _ := strings.Cut(file, "_")
		if version, err := strconv.ParseInt(number, 10, 64); err == nil && !ran[version] {
			names = append(names, file)
		}
	}
	return names, latest, nil
}

func migrationsRun(ctx context.Context, db *sql.DB) (ran map[int64]bool, err error) {
	rows, err := db.QueryContext(ctx, "select version_id from goose_db_version where is_applied")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	ran = map[int64]bool{}
	for rows.Next() {
		var version int64
		if err := rows.Scan(&version); err != nil {
			return nil, err
		}
		ran[version] = true
	}
	return ran, rows.Err()
}
