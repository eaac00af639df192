package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"waybill/domain/apikey"
	"waybill/store"
)

func newKeysCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Makes, lists and revokes the API keys of an organization",
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
		Example: "  waybill keys create --org nordfrakt --name erp\n  waybill keys create --org nordfrakt --name trial --expires 720h",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withOrganization(cmd.Context(), org, func(s *store.Store, orgID int64) error {
				return createKey(cmd, s, orgID, name, expires)
			})
		},
	}
	orgFlags(cmd, &org, &name)
	cmd.Flags().DurationVar(&expires, "expires", 0, "how long the key is good, such as 720h (default for ever)")
	return cmd
}

func createKey(cmd *cobra.Command, s *store.Store, orgID int64, name string, expires time.Duration) error {
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return errors.New("--name is empty")
	case expires < 0:
		return errors.New("--expires must be above 0")
	}
	key, err := apikey.New(rand.Reader)
	if err != nil {
		return err
	}
	kept := store.NewAPIKey{Name: name, Public: key.Public(), Hash: key.Hash()}
	if expires > 0 {
		end := time.Now().Add(expires)
		kept.ExpiresAt = &end
	}
	if _, err := s.CreateAPIKey(cmd.Context(), orgID, kept); err != nil {
		return fmt.Errorf("keep the key: %w", err)
	}
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), key.Reveal()); err != nil {
		return err
	}
	if isTerminal(os.Stderr) {
		say(cmd.ErrOrStderr(), "Keep it now, it is not shown again. Callers send it as the header  Authorization: apikey <key>")
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
			return withOrganization(cmd.Context(), org, func(s *store.Store, orgID int64) error {
				keys, err := s.ListAPIKeys(cmd.Context(), orgID)
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
			return withOrganization(cmd.Context(), org, func(s *store.Store, orgID int64) error {
				return revokeKeys(cmd, s, orgID, name, in)
			})
		},
	}
	orgFlags(cmd, &org, &name)
	cmd.Flags().DurationVar(&in, "in", 0, "how long the keys stay good, such as 1h (default not at all)")
	return cmd
}

func revokeKeys(cmd *cobra.Command, s *store.Store, orgID int64, name string, in time.Duration) error {
	if in < 0 {
		return errors.New("--in must not be below 0")
	}
	end := time.Now().Add(in)
	revoked, err := s.RevokeAPIKeys(cmd.Context(), orgID, strings.TrimSpace(name), end)
	if err != nil {
		return err
	}
	if len(revoked) == 0 {
		return fmt.Errorf("there is no key named %q that is good beyond then", name)
	}
	for _, public := range revoked {
		say(cmd.OutOrStdout(), "key %s ends at %s", public, instant(&end))
	}
	return nil
}

// orgFlags are the flags that say whose key it is.
func orgFlags(cmd *cobra.Command, org, name *string) {
	cmd.Flags().StringVar(org, "org", "", "slug of the organization")
	_ = cmd.MarkFlagRequired("org")
	if name != nil {
		cmd.Flags().StringVar(name, "name", "", "name of the key, such as the system that uses it")
		_ = cmd.MarkFlagRequired("name")
	}
}

// withOrganization works on one organization, which must exist.
func withOrganization(ctx context.Context, slug string, do func(s *store.Store, orgID int64) error) error {
	return withStore(ctx, func(s *store.Store) error {
		orgID, err := s.OrganizationID(ctx, slug)
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("there is no organization %q: waybill apply creates one", slug)
		}
		if err != nil {
			return err
		}
		return do(s, orgID)
	})
}

// withStore opens the store for one command.
func withStore(ctx context.Context, do func(*store.Store) error) error {
	c, err := readConfig()
	if err != nil {
		return err
	}
	logger, err := newLogger(os.Stderr, c)
	if err != nil {
		return err
	}
	pool, err := openCheckedPool(ctx, c, "waybill", nil, logger)
	if err != nil {
		return err
	}
	defer pool.Close()
	return do(store.New(pool))
}
