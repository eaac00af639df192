package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/store/queries"
)

// Role is a role of an organization. A built-in one has no tags: it is whole.
type Role struct {
	ID        int64
	Name      string
	Base      caller.Role
	Tags      []string
	IsBuiltin bool
	Users     int
	UpdatedAt time.Time
}

func listRoles(ctx context.Context, q *queries.Queries, org, id int64) ([]Role, error) {
	rows, err := q.ListRoles(ctx, queries.ListRolesParams{OrgID: org, ID: id})
	roles := make([]Role, len(rows))
	for i, r := range rows {
		roles[i] = Role{
			ID: r.ID, Name: r.Name, Base: caller.Role(r.Base), Tags: r.Tags, IsBuiltin: r.IsBuiltin, Users: int(r.Users),
			UpdatedAt: r.UpdatedAt,
		}
	}
	return roles, translate(err)
}

// Roles returns the roles of an organization by id, built-in ones first, at
// most 500.
func (s *Store) Roles(ctx context.Context, org int64) ([]Role, error) {
	return listRoles(ctx, s.of(org), org, 0)
}

// Role returns one role.
func (s *Store) Role(ctx context.Context, org, id int64) (Role, error) {
	return oneRole(ctx, s.of(org), org, id)
}

// Roles returns the roles of the organization, as the transaction sees them.
func (t *Tx) Roles(ctx context.Context) ([]Role, error) { return listRoles(ctx, t.q, t.org, 0) }

// Role returns one role, as the transaction sees it.
func (t *Tx) Role(ctx context.Context, id int64) (Role, error) { return oneRole(ctx, t.q, t.org, id) }

func oneRole(ctx context.Context, q *queries.Queries, org, id int64) (Role, error) {
	roles, err := listRoles(ctx, q, org, max(id, -1))
	if err == nil && (len(roles) == 0 || id == 0) {
		err = fault.Missing("role", fmt.Sprint(id))
	}
	if err != nil {
		return Role{}, err
	}
	return roles[0], nil
}

// RoleDetails are the settings of a custom role.
type RoleDetails struct {
	Name string
	Base caller.Role
	Tags []string
}

// Grant is a permission of the role.
func (d RoleDetails) Grant() caller.Grant { return caller.Grant{Role: d.Base, Tags: d.Tags} }

// Grant is a permission of the role.
func (r *Role) Grant() caller.Grant { return caller.Grant{Role: r.Base, Tags: r.Tags} }

// CreateRole makes a custom role and returns its id.
func (t *Tx) CreateRole(ctx context.Context, d RoleDetails) (int64, error) {
	id, err := t.q.CreateRole(ctx, queries.CreateRoleParams{
		OrgID: t.org, Name: d.Name, Base: string(d.Base), Tags: d.Tags,
	})
	return id, refusedRole(d, err)
}

// UpdateRole saves the settings of a custom role.
func (t *Tx) UpdateRole(ctx context.Context, id int64, d RoleDetails) error {
	return refusedRole(d, t.q.UpdateRole(ctx, queries.UpdateRoleParams{
		OrgID: t.org, ID: id, Name: d.Name, Base: string(d.Base), Tags: d.Tags,
	}))
}

func refusedRole(d RoleDetails, err error) error {
	if breaks(err, "roles_name_key") {
		return &fault.Error{
			Kind: fault.Duplicate, Text: fault.Say("role.exists", "name", d.Name), Resource: "role", Name: d.Name,
		}
	}
	return err
}

// RoleIDs returns the ids of the roles with these names, by the names in lower
// case. Unknown names are left out.
func (s *Store) RoleIDs(ctx context.Context, org int64, names ...string) (map[string]int64, error) {
	lower := make([]string, len(names))
	for i, name := range names {
		lower[i] = strings.ToLower(name)
	}
	rows, err := s.of(org).RolesByNames(ctx, queries.RolesByNamesParams{OrgID: org, Names: lower})
	ids := make(map[string]int64, len(rows))
	for _, r := range rows {
		ids[strings.ToLower(r.Name)] = r.ID
	}
	return ids, translate(err)
}
