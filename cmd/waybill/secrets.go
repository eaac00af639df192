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
	cmd := &cobra.Command{Use: "secrets", Short: "Rotates the secret that encrypts other secrets"}
	cmd.AddCommand(newSecretsResealCommand())
	return cmd
}

func newSecretsResealCommand() *cobra.Command {
	var giveUp bool
	cmd := &cobra.Command{
		Use:   "reseal",
		Short: "Encrypts with WAYBILL_SEALING_SECRET what other secrets open",
		Long: `Encrypts with WAYBILL_SEALING_SECRET what the secrets in WAYBILL_SEALING_ALSO_OPENS open:
seeds of one-time passwords, and secrets of identity providers and webhook endpoints.
From then on a process that knows only another secret does not start. It connects as
the owner of the tables (DATABASE_MIGRATE_URL), and may run again at any time.

To change the secret without a gap:
  1. Set WAYBILL_SEALING_ALSO_OPENS to the new one, and restart all processes.
  2. Set WAYBILL_SEALING_SECRET to the new one and WAYBILL_SEALING_ALSO_OPENS to the
     one before, and restart all processes.
  3. Run this command with these settings.
  4. A day later, when no answer is repeated any more, take WAYBILL_SEALING_ALSO_OPENS
     away, and restart all processes.

It does nothing when no secret opens some of the values. With --give-up those stay as
they are, lost, and the installation goes on with the present secret.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return reseal(cmd, giveUp) },
	}
	cmd.Flags().BoolVar(&giveUp, "give-up", false, "go on though no secret opens some of the values")
	return cmd
}

func reseal(cmd *cobra.Command, giveUp bool) error {
	ctx := cmd.Context()
	c, err := readConfig()
	if err != nil {
		return err
	}
	conn, err := connect(ctx, c.DatabaseMigrateURL)
	if err != nil {
		return fmt.Errorf("connect as the owner: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return withStore(ctx, func(_ *store.Store, o *operations.Operations) error {
		done, err := o.Sealing.Reseal(ctx, tenants.NewSealed(conn), giveUp)
		if errors.Is(err, sealing.ErrLost) {
			return fmt.Errorf("nothing is changed: neither WAYBILL_SEALING_SECRET nor WAYBILL_SEALING_ALSO_OPENS opens %d of %d values",
				done.Lost, done.Lost+done.Already+done.Done)
		}
		if err != nil {
			return err
		}
		say(cmd.OutOrStdout(), "%s sealed again, %d were so already, %d are lost", plural(done.Done, "value"), done.Already, done.Lost)
		return nil
	})
}
