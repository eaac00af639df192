package people

import (
	"context"
	"fmt"
	"slices"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/account"
	"waybill/domain/fault"
	"waybill/domain/version"
	"waybill/operations/people"
	"waybill/store"
)

func newUser(u store.User) contract.User {
	out := contract.User{
		ID: u.ID, Email: u.Email, Name: u.Name, DepartmentID: edge.IDOrNull(u.DepartmentID),
		DriverID: edge.IDOrNull(u.DriverID), Language: edge.TextOrNull(u.Language), IsActive: u.State != account.Disabled,
		State: contract.UserState(u.State), HasTotp: u.HasTOTP, Passkeys: int32(u.Passkeys),
		InvitedAt: edge.OrNull(u.InvitedAt), LastSeenAt: edge.OrNull(u.LastSeenAt), UpdatedAt: u.UpdatedAt.UTC(),
		Roles: make([]contract.NamedRecord, len(u.Roles)),
	}
	for i, r := range u.Roles {
		out.Roles[i] = contract.NamedRecord{ID: r.ID, Name: r.Name}
	}
	return out
}

// ListUsers lists the users, a page at a time.
func (h *Handlers) ListUsers(
	ctx context.Context, request contract.ListUsersRequestObject,
) (contract.ListUsersResponseObject, error) {
	p := request.Params
	page, err := edge.PageOf(p.Page, p.Limit)
	if err != nil {
		return nil, err
	}
	var state account.State
	if p.State != nil {
		state = account.State(*p.State)
	}
	users, total, err := h.store.Users(ctx, edge.PrincipalOf(ctx).OrgID, state, page)
	if err != nil {
		return nil, err
	}
	out := contract.ListUsers200JSONResponse{
		Items: make([]contract.User, len(users)), Total: total, Page: page.Number, Limit: page.Size,
		Pages: int32(edge.Pages(total, page)),
	}
	for i, u := range users {
		out.Items[i] = newUser(u)
	}
	return out, nil
}

// GetUser reads one user.
func (h *Handlers) GetUser(
	ctx context.Context, request contract.GetUserRequestObject,
) (contract.GetUserResponseObject, error) {
	u, err := h.store.User(ctx, edge.PrincipalOf(ctx).OrgID, known(request.ID))
	edge.Versioned(ctx, version.At(u.UpdatedAt))
	return contract.GetUser200JSONResponse(newUser(u)), err
}

// known is an id that does not exist for 0, which would mean any.
func known(id int64) int64 {
	if id == 0 {
		return -1
	}
	return id
}

// CreateUser creates an account and sends an invitation.
func (h *Handlers) CreateUser(
	ctx context.Context, request contract.CreateUserRequestObject,
) (contract.CreateUserResponseObject, error) {
	b := request.Body
	details := store.UserDetails{Email: b.Email, Name: b.Name, RoleIDs: b.RoleIds}
	err := setOptional(&details, b.DriverID, b.DepartmentID, b.Language)
	if err == nil {
		err = checkUser(&details)
	}
	if err != nil {
		return nil, err
	}
	u, err := h.operations.People.CreateUser(ctx, edge.Caller(ctx), people.NewUser{
		UserDetails: details, Source: "console", Invite: true,
	})
	if err != nil {
		return nil, err
	}
	edge.CreatedAt(ctx, fmt.Sprintf("/v1/users/%d", u.ID))
	edge.Versioned(ctx, version.At(u.UpdatedAt))
	return contract.CreateUser201JSONResponse(newUser(u)), nil
}

// setOptional sets an optional field, which null clears.
func setOptional[L ~string](
	d *store.UserDetails, driver, department nullable.Nullable[int64], language nullable.Nullable[L],
) error {
	if driver.IsSpecified() {
		id, err := driver.Get()
		d.DriverID = orNothing(id, err)
	}
	if department.IsSpecified() {
		id, err := department.Get()
		d.DepartmentID = orNothing(id, err)
	}
	if language.IsSpecified() {
		tag, _ := language.Get() // null is empty
		d.Language = string(tag)
	}
	if !slices.Contains([]string{"", "nb", "en", "da"}, d.Language) {
		return fault.Field("language", fault.Say("user.bad_language"))
	}
	return nil
}

// orNothing is 0 for null, and an id that does not exist for 0.
func orNothing(id int64, isNull error) int64 {
	if isNull != nil {
		return 0
	}
	return known(id)
}

func checkUser(d *store.UserDetails) (err error) {
	var ok bool
	if d.Email, ok = account.Email(d.Email); !ok {
		return fault.Field("email", fault.Say("user.bad_email"))
	}
	if len(d.RoleIDs) == 0 {
		return fault.Field("role_ids", fault.Say("user.no_role"))
	}
	return checkName("name", d.Name)
}

