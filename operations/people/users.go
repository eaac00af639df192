package people

import (
	"context"
	"fmt"
	"slices"

	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/operations/core"
	"waybill/store"
)

// NewUser is a new account.
type NewUser struct {
	store.UserDetails

	Source string // who maintains the row: document, console or api
	// Invite has an invitation mailed.
	Invite bool
}

// CreateUser makes an account, whose owner takes it up by an invitation.
func (o *Operations) CreateUser(ctx context.Context, c caller.Caller, n NewUser) (user store.User, err error) {
	return core.Once(ctx, o.store, c, func(t *store.Tx) (store.User, error) {
		if err := mayGiveRoles(ctx, t, c, n.RoleIDs); err != nil {
			return store.User{}, err
		}
		id, err := t.CreateUser(ctx, n.UserDetails, n.Source)
		if err != nil {
			return store.User{}, err
		}
		kinds := []event.Event{event.User{ID: id}.Event(event.UserCreated)}
		if n.Invite {
			kinds = append(kinds, event.User{ID: id}.Event(event.UserInvited))
			if err := t.NoteInvited(ctx, id, o.now()); err != nil {
				return store.User{}, err
			}
		}
		if err := t.Append(ctx, kinds...); err != nil {
			return store.User{}, err
		}
		return t.User(ctx, id)
	})
}

// ChangeUser applies change to a user, and saves it.
func (o *Operations) ChangeUser(
	ctx context.Context, c caller.Caller, id int64,
	change func(store.User) (store.UserDetails, account.State, error),
) (user store.User, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		before, err := t.LockUser(ctx, id)
		if err != nil {
			return err
		}
		wanted, state, err := change(before)
		if err != nil {
			return err
		}
		if err := mayChangeUser(ctx, t, c, &before, wanted, state); err != nil {
			return err
		}
		if err := o.saveUser(ctx, t, &before, wanted, state); err != nil {
			return err
		}
		user, err = t.User(ctx, id)
		return err
	})
	return user, err
}

func (o *Operations) saveUser(
	ctx context.Context, t *store.Tx, before *store.User, wanted store.UserDetails, state account.State,
) error {
	admins, err := t.Admins(ctx)
	if err != nil {
		return err
	}
	if err := t.UpdateUser(ctx, before.ID, wanted, state); err != nil {
		return err
	}
	if err := stillAdministered(ctx, t, admins); err != nil {
		return err
	}
	kind := event.UserUpdated
	switch {
	case state == account.Disabled && before.State != account.Disabled:
		kind = event.UserDisabled
		err = o.shutOut(ctx, t, before.ID)
	case before.State == account.Disabled && state != account.Disabled:
		kind = event.UserEnabled
	}
	if err != nil {
		return err
	}
	return t.Append(ctx, event.User{ID: before.ID}.Event(kind))
}

// DisableUser ends all that a user can do.
func (o *Operations) DisableUser(ctx context.Context, c caller.Caller, id int64) error {
	_, err := o.ChangeUser(ctx, c, id, func(u store.User) (store.UserDetails, account.State, error) {
		d := store.UserDetails{
			Email: u.Email, Name: u.Name, Language: u.Language, DriverID: u.DriverID, DepartmentID: u.DepartmentID,
		}
		for _, r := range u.Roles {
			d.RoleIDs = append(d.RoleIDs, r.ID)
		}
		return d, account.Disabled, nil
	})
	return err
}

// shutOut ends everything with which a user could still get in.
func (o *Operations) shutOut(ctx context.Context, t *store.Tx, user int64) error {
	if _, err := t.EndSessionsOfUser(ctx, user, 0, true, o.now()); err != nil {
		return err
	}
	return t.EndAccountCodes(ctx, store.SessionOwner{UserID: user}, o.now())
}

// stillAdministered refuses to leave an organization without an administrator,
// unless it had none.
func stillAdministered(ctx context.Context, t *store.Tx, before []int64) error {
	after, err := t.Admins(ctx)
	if err != nil {
		return err
	}
	if len(before) > 0 && len(after) == 0 {
		return fault.Illegal("user.last_admin", "user", fmt.Sprint(before[0]))
	}
	return nil
}

// InviteUser emails another invitation to a user who has not accepted it yet.
func (o *Operations) InviteUser(ctx context.Context, c caller.Caller, id int64) error {
	return o.tellUser(ctx, c, id, event.UserInvited)
}

// ResetUser has a link to a new passphrase mailed to a user.
func (o *Operations) ResetUser(ctx context.Context, c caller.Caller, id int64) error {
	return o.tellUser(ctx, c, id, event.UserResetRequested)
}

func (o *Operations) tellUser(ctx context.Context, c caller.Caller, id int64, kind event.Kind) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		user, err := t.LockUser(ctx, id)
		if err != nil {
			return err
		}
		if !fits(purposeOf(kind), user.State) {
			return wrongState(purposeOf(kind), id)
		}
		if err := mayGive(c, user.Grants()...); err != nil {
			return err
		}
		if kind == event.UserInvited {
			if err := t.NoteInvited(ctx, id, o.now()); err != nil {
				return err
			}
		}
		return t.Append(ctx, event.User{ID: id}.Event(kind))
	})
}

func wrongState(purpose store.CodePurpose, id int64) error {
	if purpose == store.InvitationCode {
		return fault.Illegal("user.not_invited", "user", fmt.Sprint(id))
	}
	return fault.Illegal("user.not_active", "user", fmt.Sprint(id))
}

// UserLink returns a URL at which a user chooses a passphrase: by invitation
// or, for an active account, to replace the present one. It is for operators,
// who pass it on themselves.
func (o *Operations) UserLink(ctx context.Context, c caller.Caller, id int64) (link string, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		user, err := t.LockUser(ctx, id)
		if err != nil {
			return err
		}
		purpose := store.ResetCode
		if user.State == account.Invited {
			purpose = store.InvitationCode
		}
		if !fits(purpose, user.State) {
			return wrongState(purpose, id)
		}
		link, err = o.newLink(ctx, t, store.SessionOwner{UserID: id}, purpose)
		return err
	})
	return link, err
}

// SetPassphrase takes up an account with a passphrase that an operator brings. It
// is for accounts that are made by a program.
func (o *Operations) SetPassphrase(ctx context.Context, c caller.Caller, id int64, chosen string) error {
	user, err := o.store.Credentials(ctx, c.OrgID, id)
	if err != nil {
		return err
	}
	hash, err := o.newHash(ctx, chosen, &user)
	if err != nil {
		return err
	}
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		return o.takeUp(ctx, t, &user, hash, store.InvitationCode)
	})
}

// RoleIDs returns the ids of roles by their names.
func (o *Operations) RoleIDs(ctx context.Context, org int64, names []string) ([]int64, error) {
	found, err := o.store.RoleIDs(ctx, org, names...)
	if err != nil {
		return nil, err
	}
	if len(found) < len(slices.Compact(slices.Sorted(slices.Values(names)))) {
		return nil, fault.Field("roles", fault.Say("role.unknown"))
	}
	ids := make([]int64, 0, len(found))
	for _, id := range found {
		ids = append(ids, id)
	}
	return ids, nil
}
