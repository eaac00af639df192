package main

import "github.com/spf13/cobra"

func newOrganizationsSuspendCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:   "suspend --org SLUG",
		Short: "Suspend an organization",
		Long: `Suspend an organization within seconds. Its API keys, users, drivers and carriers get
403 ORGANIZATION_SUSPENDED, and nobody can sign in. No messages or webhooks are sent, and
recurring orders generate no orders. Integrators can still read the order status feed,
the product status feed and the export feed. Tracking links still work.

Webhooks and recurring orders catch up when you resume the organization. Rules send no
messages about events during the suspension.`,
		Example: "  waybill organizations suspend --org nordfrakt\n  waybill organizations resume --org nordfrakt",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return suspend(cmd, org, true) },
	}
	orgFlags(cmd, &org, nil)
	return cmd
}

func newOrganizationsResumeCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:     "resume --org SLUG",
		Short:   "Resume a suspended organization",
		Long:    `Resume a suspended organization.`,
		Example: "  waybill organizations resume --org nordfrakt",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return suspend(cmd, org, false) },
	}
	orgFlags(cmd, &org, nil)
	return cmd
}

func suspend(cmd *cobra.Command, slug string, suspended bool) error {
	return forOrganization(cmd, slug, func(of tenant) error {
		changed, err := of.operations.MasterData.Suspend(cmd.Context(), of.by, slug, suspended)
		if err != nil {
			return err
		}
		what := map[bool]string{true: "suspended", false: "active"}[suspended]
		if !changed {
			say(cmd.OutOrStdout(), "%s is already %s", slug, what)
			return nil
		}
		say(cmd.OutOrStdout(), "%s is now %s", slug, what)
		return nil
	})
}
