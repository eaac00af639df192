package masterdata

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/organization"
	"waybill/store"
	"waybill/store/queries"
)

// users creates accounts, invites new users by email, and updates the others
// from the document. It neither disables nor enables anybody.
func (a *applier) users(ctx context.Context) (counts, error) {
	admins, err := a.tx.Admins(ctx)
	if err != nil {
		return counts{}, err
	}
	wanted, err := a.userDetails(ctx)
	if err != nil {
		return counts{}, err
	}
	var n counts
	for _, details := range wanted {
		created, changed, err := a.user(ctx, details)
		if err != nil {
			return counts{}, err
		}
		switch {
		case created:
			n.Created++
		case changed:
			n.Updated++
		}
	}
	left, err := a.tx.Admins(ctx)
	if err == nil && len(admins) > 0 && len(left) == 0 {
		err = organization.Problems{a.document.Problem("users", "leave nobody who may administer the organization")}
	}
	return n, err
}

// userDetails are the users of the document with their references as ids.
func (a *applier) userDetails(ctx context.Context) ([]store.UserDetails, error) {
	n, err := a.fleet(ctx) // knows the departments
	if err != nil {
		return nil, err
	}
	var names []string
	for _, u := range a.document.Users {
		for _, role := range u.Roles {
			names = append(names, organization.Fold(role))
		}
	}
	roles, err := a.q.RolesByNames(ctx, queries.RolesByNamesParams{OrgID: a.org, Names: names})
	if err != nil {
		return nil, err
	}
	for _, r := range roles {
		n.add("role", r.Name, r.ID)
	}
	details := make([]store.UserDetails, len(a.document.Users))
	for i, u := range a.document.Users {
		path := fmt.Sprintf("users[%d]", i)
		details[i] = store.UserDetails{
			Email: u.Email, Name: u.Name, Language: u.Language,
			DepartmentID: n.findAny("department", u.Department, path+".department"),
			RoleIDs:      n.findAll("role", u.Roles, path+".roles"),
		}
	}
	return details, n.err()
}

func (a *applier) user(ctx context.Context, wanted store.UserDetails) (created, changed bool, err error) {
	known, err := a.tx.UserByEmail(ctx, wanted.Email)
	var unknown *fault.Error
	if errors.As(err, &unknown) && unknown.Kind == fault.NotFound {
		return true, true, a.invite(ctx, wanted)
	}
	if err != nil {
		return false, false, err
	}
	present, err := a.tx.LockUser(ctx, known.ID)
	if err != nil {
		return false, false, err
	}
	wanted.Email, wanted.DriverID = present.Email, present.DriverID
	if sameUser(&present, &wanted) {
		return false, false, nil
	}
	a.events = append(a.events, event.User{ID: present.ID}.Event(event.UserUpdated))
	return false, true, a.tx.UpdateUser(ctx, present.ID, wanted, present.State)
}

// invite makes an account, whose owner gets a mail.
func (a *applier) invite(ctx context.Context, wanted store.UserDetails) error {
	id, err := a.tx.CreateUser(ctx, wanted, "document")
	if err != nil {
		return err
	}
	user := event.User{ID: id}
	a.events = append(a.events, user.Event(event.UserCreated), user.Event(event.UserInvited))
	return a.tx.NoteInvited(ctx, id, time.Now())
}

func sameUser(present *store.User, wanted *store.UserDetails) bool {
	held := make([]int64, len(present.Roles))
	for i, role := range present.Roles {
		held[i] = role.ID
	}
	roles := slices.Clone(wanted.RoleIDs)
	slices.Sort(roles)
	slices.Sort(held)
	return present.Name == wanted.Name && present.Language == wanted.Language &&
		present.DepartmentID == wanted.DepartmentID && slices.Equal(held, slices.Compact(roles))
}
