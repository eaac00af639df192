package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"waybill/store"
	"waybill/workflows"
)

func newOrdersCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "orders", Short: "Explain the state of an order"}
	cmd.AddCommand(newOrdersWhyCommand())
	return cmd
}

func newOrdersWhyCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:   "why --org SLUG NUMBER",
		Short: "Explain the state of an order",
		Long: `Explain the state of an order or draft: its status, its last import with errors, its
plan or why it has none, its export, its messages and what they wait for, events that
followers left out, and the state of its workflows.

NUMBER is the order number of the source system. The output contains no personal data:
no names, addresses or texts.`,
		Example: "  waybill orders why --org nordfrakt NF-2026-0042",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				why, err := of.store.Why(cmd.Context(), of.by.OrgID, args[0])
				if errors.Is(err, store.ErrNotFound) {
					return fmt.Errorf("%s has no order or draft with the number %q", org, args[0])
				}
				if err != nil {
					return err
				}
				printWhy(cmd.OutOrStdout(), why, time.Now())
				return printWorkflows(cmd, of, why)
			})
		},
	}
	orgFlags(cmd, &org, nil)
	return cmd
}

// printWhy writes the facts of the database.
func printWhy(out io.Writer, why store.Why, now time.Time) {
	if why.Draft != nil {
		say(out, "draft %d: %s since %s", why.Draft.ID, why.Draft.State, instant(&why.Draft.UpdatedAt))
		printReasons(out, why.Draft.Reasons)
	}
	if o := why.Order; o != nil {
		say(out, "order %d (%s): %s, for %s, changed %s", o.ID, o.Number, o.Status, o.Day.Format(time.DateOnly), instant(&o.UpdatedAt))
		if o.CancelledAt != nil {
			say(out, "  cancelled %s", instant(o.CancelledAt))
		}
		if o.Bookings > 0 {
			say(out, "  it has a seat in a delivery interval")
		}
	}
	if i := why.Import; i != nil {
		result := "its results were deleted"
		if i.Result != nil {
			result = i.Result.Kind
		}
		say(out, "last import %d, %s: %s", i.ID, instant(&i.At), result)
		if i.Result != nil {
			printReasons(out, i.Result.Reasons)
		}
	}
	if why.Order != nil {
		printPlan(out, why)
		printExport(out, why)
		printMessages(out, why, now)
	}
	for _, p := range why.Parked {
		say(out, "left out: follower %s did not take %s, %s (%s)", p.Follower, p.Kind, instant(&p.ParkedAt), p.Reason)
	}
}

// printReasons writes the codes and fields of reasons, and not their texts,
// which may repeat input.
func printReasons(out io.Writer, raw json.RawMessage) {
	var reasons []struct{ Code, Field, Path string }
	if json.Unmarshal(raw, &reasons) != nil {
		return
	}
	for _, r := range reasons {
		say(out, "  %s", strings.TrimSpace(r.Code+" "+r.Field+r.Path))
	}
}

func printPlan(out io.Writer, why store.Why) {
	for _, s := range why.Stops {
		say(out, "plan: %s is stop %d of driver %d, at %s", s.Kind, s.Seq, s.DriverID, instant(&s.StartsAt))
	}
	switch {
	case len(why.Stops) > 0:
		if why.Order.IsLocked {
			say(out, "  the order is locked to this driver")
		}
	case why.Unfit != nil:
		say(out, "plan: %s (%s) since %s", why.Unfit.State, why.Unfit.Certainty, instant(&why.Unfit.Since))
		printReasons(out, why.Unfit.Reasons)
	case why.Order.DriverID != 0:
		say(out, "plan: no stops; the order belongs to driver %d", why.Order.DriverID)
	default:
		say(out, "plan: none: the order waits to be planned or is over, or no driver works in its department that day")
	}
}

func printExport(out io.Writer, why store.Why) {
	e := why.Export
	if e == nil {
		say(out, "export: none: its type has no carrier")
		return
	}
	what := e.State
	if e.Reason != "" {
		what += " (" + e.Reason + ")"
	}
	say(out, "export to %s: %s since %s; version %d offered, %d fetched, %d acknowledged",
		orNone(e.Carrier), what, instant(&e.UpdatedAt), e.Version, e.FetchedVersion, e.ExportedVersion)
}

func printMessages(out io.Writer, why store.Why, now time.Time) {
	if len(why.Messages) == 0 {
		say(out, "messages: none: no rule created one")
	}
	for _, m := range why.Messages {
		what := m.Status
		switch {
		case m.Failure != "":
			what += ": " + m.Failure
		case m.Status == "queued" && m.WindowFrom.After(now):
			what += ", waits until its window opens at " + instant(&m.WindowFrom)
		case m.Status == "queued" && m.Attempts > 0:
			what += fmt.Sprintf(", waits for the provider after %s", plural(int(m.Attempts), "attempt"))
		}
		if m.Code != "" {
			what += " (" + m.Code + ")"
		}
		say(out, "message %d, %s %s, %s: %s", m.ID, strings.ToLower(m.Channel), m.Event, instant(&m.CreatedAt), what)
	}
}

// printWorkflows writes the workflows of an order and whether they run.
func printWorkflows(cmd *cobra.Command, of tenant, why store.Why) error {
	ids, err := workflowsOf(cmd.Context(), of, why)
	if err != nil {
		return err
	}
	c, err := readConfig()
	if err != nil {
		return err
	}
	temporal, err := newTemporal(c, discarded(), nil, nil)
	if err != nil {
		return err
	}
	defer temporal.Close()
	for _, id := range ids {
		say(cmd.OutOrStdout(), "workflow %s: %s", id, standingOf(cmd.Context(), temporal, id))
	}
	return nil
}

// workflowsOf are the IDs of the workflows of an order.
func workflowsOf(ctx context.Context, of tenant, why store.Why) (ids []string, err error) {
	name, err := of.store.WorkflowName(ctx, of.by.OrgID)
	if err != nil {
		return nil, err
	}
	if why.Import != nil {
		ids = append(ids, why.Import.WorkflowID)
	}
	if o := why.Order; o != nil {
		ids = append(ids, workflows.PlanID(name, o.DepartmentID, o.Day.Format(time.DateOnly)))
	}
	if why.Export != nil {
		ids = append(ids, workflows.ExportID(name, why.Order.ID))
	}
	for _, m := range why.Messages {
		ids = append(ids, m.WorkflowID)
	}
	return ids, nil
}

// standingOf says whether a workflow runs, for how long, and why its last
// attempt failed.
func standingOf(ctx context.Context, temporal client.Client, id string) string {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	described, err := temporal.DescribeWorkflowExecution(ctx, id, "")
	var absent *serviceerror.NotFound
	switch {
	case errors.As(err, &absent):
		return "not found; small imports have no workflow, and Temporal deletes old ones"
	case err != nil:
		return oneLineOf("unknown: " + err.Error())
	}
	info := described.GetWorkflowExecutionInfo()
	begun := info.GetStartTime().AsTime()
	text := fmt.Sprintf("%s, started %s", strings.ToLower(info.GetStatus().String()), instant(&begun))
	for _, a := range described.GetPendingActivities() {
		text += fmt.Sprintf("; %s is at attempt %d", a.GetActivityType().GetName(), a.GetAttempt())
		if failure := a.GetLastFailure().GetApplicationFailureInfo().GetType(); failure != "" {
			text += ", last failure " + failure
		}
	}
	return text
}
