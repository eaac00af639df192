package main

import "github.com/spf13/cobra"

func newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "waybill",
		Short: "Waybill takes in transport orders over an API and sees them through",
		Long: `Waybill takes in transport orders over an API and sees them through.

A new installation runs "waybill migrate" once, "waybill apply" for each
organization, and then "waybill serve" and "waybill work" side by side.
"waybill config" shows all settings; they come from the environment.`,
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.SetVersionTemplate(versionLine() + "\n")
	cmd.AddGroup(
		&cobra.Group{ID: groupServices, Title: "Services:"},
		&cobra.Group{ID: groupOperators, Title: "For operators:"},
	)
	for _, sub := range []*cobra.Command{newServeCommand(), newWorkCommand()} {
		sub.GroupID = groupServices
		cmd.AddCommand(sub)
	}
	for _, sub := range []*cobra.Command{
		newMigrateCommand(), newApplyCommand(), newKeysCommand(), newUsersCommand(), newExportsCommand(), newNotificationsCommand(),
		newProofsCommand(), newSimulateCommand(), newConformanceCommand(), newWebhooksCommand(), newHousekeepingCommand(),
		newContactsCommand(), newOrganizationsCommand(),
		newConfigCommand(),
	} {
		sub.GroupID = groupOperators
		cmd.AddCommand(sub)
	}
	cmd.AddCommand(newVersionCommand(), newSBOMCommand())
	return cmd
}

const (
	groupServices  = "services"
	groupOperators = "operators"
)
