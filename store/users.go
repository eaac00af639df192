package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/store/queries"
)

// HeldRole is a role of a user.
type HeldRole struct {
	ID   int64       `json:"id"`
	Name string      `json:"name"`
	Base caller.Role `json:"base"`
	Tags []string    `json:"tags"` // nil for the whole of the base
}

// User is an account as administrators see it.
type User struct {
	ID                     int64
	Email, Name, Language  string // Language is "" where it is the organization's
	DriverID, DepartmentID int64  // 0 for none
	State                  account.State
	Source                 string
	Roles                  []HeldRole
	HasTOTP, HasPassphrase bool
	Passkeys               int
	InvitedAt, LastSeenAt  *time.Time
	UpdatedAt              time.Time
}

// Grants are the permissions of the user's roles.
func (u *User) Grants() []caller.Grant {
	grants := make([]caller.Grant, len(u.Roles))
	for i, role := range u.Roles {
		grants[i] = caller.Grant{Role: role.Base, Tags: role.Tags}
	}
	return grants
}

func newUser(r *queries.ListUsersRow) (User, error) {
	u := User{
		ID: r.ID, Email: r.Email, Name: r.Name, Language: r.Language, DriverID: r.DriverID, DepartmentID: r.DepartmentID,
		State: account.State(r.State), Source: r.Source, HasTOTP: r.HasTotp, HasPassphrase: r.HasPassphrase,
		Passkeys:  int(r.Passkeys),
		InvitedAt: r.InvitedAt, LastSeenAt: r.LastSeenAt, UpdatedAt: r.UpdatedAt,
	}
	if err := json.Unmarshal(r.Roles, &u.Roles); err != nil {
		return User{}, fmt.Errorf("roles of user %d: %w", r.ID, err)
	}
	return u, nil
}

// UserFilter narrows a list of users; zero fields don't.
type UserFilter struct {
	ID    int64
	Email string
	State account.State
}

func listUsers(ctx context.Context, q *queries.Queries, org int64, f UserFilter, page Page) ([]User, error) {
	rows, err := q.ListUsers(ctx, queries.ListUsersParams{
		OrgID: org, ID: f.ID, Email: f.Email, State: string(f.State), PageSize: page.Size, PageOffset: page.skip(),
	})
	if err != nil {
		return nil, translate(err)
	}
	users := make([]User, len(rows))
	for i := range rows {
		if users[i], err = newUser(&rows[i]); err != nil {
			return nil, err
		}
	}
	return users, nil
}

// Users returns one page of the users of a state, or of all, by id, and their
// total number.
func (s *Store) Users(ctx context.Context, org int64, state account.State, page Page) ([]User, int64, error) {
	total, err := s.of(org).CountUsers(ctx, queries.CountUsersParams{OrgID: org, State: string(state)})
	if err != nil {
		return nil, 0, translate(err)
	}
	users, err := listUsers(ctx, s.of(org), org, UserFilter{State: state}, page)
	return users, total, err
}

// User returns one user.
func (s *Store) User(ctx context.Context, org, id int64) (User, error) {
	return oneUser(ctx, s.of(org), org, UserFilter{ID: id}, fmt.Sprint(id))
}

// UserByEmail returns the user with an address.
func (s *Store) UserByEmail(ctx context.Context, org int64, email string) (User, error) {
	return oneUser(ctx, s.of(org), org, UserFilter{Email: email}, email)
}

// UserByEmail returns the user with an address, as the transaction sees it.
func (t *Tx) UserByEmail(ctx context.Context, email string) (User, error) {
	return oneUser(ctx, t.q, t.org, UserFilter{Email: email}, email)
}

// User returns one user, as the transaction sees it.
func (t *Tx) User(ctx context.Context, id int64) (User, error) {
	return oneUser(ctx, t.q, t.org, UserFilter{ID: id}, fmt.Sprint(id))
}

// LockUser returns one user and locks it until the end of the transaction.
func (t *Tx) LockUser(ctx context.Context, id int64) (User, error) {
	if _, err := t.q.LockUser(ctx, queries.LockUserParams{OrgID: t.org, ID: id}); err != nil {
		return User{}, absent("user", id, err)
	}
	return t.User(ctx, id)
}

