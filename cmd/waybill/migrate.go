package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"waybill/store/schema"
)

func newMigrateCommand() *cobra.Command {
	var skipTemporal bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Brings the database and the Temporal namespace up to date",
		Long: `Runs the migrations as the owner of the tables (DATABASE_MIGRATE_URL), lets in the
role that DATABASE_URL names, and registers the search attributes of the
workflows in the Temporal namespace. It waits up to a minute for both servers,
and does nothing that is done already.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := readConfig()
			if err != nil {
				return err
			}
			return migrate(cmd.Context(), cmd.OutOrStdout(), c, skipTemporal)
		},
	}
	cmd.Flags().BoolVar(&skipTemporal, "skip-temporal", false, "leave the Temporal namespace alone")
	return cmd
}

func migrate(ctx context.Context, out io.Writer, c config, skipTemporal bool) error {
	logger, err := newLogger(os.Stderr, c)
	if err != nil {
		return err
	}
	if err := migrateDatabase(ctx, out, c, logger); err != nil {
		return err
	}
	if skipTemporal {
		return nil
	}
	temporal, err := newTemporal(c, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		return err
	}
	defer temporal.Close()
	return registerSearchAttributes(ctx, out, c, temporal, logger)
}

func migrateDatabase(ctx context.Context, out io.Writer, c config, logger *slog.Logger) error {
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
	done, err := schema.Migrate(ctx, c.DatabaseMigrateURL)
	for _, name := range done {
		say(out, "ran migration %s", name)
	}
	if err != nil {
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

// searchAttributes are what operators can look for workflows by.
func searchAttributes() map[string]enums.IndexedValueType {
	return map[string]enums.IndexedValueType{
		"WaybillOrg":        enums.INDEXED_VALUE_TYPE_INT,
		"WaybillOrderId":    enums.INDEXED_VALUE_TYPE_INT,
		"WaybillTemplateId": enums.INDEXED_VALUE_TYPE_INT,
		"WaybillExternalId": enums.INDEXED_VALUE_TYPE_KEYWORD,
		"WaybillState":      enums.INDEXED_VALUE_TYPE_KEYWORD,
		"WaybillChannel":    enums.INDEXED_VALUE_TYPE_KEYWORD,
	}
}

func registerSearchAttributes(ctx context.Context, out io.Writer, c config, temporal client.Client, logger *slog.Logger) error {
	ask := &operatorservice.ListSearchAttributesRequest{Namespace: c.TemporalNamespace}
	var known *operatorservice.ListSearchAttributesResponse
	err := waitFor(ctx, logger, "Temporal", func(ctx context.Context) (err error) {
		if err := checkTemporal(ctx, temporal); err != nil {
			return err
		}
		known, err = temporal.OperatorService().ListSearchAttributes(ctx, ask)
		return err
	}, func(error) bool { return true })
	if err != nil {
		return err
	}
	missing := searchAttributes()
	for name, kind := range known.GetCustomAttributes() {
		if want, ours := missing[name]; ours && want != kind {
			return fmt.Errorf("search attribute %s of namespace %s is %s, and must be %s: remove it with temporal operator search-attribute remove",
				name, c.TemporalNamespace, kind, want)
		}
		delete(missing, name)
	}
	if len(missing) == 0 {
		say(out, "the search attributes of namespace %s are there", c.TemporalNamespace)
		return nil
	}
	if err := addSearchAttributes(ctx, out, c, temporal, missing); err != nil {
		return err
	}
	return waitFor(ctx, logger, "the search attributes", func(ctx context.Context) error {
		return searchable(ctx, c, temporal)
	}, func(error) bool { return true })
}

// searchable tells whether the server takes the attributes already: it may
// need a few seconds after they are registered, and refuses workflows that
// carry them until then.
func searchable(ctx context.Context, c config, temporal client.Client) error {
	var terms []string
	for _, name := range slices.Sorted(maps.Keys(searchAttributes())) {
		terms = append(terms, name+" IS NOT NULL")
	}
	_, err := temporal.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
		Namespace: c.TemporalNamespace, PageSize: 1, Query: strings.Join(terms, " AND "),
	})
	return err
}

func addSearchAttributes(ctx context.Context, out io.Writer, c config, temporal client.Client, missing map[string]enums.IndexedValueType) error {
	_, err := temporal.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace: c.TemporalNamespace, SearchAttributes: missing,
	})
	if err != nil {
		return fmt.Errorf("register search attributes: %w", err)
	}
	say(out, "registered search attributes %s", strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	return nil
}

// say prints a line for a person. That nobody reads it is no error.
func say(out io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintf(out, format+"\n", args...)
}
