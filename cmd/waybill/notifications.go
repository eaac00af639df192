package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"

	"waybill/domain/fault"
	"waybill/domain/notification"
	"waybill/workflows"
)

func newNotificationsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "notifications",
		Short: "Resend messages and reopen addresses",
		Long: `Resend messages and reopen addresses. To see the state of messages, use the
notifications log of the API, or search the Temporal UI: WaybillState="failed" finds
failed messages.`,
	}
	cmd.AddCommand(newNotificationsRetryCommand(), newResendingsCommand(), newSuppressionsCommand())
	return cmd
}

// retries selects the messages to send again.
type retries struct {
	org      string
	id       int64
	failed   bool
	since    string
	until    string
	event    string
	channel  string
	reason   string
	provider string
	dead     bool
	dryRun   bool
}

func newNotificationsRetryCommand() *cobra.Command {
	var r retries
	cmd := &cobra.Command{
		Use:   "retry --org SLUG (--id ID | --failed --since WHEN)",
		Short: "Resend messages that failed or bounced",
		Long: `Resend messages that failed or bounced, and with --id also a message that may not have
arrived. Each becomes a new message in the log that refers to the original, which stays
as it is. Messages that were already resent, or have a delivery receipt, are skipped, so
you can repeat the command.

--failed counts the messages by reason, and skips messages whose address does not exist
or is closed. The workers resend them in the background while the command shows the
progress; Ctrl-C stops only the display. See also: waybill notifications resendings.

--since and --until take a time such as 2026-03-02T08:00:00Z, or a duration before now
such as 24h.`,
		Example: "  waybill notifications retry --org nordfrakt --id 4711\n" +
			"  waybill notifications retry --org nordfrakt --failed --since 24h --event ORDER_CREATED --dry-run\n" +
			"  waybill notifications retry --org nordfrakt --failed --since 2026-03-02T02:00:00Z \\\n" +
			"    --until 2026-03-02T04:00:00Z --channel EMAIL --reason Unavailable",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, r.org, func(of tenant) error {
				if r.failed {
					return r.all(cmd, of)
				}
				return r.one(cmd, of)
			})
		},
	}
	orgFlags(cmd, &r.org, nil)
	r.flags(cmd)
	return cmd
}

// flags select the messages to send again.
func (r *retries) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Int64Var(&r.id, "id", 0, "resend one message, by its id in the log")
	flags.BoolVar(&r.failed, "failed", false, "resend all failed messages")
	flags.StringVar(&r.since, "since", "", "only messages since this time")
	flags.StringVar(&r.until, "until", "", "only messages before this time (default now)")
	flags.StringVar(&r.event, "event", "", "only messages about this event, such as ORDER_CREATED")
	flags.StringVar(&r.channel, "channel", "", "only messages of this channel: EMAIL or SMS")
	flags.StringVar(&r.reason, "reason", "", "only messages that failed for this reason, such as RejectedSender")
	flags.StringVar(&r.provider, "provider", "", "only messages handed to this provider, such as smtp")
	flags.BoolVar(&r.dead, "dead-addresses", false,
		"also resend messages to addresses that do not exist or are closed")
	flags.BoolVar(&r.dryRun, "dry-run", false, "show what would be resent without sending it")
	cmd.MarkFlagsOneRequired("id", "failed")
	cmd.MarkFlagsMutuallyExclusive("id", "failed")
	cmd.MarkFlagsRequiredTogether("failed", "since")
}

// one sends one message again.
func (r retries) one(cmd *cobra.Command, of tenant) error {
	retry, err := of.operations.Notifications.RetryNotification(cmd.Context(), of.by, r.id)
	var unfit *fault.Error
	if errors.As(err, &unfit) && unfit.Kind != fault.Unavailable {
		return fmt.Errorf("cannot resend message %d: %s", r.id, explain(unfit))
	}
	if err != nil {
		return err
	}
	what := fmt.Sprintf("message %d: %s %s for order %d",
		r.id, strings.ToLower(string(retry.Channel)), retry.Event, retry.OrderID)
	if r.dryRun {
		say(cmd.OutOrStdout(), "Dry run: %s would be resent.", what)
		return nil
	}
	temporal, err := lifecyclesOf(cmd.Context(), of)
	if err != nil {
		return err
	}
	defer temporal.Close()
	started, err := workflows.RetryNotification(cmd.Context(), temporal, of.by.OrgID, retry, "")
	switch {
	case err != nil:
		return err
	case !started:
		say(cmd.OutOrStdout(), "%s is already being resent.", what)
		return nil
	}
	say(cmd.OutOrStdout(), "%s is being resent.", what)
	return of.operations.Notifications.NoteRetry(cmd.Context(), of.by, retry)
}

