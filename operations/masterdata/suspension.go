package masterdata

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/store"
)

// Suspend suspends the caller's organization, or resumes it, with an event that says who did so.
// It reports whether it was not so already.
func (o *Operations) Suspend(ctx context.Context, c caller.Caller, slug string, suspended bool) (changed bool, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if changed, err = t.Suspend(ctx, suspended); err != nil || !changed {
			return err
		}
		kind := event.OrganizationResumed
		if suspended {
			kind = event.OrganizationSuspended
		}
		return t.Append(ctx, event.Organization{ID: c.OrgID, Slug: slug}.Suspension(kind))
	})
	if err != nil {
		return false, fmt.Errorf("suspend the organization: %w", err)
	}
	return changed, nil
}
