package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newProofsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "proofs",
		Short: "Verifies proofs of completion",
		Long: `Each proof of an organization has a manifest that is hashed and names the hash of
the one before it, so nothing of them can be changed unnoticed.`,
	}
	cmd.AddCommand(newProofsVerifyCommand())
	return cmd
}

func newProofsVerifyCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:     "verify --org SLUG",
		Short:   "Walks the chain of an organization's proofs",
		Long:    `Walks the chain of an organization's proofs, and fails at the first that is not as it was made.`,
		Example: "  waybill proofs verify --org nordfrakt",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				count, err := of.store.VerifyProofs(cmd.Context(), of.by.OrgID)
				if err == nil {
					_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d proofs, all as they were made\n", count)
				}
				return err
			})
		},
	}
	orgFlags(cmd, &org, nil)
	return cmd
}
