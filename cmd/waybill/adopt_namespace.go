package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"

	"waybill/domain/installation"
	"waybill/operations"
	"waybill/store"
	"waybill/workflows"
)

func newAdoptNamespaceCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "adopt-namespace",
		Short: "Assign the Temporal namespace to this database after a restore",
		Long: `Assign the Temporal namespace (TEMPORAL_NAMESPACE) to this database. The Schedule
"installation" in the namespace records its owner. Every process compares it with its
database at startup and once a minute. Processes of another installation, a copy or an
earlier state of the database refuse to work.

Run this command after you restore the database from a backup, move it to another
cluster or upgrade it with pg_upgrade. First stop every serve and work process of the
other database. Otherwise they keep working for up to a minute after the adoption.

The command asks you to type the name of the namespace, unless you pass --yes.`,
		Example: "  waybill adopt-namespace\n  waybill adopt-namespace --yes",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStore(cmd.Context(), func(_ *store.Store, o *operations.Operations) error {
				c, err := readConfig()
				if err != nil {
					return err
				}
				temporal, err := newTemporal(c, slog.New(slog.DiscardHandler), nil, nil)
				if err != nil {
					return err
				}
				defer temporal.Close()
				return adoptNamespace(cmd, c.TemporalNamespace, temporal, o, yes)
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	return cmd
}

func adoptNamespace(cmd *cobra.Command, namespace string, temporal client.Client, o *operations.Operations, yes bool) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	here, err := o.Housekeeping.Installation(ctx)
	if err != nil {
		return err
	}
	mine := installation.Claim{Identity: here, SeenAt: time.Now()}
	there, err := workflows.ClaimNamespace(ctx, temporal, mine)
	if err != nil {
		return err
	}
	foreign := installation.Compare(namespace, here, there)
	if foreign == nil {
		say(out, "namespace %s already belongs to this database (installation %s)", namespace, here.ID)
		return nil
	}
	say(out, "%s.", foreign)
	if !yes {
		if err := typed(cmd, namespace); err != nil {
			return err
		}
	}
	if err := takeOver(ctx, namespace, temporal, mine); err != nil {
		return err
	}
	say(out, "namespace %s now belongs to this database (installation %s)", namespace, here.ID)
	return nil
}

// takeOver writes the claim and waits until it is readable for processes that
// start next.
func takeOver(ctx context.Context, namespace string, temporal client.Client, mine installation.Claim) error {
	if err := workflows.RenewClaim(ctx, temporal, mine); err != nil {
		return err
	}
	return waitFor(ctx, slog.New(slog.DiscardHandler), "the claim", func(ctx context.Context) error {
		there, err := workflows.NamespaceClaim(ctx, temporal)
		if err != nil {
			return err
		}
		return installation.Compare(namespace, mine.Identity, there)
	}, func(error) bool { return true })
}

// typed asks for the name of the namespace.
func typed(cmd *cobra.Command, namespace string) error {
	_, _ = fmt.Fprintf(cmd.OutOrStdout(), "\nType %s to adopt it: ", namespace)
	answer, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the answer: %w", err)
	}
	if strings.TrimSpace(answer) != namespace {
		return errors.New("the name does not match: nothing was adopted")
	}
	return nil
}

// claimNamespace makes the namespace the database's if it is unclaimed, and
// refuses it if it belongs to another one.
func claimNamespace(ctx context.Context, out io.Writer, c config) error {
	return withStore(ctx, func(_ *store.Store, o *operations.Operations) error {
		temporal, err := awaitTemporal(ctx, c, o)
		if err != nil {
			return err
		}
		defer temporal.Close()
		here, err := o.Housekeeping.Installation(ctx)
		if err != nil {
			return err
		}
		say(out, "namespace %s belongs to installation %s", c.TemporalNamespace, here.ID)
		return nil
	})
}
