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
		Short: "Invite, list and disable users of an organization",
	}
	cmd.AddCommand(newUsersInviteCommand(), newUsersListCommand(), newUsersDisableCommand(), newUsersResetCommand())
	return cmd
}

// invitation is an invited user, and how to invite them.
type invitation struct {
	org, email, name string
	roles            []string
	fromStdin        bool
}

func newUsersInviteCommand() *cobra.Command {
	var in invitation
	cmd := &cobra.Command{
		Use:   "invite --org SLUG --email ADDRESS --role ROLE",
		Short: "Create an account and print its invitation link",
		Long: `Create an account and print a link with which the user chooses a passphrase. The link
works once and expires after three days; no email is sent. If the user was invited
before, the command prints a new link.

With --passphrase-stdin the command reads the passphrase from standard input and prints
no link. Use this for demo accounts.`,
		Example: "  waybill users invite --org nordfrakt --email kari@nordfrakt.example --name 'Kari Berg' --role admin",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, in.org, func(of tenant) error { return in.run(cmd, of) })
		},
	}
	orgFlags(cmd, &in.org, nil)
	flags := cmd.Flags()
	flags.StringVar(&in.email, "email", "", "email address of the user")
	flags.StringVar(&in.name, "name", "", "name of the user (default the email address)")
	flags.StringSliceVar(&in.roles, "role", nil, "role: admin, dispatcher, support, driver, or a role defined by the organization")
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

// account creates the account, or finds that of an earlier invitation.
func (in invitation) account(cmd *cobra.Command, of tenant) (int64, error) {
	ctx := cmd.Context()
	email, ok := account.Email(in.email)
	if !ok {
		return 0, fmt.Errorf("%q is not an email address", in.email)
	}
	known, err := of.store.UserByEmail(ctx, of.by.OrgID, email)
	if err == nil && known.State == account.Invited {
		return known.ID, nil
	}
	if err == nil {
		return 0, fmt.Errorf("%s already has an account; to set a new passphrase, run waybill users reset", email)
	}
	roles, err := of.operations.People.RoleIDs(ctx, of.by.OrgID, in.roles)
	if err != nil {
		return 0, fmt.Errorf("role %s not found", strings.Join(in.roles, " or "))
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
		Short: "List the accounts",
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

// userCommand is a command on one user, named by email address.
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
	cmd.Flags().StringVar(&email, "email", "", "email address of the user")
	_ = cmd.MarkFlagRequired("email")
	return cmd
}

func newUsersDisableCommand() *cobra.Command {
	return userCommand("disable", "Disable a user within two seconds",
		func(cmd *cobra.Command, of tenant, user store.User) error {
			if user.State == account.Disabled {
				return errors.New("the account is already disabled")
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
	cmd := userCommand("reset", "Print a link with which a user chooses a new passphrase",
		func(cmd *cobra.Command, of tenant, user store.User) error {
			if factors {
				if err := of.operations.People.RemoveTOTPOf(cmd.Context(), of.by, user.ID); err != nil {
					return err
				}
			}
			return printLink(cmd, of, user.ID)
		})
	cmd.Flags().BoolVar(&factors, "factors", false, "also remove one-time passwords and recovery codes")
	return cmd
}
