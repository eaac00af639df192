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
		Short: "Export all data of an organization",
		Long: `Export an organization: the rows of all tables as JSON, one object per line
(tables/NAME.jsonl), and its files from the object storage (files/…, listed in
files.jsonl). manifest.json has the number of rows and the SHA-256 of each. It is
written last: an export without it is incomplete.

The rows are a consistent snapshot. Columns with credentials, such as hashes of keys and
passphrases, are left out; the manifest lists them.

To continue an interrupted export into a folder, run the command again: it writes the
rows again and keeps existing files. With --dry-run it only shows how much data there is.`,
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
	cmd.Flags().StringVar(&to, "to", "", "output file, ending in .tar.gz, or folder")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show how much data there is without writing it")
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
	say(cmd.OutOrStdout(), "\nDry run: nothing was written.")
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
		say(cmd.OutOrStdout(), "exported %s to %s: %d rows from %d tables, %d files",
			of.org.Slug, to, rows, len(written.Tables), written.Files.Count)
		return nil
	})
}
