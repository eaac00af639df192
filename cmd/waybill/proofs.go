package main

import (
	"encoding/hex"
	"fmt"

	"github.com/spf13/cobra"

	"waybill/operations/driving"
)

func newProofsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "proofs",
		Short: "Verify proofs of completion",
		Long: `Verify proofs of completion. Each proof of an organization has a hashed manifest that
includes the hash of the previous proof, so any change is detected.`,
	}
	cmd.AddCommand(newProofsVerifyCommand())
	return cmd
}

func newProofsVerifyCommand() *cobra.Command {
	var org, noted string
	var chainOnly bool
	cmd := &cobra.Command{
		Use:   "verify --org SLUG",
		Short: "Verify the chain of an organization's proofs",
		Long: `Verify the chain of an organization's proofs and their pictures. The command fails at the
first proof or picture that was changed.

It prints the hash of the last proof. Store that hash elsewhere and pass it to a later
run with --noted. The command then fails if the chain no longer has that proof, so it
detects even a chain that was rebuilt from scratch.`,
		Example: `  waybill proofs verify --org nordfrakt
  waybill proofs verify --org nordfrakt --noted 3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			hash, err := hex.DecodeString(noted)
			if err != nil {
				return fmt.Errorf("--noted must be a hex-encoded hash: %w", err)
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
	cmd.Flags().StringVar(&noted, "noted", "", "hash of a proof that the chain must contain")
	cmd.Flags().BoolVar(&chainOnly, "chain-only", false, "do not read the pictures")
	return cmd
}

func verifyProofs(cmd *cobra.Command, of tenant, noted []byte, chainOnly bool) error {
	var pictures driving.PictureReader
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
	found, err := of.operations.Driving.VerifyProofs(cmd.Context(), of.by.OrgID, noted, pictures)
	if err != nil {
		return err
	}
	out := fmt.Sprintf("%d proofs, all unchanged\n", found.Count)
	if found.Erased > 0 {
		out += fmt.Sprintf("%d of them with a person erased\n", found.Erased)
	}
	if found.Archived > 0 {
		out += fmt.Sprintf("%d of them archived: only their hashes were verified\n", found.Archived)
	}
	if !chainOnly {
		out += fmt.Sprintf("%d of %d pictures uploaded, all unchanged\n", found.Arrived, found.Named)
	}
	if found.Count > 0 {
		out += fmt.Sprintf("hash of the last proof: %x\n", found.Last)
	}
	_, err = fmt.Fprint(cmd.OutOrStdout(), out)
	return err
}
