package store

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/jackc/pgx/v5/pgconn"

	"waybill/domain/caller"
	"waybill/domain/customfield"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store/queries"
)

// The kinds of event that definitions of custom fields write. They are kept
// and must not be renamed.
const (
	eventCustomFieldCreated     = "custom_field.created"
	eventCustomFieldUpdated     = "custom_field.updated"
	eventCustomFieldDeleted     = "custom_field.deleted"
	eventCustomFieldInactivated = "custom_field.inactivated"
)

// CustomFields lists the definitions of an organization by id; active says
// whether only those that are, or are not, in use.
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

func newDefinition(row *queries.ListCustomFieldsRow) customfield.Definition {
	return customfield.Definition{
		ID: row.ID, ExternalID: row.ExternalID, Label: row.Label, Title: row.Title, Description: orZero(row.Description),
		Icon: orZero(row.Icon), Background: orZero(row.ColorBackground), Text: orZero(row.ColorText),
		SortOrderBatch: row.SortOrderBatch, DisplayOn: row.DisplayOn, DisplayStyle: row.DisplayStyle,
		IsActive: row.IsActive, CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
	}
}

// CreateCustomField keeps a new definition and gives it with its id. An
// external id that is taken is a Duplicate.
func (s *Store) CreateCustomField(ctx context.Context, by caller.Caller, d customfield.Definition) (customfield.Definition, error) {
	err := s.InTx(ctx, by, func(t *Tx) error {
		row, err := t.q.CreateCustomField(ctx, queries.CreateCustomFieldParams{
			OrgID: by.OrgID, ExternalID: d.ExternalID, Label: d.Label, Title: d.Title, Description: orNil(d.Description),
			Icon: orNil(d.Icon), ColorBackground: orNil(d.Background), ColorText: orNil(d.Text),
			SortOrderBatch: d.SortOrderBatch, DisplayOn: d.DisplayOn, DisplayStyle: d.DisplayStyle,
		})
		if err != nil {
			return takenCustomField(d.ExternalID, err)
		}
		d.ID, d.CreatedAt, d.UpdatedAt = row.ID, row.CreatedAt, row.UpdatedAt
		return t.tellCustomField(ctx, eventCustomFieldCreated, d.ExternalID)
	})
	return d, err
}

// takenCustomField turns the clash of external ids into a fault.
func takenCustomField(externalID string, err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.ConstraintName == "custom_field_definitions_external_id_key" {
		return &fault.Error{
			Kind: fault.Duplicate, Text: fault.Say("custom_field.exists", "name", externalID),
			Resource: "custom_field", Name: externalID,
		}
	}
	return err
}

func (t *Tx) tellCustomField(ctx context.Context, kind, externalID string) error {
	return t.q.AppendEvents(ctx, queries.AppendEventsParams{
		OrgID: t.org, Kinds: []string{kind}, OrderIds: []int64{0}, DraftIds: []int64{0}, ExternalIds: []string{externalID},
		StatusIds: []int16{0}, Rules: []string{""}, Seqs: []int32{0},
	})
}

// UpdateCustomField changes a definition, and writes nothing when that makes
// no difference.
func (s *Store) UpdateCustomField(ctx context.Context, by caller.Caller, id int64, change customfield.Change) (customfield.Definition, error) {
	var d customfield.Definition
	err := s.InTx(ctx, by, func(t *Tx) error {
		before, _, err := t.lockCustomField(ctx, id)
		if err != nil {
			return err
		}
		if d, err = before.Changed(change); err != nil || d == before {
			return err
		}
		d.UpdatedAt, err = t.q.UpdateCustomField(ctx, queries.UpdateCustomFieldParams{
			OrgID: by.OrgID, ID: id, ExternalID: d.ExternalID, Label: d.Label, Title: d.Title, Description: orNil(d.Description),
			Icon: orNil(d.Icon), ColorBackground: orNil(d.Background), ColorText: orNil(d.Text),
			SortOrderBatch: d.SortOrderBatch, DisplayOn: d.DisplayOn, DisplayStyle: d.DisplayStyle, IsActive: d.IsActive,
		})
		if err != nil {
			return takenCustomField(d.ExternalID, err)
		}
		return t.tellCustomField(ctx, eventCustomFieldUpdated, d.ExternalID)
	})
	return d, err
}

