package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"waybill/store"
)

func newKeysCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Creates, lists and revokes an organization's API keys",
	}
	cmd.AddCommand(newKeysCreateCommand(), newKeysListCommand(), newKeysRevokeCommand())
	return cmd
}

func newKeysCreateCommand() *cobra.Command {
	var org, name string
	var expires time.Duration
	cmd := &cobra.Command{
		Use:   "create --org SLUG --name NAME",
		Short: "Makes a key and prints it, this once",
		Long: `Makes a key and prints it alone on standard output. Nobody can see it again: only
a hash of it is kept.`,
		Example: "  waybill keys create --org nordfrakt --name erp\n" +
			"  waybill keys create --org nordfrakt --name trial --expires 720h",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				return createKey(cmd, of, name, expires)
			})
		},
	}
	orgFlags(cmd, &org, &name)
	cmd.Flags().DurationVar(&expires, "expires", 0, "how long the key is good, such as 720h (default for ever)")
	return cmd
}

func createKey(cmd *cobra.Command, of tenant, name string, expires time.Duration) error {
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return errors.New("--name is empty")
	case expires < 0:
		return errors.New("--expires must be above 0")
	}
	key, err := of.operations.CreateAPIKey(cmd.Context(), of.by, name, expires)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), key.Reveal()); err != nil {
		return err
	}
	if isTerminal(os.Stderr) {
		say(cmd.ErrOrStderr(), "Keep it now, it is not shown again. "+
			"Callers send it as the header  Authorization: apikey <key>")
	}
	return nil
}

func newKeysListCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:   "list --org SLUG",
		Short: "Lists the keys, without their secrets",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				keys, err := of.store.ListAPIKeys(cmd.Context(), of.by.OrgID)
				if err != nil {
					return err
				}
				return printKeys(cmd.OutOrStdout(), keys)
			})
		},
	}
	orgFlags(cmd, &org, nil)
	return cmd
}

func printKeys(out io.Writer, keys []store.ListedAPIKey) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	say(table, "NAME\tPUBLIC PART\tCREATED\tEXPIRES\tREVOKED\tLAST USED")
	for _, k := range keys {
		say(table, "%s\t%s\t%s\t%s\t%s\t%s", k.Name, k.Public,
			instant(&k.CreatedAt), instant(k.ExpiresAt), instant(k.RevokedAt), instant(k.LastUsedAt))
	}
	return table.Flush()
}

// instant is a moment in UTC to the minute; an absent one is a dash.
func instant(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}

func newKeysRevokeCommand() *cobra.Command {
	var org, name string
	var in time.Duration
	cmd := &cobra.Command{
		Use:   "revoke --org SLUG --name NAME",
		Short: "Ends all keys of a name, at once or a while from now",
		Long: `Ends all keys of a name. With --in they stay good for a while yet, so that callers
have time to take up a new key, which then needs another name.`,
		Example: "  waybill keys revoke --org nordfrakt --name erp\n  waybill keys revoke --org nordfrakt --name erp --in 1h",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				return revokeKeys(cmd, of, name, in)
			})
		},
	}
	orgFlags(cmd, &org, &name)
	cmd.Flags().DurationVar(&in, "in", 0, "how long the keys stay good, such as 1h (default not at all)")
	return cmd
}

func revokeKeys(cmd *cobra.Command, of tenant, name string, in time.Duration) error {
	if in < 0 {
		return errors.New("--in must not be below 0")
	}
	revoked, err := of.operations.RevokeAPIKeys(cmd.Context(), of.by, strings.TrimSpace(name), in)
	if err != nil {
		return err
	}
	if len(revoked.Public) == 0 {
		return fmt.Errorf("there is no key named %q that is good beyond then", name)
	}
	for _, public := range revoked.Public {
		say(cmd.OutOrStdout(), "key %s ends at %s", public, instant(&revoked.End))
	}
	return nil
}
