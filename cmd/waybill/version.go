package main

import (
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"waybill"
)

// version is the release that this is.
var version = waybill.Version()

// revision is the revision of the repository; the linker sets it.
var revision = "unknown"

// versionLine describes the running program in one line.
func versionLine() string {
	return fmt.Sprintf("waybill %s (%s, %s, %s/%s)", version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// newBuildInfo is the metric that shows operators which release runs where.
func newBuildInfo() prometheus.Collector {
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "waybill_build_info", Help: "Always 1; the labels describe the build.",
		ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	return build
}

func newVersionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			if !asJSON {
				_, err := fmt.Fprintln(out, versionLine())
				return err
			}
			return json.NewEncoder(out).Encode(map[string]string{
				"version": version, "revision": revision,
				"go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
