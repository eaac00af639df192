package main

import (
	"encoding/hex"
	"fmt"

	"github.com/spf13/cobra"

	"waybill/operations"
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
	var org, noted string
	var chainOnly bool
	cmd := &cobra.Command{
		Use:   "verify --org SLUG",
		Short: "Walks the chain of an organization's proofs",
		Long: `Walks the chain of an organization's proofs, reads the pictures that they name, and fails
at the first that is not as it was made.

It ends with the hash of the last proof. Who writes that down elsewhere can ask later, by
--noted, whether the chain still has that proof: so even a chain that was made anew is found.`,
		Example: `  waybill proofs verify --org nordfrakt
  waybill proofs verify --org nordfrakt --noted 3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			hash, err := hex.DecodeString(noted)
			if err != nil {
				return fmt.Errorf("--noted is no hash in hex: %w", err)
			}
			if noted == "" {
				hash = nil
			}
			return forOrganization(cmd, org, func(of tenant) error {
				return verifyProofs(cmd, of, hash, chainOnly)
			})
		},
	}
	orgFlags(cmd, &org, nil)
	cmd.Flags().StringVar(&noted, "noted", "", "hash of a proof that the chain must have")
	cmd.Flags().BoolVar(&chainOnly, "chain-only", false, "leave the bytes of pictures unread")
	return cmd
}

func verifyProofs(cmd *cobra.Command, of tenant, noted []byte, chainOnly bool) error {
	var pictures operations.PictureReader
	if !chainOnly {
		c, err := readConfig()
		if err != nil {
			return err
		}
		storage, err := openFiles(cmd.Context(), of.store, c)
		if err != nil {
			return err
		}
		defer func() { _ = storage.Close() }()
		pictures = storage
	}
	found, err := of.operations.VerifyProofs(cmd.Context(), of.by.OrgID, noted, pictures)
	if err != nil {
		return err
	}
	out := fmt.Sprintf("%d proofs, all as they were made\n", found.Count)
	if found.Erased > 0 {
		out += fmt.Sprintf("of which a person was erased from %d\n", found.Erased)
	}
	if found.Archived > 0 {
		out += fmt.Sprintf("of which %d are archived, so that only their hashes are here\n", found.Archived)
	}
	if !chainOnly {
		out += fmt.Sprintf("%d of %d pictures have arrived, all as they were named\n", found.Arrived, found.Named)
	}
	if found.Count > 0 {
		out += fmt.Sprintf("the last one has the hash %x\n", found.Last)
	}
	_, err = fmt.Fprint(cmd.OutOrStdout(), out)
	return err
}
