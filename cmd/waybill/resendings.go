package main

import (
	"context"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"waybill/domain/notification"
	"waybill/internal/wait"
)

// How many resendings are listed, and how often a running one is read.
const (
	resendingsShown = 20
	resendingLook   = 500 * time.Millisecond
)

func newResendingsCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:   "resendings --org SLUG",
		Short: "List and stop resendings of many messages",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				found, err := of.store.Resendings(cmd.Context(), of.by.OrgID, 0, resendingsShown)
				if err != nil {
					return err
				}
				table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
				say(table, "ID\tSTATE\tSENT\tREFUSED\tOF\tBY\tSTARTED")
				for i := range found {
					r := &found[i]
					say(table, "%d\t%s\t%d\t%d\t%d\t%s\t%s", r.ID, r.State, r.Sent, r.Refused, r.Total, r.Actor, instant(&r.StartedAt))
				}
				return table.Flush()
			})
		},
	}
	orgFlags(cmd, &org, nil)
	cmd.AddCommand(newResendingsStopCommand())
	return cmd
}

func newResendingsStopCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:     "stop --org SLUG ID",
		Short:   "Stop a resending",
		Example: "  waybill notifications resendings stop --org nordfrakt 7",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return fmt.Errorf("%q is not the id of a resending", args[0])
			}
			return forOrganization(cmd, org, func(of tenant) error {
				if err := of.operations.Notifications.StopResending(cmd.Context(), of.by, id); err != nil {
					return err
				}
				say(cmd.OutOrStdout(), "Stopped. Messages of the current batch are still sent.")
				return nil
			})
		},
	}
	orgFlags(cmd, &org, nil)
	return cmd
}

// follow shows the progress of a resending until it has ended.
func follow(cmd *cobra.Command, of tenant, org string, id int64) error {
	tell, ctx := progressTo(cmd), cmd.Context()
	for {
		r, err := of.store.Resending(ctx, of.by.OrgID, id)
		if ctx.Err() != nil {
			say(cmd.OutOrStdout(), "The resending continues in the background. To follow it: waybill notifications resendings --org %s", org)
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if r.State != notification.ResendingRunning {
			tell("")
			say(cmd.OutOrStdout(), "%s: %d resent, %d could not be resent.",
				plural(r.Total, "message"), r.Sent, r.Refused)
			return nil
		}
		tell(fmt.Sprintf("%d of %d messages resent", r.Sent, r.Total))
		wait.For(ctx, resendingLook)
	}
}
