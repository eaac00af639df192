package masterdata

import (
	"context"
	"maps"

	"waybill/domain/caller"
	"waybill/domain/customfield"
	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/operations/core"
	"waybill/store"
)

// CreateCustomField keeps a new definition and returns it with its id. An
// external id that is taken is a Duplicate.
func (o *Operations) CreateCustomField(
	ctx context.Context, c caller.Caller, d customfield.Definition,
) (customfield.Definition, error) {
	return core.Once(ctx, o.store, c, func(t *store.Tx) (customfield.Definition, error) {
		err := t.SaveNewCustomField(ctx, &d)
		return d, err
	})
}

// UpdateCustomField changes a definition, and writes nothing if nothing
// differs.
func (o *Operations) UpdateCustomField(
	ctx context.Context, c caller.Caller, id int64, change customfield.Change,
) (customfield.Definition, error) {
	var d customfield.Definition
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		before, _, err := t.LockCustomField(ctx, id)
		if err != nil {
			return err
		}
		if d, err = before.Changed(change); err != nil || d == before {
			return err
		}
		return t.SaveCustomField(ctx, &d, event.CustomFieldUpdated)
	})
	return d, err
}

// DeleteCustomField deletes a definition without values. It deactivates any
// other instead, and reports that.
func (o *Operations) DeleteCustomField(ctx context.Context, c caller.Caller, id int64) (inactivated bool, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		d, used, err := t.LockCustomField(ctx, id)
		inactivated = used
		switch {
		case err != nil:
			return err
		case !used:
			return t.SaveCustomFieldDeleted(ctx, &d)
		case !d.IsActive:
			return nil
		}
		d.IsActive = false
		return t.SaveCustomField(ctx, &d, event.CustomFieldInactivated)
	})
	return inactivated, err
}

// SetCustomFieldValues sets values of an order, keeps those that are not named,
// and returns all values. A null value removes one.
func (o *Operations) SetCustomFieldValues(
	ctx context.Context, c caller.Caller, orderID int64, given []order.CustomFieldValue,
) (values []store.CustomFieldValue, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		locked, err := t.LockOrderOfID(ctx, orderID)
		if err != nil {
			return err
		}
		changed := locked.Order
		known, err := t.LoadCustomFieldIDs(ctx, given)
		if err != nil {
			return err
		}
		next, err := order.WithCustomFields(changed.CustomFields, given, known)
		if err != nil {
			return err
		}
		if !maps.Equal(changed.CustomFields, next) {
			changed.SetCustomFields(next)
			if err := t.SaveEdited(ctx, changed); err != nil {
				return err
			}
		}
		values, err = t.LoadCustomFieldValues(ctx, orderID)
		return err
	})
	return values, err
}
