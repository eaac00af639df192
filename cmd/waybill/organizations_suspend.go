package main

import "github.com/spf13/cobra"

func newOrganizationsSuspendCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:   "suspend --org SLUG",
		Short: "Stops an organization until it is resumed",
		Long: `Stops an organization within seconds. Its API keys, people, drivers and carriers get
403 ORGANIZATION_SUSPENDED, nobody signs in, no message and no webhook is sent, and
no template makes orders. The feeds stay readable: integrators still fetch the order
status feed, the product status feed and the export feed. Tracking links stay open.

Nothing is lost: webhooks and templates catch up when the organization is resumed.
Rules do not tell later what happened meanwhile.`,
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
		Short:   "Lets a suspended organization go on",
		Long:    `Lets an organization go on that was suspended, as it was before.`,
		Example: "  waybill organizations resume --org nordfrakt",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return suspend(cmd, org, false) },
	}
	orgFlags(cmd, &org, nil)
	return cmd
}

func suspend(cmd *cobra.Command, slug string, suspended bool) error {
	return forOrganization(cmd, slug, func(of tenant) error {
		changed, err := of.operations.Suspend(cmd.Context(), of.by, slug, suspended)
		if err != nil {
			return err
		}
		what := map[bool]string{true: "suspended", false: "at work"}[suspended]
		if !changed {
			say(cmd.OutOrStdout(), "%s was %s already", slug, what)
			return nil
		}
		say(cmd.OutOrStdout(), "%s is %s", slug, what)
		return nil
	})
}
