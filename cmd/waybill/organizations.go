package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"

	"waybill/operations"
	leaving "waybill/operations/tenants"
	"waybill/providers/files"
	"waybill/store"
	"waybill/store/schema"
	"waybill/store/tenants"
	"waybill/workflows"
)

func newOrganizationsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "organizations",
		Short: "Show, suspend, export and remove organizations",
		Long: `Show the activity of organizations, suspend and resume them, and export and remove all
their data. Export and remove connect as the owner of the tables (DATABASE_MIGRATE_URL),
like waybill migrate, because the role of the application lacks the permissions.`,
	}
	cmd.AddCommand(
		newOrganizationsActivityCommand(), newOrganizationsExportCommand(), newOrganizationsRemoveCommand(),
		newOrganizationsSuspendCommand(), newOrganizationsResumeCommand(),
	)
	return cmd
}

// owned are the dependencies of a command on an organization as a whole.
type owned struct {
	config config
	conn   *pgx.Conn
	owner  *tenants.Owner
	org    tenants.Organization
}

// asOwner works for one organization as the owner of the tables.
func asOwner(ctx context.Context, slug string, do func(owned) error) error {
	c, err := readConfig()
	if err != nil {
		return err
	}
	if c.DatabaseMigrateURL == "" {
		return errors.New("neither DATABASE_MIGRATE_URL nor DATABASE_URL is set")
	}
	conn, err := connectAsOwner(ctx, c)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	owner, err := tenants.New(ctx, conn)
	if err != nil {
		return err
	}
	org, err := owner.Find(ctx, slug)
	if errors.Is(err, tenants.ErrNotFound) {
		return fmt.Errorf("organization %q not found", slug)
	}
	if err != nil {
		return err
	}
	return do(owned{config: c, conn: conn, owner: owner, org: org})
}

func newOrganizationsRemoveCommand() *cobra.Command {
	var org string
	var dryRun, yes bool
	cmd := &cobra.Command{
		Use:   "remove --org SLUG",
		Short: "Remove an organization and all its data",
		Long: `Remove an organization: its rows in all tables, its files in the object storage and
its workflows in Temporal. You can restore the data only from a backup, so run
"waybill organizations export" first.

The command closes the organization first. From then on its keys, sessions and tracking
links are refused, and nobody can sign in. It then deletes the rows in batches, and the
organization itself last. To continue an interrupted removal, run the command again.

The command asks you to type the slug, unless you pass --yes. With --dry-run it only
shows how much data there is.`,
		Example: "  waybill organizations remove --org nordfrakt --dry-run\n  waybill organizations remove --org nordfrakt",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return asOwner(cmd.Context(), org, func(of owned) error {
				return withRemoval(cmd, of, func(r *leaving.Removal) error {
					return removeOrganization(cmd, of, r, dryRun, yes)
				})
			})
		},
	}
	orgFlags(cmd, &org, nil)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show how much data there is without removing it")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	return cmd
}

// withFiles reaches the object storage.
func withFiles(ctx context.Context, of owned, do func(*files.Storage) error) error {
	return withStore(ctx, func(s *store.Store, _ *operations.Operations) error {
		storage, err := openFiles(ctx, s, of.config)
		if err != nil {
			return err
		}
		defer func() { _ = storage.Close() }()
		return do(storage)
	})
}

// withRemoval reaches all that a removal deletes from.
func withRemoval(cmd *cobra.Command, of owned, do func(*leaving.Removal) error) error {
	ctx := cmd.Context()
	return withFiles(ctx, of, func(storage *files.Storage) error {
		return withTemporal(ctx, func(c config, temporal client.Client) error {
			return do(&leaving.Removal{
				Rows: of.owner, Files: storage, Said: progressTo(cmd),
				Workflows: workflows.Executions{Temporal: temporal, Namespace: c.TemporalNamespace},
			})
		})
	})
}

// progressTo prints progress on one line of a terminal.
func progressTo(cmd *cobra.Command) func(string) {
	out, ok := cmd.ErrOrStderr().(*os.File)
	if !ok || !isTerminal(out) {
		return func(string) {}
	}
	return func(line string) { _, _ = fmt.Fprintf(out, "\r\x1b[K%s", line) }
}

func removeOrganization(cmd *cobra.Command, of owned, r *leaving.Removal, dryRun, yes bool) error {
	counts, err := r.Count(cmd.Context(), of.org.ID)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if err := sayCounts(out, of.org, &counts); err != nil {
		return err
	}
	if dryRun {
		say(out, "\nDry run: nothing was removed.")
		return nil
	}
	if !yes {
		if err := confirm(cmd, of.org.Slug); err != nil {
			return err
		}
	}
	name := fmt.Sprintf("organization %s, number %d", of.org.Slug, of.org.ID)
	if err := schema.Record(cmd.Context(), of.conn, actionOf(cmd, "started to remove "+name)); err != nil {
		return err
	}
	err = r.Run(cmd.Context(), of.org.ID)
	r.Said("")
	if err != nil {
		return fmt.Errorf("the organization is closed but not completely removed (run the command again): %w", err)
	}
	say(out, "\nRemoved organization %s: %d rows, %d files and %d workflows.",
		of.org.Slug, counts.Rows(), counts.Files, counts.Workflows)
	return schema.Record(cmd.Context(), of.conn, actionOf(cmd, fmt.Sprintf("removed %s: %d rows, %d files and %d workflows",
		name, counts.Rows(), counts.Files, counts.Workflows)))
}

// sayCounts prints the counts of an organization.
func sayCounts(out io.Writer, org tenants.Organization, counts *leaving.Counts) error {
	say(out, "organization %s (%s), number %d", org.Slug, org.Name, org.ID)
	if org.ClosedAt != nil {
		say(out, "closed since %s: its removal has started", org.ClosedAt.UTC().Format("2006-01-02 15:04:05Z"))
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	say(table, "WHAT\tCOUNT")
	for _, t := range counts.Tables {
		say(table, "%s\t%d", t.Table, t.Rows)
	}
	say(table, "files\t%d (%d bytes)", counts.Files, counts.Bytes)
	say(table, "workflows\t%d (%d running)", counts.Workflows, counts.Running)
	return table.Flush()
}

// confirm asks for the slug of an organization.
func confirm(cmd *cobra.Command, slug string) error {
	_, _ = fmt.Fprintf(cmd.OutOrStdout(), "\nType %s to remove it permanently: ", slug)
	typed, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the answer: %w", err)
	}
	if strings.TrimSpace(typed) != slug {
		return errors.New("the slug does not match: nothing was removed")
	}
	return nil
}
