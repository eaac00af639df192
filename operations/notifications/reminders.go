package notifications

import (
	"context"
	"errors"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/housekeeping"
	"waybill/store"
)

// remindedOrders is how many orders of an organization one step notes.
const remindedOrders = 2_000

// Remind notes, from nine in the morning where an organization is, which of its orders come
// up. What fails of one organization keeps no other one waiting.
func (o *Operations) Remind(ctx context.Context, dry bool) (done housekeeping.Batch, err error) {
	orgs, err := o.store.RemindingOrganizations(ctx, o.now())
	if err != nil || dry {
		return done, err
	}
	var failures []error
	for _, org := range orgs {
		noted := 0
		err := o.store.InTx(ctx, caller.Service(org.ID, "housekeeping"), func(t *store.Tx) (err error) {
			noted, err = t.RemindOrders(ctx, org.Today, remindedOrders)
			return err
		})
		if err != nil {
			failures = append(failures, fmt.Errorf("organization %d: %w", org.ID, err))
		}
		done.Done, done.Left = done.Done+noted, done.Left || noted == remindedOrders
	}
	return done, errors.Join(failures...)
}
