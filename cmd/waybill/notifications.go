package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"

	"waybill/domain/fault"
	"waybill/domain/notification"
	"waybill/store"
	"waybill/workflows"
)

func newNotificationsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "notifications",
		Short: "Resends messages, and opens addresses again",
		Long: `What becomes of messages is in the notifications log of the API, and in the
Temporal UI: WaybillState="failed" finds those that failed.`,
	}
	cmd.AddCommand(newNotificationsRetryCommand(), newSuppressionsCommand())
	return cmd
}

// retries says which messages are to be sent again.
type retries struct {
	org    string
	id     int64
	failed bool
	since  string
	event  string
	dryRun bool
}

func newNotificationsRetryCommand() *cobra.Command {
	var r retries
	cmd := &cobra.Command{
		Use:   "retry --org SLUG (--id ID | --failed --since WHEN)",
		Short: "Resends messages that failed or bounced",
		Long: `Resends messages that failed or bounced. Each becomes a new message of the log
that names the one it retries; that one stays as it is. What was retried already is
left alone, so the command can be run again.

--since is a time such as 2026-03-02T08:00:00Z, or a span before now such as 24h.`,
		Example: "  waybill notifications retry --org nordfrakt --id 4711\n" +
			"  waybill notifications retry --org nordfrakt --failed --since 24h --event ORDER_CREATED --dry-run",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, r.org, func(of tenant) error {
				return r.run(cmd, of)
			})
		},
	}
	orgFlags(cmd, &r.org, nil)
	flags := cmd.Flags()
	flags.Int64Var(&r.id, "id", 0, "one message, by its id in the log")
	flags.BoolVar(&r.failed, "failed", false, "all messages that failed")
	flags.StringVar(&r.since, "since", "", "only those since then")
	flags.StringVar(&r.event, "event", "", "only those of one event, such as ORDER_CREATED")
	flags.BoolVar(&r.dryRun, "dry-run", false, "say what would be sent again, and do nothing")
	cmd.MarkFlagsOneRequired("id", "failed")
	cmd.MarkFlagsMutuallyExclusive("id", "failed")
	cmd.MarkFlagsRequiredTogether("failed", "since")
	return cmd
}

// run works through the messages. One that cannot be retried is no reason to
// leave the others.
func (r retries) run(cmd *cobra.Command, of tenant) error {
	ids, err := r.ids(cmd.Context(), of)
	if err != nil {
		return err
	}
	c, err := readConfig()
	if err != nil {
		return err
	}
	temporal, err := newTemporal(c, slog.New(slog.DiscardHandler), nil, nil)
	if err != nil {
		return err
	}
	defer temporal.Close()
	started, refused := 0, 0
	for i, id := range ids {
		text, err := r.one(cmd.Context(), of, temporal, id)
		var unfit *fault.Error
		switch {
		case errors.As(err, &unfit) && unfit.Kind != fault.Unavailable:
			refused++
			text = explain(unfit)
		case err != nil:
			return fmt.Errorf("message %d: %w", id, err)
		default:
			started++
		}
		say(cmd.OutOrStdout(), "[%d/%d] message %d: %s", i+1, len(ids), id, text)
	}
	what := "are sent again"
	if r.dryRun {
		what = "would be sent again; nothing was done"
	}
	say(cmd.OutOrStdout(), "%s, of which %d %s.", plural(len(ids), "message"), started, what)
	if refused > 0 && r.id != 0 {
		return errors.New("it cannot be sent again")
	}
	return nil
}

// explain says in plain words why a message cannot be sent again.
func explain(unfit *fault.Error) string {
	switch unfit.Text.ID {
	case "notification.not_found":
		return "there is no such message"
	case "notification.retried":
		return "it was already sent again, as message " + unfit.Text.Args["by"]
	case "notification.not_failed":
		return "it is " + unfit.Text.Args["status"] + ", and only messages that failed or bounced are sent again"
	case "notification.too_old":
		return "what it is about is no longer in the log"
	}
	return unfit.Error()
}

func (r retries) one(ctx context.Context, of tenant, temporal client.Client, id int64) (string, error) {
	retry, err := of.operations.RetryNotification(ctx, of.by, id)
	if err != nil {
		return "", err
	}
	what := fmt.Sprintf("%s %s for order %d", strings.ToLower(string(retry.Channel)), retry.Event, retry.OrderID)
	if r.dryRun {
		return what, nil
	}
	started, err := workflows.RetryNotification(ctx, workflows.Naming(temporal, of.store.WorkflowName), of.by.OrgID, retry, "")
	switch {
	case err != nil:
		return what, err
	case !started:
		return what + ", which is under way already", nil
	}
	return what, of.operations.NoteRetry(ctx, of.by, retry)
}

// How many messages, and how many closed addresses, are looked up at a time.
const (
	retryPage       = 1000
	suppressionPage = 1000
)

func (r retries) ids(ctx context.Context, of tenant) ([]int64, error) {
	if !r.failed {
		return []int64{r.id}, nil
	}
	since, err := moment(r.since, time.Now())
	if err != nil {
		return nil, err
	}
	if r.event != "" && !slices.Contains(notification.Events, notification.Event(r.event)) {
		return nil, fmt.Errorf("there is no event %q; there are: %v", r.event, notification.Events)
	}
	var all []int64
	for after := int64(0); ; {
		page, err := of.store.FailedNotifications(ctx, of.by.OrgID, store.FailedNotifications{
			Since: since, Event: notification.Event(r.event), After: after, Size: retryPage,
		})
		all = append(all, page...)
		if err != nil || len(page) < retryPage {
			return all, err
		}
		after = page[len(page)-1]
	}
}

// moment reads a time, or a span before now.
func moment(text string, now time.Time) (time.Time, error) {
	if span, err := time.ParseDuration(text); err == nil && span > 0 {
		return now.Add(-span), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fmt.Errorf("--since is %q; it must be a time such as 2026-03-02T08:00:00Z or a span such as 24h", text)
	}
	return at, nil
}

func newSuppressionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "suppressions",
		Short: "Lists and removes addresses to which nothing more is sent",
		Long: `A bounce or a spam complaint closes an address: later messages to it fail. Who has
seen to the cause opens it again.`,
	}
	cmd.AddCommand(newSuppressionsListCommand(), newSuppressionsRemoveCommand())
	return cmd
}

func newSuppressionsListCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:   "list --org SLUG",
		Short: "Lists the closed addresses",
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
		Short:   "Opens an address again",
		Example: "  waybill notifications suppressions remove --org nordfrakt kari@example.com",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				err := of.operations.OpenAddress(cmd.Context(), of.by, args[0])
				if errors.Is(err, store.ErrNotFound) {
					return fmt.Errorf("%s is not on the list", args[0])
				}
				if err == nil {
					say(cmd.OutOrStdout(), "%s is open again", args[0])
				}
				return err
			})
		},
	}
	orgFlags(cmd, &org, nil)
	return cmd
}
