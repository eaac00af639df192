package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"waybill/domain/privacy"
	privacyops "waybill/operations/privacy"
	"waybill/store"
	"waybill/workflows"
)

func newContactsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "contacts",
		Short: "Export and erase personal data of contacts",
	}
	cmd.AddCommand(newContactsEraseCommand(), newContactsErasedCommand(), newContactsExportCommand())
	return cmd
}

// soughtPerson are the flags that identify a person.
type soughtPerson struct {
	email, phone string
	names        []string
	fromStdin    bool
}

func (p *soughtPerson) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.email, "email", "", "the person's email address")
	cmd.Flags().StringVar(&p.phone, "phone", "", "the person's phone number, such as +4791234567")
	cmd.Flags().StringArrayVar(&p.names, "name", nil, "the person's name; other people with the same number are kept")
	cmd.Flags().BoolVar(&p.fromStdin, "stdin", false, "read lines such as \"email kari@example.com\" from standard input")
}

// find returns the person.
func (p *soughtPerson) find(cmd *cobra.Command, of tenant) (privacy.Person, error) {
	if p.fromStdin {
		if err := readAddresses(cmd.InOrStdin(), &p.email, &p.phone, &p.names); err != nil {
			return privacy.Person{}, err
		}
	}
	person, ok, err := of.operations.Privacy.FindPerson(cmd.Context(), of.by.OrgID, p.email, p.phone, p.names)
	if err == nil && !ok {
		err = errors.New("not a valid email address or phone number")
	}
	return person, err
}

const eraseHelp = `Erase a person from the orders, drafts, imports, recurring orders, messages, proofs,
reports and archives of an organization. You identify the person by an email address or
phone number. The address is removed everywhere, the name wherever it belongs to
the address. The events stay, and the log records that somebody was erased, but not
who. Waiting messages are not sent.

A dry run lists the orders and contacts. If people in one household share a number,
use --name to choose one. --stdin keeps addresses out of your shell history.

Hashes of the addresses are kept, so an import that contains one again gets a warning.
With --objects, nothing is ever sent to these addresses again. After a restore, --again
erases everyone again; --from reads a file of "waybill contacts erased" that is newer
than the backup.

You can repeat the command; an interrupted run continues. Accounts and drivers are not
contacts and are not erased. docs/privacy.md lists the data that is searched.`

func newContactsEraseCommand() *cobra.Command {
	var org, from string
	var sought soughtPerson
	var how privacyops.Erasing
	var again bool
	cmd := &cobra.Command{
		Use:   "erase --org SLUG (--email ADDRESS | --phone NUMBER | --stdin | --again)",
		Short: "Erase a person from orders and messages",
		Long:  eraseHelp,
		Example: "  waybill contacts erase --org nordfrakt --email kari@example.com --dry-run\n" +
			"  waybill contacts erase --org nordfrakt --phone '+47 912 34 567' --name 'Kari Nordmann'\n" +
			"  waybill contacts erase --org nordfrakt --stdin < person.txt",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				if again {
					return eraseAgain(cmd, of, from, how.Dry)
				}
				return eraseContact(cmd, of, &sought, how)
			})
		},
	}
	orgFlags(cmd, &org, nil)
	sought.flags(cmd)
	cmd.Flags().BoolVar(&how.Dry, "dry-run", false, "show where the person was found, without erasing anything")
	cmd.Flags().BoolVar(&how.Objects, "objects", false, "the person objects to messages: never send any to their addresses again")
	cmd.Flags().BoolVar(&again, "again", false, "erase everyone who was erased before, for use after a restore")
	cmd.Flags().StringVar(&from, "from", "", "with --again: a file written by waybill contacts erased")
	cmd.MarkFlagsOneRequired("email", "phone", "stdin", "again")
	for _, other := range []string{"email", "phone", "stdin", "objects"} {
		cmd.MarkFlagsMutuallyExclusive("again", other)
	}
	return cmd
}

// readAddresses reads a person's identifiers: one per line, each with its type
// before it.
func readAddresses(from io.Reader, email, phone *string, names *[]string) error {
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		kind, value, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		switch value = strings.TrimSpace(value); kind {
		case "":
		case "email":
			*email = value
		case "phone":
			*phone = value
		case "name":
			*names = append(*names, value)
		default:
			return fmt.Errorf("line starts with %q; it must start with email, phone or name", kind)
		}
	}
	return lines.Err()
}

