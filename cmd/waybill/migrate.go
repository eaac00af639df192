package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"waybill/store/schema"
)

func newMigrateCommand() *cobra.Command {
	var skipTemporal bool
	var lockPatience time.Duration
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Brings the database and the Temporal namespace up to date",
		Long: `Runs the migrations as the owner of the tables (DATABASE_MIGRATE_URL), lets in the
role that DATABASE_URL names, and registers the search attributes of the
workflows in the Temporal namespace. It waits up to a minute for both servers,
and does nothing that is done already.

A migration that does not get a lock within two seconds lets the others go first
and tries again, until --lock-patience is over. It then names who is in the way.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := readConfig()
			if err != nil {
				return err
			}
			return migrate(cmd.Context(), cmd.OutOrStdout(), c, skipTemporal, lockPatience)
		},
	}
	cmd.Flags().BoolVar(&skipTemporal, "skip-temporal", false, "leave the Temporal namespace alone")
	cmd.Flags().DurationVar(&lockPatience, "lock-patience", schema.DefaultPatience, "how long one migration keeps trying to get its locks")
	return cmd
}

func migrate(ctx context.Context, out io.Writer, c config, skipTemporal bool, lockPatience time.Duration) error {
	logger, err := newLogger(os.Stderr, c)
	if err != nil {
		return err
	}
	if err := migrateDatabase(ctx, out, c, logger, lockPatience); err != nil {
		return err
	}
	if skipTemporal {
		return nil
	}
	temporal, err := newTemporal(c, slog.New(slog.DiscardHandler), nil, nil)
	if err != nil {
		return err
	}
	defer temporal.Close()
	return registerSearchAttributes(ctx, out, c, temporal, logger)
}

func migrateDatabase(
	ctx context.Context, out io.Writer, c config, logger *slog.Logger, lockPatience time.Duration,
) error {
	if c.DatabaseMigrateURL == "" {
		return errors.New("neither DATABASE_MIGRATE_URL nor DATABASE_URL is set, so there is no database to migrate")
	}
	err := waitForPostgres(ctx, logger, func(ctx context.Context) error {
		conn, err := connect(ctx, c.DatabaseMigrateURL)
		if err != nil {
			return err
		}
		return conn.Close(ctx)
	})
	if err != nil {
		return fmt.Errorf("connect as the owner: %w", err)
	}
	options := schema.Options{Patience: lockPatience, Tell: func(line string) { say(out, "%s", line) }}
	if _, err := schema.Migrate(ctx, c.DatabaseMigrateURL, options); err != nil {
		return err
	}
	say(out, "the schema is at version %d", schema.Latest())
	return letIn(ctx, out, c)
}

// letIn lets the application's role in.
func letIn(ctx context.Context, out io.Writer, c config) error {
	if c.DatabaseURL == "" {
		say(out, "DATABASE_URL is not set: no role was let in")
		return nil
	}
	done, err := schema.EnsureLogin(ctx, c.DatabaseMigrateURL, c.DatabaseURL)
	for _, sentence := range done {
		say(out, "%s", sentence)
	}
	if errors.Is(err, schema.ErrSameRole) {
		say(out, "DATABASE_URL names the owner of the tables: serve and work will refuse it, so name another role there")
		return nil
	}
	return err
}

// say prints a line for a person. That nobody reads it is no error.
func say(out io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintf(out, format+"\n", args...)
}
