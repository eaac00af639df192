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
	"waybill/operations"
	"waybill/store"
	"waybill/workflows"
)

func newContactsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "contacts",
		Short: "Exports and erases people",
	}
	cmd.AddCommand(newContactsEraseCommand(), newContactsErasedCommand(), newContactsExportCommand())
	return cmd
}

// soughtPerson are the flags that say whom a command is about.
type soughtPerson struct {
	email, phone string
	names        []string
	fromStdin    bool
}

func (p *soughtPerson) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.email, "email", "", "the person's email address")
	cmd.Flags().StringVar(&p.phone, "phone", "", "the person's telephone number, such as +4791234567")
	cmd.Flags().StringArrayVar(&p.names, "name", nil, "what the person is called; others with the same number stay")
	cmd.Flags().BoolVar(&p.fromStdin, "stdin", false, "read lines such as \"email kari@example.com\" from standard input")
}

// find returns the person.
func (p *soughtPerson) find(cmd *cobra.Command, of tenant) (privacy.Person, error) {
	if p.fromStdin {
		if err := readAddresses(cmd.InOrStdin(), &p.email, &p.phone, &p.names); err != nil {
			return privacy.Person{}, err
		}
	}
	person, ok, err := of.operations.FindPerson(cmd.Context(), of.by.OrgID, p.email, p.phone, p.names)
	if err == nil && !ok {
		err = errors.New("that is no email address or telephone number")
	}
	return person, err
}

const eraseHelp = `Erases a person, known by an email address or a telephone number, from the orders,
drafts, imports, templates, messages, proofs, reports and archives of an organization: the
address wherever it is, and the name where it belongs to the address. What happened
stays, and the log says that somebody was erased, and not who. Messages that wait are not
sent.

A dry run lists the orders and contacts. People of one household may share a number:
--name says whom you mean. --stdin keeps addresses out of the history of your shell.

Hashes of the addresses are kept: an import that brings one back gets a warning. After
--objects nothing is sent to them again. After a restore, --again erases everybody again;
--from names a file of "waybill contacts erased" that is newer than the backup.

It can be run again, and goes on where it was broken off. Accounts and drivers are
no contacts: they stay. docs/privacy.md says what is looked through.`

func newContactsEraseCommand() *cobra.Command {
	var org, from string
	var sought soughtPerson
	var how operations.Erasing
	var again bool
	cmd := &cobra.Command{
		Use:   "erase --org SLUG (--email ADDRESS | --phone NUMBER | --stdin | --again)",
		Short: "Erases a person from orders and messages",
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
	cmd.Flags().BoolVar(&how.Dry, "dry-run", false, "say where the person is, and erase nothing")
	cmd.Flags().BoolVar(&how.Objects, "objects", false, "the person wants no messages: send none to their addresses again")
	cmd.Flags().BoolVar(&again, "again", false, "erase all who were erased before, as after a restore")
	cmd.Flags().StringVar(&from, "from", "", "with --again: a file that waybill contacts erased wrote")
	cmd.MarkFlagsOneRequired("email", "phone", "stdin", "again")
	for _, other := range []string{"email", "phone", "stdin", "objects"} {
		cmd.MarkFlagsMutuallyExclusive("again", other)
	}
	return cmd
}

// readAddresses reads what a person is known by: a word that says what it is, and then what
// it is, on each line.
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
			return fmt.Errorf("a line begins with %q: it would be right with email, phone or name", kind)
		}
	}
	return lines.Err()
}

func eraseContact(cmd *cobra.Command, of tenant, sought *soughtPerson, how operations.Erasing) error {
	person, err := sought.find(cmd, of)
	if err != nil {
		return err
	}
	erased, err := of.operations.EraseContact(cmd.Context(), of.by, person, how)
	if err != nil {
		return err
	}
	if err := tellEnded(cmd, of, erased.Ended); err != nil {
		return err
	}
	return sayErased(cmd.OutOrStdout(), &erased, how.Dry)
}

// sayErased says what was found, what was erased and what remains.
func sayErased(out io.Writer, erased *operations.Erased, dryRun bool) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if len(erased.Contacts)+len(erased.Shared) > 0 {
		say(table, "ORDER\tSTOP\tCONTACT\t")
	}
	for _, c := range erased.Contacts {
		say(table, "%s\t%s\t%s\t", c.Number, c.Stop, c.Name)
	}
	for _, c := range erased.Shared {
		say(table, "%s\t%s\t%s\tkeeps the name, loses the address that both have", c.Number, c.Stop, c.Name)
	}
	say(table, "\nWHERE\tFOUND")
	say(table, "orders of the person\t%d", erased.Orders)
	for _, r := range erased.Rows {
		say(table, "%s\t%d", r.Table, r.Count)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if erased.Receipt != 0 {
		say(out, "\nThe receipt is number %d.", erased.Receipt)
	}
	switch {
	case !erased.Any():
		say(out, "\nNobody was found.")
		return nil
	case dryRun:
		say(out, "\nThis was a dry run: nothing was erased.")
	default:
		say(out, "\nErased: what the table lists, %d messages that waited, %d pictures of signatures.",
			len(erased.Ended), erased.Files)
		if erased.FilesLeft > 0 {
			say(out, "Housekeeping deletes %d more pictures within two days.", erased.FilesLeft)
		}
	}
	say(out, "\nNot looked at, and what may remain there:")
	for _, r := range privacy.Remains() {
		say(out, "  %s: %s", r.What, r.Until)
	}
	return nil
}

// tellEnded tells the workflows of messages that they ended.
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
		say(cmd.ErrOrStderr(), "Nothing is sent, but workflows of messages wait until their time: %v", err)
	}
	return nil
}

// eraseAgain erases all who were erased before.
func eraseAgain(cmd *cobra.Command, of tenant, from string, dryRun bool) error {
	if from != "" {
		if err := takeErasedList(cmd.Context(), of, from); err != nil {
			return fmt.Errorf("read %s: %w", from, err)
		}
	}
	again, err := of.operations.EraseAgain(cmd.Context(), of.by, dryRun)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	say(out, "%s known to be erased, %d found again.", plural(again.Known, "address"), again.Found)
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
	var list operations.ErasedList
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	return of.operations.TakeErasedList(ctx, of.by, &list)
}

func newContactsErasedCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:   "erased --org SLUG",
		Short: "Writes what is known of erasures, to keep it outside of the database",
		Long: `Writes keyed hashes of all erased addresses as JSON. The file names nobody. Write it as
often as you like and keep it apart from backups: after a restore, "waybill contacts erase
--again --from FILE" erases everybody again who was erased after the backup.`,
		Example: "  waybill contacts erased --org nordfrakt > nordfrakt-erased.json\n" +
			"  waybill contacts erase --org nordfrakt --again --from nordfrakt-erased.json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				list, err := of.operations.ErasedList(cmd.Context(), of.by.OrgID)
				if errors.Is(err, store.ErrNotFound) {
					return errors.New("nobody was erased")
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
