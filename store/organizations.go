package store

import (
	"context"
	"time"

	"waybill/store/queries"
)

// ReserveOrganization returns the id of the organization with a slug, and
// whether it is new. For a new one, the id is reserved for creating it.
func (s *Store) ReserveOrganization(ctx context.Context, slug string) (id int64, isNew bool, err error) {
	id, err = s.anyone().FindOrganization(ctx, slug)
	if err != nil || id != 0 {
		return id, false, translate(err)
	}
	id, err = s.anyone().NextOrganizationID(ctx)
	return id, true, translate(err)
}

// OrganizationID returns the id of the organization with a slug, or
// ErrNotFound.
func (s *Store) OrganizationID(ctx context.Context, slug string) (int64, error) {
	if !IsText(slug) {
		return 0, ErrNotFound
	}
	id, err := s.finds().FindOrganization(ctx, slug)
	if err == nil && id == 0 {
		err = ErrNotFound
	}
	return id, translate(err)
}

// WorkflowName returns the name of an organization in workflow IDs. It never
// changes, so it is read once.
func (s *Store) WorkflowName(ctx context.Context, org int64) (string, error) {
	if name, known := s.names.Load(org); known {
		return name.(string), nil
	}
	name, err := s.of(org).WorkflowName(ctx, org)
	if err != nil {
		return "", missing("organization", org, err)
	}
	s.names.Store(org, name)
	return name, nil
}

// OrganizationZone returns the time zone of the organization.
func (t *Tx) OrganizationZone(ctx context.Context) (*time.Location, error) {
	return organizationZone(ctx, t.q, t.org)
}

// OrganizationZone returns the time zone of an organization.
func (s *Store) OrganizationZone(ctx context.Context, org int64) (*time.Location, error) {
	return organizationZone(ctx, s.of(org), org)
}

func organizationZone(ctx context.Context, q *queries.Queries, org int64) (*time.Location, error) {
	name, err := q.OrganizationZone(ctx, org)
	if err != nil {
		return nil, missing("organization", org, err)
	}
	return time.LoadLocation(name)
}