// explain describes in plain words why a message can't be sent again.
func explain(unfit *fault.Error) string {
	switch unfit.Text.ID {
	case "notification.not_found":
		return "message not found"
	case "notification.retried":
		return "it was already resent as message " + unfit.Text.Args["by"]
	case "notification.not_failed":
		return "it is " + unfit.Text.Args["status"] +
			"; only messages that failed, bounced or may not have arrived can be resent"
	case "notification.received":
		return "the provider reported that it was delivered"
	case "notification.superseded":
		return "its content is out of date"
	case "notification.too_old":
		return "its event is no longer in the log"
	}
	return unfit.Error()
}

// lifecyclesOf connects to the Temporal server, for an organization's workflows.
func lifecyclesOf(ctx context.Context, of tenant) (client.Client, error) {
	c, err := readConfig()
	if err != nil {
		return nil, err
	}
	temporal, err := connectTemporal(ctx, c, of.operations)
	if err != nil {
		return nil, err
	}
	return workflows.Naming(temporal, of.store.WorkflowName), nil
}

// all resends all selected messages through the workers, and shows the
// progress.
func (r retries) all(cmd *cobra.Command, of tenant) error {
	which, err := r.which(time.Now())
	if err != nil {
		return err
	}
	counts, err := of.operations.Notifications.PreviewResending(cmd.Context(), of.by.OrgID, which)
	if err != nil {
		return err
	}
	total := printFailures(cmd.OutOrStdout(), counts)
	switch {
	case r.dryRun:
		say(cmd.OutOrStdout(), "Dry run: %s would be resent.", plural(total, "message"))
		return nil
	case total == 0:
		say(cmd.OutOrStdout(), "No messages to resend.")
		return nil
	}
	temporal, err := lifecyclesOf(cmd.Context(), of)
	if err != nil {
		return err
	}
	defer temporal.Close()
	id, err := of.operations.Notifications.BeginResending(cmd.Context(), of.by, which)
	if fault.KindOf(err) == fault.Conflict {
		return errors.New("messages are already being resent; see waybill notifications resendings")
	}
	if err != nil {
		return err
	}
	in := workflows.ResendingInput{OrgID: of.by.OrgID, ID: id}
	if err := workflows.StartResending(cmd.Context(), temporal, in, ""); err != nil {
		return errors.Join(err, of.operations.Notifications.DropResending(cmd.Context(), of.by, id))
	}
	return follow(cmd, of, r.org, id)
}

// printFailures prints how many messages failed for each reason, and returns
// how many are included.
func printFailures(out io.Writer, counts []notification.FailureCount) (total int) {
	for _, c := range counts {
		note := ""
		if c.IsLeftOut {
			note = ", skipped; resend them with --dead-addresses"
		} else {
			total += c.Messages
		}
		say(out, "%s: %d%s", c.Failure, c.Messages, note)
	}
	return total
}

// which are the failed messages that the flags select. Those that are certain
// to fail again are left out, unless they are selected explicitly.
func (r retries) which(now time.Time) (which notification.Selection, err error) {
	which = notification.Selection{
		Until: now, Event: notification.Event(r.event), Channel: notification.Channel(r.channel),
		Failure: notification.Failure(r.reason), Provider: r.provider, DeadAddresses: r.dead,
	}
	if which.Since, err = moment("--since", r.since, now); err != nil {
		return which, err
	}
	if r.until != "" {
		if which.Until, err = moment("--until", r.until, now); err != nil {
			return which, err
		}
	}
	if r.event != "" && !slices.Contains(notification.Events, which.Event) {
		return which, fmt.Errorf("unknown event %q; must be one of %v", r.event, notification.Events)
	}
	if r.channel != "" && which.Channel != notification.Email && which.Channel != notification.SMS {
		return which, fmt.Errorf("unknown channel %q; must be EMAIL or SMS", r.channel)
	}
	if r.reason != "" && !slices.Contains(notification.Failures, which.Failure) {
		return which, fmt.Errorf("unknown reason %q; must be one of %v", r.reason, notification.Failures)
	}
	return which, nil
}

// moment reads a time, or a span before now.
func moment(flag, text string, now time.Time) (time.Time, error) {
	if span, err := time.ParseDuration(text); err == nil && span > 0 {
		return now.Add(-span), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fmt.Errorf("%s is %q; it must be a time such as 2026-03-02T08:00:00Z or a duration such as 24h", flag, text)
	}
	return at, nil
}