func (t *Tx) lockCustomField(ctx context.Context, id int64) (d customfield.Definition, used bool, err error) {
	row, err := t.q.LockCustomField(ctx, queries.LockCustomFieldParams{OrgID: t.org, ID: id})
	if err != nil {
		return d, false, absent("custom_field_definition", id, err)
	}
	return newDefinition(&queries.ListCustomFieldsRow{
		ID: row.ID, ExternalID: row.ExternalID, Label: row.Label, Title: row.Title, Description: row.Description, Icon: row.Icon,
		ColorBackground: row.ColorBackground, ColorText: row.ColorText, SortOrderBatch: row.SortOrderBatch,
		DisplayOn: row.DisplayOn, DisplayStyle: row.DisplayStyle, IsActive: row.IsActive, CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
	}), row.WasUsed, nil
}

// DeleteCustomField deletes a definition that no order ever had a value of;
// any other is taken out of use instead, which it tells.
func (s *Store) DeleteCustomField(ctx context.Context, by caller.Caller, id int64) (inactivated bool, err error) {
	err = s.InTx(ctx, by, func(t *Tx) error {
		d, used, err := t.lockCustomField(ctx, id)
		inactivated = used
		switch {
		case err != nil:
			return err
		case !used:
			if err := t.q.DeleteCustomField(ctx, queries.DeleteCustomFieldParams{OrgID: by.OrgID, ID: id}); err != nil {
				return err
			}
			return t.tellCustomField(ctx, eventCustomFieldDeleted, d.ExternalID)
		case !d.IsActive:
			return nil
		}
		_, err = t.q.UpdateCustomField(ctx, queries.UpdateCustomFieldParams{
			OrgID: by.OrgID, ID: id, ExternalID: d.ExternalID, Label: d.Label, Title: d.Title, Description: orNil(d.Description),
			Icon: orNil(d.Icon), ColorBackground: orNil(d.Background), ColorText: orNil(d.Text),
			SortOrderBatch: d.SortOrderBatch, DisplayOn: d.DisplayOn, DisplayStyle: d.DisplayStyle, IsActive: false,
		})
		if err != nil {
			return err
		}
		return t.tellCustomField(ctx, eventCustomFieldInactivated, d.ExternalID)
	})
	return inactivated, err
}

// CustomFieldValue is a value that an order has of a custom field.
type CustomFieldValue = queries.ReadCustomFieldValuesRow

// SetCustomFieldValues gives an order values, leaves those that are not
// named, and gives all that it has then. A value of null takes one away.
func (s *Store) SetCustomFieldValues(ctx context.Context, by caller.Caller, orderID int64, given []order.CustomFieldValue) ([]CustomFieldValue, error) {
	var values []CustomFieldValue
	err := s.InTx(ctx, by, func(t *Tx) error {
		found, err := t.findOrders(ctx, []int64{orderID}, true)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fault.Missing("order", fmt.Sprint(orderID))
		}
		known, err := t.customFieldIDs(ctx, given)
		if err != nil {
			return err
		}
		o := found[0]
		next, err := order.WithCustomFields(o.CustomFields, given, known)
		if err != nil {
			return err
		}
		if !maps.Equal(o.CustomFields, next) {
			o.CustomFields, o.Changes.Fields = next, true
			if err := t.saveEdited(ctx, o); err != nil {
				return err
			}
		}
		values, err = t.q.ReadCustomFieldValues(ctx, queries.ReadCustomFieldValuesParams{OrgID: by.OrgID, OrderID: orderID})
		return err
	})
	return values, err
}

func (t *Tx) customFieldIDs(ctx context.Context, given []order.CustomFieldValue) (map[string]int64, error) {
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

// saveEdited writes an order that was changed by itself, with its event.
func (t *Tx) saveEdited(ctx context.Context, o *order.Order) error {
	s := newSaver(t)
	s.orders(ctx, []*order.Order{o})
	s.events(ctx, []order.Event{{Kind: order.EventUpdated, Number: o.Number, Order: o}})
	return s.send(ctx)
}
