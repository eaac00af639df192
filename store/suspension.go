package store

import (
	"context"

	"waybill/store/queries"
)

// Suspend suspends the organization, or resumes it, and reports whether it was not so already.
func (t *Tx) Suspend(ctx context.Context, suspended bool) (bool, error) {
	n, err := t.q.Suspend(ctx, queries.SuspendParams{OrgID: t.org, Suspended: suspended})
	return n > 0, translate(err)
}

// IsSuspended reports whether the organization is suspended.
func (t *Tx) IsSuspended(ctx context.Context) (bool, error) {
	is, err := t.q.IsSuspended(ctx, t.org)
	return is, translate(err)
}

// IsSuspended reports whether an organization is suspended.
func (s *Store) IsSuspended(ctx context.Context, org int64) (bool, error) {
	is, err := s.finds().IsSuspended(ctx, org)
	return is, translate(err)
}
