package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"

	"waybill/domain/housekeeping"
	"waybill/operations"
	"waybill/operations/core"
	"waybill/store"
	"waybill/workflows"
)

func newHousekeepingCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "housekeeping",
		Short: "Delete expired data and restart missing workflows",
		Long: `Delete expired data and restart missing workflows now. The Temporal Schedule
"housekeeping" does this once an hour; the details of its workflow show what it did.

With --dry-run the command only shows how much there is to do. It counts up to ` + fmt.Sprint(core.DryRunCount) + `
of each kind.

Duties:
` + dutiesHelp(),
		Example: "  waybill housekeeping --dry-run\n  waybill housekeeping",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withTemporal(cmd.Context(), func(c config, temporal client.Client) error {
				if dryRun {
					return withStore(cmd.Context(), func(s *store.Store, o *operations.Operations) error {
						return countHousekeeping(cmd, o, workflows.Lives{Temporal: workflows.Naming(temporal, s.WorkflowName)})
					})
				}
				if err := workflows.KeepHouseNow(cmd.Context(), temporal); err != nil {
					return err
				}
				say(cmd.OutOrStdout(), "housekeeping started: see workflow housekeeping in namespace %s", c.TemporalNamespace)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show how much there is to do without doing it")
	return cmd
}

// dutiesHelp lists the duties.
func dutiesHelp() string {
	var b strings.Builder
	for _, d := range housekeeping.Duties() {
		fmt.Fprintf(&b, "  %-17s %s are %s\n", d, d.Words(), d.Done())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// withTemporal reaches the Temporal server for one command.
func withTemporal(ctx context.Context, do func(config, client.Client) error) error {
	c, err := readConfig()
	if err != nil {
		return err
	}
	return withStore(ctx, func(_ *store.Store, o *operations.Operations) error {
		temporal, err := connectTemporal(ctx, c, o)
		if err != nil {
			return err
		}
		defer temporal.Close()
		if err := checkTemporal(ctx, temporal); err != nil {
			return fmt.Errorf("reach Temporal: %w", err)
		}
		return do(c, temporal)
	})
}

// countHousekeeping prints how much work each duty has.
func countHousekeeping(cmd *cobra.Command, o *operations.Operations, lives workflows.Lives) error {
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	say(table, "DUTY\tTO DO\tWHAT")
	for _, duty := range housekeeping.Duties() {
		count, err := countDuty(cmd.Context(), o, lives, duty)
		if err != nil {
			say(table, "%s\t?\t%s", duty, err)
			continue
		}
		more := ""
		if count >= core.DryRunCount {
			more = " or more"
		}
		say(table, "%s\t%d%s\t%s", duty, count, more, duty.Words())
	}
	if err := table.Flush(); err != nil {
		return err
	}
	say(cmd.OutOrStdout(), "\nDry run: nothing was done.")
	return nil
}

func countDuty(
	ctx context.Context, o *operations.Operations, lives workflows.Lives, duty housekeeping.Duty,
) (count int, err error) {
	if duty.Kind() == "" {
		done, err := o.Housekeeping.KeepHouse(ctx, duty, true)
		return done.Done, err
	}
	for mark, seen := "", 0; seen < core.DryRunCount; {
		some, err := o.Housekeeping.Lives(ctx, duty, mark)
		if err != nil {
			return count, err
		}
		look, err := lives.Look(ctx, duty, some.All)
		count, seen, mark = count+len(look.Gone), seen+len(some.All), some.Next
		if err != nil || mark == "" {
			return count, err
		}
	}
	return count, nil
}
