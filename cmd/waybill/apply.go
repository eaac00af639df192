package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"waybill/domain/notification"
	"waybill/domain/organization"
	"waybill/domain/organization/file"
	"waybill/operations"
	"waybill/store"
	"waybill/store/masterdata"
)

func newApplyCommand() *cobra.Command {
	var file string
	var options masterdata.Options
	cmd := &cobra.Command{
		Use:   "apply -f FILE",
		Short: "Create or update an organization from a YAML file",
		Long: `Create or update an organization and its master data from a YAML file, all or
nothing. Unchanged items are left alone, so you can run the command as often as you
like. Items are identified by slug, externalId or name.

Users are identified by email. New users get an invitation by email. The command never
disables or enables users, and the file contains no passphrases.

Nothing is deleted without --prune, and sections missing from the file are left alone.
Users and locations are never removed, because imports create locations too.`,
		Example: "  waybill apply -f organization.yaml\n" +
			"  waybill apply -f organization.yaml --prune --dry-run\n" +
			"  waybill apply -f - < organization.yaml",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			document, err := readDocument(cmd.InOrStdin(), file)
			if err != nil {
				return err
			}
			return withStore(cmd.Context(), func(_ *store.Store, o *operations.Operations) error {
				by := commandOf(cmd, 0) // the document names its organization
				applied, err := o.MasterData.ApplyOrganization(cmd.Context(), by, document, options)
				if err != nil {
					return inFile(file, err)
				}
				return printApplied(cmd.OutOrStdout(), document, applied, options)
			})
		},
	}
	cmd.Flags().StringVarP(&file, "file", "f", "", "the YAML file, or - for standard input")
	cmd.Flags().BoolVar(&options.Prune, "prune", false,
		"remove items that are no longer in the file, or mark them inactive if orders refer to them")
	cmd.Flags().BoolVar(&options.DryRun, "dry-run", false, "show what would change without changing anything")
	_ = cmd.MarkFlagRequired("file")
	_ = cmd.MarkFlagFilename("file", "yaml", "yml")
	return cmd
}

func readDocument(in io.Reader, path string) (*organization.Document, error) {
	var text []byte
	var err error
	if path == "-" {
		text, err = io.ReadAll(in)
	} else {
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	document, err := file.Read(text)
	if err != nil {
		return nil, inFile(path, err)
	}
	return document, nil
}

// inFile prefixes every problem with the file's name, as editors expect.
func inFile(path string, err error) error {
	var problems organization.Problems
	if !errors.As(err, &problems) {
		return err
	}
	if path == "-" {
		path = "standard input"
	}
	var text strings.Builder
	fmt.Fprintf(&text, "nothing was applied: the file has %s:", plural(len(problems), "problem"))
	for _, p := range problems {
		fmt.Fprintf(&text, "\n%s:%s", path, p)
	}
	return errors.New(text.String())
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// warnUnsigned lists the messages that will fail without a sender.
func warnUnsigned(out io.Writer, channels []notification.Channel) {
	for _, channel := range channels {
		what, member, setting := "emails", "messaging.emailFrom", "WAYBILL_SMTP_FROM"
		if channel == notification.SMS {
			what, member, setting = "text messages", "messaging.smsFrom", "WAYBILL_SMS_FROM"
		}
		say(out, "\nWarning: notification rules send %s, but no sender is set, so they will fail.\n"+
			"Set %s in the file, or %s for all organizations.", what, member, setting)
	}
}

func printApplied(
	out io.Writer, document *organization.Document, applied masterdata.Applied, options masterdata.Options,
) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	say(table, "SECTION\tCREATED\tUPDATED\tUNCHANGED\tREMOVED")
	var changes int
	for _, s := range applied.Sections {
		say(table, "%s\t%d\t%d\t%d\t%d", s.Name, s.Created, s.Updated, s.Unchanged, s.Removed)
		changes += s.Created + s.Updated + s.Removed
	}
	if err := table.Flush(); err != nil {
		return err
	}
	warnUnsigned(out, applied.Unsigned)
	slug := document.Organization.Slug
	switch {
	case options.DryRun:
		say(out, "\nDry run: nothing was written.")
	case changes == 0:
		say(out, "\n%s is unchanged.", slug)
	case applied.Sections[0].Created > 0:
		say(out, "\n%s was created. Next, create an API key: waybill keys create --org %s --name NAME", slug, slug)
	default:
		say(out, "\n%s was updated. The changes apply to new orders.", slug)
	}
	return nil
}
