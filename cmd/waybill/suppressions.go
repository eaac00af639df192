package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"waybill/store"
)

// suppressionPage is how many closed addresses are looked up at a time.
const suppressionPage = 1000

func newSuppressionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "suppressions",
		Short: "List and reopen closed addresses",
		Long: `List and reopen closed addresses. A bounce, a spam complaint or an unknown mailbox closes
an address, and later messages to it fail. When the cause is fixed, reopen the address.`,
	}
	cmd.AddCommand(newSuppressionsListCommand(), newSuppressionsRemoveCommand())
	return cmd
}

func newSuppressionsListCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:   "list --org SLUG",
		Short: "List the closed addresses",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
				say(table, "CHANNEL\tADDRESS\tREASON\tMESSAGE\tSINCE")
				if err := printSuppressions(cmd.Context(), of, table); err != nil {
					return err
				}
				return table.Flush()
			})
		},
	}
	orgFlags(cmd, &org, nil)
	return cmd
}

// printSuppressions writes the closed addresses, a page at a time.
func printSuppressions(ctx context.Context, of tenant, table io.Writer) error {
	for filter := (store.SuppressionFilter{}); ; {
		closed, more, err := of.store.Suppressions(ctx, of.by.OrgID, filter, suppressionPage)
		if err != nil {
			return err
		}
		for _, c := range closed {
			say(table, "%s\t%s\t%s\t%d\t%s", c.Channel, c.Address, c.Reason, c.NotificationID, instant(&c.CreatedAt))
		}
		if !more {
			return nil
		}
		last := closed[len(closed)-1]
		filter.Channel, filter.Behind = last.Channel, last.Address
	}
}

func newSuppressionsRemoveCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:     "remove --org SLUG ADDRESS",
		Short:   "Reopen an address",
		Example: "  waybill notifications suppressions remove --org nordfrakt kari@example.com",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				err := of.operations.Notifications.OpenAddress(cmd.Context(), of.by, args[0])
				if errors.Is(err, store.ErrNotFound) {
					return fmt.Errorf("%s is not closed", args[0])
				}
				if err == nil {
					say(cmd.OutOrStdout(), "%s is reopened", args[0])
				}
				return err
			})
		},
	}
	orgFlags(cmd, &org, nil)
	return cmd
}