// UpdateUser changes the given fields.
func (h *Handlers) UpdateUser(
	ctx context.Context, request contract.UpdateUserRequestObject,
) (contract.UpdateUserResponseObject, error) {
	expected, err := edge.Expected(request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	u, err := h.operations.People.ChangeUser(ctx, edge.Caller(ctx), known(request.ID),
		func(u store.User) (store.UserDetails, account.State, error) {
			if err := expected.Check(version.At(u.UpdatedAt), "user", fmt.Sprint(u.ID)); err != nil {
				return store.UserDetails{}, "", err
			}
			return changed(u, request.Body)
		})
	if err != nil {
		return nil, err
	}
	edge.Versioned(ctx, version.At(u.UpdatedAt))
	return contract.UpdateUser200JSONResponse(newUser(u)), nil
}

// changed is the new state of a user.
func changed(u store.User, b *contract.UpdateUserRequest) (store.UserDetails, account.State, error) {
	d := store.UserDetails{
		Email: u.Email, Name: u.Name, Language: u.Language, DriverID: u.DriverID, DepartmentID: u.DepartmentID,
	}
	for _, r := range u.Roles {
		d.RoleIDs = append(d.RoleIDs, r.ID)
	}
	if b.Email != nil {
		d.Email = *b.Email
	}
	if b.Name != nil {
		d.Name = *b.Name
	}
	if b.RoleIds != nil {
		d.RoleIDs = *b.RoleIds
	}
	if err := setOptional(&d, b.DriverID, b.DepartmentID, b.Language); err != nil {
		return d, "", err
	}
	state := u.State
	switch {
	case b.IsActive == nil:
	case !*b.IsActive:
		state = account.Disabled
	case state == account.Disabled:
		state = account.Enabled(u.HasPassphrase)
	}
	return d, state, checkUser(&d)
}

// InviteUser has another invitation sent.
func (h *Handlers) InviteUser(
	ctx context.Context, request contract.InviteUserRequestObject,
) (contract.InviteUserResponseObject, error) {
	return contract.InviteUser202Response{}, h.operations.People.InviteUser(ctx, edge.Caller(ctx), known(request.ID))
}

// ResetUser has a link to a new passphrase sent.
func (h *Handlers) ResetUser(
	ctx context.Context, request contract.ResetUserRequestObject,
) (contract.ResetUserResponseObject, error) {
	return contract.ResetUser202Response{}, h.operations.People.ResetUser(ctx, edge.Caller(ctx), known(request.ID))
}

// ListUserSessions lists the browsers in which a user is signed in.
func (h *Handlers) ListUserSessions(
	ctx context.Context, request contract.ListUserSessionsRequestObject,
) (contract.ListUserSessionsResponseObject, error) {
	p := edge.PrincipalOf(ctx)
	if _, err := h.store.User(ctx, p.OrgID, known(request.ID)); err != nil {
		return nil, err
	}
	list, err := h.sessions(ctx, store.SessionOwner{UserID: request.ID}, p.SessionID)
	return contract.ListUserSessions200JSONResponse(list), err
}

// EndUserSessions signs a user out everywhere, and revokes their personal
// tokens.
func (h *Handlers) EndUserSessions(
	ctx context.Context, request contract.EndUserSessionsRequestObject,
) (contract.EndUserSessionsResponseObject, error) {
	_, err := h.operations.People.EndSessions(ctx, edge.Caller(ctx), known(request.ID), 0)
	return contract.EndUserSessions204Response{}, err
}

// EndUserSession signs a user out of one browser.
func (h *Handlers) EndUserSession(
	ctx context.Context, request contract.EndUserSessionRequestObject,
) (contract.EndUserSessionResponseObject, error) {
	return contract.EndUserSession204Response{},
		h.end(ctx, store.SessionOwner{UserID: known(request.ID)}, store.BrowserSession, request.ItemID)
}

// ListUserTokens lists the personal tokens of a user.
func (h *Handlers) ListUserTokens(
	ctx context.Context, request contract.ListUserTokensRequestObject,
) (contract.ListUserTokensResponseObject, error) {
	if _, err := h.store.User(ctx, edge.PrincipalOf(ctx).OrgID, known(request.ID)); err != nil {
		return nil, err
	}
	list, err := h.tokens(ctx, store.SessionOwner{UserID: request.ID})
	return contract.ListUserTokens200JSONResponse(list), err
}

// RevokeUserToken ends one personal token of a user.
func (h *Handlers) RevokeUserToken(
	ctx context.Context, request contract.RevokeUserTokenRequestObject,
) (contract.RevokeUserTokenResponseObject, error) {
	return contract.RevokeUserToken204Response{},
		h.end(ctx, store.SessionOwner{UserID: known(request.ID)}, store.TokenSession, request.ItemID)
}

// RemoveUserTotp removes the second factor of a user who has lost it.
func (h *Handlers) RemoveUserTotp(
	ctx context.Context, request contract.RemoveUserTotpRequestObject,
) (contract.RemoveUserTotpResponseObject, error) {
	return contract.RemoveUserTotp204Response{},
		h.operations.People.RemoveTOTPOf(ctx, edge.Caller(ctx), known(request.ID))
}
