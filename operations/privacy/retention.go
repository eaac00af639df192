package privacy

import (
	"context"

	"waybill/domain/caller"
	"waybill/domain/housekeeping"
	"waybill/domain/privacy"
	"waybill/operations/core"
	"waybill/store"
)

// retainedRows is how many rows of each sort one step erases of an organization. A step passes
// over the old rows that were erased before, so it must not be small where there are many.
const retainedRows = 1_000

// Retain erases what is personal once its organization keeps it no longer, a batch of each of
// some organizations.
func (o *Operations) Retain(ctx context.Context, dry bool) (done housekeeping.Batch, err error) {
	if dry {
		return o.countRetained(ctx)
	}
	id := func(org store.RetainingOrganization) int64 { return org.ID }
	return core.InTurns(ctx, o.store, housekeeping.Personal, o.store.RetainingOrganizations, id,
		func(org store.RetainingOrganization) (int, bool, error) {
			count, err := o.retainOf(ctx, &org, retainedRows, false)
			return count, err == nil && count > 0, err
		})
}

// retainOf erases a batch of each kind of an organization, each in a transaction of its own.
// Files go last: what fails of them is left to housekeeping, because nothing refers to them
// any more.
func (o *Operations) retainOf(
	ctx context.Context, org *store.RetainingOrganization, batch int, dry bool,
) (count int, err error) {
	for _, kind := range privacy.Kinds() {
		before, ends := org.Before(kind, o.now())
		if !ends {
			continue
		}
		var done store.Retained
		err := o.store.InTx(ctx, caller.Service(org.ID, "housekeeping"), func(t *store.Tx) (err error) {
			done, err = t.Retain(ctx, kind, before, batch, dry)
			return err
		})
		if err != nil {
			return count, err
		}
		count += done.Count
		if err := o.deleteRetained(ctx, done.Files); err != nil {
			return count, err
		}
	}
	return count, nil
}

func (o *Operations) deleteRetained(ctx context.Context, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	storage, err := o.files.Open(ctx)
	if err != nil {
		return err
	}
	_, err = core.DeleteAll(ctx, storage, keys)
	return err
}

// countRetained counts what is due of all organizations, up to a bound.
func (o *Operations) countRetained(ctx context.Context) (done housekeeping.Batch, err error) {
	orgs, err := o.store.RetainingOrganizations(ctx, 0)
	for i := 0; i < len(orgs) && err == nil && done.Done < core.DryRunCount; i++ {
		var count int
		count, err = o.retainOf(ctx, &orgs[i], core.DryRunCount-done.Done, true)
		done.Done += count
	}
	return done, err
}
