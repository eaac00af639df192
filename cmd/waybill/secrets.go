package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"waybill/operations"
	"waybill/operations/sealing"
	"waybill/store"
	"waybill/store/tenants"
)

func newSecretsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "secrets", Short: "Rotate the secret that encrypts other secrets"}
	cmd.AddCommand(newSecretsResealCommand())
	return cmd
}

func newSecretsResealCommand() *cobra.Command {
	var giveUp bool
	cmd := &cobra.Command{
		Use:   "reseal",
		Short: "Encrypt all sealed values with WAYBILL_SEALING_SECRET",
		Long: `Decrypt the values sealed with the secrets in WAYBILL_SEALING_ALSO_OPENS, and encrypt
them with WAYBILL_SEALING_SECRET: seeds of one-time passwords, and secrets of identity
providers and webhook endpoints. From then on, processes with only another secret do not
start. The command connects as the owner of the tables (DATABASE_MIGRATE_URL), and you
can repeat it at any time.

To change the secret without downtime:
  1. Set WAYBILL_SEALING_ALSO_OPENS to the new secret, and restart all processes.
  2. Set WAYBILL_SEALING_SECRET to the new secret and WAYBILL_SEALING_ALSO_OPENS to the
     old one, and restart all processes.
  3. Run this command with these settings.
  4. A day later, when stored answers for idempotency keys have expired, remove
     WAYBILL_SEALING_ALSO_OPENS, and restart all processes.

If no secret opens some of the values, the command changes nothing. With --give-up these
values are lost, and the installation continues with the current secret.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return reseal(cmd, giveUp) },
	}
	cmd.Flags().BoolVar(&giveUp, "give-up", false, "continue even if no secret opens some of the values")
	return cmd
}

func reseal(cmd *cobra.Command, giveUp bool) error {
	ctx := cmd.Context()
	c, err := readConfig()
	if err != nil {
		return err
	}
	conn, err := connectAsOwner(ctx, c)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return withStore(ctx, func(_ *store.Store, o *operations.Operations) error {
		done, err := o.Sealing.Reseal(ctx, tenants.NewSealed(conn), giveUp)
		if errors.Is(err, sealing.ErrLost) {
			return fmt.Errorf("nothing was changed: neither WAYBILL_SEALING_SECRET nor WAYBILL_SEALING_ALSO_OPENS opens %d of %d values",
				done.Lost, done.Lost+done.Already+done.Done)
		}
		if err != nil {
			return err
		}
		say(cmd.OutOrStdout(), "%s resealed, %d already sealed with the current secret, %d lost", plural(done.Done, "value"), done.Already, done.Lost)
		return nil
	})
}
