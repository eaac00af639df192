package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"

	"waybill/operations"
	"waybill/store"
	"waybill/workflows"
)

func newOrganizationsActivityCommand() *cobra.Command {
	var org string
	var within time.Duration
	var most int
	cmd := &cobra.Command{
		Use:   "activity [--org SLUG]",
		Short: "Show the recent activity of organizations",
		Long: `Show how many events each organization caused in the last hour, or within --within, and
how many bytes they take in the log, the busiest organizations first. With --org, show
the details of one organization: its events by kind, imports, orders, messages, webhooks
and plans, the time spent searching its plans, and its workflows.

The numbers come from the newest 200,000 events. If there were more, the command says
so, and only the shares are accurate. Read requests cause no events; the access log of
serve has the org_id of every request.`,
		Example: "  waybill organizations activity\n  waybill organizations activity --org nordfrakt --within 15m",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if within <= 0 || most <= 0 {
				return errors.New("--within and --top must be positive")
			}
			since := time.Now().Add(-within)
			if org != "" {
				return forOrganization(cmd, org, func(of tenant) error { return showActivity(cmd, of, org, since) })
			}
			return withStore(cmd.Context(), func(s *store.Store, _ *operations.Operations) error {
				caused, err := s.CausedSince(cmd.Context(), since, 0)
				if err != nil {
					return err
				}
				return printBusiest(cmd.OutOrStdout(), caused, most)
			})
		},
	}
	cmd.Flags().StringVar(&org, "org", "", "slug of one organization")
	cmd.Flags().DurationVar(&within, "within", time.Hour, "how far to look back")
	cmd.Flags().IntVar(&most, "top", busiest, "how many organizations to show")
	return cmd
}

// busiest is how many organizations are shown by name; the others are one line.
const busiest = 10

// organizationShare is what one organization, or all others together, caused.
type organizationShare struct {
	slug          string
	events, bytes int64
	kind          string // that there was most of
	kindEvents    int64
}

// others is the name for organizations that are not among the busiest. It is
// not a valid slug.
const others = "(others)"

// shares sums up events by organization, busiest first, with all others last.
func shares(caused []store.Caused, most int) []organizationShare {
	by := map[int64]*organizationShare{}
	for _, c := range caused {
		s, is := by[c.OrgID]
		if !is {
			s = &organizationShare{slug: c.Slug}
			by[c.OrgID] = s
		}
		s.events, s.bytes = s.events+c.Events, s.bytes+c.Bytes
		if c.Events > s.kindEvents {
			s.kind, s.kindEvents = c.Kind, c.Events
		}
	}
	all := make([]organizationShare, 0, len(by))
	for _, s := range by {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b organizationShare) int {
		if a.events != b.events {
			return int(min(max(b.events-a.events, -1), 1))
		}
		return strings.Compare(a.slug, b.slug)
	})
	if len(all) <= most {
		return all
	}
	rest := organizationShare{slug: others}
	for _, s := range all[most:] {
		rest.events, rest.bytes = rest.events+s.events, rest.bytes+s.bytes
	}
	return append(all[:most:most], rest)
}

func printBusiest(out io.Writer, caused []store.Caused, most int) error {
	all := shares(caused, most)
	var together int64
	for _, s := range all {
		together += s.events
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	say(table, "ORGANIZATION\tEVENTS\tSHARE\tLOG BYTES\tTOP EVENT")
	for _, s := range all {
		say(table, "%s\t%d\t%d %%\t%d\t%s", s.slug, s.events, 100*s.events/max(together, 1), s.bytes, s.kind)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	sayWhole(out, caused)
	if len(all) > 0 && all[0].slug != others {
		say(out, "\nNext: waybill organizations activity --org %s", all[0].slug)
	}
	return nil
}

func sayWhole(out io.Writer, caused []store.Caused) {
	if len(caused) > 0 && !caused[0].IsWhole {
		say(out, "There were more than 200,000 events: the counts are too low, but the shares are accurate.")
	}
}

func showActivity(cmd *cobra.Command, of tenant, slug string, since time.Time) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	caused, err := of.store.CausedSince(ctx, since, of.by.OrgID)
	if err != nil {
		return err
	}
	rows, err := of.store.RowsSince(ctx, of.by.OrgID, since)
	if err != nil {
		return err
	}
	say(out, "organization %s, number %d, since %s", slug, of.by.OrgID, instant(&since))
	if err := printCaused(out, rows, caused); err != nil {
		return err
	}
	err = withTemporal(ctx, func(c config, temporal client.Client) error {
		running, all, err := workflows.Executions{Temporal: temporal, Namespace: c.TemporalNamespace}.Count(ctx, of.by.OrgID)
		if err == nil {
			say(out, "workflows: %d running, of %d in Temporal", running, all)
		}
		return err
	})
	if err != nil {
		say(out, "workflows: %s", oneLineOf(fmt.Sprintf("unknown: %v", err)))
	}
	return nil
}

// printCaused writes what one organization caused.
func printCaused(out io.Writer, rows store.RowsSince, caused []store.Caused) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	say(table, "WHAT\tCOUNT")
	say(table, "imports\t%d (%d entries)", rows.Imports, rows.ImportEntries)
	say(table, "orders changed\t%d", rows.Orders)
	say(table, "messages\t%d", rows.Messages)
	say(table, "webhook attempts\t%d (%d refused)", rows.WebhookAttempts, rows.WebhooksRefused)
	say(table, "plans\t%d (%s of searching)", rows.Plans, time.Duration(rows.SearchedMs)*time.Millisecond)
	byKind := map[string]store.Caused{}
	var events, bytes int64
	for _, c := range caused {
		byKind[c.Kind] = c
		events, bytes = events+c.Events, bytes+c.Bytes
	}
	say(table, "events in the log\t%d (%d bytes)", events, bytes)
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		say(table, "  %s\t%d", kind, byKind[kind].Events)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	sayWhole(out, caused)
	return nil
}