func eraseContact(cmd *cobra.Command, of tenant, sought *soughtPerson, how privacyops.Erasing) error {
	person, err := sought.find(cmd, of)
	if err != nil {
		return err
	}
	erased, err := of.operations.Privacy.EraseContact(cmd.Context(), of.by, person, how)
	if err != nil {
		return err
	}
	if err := tellEnded(cmd, of, erased.Ended); err != nil {
		return err
	}
	return sayErased(cmd.OutOrStdout(), &erased, how.Dry)
}

// sayErased says what was found, what was erased and what remains.
func sayErased(out io.Writer, erased *privacyops.Erased, dryRun bool) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if len(erased.Contacts)+len(erased.Shared) > 0 {
		say(table, "ORDER\tSTOP\tCONTACT\t")
	}
	for _, c := range erased.Contacts {
		say(table, "%s\t%s\t%s\t", c.Number, c.Stop, c.Name)
	}
	for _, c := range erased.Shared {
		say(table, "%s\t%s\t%s\tkeeps the name, loses the shared address", c.Number, c.Stop, c.Name)
	}
	say(table, "\nWHERE\tFOUND")
	say(table, "orders\t%d", erased.Orders)
	for _, r := range erased.Rows {
		say(table, "%s\t%d", r.Table, r.Count)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if erased.Receipt != 0 {
		say(out, "\nReceipt number: %d", erased.Receipt)
	}
	switch {
	case !erased.Any():
		say(out, "\nNo data found.")
		return nil
	case dryRun:
		say(out, "\nDry run: nothing was erased.")
	default:
		say(out, "\nErased the data in the table, %d waiting messages and %d pictures of signatures.",
			len(erased.Ended), erased.Files)
		if erased.FilesLeft > 0 {
			say(out, "Housekeeping will delete %d more pictures within two days.", erased.FilesLeft)
		}
	}
	say(out, "\nNot searched, so personal data may remain:")
	for _, r := range privacy.Remains() {
		say(out, "  %s: %s", r.What, r.Until)
	}
	return nil
}

// tellEnded signals the workflows of messages that have ended.
func tellEnded(cmd *cobra.Command, of tenant, ended []string) error {
	if len(ended) == 0 {
		return nil
	}
	temporal, err := lifecyclesOf(cmd.Context(), of)
	if err == nil {
		defer temporal.Close()
		err = workflows.EndNotifications(cmd.Context(), temporal, ended)
	}
	if err != nil {
		say(cmd.ErrOrStderr(), "The messages will not be sent, but their workflows run until their scheduled time: %v", err)
	}
	return nil
}

// eraseAgain repeats all earlier erasures.
func eraseAgain(cmd *cobra.Command, of tenant, from string, dryRun bool) error {
	if from != "" {
		if err := takeErasedList(cmd.Context(), of, from); err != nil {
			return fmt.Errorf("read %s: %w", from, err)
		}
	}
	again, err := of.operations.Privacy.EraseAgain(cmd.Context(), of.by, dryRun)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	say(out, "%s known as erased, %d found again.", plural(again.Known, "address"), again.Found)
	for i := range again.Erased {
		if err := tellEnded(cmd, of, again.Erased[i].Ended); err != nil {
			return err
		}
		if err := sayErased(out, &again.Erased[i], dryRun); err != nil {
			return err
		}
	}
	return nil
}

func takeErasedList(ctx context.Context, of tenant, from string) error {
	body, err := os.ReadFile(from) //nolint:gosec // the operator names the file
	if err != nil {
		return err
	}
	var list privacyops.ErasedList
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	return of.operations.Privacy.TakeErasedList(ctx, of.by, &list)
}

func newContactsErasedCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:   "erased --org SLUG",
		Short: "Write hashes of erased people, to keep outside the database",
		Long: `Write keyed hashes of all erased addresses as JSON. The file contains no names. Write it
as often as you like and keep it apart from backups. After a restore, "waybill contacts
erase --again --from FILE" again erases everyone who was erased after the backup.`,
		Example: "  waybill contacts erased --org nordfrakt > nordfrakt-erased.json\n" +
			"  waybill contacts erase --org nordfrakt --again --from nordfrakt-erased.json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				list, err := of.operations.Privacy.ErasedList(cmd.Context(), of.by.OrgID)
				if errors.Is(err, store.ErrNotFound) {
					return errors.New("no erased people")
				}
				if err != nil {
					return err
				}
				return json.NewEncoder(cmd.OutOrStdout()).Encode(list)
			})
		},
	}
	orgFlags(cmd, &org, nil)
	return cmd
}
