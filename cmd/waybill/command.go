package main

import "github.com/spf13/cobra"

func newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "waybill",
		Short: "Waybill plans and tracks transport orders",
		Long: `Waybill receives transport orders over an API, plans them and follows them until they are delivered.

To set up a new installation, run "waybill migrate" once and "waybill apply" for each
organization. Then run "waybill serve" and "waybill work" side by side.
Settings come from the environment; "waybill config" lists them.

If something is wrong, start with "waybill doctor". Changes made by commands are
recorded under the name given in --operator.`,
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.SetVersionTemplate(versionLine() + "\n")
	cmd.AddGroup(
		&cobra.Group{ID: groupServices, Title: "Services:"},
		&cobra.Group{ID: groupOperators, Title: "For operators:"},
	)
	for _, sub := range []*cobra.Command{newServeCommand(), newWorkCommand(), newRoadsCommand()} {
		sub.GroupID = groupServices
		cmd.AddCommand(sub)
	}
	for _, sub := range []*cobra.Command{
		newMigrateCommand(), newApplyCommand(), newKeysCommand(), newUsersCommand(), newExportsCommand(), newNotificationsCommand(),
		newProofsCommand(), newSimulateCommand(), newConformanceCommand(), newWebhooksCommand(), newHousekeepingCommand(),
		newContactsCommand(), newOrganizationsCommand(), newDoctorCommand(), newOrdersCommand(), newDebugCommand(),
		newAdoptNamespaceCommand(), newReconcileCommand(), newSecretsCommand(), newConfigCommand(), newPlacesCommand(), newRegionCommand(),
	} {
		sub.GroupID = groupOperators
		cmd.AddCommand(sub)
	}
	cmd.AddCommand(newVersionCommand(), newSBOMCommand())
	cmd.PersistentFlags().String(operatorFlag, "",
		"who runs the command, for the record of changes (default WAYBILL_OPERATOR, or the account on this host)")
	return cmd
}

const (
	groupServices  = "services"
	groupOperators = "operators"
)
