package main

import "github.com/spf13/cobra"

func newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "waybill",
		Short: "Waybill takes in transport orders over an API and sees them through",
		Long: `Waybill receives transport orders over an API, plans them and follows them until they are delivered.

A new installation runs "waybill migrate" once, "waybill apply" for each
organization, and then "waybill serve" and "waybill work" side by side.
"waybill config" shows all settings; they come from the environment.

When something is wrong, begin with "waybill doctor". What a command changes is
recorded with the name of --operator.`,
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
		newContactsCommand(), newOrganizationsCommand(), newDoctorCommand(), newOrdersCommand(), newDebugCommand(),
		newAdoptNamespaceCommand(), newSecretsCommand(), newConfigCommand(), newPlacesCommand(),
	} {
		sub.GroupID = groupOperators
		cmd.AddCommand(sub)
	}
	cmd.AddCommand(newVersionCommand(), newSBOMCommand())
	cmd.PersistentFlags().String(operatorFlag, "",
		"who runs the command, for the record of what it changes (default WAYBILL_OPERATOR, or else the account of this host)")
	return cmd
}

const (
	groupServices  = "services"
	groupOperators = "operators"
)
