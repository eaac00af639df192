package operations

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/store"
)

// suspendedPause is how long a message of a suspended organization waits before it is looked at
// again; so do its templates and webhooks.
const suspendedPause = 15 * time.Minute

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

// suspendedFault refuses what is asked for in the name of a suspended organization.
func suspendedFault() error {
	return &fault.Error{Kind: fault.Forbidden, Text: fault.Say("organization.suspended")}
}