func oneUser(ctx context.Context, q *queries.Queries, org int64, f UserFilter, name string) (User, error) {
	users, err := listUsers(ctx, q, org, f, Page{Number: 1, Size: 1})
	if err == nil && len(users) == 0 {
		err = fault.Missing("user", name)
	}
	if err != nil {
		return User{}, err
	}
	return users[0], nil
}

// UserDetails are the settings of a user that an administrator controls.
type UserDetails struct {
	Email, Name, Language  string
	DriverID, DepartmentID int64
	RoleIDs                []int64
}

// CreateUser creates an account with a pending invitation, and returns its id.
func (t *Tx) CreateUser(ctx context.Context, d UserDetails, source string) (int64, error) {
	id, err := t.q.CreateUser(ctx, queries.CreateUserParams{
		OrgID: t.org, Email: d.Email, Name: d.Name, Language: d.Language, DriverID: d.DriverID,
		DepartmentID: d.DepartmentID, Source: source,
	})
	if err != nil {
		return 0, refusedUser(d, err)
	}
	return id, t.setRoles(ctx, id, d.RoleIDs)
}

// UpdateUser saves a user's settings and state.
func (t *Tx) UpdateUser(ctx context.Context, id int64, d UserDetails, state account.State) error {
	err := t.q.UpdateUser(ctx, queries.UpdateUserParams{
		OrgID: t.org, ID: id, Email: d.Email, Name: d.Name, Language: d.Language, DriverID: d.DriverID,
		DepartmentID: d.DepartmentID, State: string(state),
	})
	if err != nil {
		return refusedUser(d, err)
	}
	return t.setRoles(ctx, id, d.RoleIDs)
}

func (t *Tx) setRoles(ctx context.Context, user int64, roles []int64) error {
	err := t.q.SetUserRoles(ctx, queries.SetUserRolesParams{OrgID: t.org, UserID: user, RoleIds: roles})
	if breaks(err, "user_roles_role_fkey") {
		return unknownReference("role_ids", fault.Say("role.unknown"))
	}
	return err
}

// refusedUser explains why the database rejected a user.
func refusedUser(d UserDetails, err error) error {
	switch {
	case breaks(err, "users_email_key"):
		return &fault.Error{
			Kind: fault.Duplicate, Text: fault.Say("user.exists", "name", d.Email), Resource: "user", Name: d.Email,
		}
	case breaks(err, "users_driver_fkey"):
		return unknownReference("driver_id", fault.Say("user.driver_unknown"))
	case breaks(err, "users_driver_key"):
		return unknownReference("driver_id", fault.Say("user.driver_taken"))
	case breaks(err, "users_department_fkey"):
		return unknownReference("department_id", fault.Say("user.department_unknown"))
	}
	return err
}

func unknownReference(field string, text fault.Text) error {
	return &fault.Error{
		Kind: fault.Unprocessable, Text: fault.Say("request.invalid"),
		Violations: []fault.Violation{{Field: field, Text: text}},
	}
}

// Admins returns the users who can administer the whole organization and have
// accepted their invitations. It locks them for this transaction.
func (t *Tx) Admins(ctx context.Context) ([]int64, error) { return t.q.LockAdmins(ctx, t.org) }

// SetUserState writes the state of an account.
func (t *Tx) SetUserState(ctx context.Context, id int64, state account.State) error {
	return t.q.SetUserState(ctx, queries.SetUserStateParams{OrgID: t.org, ID: id, State: string(state)})
}

// NoteInvited writes when a user was last invited.
func (t *Tx) NoteInvited(ctx context.Context, id int64, at time.Time) error {
	return t.q.NoteInvited(ctx, queries.NoteInvitedParams{OrgID: t.org, ID: id, At: at})
}

// OrganizationNames returns the name that users enter for an organization when
// they sign in, and the one that it is called by.
func (s *Store) OrganizationNames(ctx context.Context, org int64) (slug, name string, err error) {
	names, err := s.of(org).OrganizationNames(ctx, org)
	return names.Slug, names.Name, translate(err)
}
