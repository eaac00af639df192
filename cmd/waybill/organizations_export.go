package main

import (
	"time"

	"github.com/spf13/cobra"

	leaving "waybill/operations/tenants"
	"waybill/providers/files"
	"waybill/store/schema"
)

func newOrganizationsExportCommand() *cobra.Command {
	var org, to string
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "export --org SLUG --to FILE.tar.gz|FOLDER",
		Short: "Exports an organization and all that is kept of it",
		Long: `Exports an organization: the rows of all tables as JSON, one object a line
(tables/NAME.jsonl), and its files as they are in the object storage (files/…, listed
in files.jsonl). manifest.json says how much there is of each, with its SHA-256, and is
written last: an export without it is not whole.

The rows are those of one moment. Columns that let somebody in, such as the hashes of
keys and passphrases, are left out; the manifest names them.

An export into a folder that was interrupted goes on when the command runs again: rows
are written again, files that are there are kept. With --dry-run nothing is written:
the command says how much there is.`,
		Example: "  waybill organizations export --org nordfrakt --to nordfrakt.tar.gz\n" +
			"  waybill organizations export --org nordfrakt --to /backup/nordfrakt",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return asOwner(cmd.Context(), org, func(of owned) error {
				if dryRun {
					return withRemoval(cmd, of, func(r *leaving.Removal) error { return countOrganization(cmd, of, r) })
				}
				return exportOrganization(cmd, of, to)
			})
		},
	}
	orgFlags(cmd, &org, nil)
	cmd.Flags().StringVar(&to, "to", "", "file that ends with .tar.gz, or folder")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say how much there is, and write nothing")
	cmd.MarkFlagsOneRequired("to", "dry-run")
	return cmd
}

func countOrganization(cmd *cobra.Command, of owned, r *leaving.Removal) error {
	counts, err := r.Count(cmd.Context(), of.org.ID)
	if err != nil {
		return err
	}
	if err := sayCounts(cmd.OutOrStdout(), of.org, &counts); err != nil {
		return err
	}
	say(cmd.OutOrStdout(), "\nThis was a dry run: nothing was written.")
	return nil
}

func exportOrganization(cmd *cobra.Command, of owned, to string) error {
	ctx := cmd.Context()
	return withFiles(ctx, of, func(storage *files.Storage) error {
		target, err := leaving.OpenTarget(to)
		if err != nil {
			return err
		}
		export := leaving.Export{
			Rows: of.owner, Files: storage, Target: target, Said: progressTo(cmd), Release: version, Schema: schema.Latest(),
		}
		written, err := export.Run(ctx, of.org, time.Now())
		export.Said("")
		if err != nil {
			return err
		}
		rows := int64(0)
		for _, t := range written.Tables {
			rows += t.Rows
		}
		say(cmd.OutOrStdout(), "exported %s to %s: %d rows of %d tables, %d files",
			of.org.Slug, to, rows, len(written.Tables), written.Files.Count)
		return nil
	})
}
