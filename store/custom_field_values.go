package store

import (
	"context"

	"waybill/domain/fault"
	"waybill/store/queries"
)

// CustomFieldValues reads the values that an order has.
func (s *Store) CustomFieldValues(ctx context.Context, org, orderID int64) (values []CustomFieldValue, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		found, err := t.q.OrderExists(ctx, queries.OrderExistsParams{OrgID: org, ID: orderID})
		if err == nil && !found {
			err = ErrNotFound
		}
		if err == nil {
			values, err = t.LoadCustomFieldValues(ctx, orderID)
		}
		return err
	})
	return values, absent("order", orderID, err)
}

// OrderWithValue is an order with its value of a custom field.
type OrderWithValue = queries.OrdersByCustomFieldRow

// OrdersByCustomField returns the orders before a given one that have a value
// of a field, newest first, and whether there are more. A value is matched by
// its text, or by its JSON if it isn't text.
func (s *Store) OrdersByCustomField(
	ctx context.Context, org int64, externalID, value string, before int64, atMost int32,
) (orders []OrderWithValue, more bool, err error) {
	field, err := s.of(org).CustomFieldNamed(ctx, queries.CustomFieldNamedParams{OrgID: org, ExternalID: externalID})
	if err != nil {
		return nil, false, absent("custom_field_definition", fault.Clip(externalID), err)
	}
	orders, err = s.searches(org).OrdersByCustomField(ctx, queries.OrdersByCustomFieldParams{
		OrgID: org, DefinitionID: field.ID, DisplayOn: field.DisplayOn, Value: value, Before: before, PageSize: atMost + 1,
	})
	if len(orders) > int(atMost) {
		orders, more = orders[:atMost], true
	}
	return orders, more, translate(err)
}
