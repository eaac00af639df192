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

// UpdateCustomField changes a definition, and writes nothing when that makes
// no difference.
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

// DeleteCustomField deletes a definition that no order ever had a value of;
// any other is taken out of use instead, which it reports.
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

// SetCustomFieldValues gives an order values, leaves those that are not
// named, and returns all that it has then. A value of null takes one away.
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
