package people

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/operations/core"
	"waybill/store"
)

// CreateRole creates a custom role, which narrows a built-in one. Nobody can
// create a role that covers more than they have.
func (o *Operations) CreateRole(ctx context.Context, c caller.Caller, d store.RoleDetails) (store.Role, error) {
	if err := mayGive(c, d.Grant()); err != nil {
		return store.Role{}, err
	}
	return core.Once(ctx, o.store, c, func(t *store.Tx) (store.Role, error) {
		id, err := t.CreateRole(ctx, d)
		if err != nil {
			return store.Role{}, err
		}
		if err := t.Append(ctx, event.Role{ID: id, Name: d.Name}.Event(event.RoleCreated)); err != nil {
			return store.Role{}, err
		}
		return t.Role(ctx, id)
	})
}

// ChangeRole applies change to a custom role, and saves it. Built-in roles
// can't be changed.
func (o *Operations) ChangeRole(
	ctx context.Context, c caller.Caller, id int64, change func(store.Role) (store.RoleDetails, error),
) (role store.Role, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		before, err := t.Role(ctx, id)
		if err != nil {
			return err
		}
		if before.IsBuiltin {
			return fault.Illegal("role.builtin", "role", fmt.Sprint(id))
		}
		wanted, err := change(before)
		if err != nil {
			return err
		}
		if err := mayGive(c, wanted.Grant()); err != nil {
			return err
		}
		if err := staysProviders(ctx, t, before, wanted); err != nil {
			return err
		}
		if err := t.UpdateRole(ctx, id, wanted); err != nil {
			return err
		}
		if err := t.Append(ctx, event.Role{ID: id, Name: wanted.Name}.Event(event.RoleUpdated)); err != nil {
			return err
		}
		role, err = t.Role(ctx, id)
		return err
	})
	return role, err
}

// staysProviders refuses to turn the role that a provider gives to users
// without an invitation into an administrator's role.
func staysProviders(ctx context.Context, t *store.Tx, before store.Role, wanted store.RoleDetails) error {
	if wanted.Base != caller.Admin || before.Base == caller.Admin {
		return nil
	}
	providers, err := t.IdentityProviders(ctx)
	if err != nil {
		return err
	}
	for _, p := range providers {
		if p.NewUsersRoleID == before.ID {
			return fault.Illegal("role.of_provider", "role", fmt.Sprint(before.ID))
		}
	}
	return nil
}
