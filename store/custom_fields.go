package store

import (
	"context"
	"fmt"

	"waybill/domain/customfield"
	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/store/queries"
)

// CustomFields lists the definitions of an organization by id; active
// selects active or inactive ones, nil all.
func (s *Store) CustomFields(ctx context.Context, org int64, active *bool) ([]customfield.Definition, error) {
	rows, err := s.of(org).ListCustomFields(ctx, queries.ListCustomFieldsParams{OrgID: org, IsActive: active})
	if err != nil {
		return nil, fmt.Errorf("list custom fields: %w", translate(err))
	}
	definitions := make([]customfield.Definition, len(rows))
	for i := range rows {
		definitions[i] = newDefinition(&rows[i])
	}
	return definitions, nil
}

func newDefinition(row *queries.CustomFieldDefinition) customfield.Definition {
	return customfield.Definition{
		ID: row.ID, ExternalID: row.ExternalID, Label: row.Label, Title: row.Title, Description: orZero(row.Description),
		Icon: orZero(row.Icon), Background: orZero(row.ColorBackground), Text: orZero(row.ColorText),
		SortOrderBatch: row.SortOrderBatch, DisplayOn: row.DisplayOn, DisplayStyle: row.DisplayStyle,
		IsActive: row.IsActive, CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
	}
}

// SaveNewCustomField adds a definition, with its event, and sets its id. An
// external id in use is a Duplicate fault.
func (t *Tx) SaveNewCustomField(ctx context.Context, d *customfield.Definition) error {
	row, err := t.q.CreateCustomField(ctx, queries.CreateCustomFieldParams{
		OrgID: t.org, ExternalID: d.ExternalID, Label: d.Label, Title: d.Title, Description: orNil(d.Description),
		Icon: orNil(d.Icon), ColorBackground: orNil(d.Background), ColorText: orNil(d.Text),
		SortOrderBatch: d.SortOrderBatch, DisplayOn: d.DisplayOn, DisplayStyle: d.DisplayStyle,
	})
	if err != nil {
		return taken(d.ExternalID, err)
	}
	d.ID, d.CreatedAt, d.UpdatedAt = row.ID, row.CreatedAt, row.UpdatedAt
	return t.appendCustomFieldEvent(ctx, event.CustomFieldCreated, d)
}

// SaveCustomField writes a definition that changed, with its event. An external
// id that is taken is a Duplicate fault.
func (t *Tx) SaveCustomField(ctx context.Context, d *customfield.Definition, kind event.Kind) (err error) {
	d.UpdatedAt, err = t.q.UpdateCustomField(ctx, queries.UpdateCustomFieldParams{
		OrgID: t.org, ID: d.ID, ExternalID: d.ExternalID, Label: d.Label, Title: d.Title, Description: orNil(d.Description),
		Icon: orNil(d.Icon), ColorBackground: orNil(d.Background), ColorText: orNil(d.Text),
		SortOrderBatch: d.SortOrderBatch, DisplayOn: d.DisplayOn, DisplayStyle: d.DisplayStyle, IsActive: d.IsActive,
	})
	if err != nil {
		return taken(d.ExternalID, err)
	}
	return t.appendCustomFieldEvent(ctx, kind, d)
}

// SaveCustomFieldDeleted deletes a definition, with its event.
func (t *Tx) SaveCustomFieldDeleted(ctx context.Context, d *customfield.Definition) error {
	if err := t.q.DeleteCustomField(ctx, queries.DeleteCustomFieldParams{OrgID: t.org, ID: d.ID}); err != nil {
		return err
	}
	return t.appendCustomFieldEvent(ctx, event.CustomFieldDeleted, d)
}

func (t *Tx) appendCustomFieldEvent(ctx context.Context, kind event.Kind, d *customfield.Definition) error {
	return t.Append(ctx, event.CustomField{ID: d.ID, ExternalID: d.ExternalID}.Event(kind))
}

// LockCustomField locks a definition for this transaction, and reports whether
// any order ever had a value of it.
func (t *Tx) LockCustomField(ctx context.Context, id int64) (d customfield.Definition, used bool, err error) {
	row, err := t.q.LockCustomField(ctx, queries.LockCustomFieldParams{OrgID: t.org, ID: id})
	if err != nil {
		return d, false, absent("custom_field_definition", id, err)
	}
	return newDefinition(&row), row.WasUsed, nil
}

// CustomFieldValue is a value that an order has of a custom field.
type CustomFieldValue = queries.ReadCustomFieldValuesRow

// LoadCustomFieldValues reads the values that an order has.
func (t *Tx) LoadCustomFieldValues(ctx context.Context, orderID int64) ([]CustomFieldValue, error) {
	return t.q.ReadCustomFieldValues(ctx, queries.ReadCustomFieldValuesParams{OrgID: t.org, OrderID: orderID})
}

// LoadCustomFieldIDs finds the definitions in use of values by external id, and
// keeps them from being deleted.
func (t *Tx) LoadCustomFieldIDs(ctx context.Context, given []order.CustomFieldValue) (map[string]int64, error) {
	names := make([]string, len(given))
	for i, v := range given {
		names[i] = v.ExternalID
	}
	rows, err := t.q.FindCustomFields(ctx, queries.FindCustomFieldsParams{OrgID: t.org, ExternalIds: names})
	known := make(map[string]int64, len(rows))
	for _, f := range rows {
		known[f.ExternalID] = f.ID
	}
	return known, err
}
