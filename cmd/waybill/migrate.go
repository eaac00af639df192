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
	var skipTemporal, dryRun bool
	var lockPatience time.Duration
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Update the database schema and the Temporal namespace",
		Long: `Run the migrations as the owner of the tables (DATABASE_MIGRATE_URL), create the role
in DATABASE_URL or grant it access, and register the search attributes of the workflows
in the Temporal namespace. The command waits up to a minute for both servers, and skips
everything that is already done.

If a migration does not get a lock within two seconds, it yields to other sessions and
retries until --lock-patience has passed. It then reports which sessions block it.

After the migrations it applies the functions, views and triggers whose definition has
changed. With --dry-run, it only lists the pending migrations and definitions.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := readConfig()
			if err != nil {
				return err
			}
			if dryRun {
				return listPending(cmd.Context(), cmd.OutOrStdout(), c)
			}
			return migrate(cmd, c, skipTemporal, lockPatience)
		},
	}
	cmd.Flags().BoolVar(&skipTemporal, "skip-temporal", false, "do not update the Temporal namespace")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "list what is pending in the database, and change nothing")
	cmd.Flags().DurationVar(&lockPatience, "lock-patience", schema.DefaultPatience, "how long each migration tries to get its locks")
	return cmd
}

// listPending prints what the database lacks, a line each.
func listPending(ctx context.Context, out io.Writer, c config) error {
	if c.DatabaseMigrateURL == "" {
		return errNoOwner
	}
	pending, err := schema.Pending(ctx, c.DatabaseMigrateURL)
	if err != nil {
		return err
	}
	for _, name := range pending.Migrations {
		say(out, "migration %s", name)
	}
	for _, file := range pending.Definitions {
		say(out, "definition %s", file)
	}
	say(out, "%s and %s are pending", plural(len(pending.Migrations), "migration"), plural(len(pending.Definitions), "definition"))
	return nil
}

// errNoOwner is a configuration that does not say how to connect as the owner.
var errNoOwner = errors.New("neither DATABASE_MIGRATE_URL nor DATABASE_URL is set")

func migrate(cmd *cobra.Command, c config, skipTemporal bool, lockPatience time.Duration) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	logger, err := newLogger(os.Stderr, c)
	if err != nil {
		return err
	}
	done, err := migrateDatabase(ctx, out, c, logger, lockPatience)
	if err := errors.Join(err, recordMigration(cmd, c, done)); err != nil {
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
	if err := registerSearchAttributes(ctx, out, c, temporal, logger); err != nil {
		return err
	}
	if c.DatabaseURL == "" {
		return nil // the first process that starts claims the namespace
	}
	return claimNamespace(ctx, out, c)
}

func migrateDatabase(
	ctx context.Context, out io.Writer, c config, logger *slog.Logger, lockPatience time.Duration,
) (done []string, err error) {
	if c.DatabaseMigrateURL == "" {
		return nil, errNoOwner
	}
	err = waitForPostgres(ctx, logger, func(ctx context.Context) error {
		conn, err := connect(ctx, c.DatabaseMigrateURL)
		if err != nil {
			return err
		}
		return conn.Close(ctx)
	})
	if err != nil {
		return nil, fmt.Errorf("connect as the owner: %w", err)
	}
	options := schema.Options{Patience: lockPatience, Tell: func(line string) { say(out, "%s", line) }}
	changed, err := schema.Migrate(ctx, c.DatabaseMigrateURL, options)
	if ran := changed.Migrations; len(ran) > 0 {
		done = append(done, fmt.Sprintf("ran %s with release %s, the last %s",
			plural(len(ran), "migration"), version, ran[len(ran)-1]))
	}
	if defined := changed.Definitions; len(defined) > 0 {
		done = append(done, fmt.Sprintf("applied %s with release %s, the last %s",
			plural(len(defined), "definition"), version, defined[len(defined)-1]))
	}
	if err != nil {
		return done, err
	}
	say(out, "the schema is at version %d", schema.Latest())
	let, err := letIn(ctx, out, c)
	return append(done, let...), err
}

// recordMigration records who changed what. Before the migration that creates
// its table, it records nothing.
func recordMigration(cmd *cobra.Command, c config, done []string) error {
	if len(done) == 0 {
		return nil
	}
	conn, err := connect(cmd.Context(), c.DatabaseMigrateURL)
	if err != nil {
		return fmt.Errorf("connect as the owner: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(cmd.Context())) }()
	return schema.Record(cmd.Context(), conn, actionOf(cmd, done...))
}

// letIn gives the application's role access, and returns the actions taken.
func letIn(ctx context.Context, out io.Writer, c config) (done []string, err error) {
	if c.DatabaseURL == "" {
		say(out, "DATABASE_URL is not set: no role was given access")
		return nil, nil
	}
	done, err = schema.EnsureLogin(ctx, c.DatabaseMigrateURL, c.DatabaseURL)
	for _, sentence := range done {
		say(out, "%s", sentence)
	}
	if errors.Is(err, schema.ErrSameRole) {
		say(out, "the role in DATABASE_URL owns the tables: serve and work will refuse it, so use another role there")
		return nil, nil
	}
	return done, err
}

// say prints a line for a person. A closed output is no error.
func say(out io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintf(out, format+"\n", args...)
}
