package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

func newDebugCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "debug", Short: "Collects facts that help to find a fault"}
	cmd.AddCommand(newDebugBundleCommand())
	return cmd
}

func newDebugBundleCommand() *cobra.Command {
	var to string
	var from []string
	var cpu time.Duration
	cmd := &cobra.Command{
		Use:   "bundle [--to FILE.tar.gz]",
		Short: "Writes a file for whoever helps, without secrets and personal data",
		Long: `Writes a file with the version, the settings, the report of waybill doctor, the version
and the size of the schema, the settings and sessions of Postgres, how many workflows there
are by type and status, and, from the private address of each process, its metrics,
goroutines and memory.

Only settings that are known to be harmless are written with their values. The bundle has no
rows of tables, no texts of queries and no log: lines of the log may name people. What could
not be collected is named in manifest.json.

--from names private addresses. When it is not given, they are WAYBILL_PRIVATE_HTTP_ADDR
and WAYBILL_WORK_HTTP_ADDR on this host.`,
		Example: "  waybill debug bundle\n  waybill debug bundle --from http://work-1:8081 --from http://work-2:8081 --cpu 10s",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return makeBundle(cmd, to, from, cpu) },
	}
	cmd.Flags().StringVar(&to, "to", "", "file that ends with .tar.gz (default waybill-debug-TIME.tar.gz)")
	cmd.Flags().StringSliceVar(&from, "from", nil, "private addresses of processes, such as http://work-1:8081")
	cmd.Flags().DurationVar(&cpu, "cpu", 0, "also profile the processor of each process for so long, such as 10s")
	return cmd
}

// makeBundle writes a bundle and says what it could not collect.
func makeBundle(cmd *cobra.Command, to string, from []string, cpu time.Duration) error {
	if cpu < 0 || cpu > longestProfile {
		return fmt.Errorf("--cpu must be between 0 and %s", longestProfile)
	}
	d := newDoctor(cmd.Context(), checkLimit)
	defer d.close()
	if d.invalid != nil && len(from) == 0 {
		return errors.Join(d.invalid, errors.New("correct the settings, or name processes with --from"))
	}
	if to == "" {
		to = "waybill-debug-" + time.Now().UTC().Format("20060102T150405Z") + ".tar.gz"
	}
	if len(from) == 0 {
		from = privateAddresses(d.config)
	}
	entries, err := writeBundle(cmd.Context(), to, d, from, cpu, progressTo(cmd))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Missing != "" {
			say(cmd.ErrOrStderr(), "not collected: %s: %s", e.Name, e.Missing)
		}
	}
	say(cmd.OutOrStdout(), "%s", to)
	say(cmd.ErrOrStderr(), "Look through it before you pass it on: tar tzf %s", to)
	return nil
}

// longestProfile is how long a processor is profiled at most.
const longestProfile = time.Minute
