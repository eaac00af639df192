package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

func newDebugCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "debug", Short: "Collect information for troubleshooting"}
	cmd.AddCommand(newDebugBundleCommand())
	return cmd
}

func newDebugBundleCommand() *cobra.Command {
	var to string
	var from []string
	var cpu time.Duration
	cmd := &cobra.Command{
		Use:   "bundle [--to FILE.tar.gz]",
		Short: "Write a file for support, without secrets and personal data",
		Long: `Write a file with the version, the settings, the report of waybill doctor, the schema
version, the sizes of tables, the settings and sessions of Postgres, and the number of
workflows by type and status. It also has the metrics, goroutines and memory of each
process, read from its private address.

Values are included only for settings known to be harmless. The bundle contains no rows
of tables, no query texts and no log, because log lines may name people. manifest.json
lists what could not be collected.

--from gives the private addresses. The default is WAYBILL_PRIVATE_HTTP_ADDR and
WAYBILL_WORK_HTTP_ADDR on this host.`,
		Example: "  waybill debug bundle\n  waybill debug bundle --from http://work-1:8081 --from http://work-2:8081 --cpu 10s",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return makeBundle(cmd, to, from, cpu) },
	}
	cmd.Flags().StringVar(&to, "to", "", "output file, ending in .tar.gz (default waybill-debug-TIME.tar.gz)")
	cmd.Flags().StringSliceVar(&from, "from", nil, "private addresses of processes, such as http://work-1:8081")
	cmd.Flags().DurationVar(&cpu, "cpu", 0, "also take a CPU profile of each process for this long, such as 10s")
	return cmd
}

// makeBundle writes a bundle and reports what it could not collect.
func makeBundle(cmd *cobra.Command, to string, from []string, cpu time.Duration) error {
	if cpu < 0 || cpu > longestProfile {
		return fmt.Errorf("--cpu must be between 0 and %s", longestProfile)
	}
	d := newDoctor(cmd.Context(), checkLimit)
	defer d.close()
	if d.invalid != nil && len(from) == 0 {
		return errors.Join(d.invalid, errors.New("correct the settings, or pass the addresses of processes with --from"))
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
	say(cmd.ErrOrStderr(), "Check the contents before you pass it on: tar tzf %s", to)
	return nil
}

// longestProfile is how long a processor is profiled at most.
const longestProfile = time.Minute
