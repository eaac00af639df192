package people

import (
	"context"
	"slices"

	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/store"
)

// beyondOwn rejects granting more than the caller has.
func beyondOwn() error {
	return &fault.Error{Kind: fault.Forbidden, Text: fault.Say("role.beyond_own")}
}

// mayGive refuses grants that the caller does not hold.
func mayGive(c caller.Caller, grants ...caller.Grant) error {
	if !c.MayGive(grants...) {
		return beyondOwn()
	}
	return nil
}

// mayGiveAll rejects a caller without rights on the whole organization.
func mayGiveAll(c caller.Caller) error {
	if !c.MayGiveAll() {
		return beyondOwn()
	}
	return nil
}

// mayGiveRoles rejects roles that cover more than the caller's. It leaves
// unknown roles to the database, which names them.
func mayGiveRoles(ctx context.Context, t *store.Tx, c caller.Caller, ids []int64) error {
	if len(ids) == 0 || c.MayGiveAll() {
		return nil
	}
	roles, err := t.Roles(ctx)
	if err != nil {
		return err
	}
	for _, role := range roles {
		if slices.Contains(ids, role.ID) && !c.MayGive(role.Grant()) {
			return beyondOwn()
		}
	}
	return nil
}

// mayChangeUser rejects a change by which the caller would grant a user, or
// gain from a user's account, more than the caller has: a new role, another
// address, or enabling the account. Everybody who can change users can remove
// rights.
func mayChangeUser(
	ctx context.Context, t *store.Tx, c caller.Caller, before *store.User, wanted store.UserDetails, state account.State,
) error {
	takesOver := wanted.Email != before.Email
	enables := before.State == account.Disabled && state != account.Disabled
	if takesOver || enables {
		if err := mayGive(c, before.Grants()...); err != nil {
			return err
		}
	}
	var gained []int64
	for _, id := range wanted.RoleIDs {
		if !slices.ContainsFunc(before.Roles, func(r store.HeldRole) bool { return r.ID == id }) {
			gained = append(gained, id)
		}
	}
	return mayGiveRoles(ctx, t, c, gained)
}
