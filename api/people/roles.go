package people

import (
	"context"
	"fmt"
	"slices"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/version"
	"waybill/store"
)

func newRole(r store.Role) contract.Role {
	out := contract.Role{
		ID: r.ID, Name: r.Name, Base: contract.BuiltinRole(r.Base), IsBuiltin: r.IsBuiltin, Users: int32(r.Users),
		UpdatedAt: r.UpdatedAt.UTC(), Tags: nullable.NewNullNullable[[]string](),
	}
	if r.Tags != nil {
		out.Tags = nullable.NewNullableWithValue(r.Tags)
	}
	return out
}

// ListRoles lists the roles.
func (h *Handlers) ListRoles(
	ctx context.Context, _ contract.ListRolesRequestObject,
) (contract.ListRolesResponseObject, error) {
	roles, err := h.store.Roles(ctx, edge.PrincipalOf(ctx).OrgID)
	list := contract.ListRoles200JSONResponse{Items: make([]contract.Role, len(roles))}
	for i, r := range roles {
		list.Items[i] = newRole(r)
	}
	return list, err
}

// GetRole reads one role.
func (h *Handlers) GetRole(
	ctx context.Context, request contract.GetRoleRequestObject,
) (contract.GetRoleResponseObject, error) {
	r, err := h.store.Role(ctx, edge.PrincipalOf(ctx).OrgID, known(request.ID))
	edge.Versioned(ctx, version.At(r.UpdatedAt))
	return contract.GetRole200JSONResponse(newRole(r)), err
}

// CreateRole creates a custom role.
func (h *Handlers) CreateRole(
	ctx context.Context, request contract.CreateRoleRequestObject,
) (contract.CreateRoleResponseObject, error) {
	b := request.Body
	details := store.RoleDetails{Name: b.Name, Base: caller.Role(b.Base), Tags: b.Tags}
	if err := h.checkRole(details); err != nil {
		return nil, err
	}
	r, err := h.operations.People.CreateRole(ctx, edge.Caller(ctx), details)
	if err != nil {
		return nil, err
	}
	edge.CreatedAt(ctx, fmt.Sprintf("/v1/roles/%d", r.ID))
	edge.Versioned(ctx, version.At(r.UpdatedAt))
	return contract.CreateRole201JSONResponse(newRole(r)), nil
}

// builtinRoles are the roles that a custom role can narrow.
var builtinRoles = []caller.Role{caller.Admin, caller.Dispatcher, caller.Support, caller.Driver}

func (h *Handlers) checkRole(d store.RoleDetails) error {
	if !slices.Contains(builtinRoles, d.Base) {
		return unprocessable("base", fault.Say("role.base_unknown"))
	}
	if len(d.Tags) == 0 {
		return fault.Field("tags", fault.Say("param.required"))
	}
	for i, tag := range d.Tags {
		if !slices.Contains(h.tags, tag) {
			return unprocessable(fmt.Sprintf("tags[%d]", i), fault.Say("role.unknown_tag"))
		}
	}
	return checkName("name", d.Name)
}

func unprocessable(field string, text fault.Text) error {
	return &fault.Error{
		Kind: fault.Unprocessable, Text: fault.Say("request.invalid"),
		Violations: []fault.Violation{{Field: field, Text: text}},
	}
}

// UpdateRole changes the given fields.
func (h *Handlers) UpdateRole(
	ctx context.Context, request contract.UpdateRoleRequestObject,
) (contract.UpdateRoleResponseObject, error) {
	expected, err := edge.Expected(request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	b := request.Body
	by, id := edge.Caller(ctx), known(request.ID)
	r, err := h.operations.People.ChangeRole(ctx, by, id, func(r store.Role) (store.RoleDetails, error) {
		d := store.RoleDetails{Name: r.Name, Base: r.Base, Tags: r.Tags}
		if err := expected.Check(version.At(r.UpdatedAt), "role", fmt.Sprint(r.ID)); err != nil {
			return d, err
		}
		if b.Name != nil {
			d.Name = *b.Name
		}
		if b.Base != nil {
			d.Base = caller.Role(*b.Base)
		}
		if b.Tags != nil {
			d.Tags = *b.Tags
		}
		return d, h.checkRole(d)
	})
	if err != nil {
		return nil, err
	}
	edge.Versioned(ctx, version.At(r.UpdatedAt))
	return contract.UpdateRole200JSONResponse(newRole(r)), nil
}
