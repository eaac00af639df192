package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"waybill/testing/stack"
)

// migrated is a stopped cluster with the present schema. Each installation has a copy, because it takes seconds
// to migrate.
var migrated *stack.Postgres

func newMigrated(ctx context.Context) (*stack.Postgres, error) {
	pg, err := stack.NewPostgres(stack.PostgresOptions{NoSync: true})
	if err != nil {
		return nil, err
	}
	if err := migrateOnce(ctx, pg); err != nil {
		return nil, errors.Join(err, pg.Close())
	}
	return pg, nil
}

// migrateOnce starts a cluster, migrates it, and stops it.
func migrateOnce(ctx context.Context, pg *stack.Postgres) error {
	waybill, err := builtProgram()
	if err != nil {
		return err
	}
	if err := pg.Start(ctx); err != nil {
		return err
	}
	if _, err := pg.EnsureDatabase(ctx, database, ownerRole); err != nil {
		return err
	}
	migrate := exec.CommandContext(ctx, waybill, "migrate", "--skip-temporal")
	migrate.Env = append(os.Environ(),
		"DATABASE_URL="+pg.URL(appRole, database), "DATABASE_MIGRATE_URL="+pg.URL(ownerRole, database))
	if printed, err := migrate.CombinedOutput(); err != nil {
		return fmt.Errorf("waybill migrate: %w\n%s", err, printed)
	}
	return pg.Stop()
}
