package main

import (
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// version is set by the linker.
var version = "dev"

func newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "waybill",
		Short: "Waybill takes in transport orders over an API and sees them through",
		Long: `Waybill takes in transport orders over an API and sees them through.

A new installation runs "waybill migrate" once, "waybill apply" for each
organization, and then "waybill serve" and "waybill work" side by side.
"waybill config" shows all settings; they come from the environment.`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.AddGroup(&cobra.Group{ID: groupServices, Title: "Services:"}, &cobra.Group{ID: groupOperators, Title: "For operators:"})
	for _, sub := range []*cobra.Command{newServeCommand(), newWorkCommand()} {
		sub.GroupID = groupServices
		cmd.AddCommand(sub)
	}
	for _, sub := range []*cobra.Command{newMigrateCommand(), newApplyCommand(), newKeysCommand(), newExportsCommand(), newNotificationsCommand(), newConfigCommand()} {
		sub.GroupID = groupOperators
		cmd.AddCommand(sub)
	}
	cmd.AddCommand(newVersionCommand())
	return cmd
}

const (
	groupServices  = "services"
	groupOperators = "operators"
)

func newVersionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Prints which version this is",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			if !asJSON {
				_, err := fmt.Fprintf(out, "waybill %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
				return err
			}
			return json.NewEncoder(out).Encode(map[string]string{
				"version": version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
