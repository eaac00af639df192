package main

import (
	"errors"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"waybill/domain/notification"
	"waybill/domain/privacy"
)

func newContactsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "contacts",
		Short: "Erases people from what is kept",
	}
	cmd.AddCommand(newContactsEraseCommand())
	return cmd
}

func newContactsEraseCommand() *cobra.Command {
	var org, email, phone string
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "erase --org SLUG (--email ADDRESS | --phone NUMBER)",
		Short: "Erases a person from orders and messages",
		Long: `Erases a person, known by an email address or a telephone number, from the orders,
drafts, imports, templates, messages, proofs, reports and archives of an organization: the
address wherever it is, and the name where it belongs to the address. What happened
stays, and the log says that somebody was erased, and not who.

It can be run again, and goes on where it was broken off. Accounts and drivers are
no contacts: they stay. docs/privacy.md says what is looked through.`,
		Example: "  waybill contacts erase --org nordfrakt --email kari@example.com --dry-run\n" +
			"  waybill contacts erase --org nordfrakt --phone '+47 912 34 567'",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				return eraseContact(cmd, of, email, phone, dryRun)
			})
		},
	}
	orgFlags(cmd, &org, nil)
	cmd.Flags().StringVar(&email, "email", "", "the person's email address")
	cmd.Flags().StringVar(&phone, "phone", "", "the person's telephone number, such as +4791234567")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say where the person is, and erase nothing")
	cmd.MarkFlagsOneRequired("email", "phone")
	return cmd
}

func eraseContact(cmd *cobra.Command, of tenant, email, phone string, dryRun bool) error {
	country, zone, err := of.store.OrganizationCountry(cmd.Context(), of.by.OrgID)
	if err != nil {
		return err
	}
	if country == "" {
		country = notification.CountryOf(zone)
	}
	person, ok := privacy.NewPerson(email, phone, country)
	if !ok {
		return errors.New("that is no email address or telephone number")
	}
	erased, err := of.operations.EraseContact(cmd.Context(), of.by, person, dryRun)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	say(table, "WHERE\tFOUND")
	say(table, "orders\t%d", erased.Orders)
	for _, r := range erased.Rows {
		say(table, "%s\t%d", r.Table, r.Count)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	switch {
	case dryRun:
		say(cmd.OutOrStdout(), "\nThis was a dry run: nothing was erased.")
	case !erased.Any():
		say(cmd.OutOrStdout(), "\nNobody was found.")
	default:
		say(cmd.OutOrStdout(), "\nThe person is erased.")
	}
	return nil
}
