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
		Short: "Makes the Temporal namespace this database's, after a restore",
		Long: `Makes the Temporal namespace (TEMPORAL_NAMESPACE) this database's. The namespace keeps
whose it is in the Schedule "installation", and every process compares that with its
database when it starts and once a minute. The processes of another installation, of a
copy and of an earlier state of the database refuse to work.

Run it after the database was restored from a backup, moved to another cluster or
upgraded by pg_upgrade. Stop every serve and work of the other database first: they end
by themselves within a minute after the namespace is adopted, and until then both work.

You are asked to type the name of the namespace, unless you pass --yes.`,
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
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for the name of the namespace")
	return cmd
}

func adoptNamespace(cmd *cobra.Command, namespace string, temporal client.Client, o *operations.Operations, yes bool) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	here, err := o.Installation(ctx)
	if err != nil {
		return err
	}
	mine := installation.Claim{Identity: here, SeenAt: time.Now()}
	there, err := workflows.ClaimNamespace(ctx, temporal, mine)
	if err != nil {
		return err
	}
	stranger := installation.Compare(namespace, here, there)
	if stranger == nil {
		say(out, "the namespace %s belongs to this database already (installation %s)", namespace, here.ID)
		return nil
	}
	say(out, "%s.", stranger)
	if !yes {
		if err := typed(cmd, namespace); err != nil {
			return err
		}
	}
	if err := takeOver(ctx, namespace, temporal, mine); err != nil {
		return err
	}
	say(out, "the namespace %s belongs to this database now (installation %s)", namespace, here.ID)
	return nil
}

// takeOver writes the claim and waits until it is read, which a process that starts next does.
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
		return errors.New("that is not the name of the namespace, so nothing is adopted")
	}
	return nil
}

// claimNamespace makes the namespace the database's if it is nobody's yet, and refuses it
// if it is another one's.
func claimNamespace(ctx context.Context, out io.Writer, c config) error {
	return withStore(ctx, func(_ *store.Store, o *operations.Operations) error {
		temporal, err := connectTemporal(ctx, c, o)
		if err != nil {
			return err
		}
		defer temporal.Close()
		here, err := o.Installation(ctx)
		if err != nil {
			return err
		}
		say(out, "the namespace %s belongs to installation %s", c.TemporalNamespace, here.ID)
		return nil
	})
}
