package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"waybill/domain/account"
	"waybill/operations/people"
	"waybill/store"
)

func newUsersCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "users",
		Short: "Invites, lists and disables the people of an organization",
	}
	cmd.AddCommand(newUsersInviteCommand(), newUsersListCommand(), newUsersDisableCommand(), newUsersResetCommand())
	return cmd
}

// invitation is who is invited, and how.
type invitation struct {
	org, email, name string
	roles            []string
	fromStdin        bool
}

func newUsersInviteCommand() *cobra.Command {
	var in invitation
	cmd := &cobra.Command{
		Use:   "invite --org SLUG --email ADDRESS --role ROLE",
		Short: "Makes an account and prints the link with which its owner takes it up",
		Long: `Makes an account and prints a link, with which its owner chooses a passphrase. The
link is good once and for three days; nothing is mailed. Who was invited before gets
another link.

With --passphrase-stdin the account is taken up with the passphrase that stands on
standard input, and no link is printed: that is for accounts of a demo.`,
		Example: "  waybill users invite --org nordfrakt --email kari@nordfrakt.example --name 'Kari Berg' --role admin",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, in.org, func(of tenant) error { return in.run(cmd, of) })
		},
	}
	orgFlags(cmd, &in.org, nil)
	flags := cmd.Flags()
	flags.StringVar(&in.email, "email", "", "the address with which the user signs in")
	flags.StringVar(&in.name, "name", "", "the user's name (default the address)")
	flags.StringSliceVar(&in.roles, "role", nil, "admin, dispatcher, support, driver, or a role of the organization")
	flags.BoolVar(&in.fromStdin, "passphrase-stdin", false, "read the passphrase from standard input")
	_ = cmd.MarkFlagRequired("email")
	_ = cmd.MarkFlagRequired("role")
	return cmd
}

func (in invitation) run(cmd *cobra.Command, of tenant) error {
	id, err := in.account(cmd, of)
	if err != nil {
		return err
	}
	if !in.fromStdin {
		return printLink(cmd, of, id)
	}
	passphrase, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), 4096))
	if err != nil {
		return fmt.Errorf("read the passphrase: %w", err)
	}
	return of.operations.People.SetPassphrase(cmd.Context(), of.by, id, strings.TrimRight(string(passphrase), "\r\n"))
}

// account makes the account, or finds the one of who was invited before.
func (in invitation) account(cmd *cobra.Command, of tenant) (int64, error) {
	ctx := cmd.Context()
	email, ok := account.Email(in.email)
	if !ok {
		return 0, fmt.Errorf("%q is no e-mail address", in.email)
	}
	known, err := of.store.UserByEmail(ctx, of.by.OrgID, email)
	if err == nil && known.State == account.Invited {
		return known.ID, nil
	}
	if err == nil {
		return 0, fmt.Errorf("%s has an account already; waybill users reset makes a link to a new passphrase", email)
	}
	roles, err := of.operations.People.RoleIDs(ctx, of.by.OrgID, in.roles)
	if err != nil {
		return 0, fmt.Errorf("there is no role %s", strings.Join(in.roles, " or "))
	}
	if in.name == "" {
		in.name = email
	}
	user, err := of.operations.People.CreateUser(ctx, of.by, people.NewUser{
		UserDetails: store.UserDetails{Email: email, Name: in.name, RoleIDs: roles}, Source: "api",
	})
	return user.ID, err
}

func printLink(cmd *cobra.Command, of tenant, id int64) error {
	link, err := of.operations.People.UserLink(cmd.Context(), of.by, id)
	if err == nil {
		say(cmd.OutOrStdout(), "%s", link)
	}
	return err
}

func newUsersListCommand() *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:   "list --org SLUG",
		Short: "Lists the accounts",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error { return listUsers(cmd, of) })
		},
	}
	orgFlags(cmd, &org, nil)
	return cmd
}

// usersPage is how many accounts are read at a time.
const usersPage = 500

func listUsers(cmd *cobra.Command, of tenant) error {
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	say(table, "ID\tEMAIL\tNAME\tROLES\tSTATE\tLAST SEEN")
	for page := (store.Page{Number: 1, Size: usersPage}); ; page.Number++ {
		users, _, err := of.store.Users(cmd.Context(), of.by.OrgID, "", page)
		if err != nil {
			return err
		}
		for _, u := range users {
			roles := make([]string, len(u.Roles))
			for i, r := range u.Roles {
				roles[i] = r.Name
			}
			say(table, "%d\t%s\t%s\t%s\t%s\t%s", u.ID, u.Email, u.Name, strings.Join(roles, ","), u.State, instant(u.LastSeenAt))
		}
		if len(users) < usersPage {
			return table.Flush()
		}
	}
}

// userCommand is a command about one user, who is named by the address.
func userCommand(use, short string, do func(*cobra.Command, tenant, store.User) error) *cobra.Command {
	var org, email string
	cmd := &cobra.Command{
		Use:   use + " --org SLUG --email ADDRESS",
		Short: short,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				user, err := of.store.UserByEmail(cmd.Context(), of.by.OrgID, strings.TrimSpace(email))
				if err != nil {
					return fmt.Errorf("find %s: %w", email, err)
				}
				return do(cmd, of, user)
			})
		},
	}
	orgFlags(cmd, &org, nil)
	cmd.Flags().StringVar(&email, "email", "", "the address with which the user signs in")
	_ = cmd.MarkFlagRequired("email")
	return cmd
}

func newUsersDisableCommand() *cobra.Command {
	return userCommand("disable", "Ends all that a user can do, within two seconds",
		func(cmd *cobra.Command, of tenant, user store.User) error {
			if user.State == account.Disabled {
				return errors.New("the account is disabled already")
			}
			if err := of.operations.People.DisableUser(cmd.Context(), of.by, user.ID); err != nil {
				return err
			}
			say(cmd.OutOrStdout(), "%s is disabled", user.Email)
			return nil
		})
}

func newUsersResetCommand() *cobra.Command {
	var factors bool
	cmd := userCommand("reset", "Prints a link with which a user chooses a new passphrase",
		func(cmd *cobra.Command, of tenant, user store.User) error {
			if factors {
				if err := of.operations.People.RemoveTOTPOf(cmd.Context(), of.by, user.ID); err != nil {
					return err
				}
			}
			return printLink(cmd, of, user.ID)
		})
	cmd.Flags().BoolVar(&factors, "factors", false, "remove one-time passwords and recovery codes too")
	return cmd
}
