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

	"waybill/domain/caller"
	"waybill/store"
)

func newKeysCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Create, list and revoke an organization's API keys",
	}
	cmd.AddCommand(newKeysCreateCommand(), newKeysListCommand(), newKeysRevokeCommand())
	return cmd
}

func newKeysCreateCommand() *cobra.Command {
	var org, name string
	var expires time.Duration
	var personal []string
	cmd := &cobra.Command{
		Use:   "create --org SLUG --name NAME",
		Short: "Create a key and print it once",
		Long: `Create a key and print it on standard output. The key cannot be shown again, because
only its hash is stored.

A key can read all personal data unless --personal-data restricts it to contacts, proofs
or positions, or to none of them.`,
		Example: "  waybill keys create --org nordfrakt --name erp\n" +
			"  waybill keys create --org nordfrakt --name trial --expires 720h\n" +
			"  waybill keys create --org nordfrakt --name status-screen --personal-data none",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				return createKey(cmd, of, name, expires, personal)
			})
		},
	}
	orgFlags(cmd, &org, &name)
	cmd.Flags().StringSliceVar(&personal, "personal-data", nil,
		"kinds of personal data that the key may read: contacts, proofs, positions or none (default all)")
	cmd.Flags().DurationVar(&expires, "expires", 0, "how long the key is valid, such as 720h (default forever)")
	return cmd
}

func createKey(cmd *cobra.Command, of tenant, name string, expires time.Duration, personal []string) error {
	kinds, err := kindsOf(personal)
	if err != nil {
		return err
	}
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return errors.New("--name is empty")
	case expires < 0:
		return errors.New("--expires must be positive")
	}
	key, err := of.operations.People.CreateAPIKey(cmd.Context(), of.by, name, expires, kinds)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), key.Reveal()); err != nil {
		return err
	}
	if isTerminal(os.Stderr) {
		say(cmd.ErrOrStderr(), "Store this key now; it is not shown again. "+
			"Clients send it in the header  Authorization: apikey <key>")
	}
	return nil
}

// kindsOf are the kinds of personal data in a flag, or nil if it names none.
func kindsOf(names []string) ([]caller.Personal, error) {
	if len(names) == 0 {
		return nil, nil
	}
	kinds := []caller.Personal{}
	for _, name := range names {
		kind := caller.Personal(strings.ToUpper(strings.TrimSpace(name)))
		switch {
		case kind == "NONE" && len(names) == 1:
		case kind.Known():
			kinds = append(kinds, kind)
		default:
			return nil, fmt.Errorf("--personal-data is %s; it must be any of contacts, proofs and positions, or only none", name)
		}
	}
	return kinds, nil
}

// readable are the kinds of personal data that a key may read, in words.
func readable(kinds []caller.Personal) string {
	switch {
	case kinds == nil:
		return "all"
	case len(kinds) == 0:
		return "none"
	}
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = strings.ToLower(string(kind))
	}
	return strings.Join(names, ", ")
}

func newKeysListCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:   "list --org SLUG",
		Short: "List the keys without their secrets",
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
	say(table, "NAME\tPUBLIC PART\tPERSONAL DATA\tCREATED\tEXPIRES\tREVOKED\tLAST USED")
	for _, k := range keys {
		say(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s", k.Name, k.Public, readable(k.Personal),
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
		Short: "Revoke all keys with a name, now or later",
		Long: `Revoke all keys with a name. With --in they stay valid for a while, so that clients can
switch to a new key, which must have another name.`,
		Example: "  waybill keys revoke --org nordfrakt --name erp\n  waybill keys revoke --org nordfrakt --name erp --in 1h",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				return revokeKeys(cmd, of, name, in)
			})
		},
	}
	orgFlags(cmd, &org, &name)
	cmd.Flags().DurationVar(&in, "in", 0, "how long the keys stay valid, such as 1h (default: revoke now)")
	return cmd
}

func revokeKeys(cmd *cobra.Command, of tenant, name string, in time.Duration) error {
	if in < 0 {
		return errors.New("--in must not be negative")
	}
	revoked, err := of.operations.People.RevokeAPIKeys(cmd.Context(), of.by, strings.TrimSpace(name), in)
	if err != nil {
		return err
	}
	if len(revoked.Public) == 0 {
		return fmt.Errorf("no key named %q is valid beyond that time", name)
	}
	for _, public := range revoked.Public {
		say(cmd.OutOrStdout(), "key %s expires at %s", public, instant(&revoked.End))
	}
	return nil
}
