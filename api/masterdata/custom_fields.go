package masterdata

import (
	"context"
	"fmt"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/customfield"
	"waybill/domain/fault"
)

// ListCustomFieldDefinitions lists the organization's own fields of orders.
func (h *Handlers) ListCustomFieldDefinitions(
	ctx context.Context, request contract.ListCustomFieldDefinitionsRequestObject,
) (contract.ListCustomFieldDefinitionsResponseObject, error) {
	found, err := h.store.CustomFields(ctx, edge.PrincipalOf(ctx).OrgID, request.Params.IsActive)
	if err != nil {
		return nil, err
	}
	out := contract.ListCustomFieldDefinitions200JSONResponse{
		Definitions: make([]contract.CustomFieldDefinition, len(found)),
	}
	for i := range found {
		out.Definitions[i] = newDefinition(&found[i])
	}
	return out, nil
}

func newDefinition(d *customfield.Definition) contract.CustomFieldDefinition {
	return contract.CustomFieldDefinition{
		ID: d.ID, ExternalID: d.ExternalID, Label: d.Label, Title: d.Title, Description: edge.TextOrNull(d.Description),
		Icon: edge.TextOrNull(d.Icon),
		ColorScheme: contract.CustomFieldColorScheme{
			Background: edge.TextOrNull(d.Background), Text: edge.TextOrNull(d.Text),
		},
		SortOrderBatch: contract.CustomFieldSortOrderBatch(d.SortOrderBatch),
		DisplayOn:      contract.CustomFieldDisplayOn(d.DisplayOn),
		DisplayStyle:   contract.CustomFieldDisplayStyle(d.DisplayStyle), IsActive: d.IsActive,
		CreatedAt: d.CreatedAt.UTC(), UpdatedAt: d.UpdatedAt.UTC(),
	}
}

// CreateCustomFieldDefinition adds a field.
func (h *Handlers) CreateCustomFieldDefinition(
	ctx context.Context, request contract.CreateCustomFieldDefinitionRequestObject,
) (contract.CreateCustomFieldDefinitionResponseObject, error) {
	b := request.Body
	c := customfield.Change{
		ExternalID: &b.ExternalID, Label: &b.Label, Title: &b.Title, Description: textOrEmpty(b.Description),
		Icon:           textOrEmpty(b.Icon),
		SortOrderBatch: valueOrNil(b.SortOrderBatch), DisplayOn: valueOrNil(b.DisplayOn),
		DisplayStyle: valueOrNil(b.DisplayStyle),
	}
	c.Background, c.Text = newColors(b.ColorScheme)
	wanted, err := customfield.New(c)
	if err != nil {
		return nil, err
	}
	d, err := h.operations.MasterData.CreateCustomField(ctx, edge.Caller(ctx), wanted)
	if err != nil {
		return nil, err
	}
	edge.CreatedAt(ctx, fmt.Sprintf("/v1/admin/custom-field-definitions/%d", d.ID))
	return contract.CreateCustomFieldDefinition201JSONResponse(newDefinition(&d)), nil
}

// UpdateCustomFieldDefinition changes the given members of a field.
func (h *Handlers) UpdateCustomFieldDefinition(
	ctx context.Context, request contract.UpdateCustomFieldDefinitionRequestObject,
) (contract.UpdateCustomFieldDefinitionResponseObject, error) {
	b := request.Body
	if err := refuseNulls(b); err != nil {
		return nil, err
	}
	c := customfield.Change{
		ExternalID: valueOrNil(b.ExternalID), Label: valueOrNil(b.Label), Title: valueOrNil(b.Title),
		Description: textOrEmpty(b.Description), Icon: textOrEmpty(b.Icon),
		SortOrderBatch: valueOrNil(b.SortOrderBatch), DisplayOn: valueOrNil(b.DisplayOn),
		DisplayStyle: valueOrNil(b.DisplayStyle),
		IsActive:     valueOrNil(b.IsActive),
	}
	c.Background, c.Text = newColors(b.ColorScheme)
	d, err := h.operations.MasterData.UpdateCustomField(ctx, edge.Caller(ctx), request.ID, c)
	return contract.UpdateCustomFieldDefinition200JSONResponse(newDefinition(&d)), err
}

// refuseNulls refuses null where a field must have some value.
func refuseNulls(b *contract.UpdateCustomFieldDefinition) error {
	for _, field := range []struct {
		name string
		null bool
	}{
		{"externalId", b.ExternalID.IsNull()},
		{"label", b.Label.IsNull()},
		{"title", b.Title.IsNull()},
		{"sortOrderBatch", b.SortOrderBatch.IsNull()},
		{"displayOn", b.DisplayOn.IsNull()},
		{"displayStyle", b.DisplayStyle.IsNull()},
		{"isActive", b.IsActive.IsNull()},
	} {
		if field.null {
			return fault.Field(field.name, fault.Say("custom_field.not_null"))
		}
	}
	return nil
}

// valueOrNil is the value of a field, nil when it is absent or null.
func valueOrNil[T any](field nullable.Nullable[T]) *T {
	if value, err := field.Get(); err == nil {
		return &value
	}
	return nil
}

// textOrEmpty is like valueOrNil, but null means an empty text.
func textOrEmpty(field nullable.Nullable[string]) *string {
	if field.IsNull() {
		return new(string)
	}
	return valueOrNil(field)
}

// newColors returns both colors of a scheme: setting one replaces both.
func newColors(field nullable.Nullable[contract.CustomFieldColorScheme]) (background, text *string) {
	if !field.IsSpecified() {
		return nil, nil
	}
	scheme, _ := field.Get() // null is a scheme without colours
	background, text = new(string), new(string)
	if value := valueOrNil(scheme.Background); value != nil {
		background = value
	}
	if value := valueOrNil(scheme.Text); value != nil {
		text = value
	}
	return background, text
}

// DeleteCustomFieldDefinition deletes a field, or deactivates one that has been
// used.
func (h *Handlers) DeleteCustomFieldDefinition(
	ctx context.Context, request contract.DeleteCustomFieldDefinitionRequestObject,
) (contract.DeleteCustomFieldDefinitionResponseObject, error) {
	inactivated, err := h.operations.MasterData.DeleteCustomField(ctx, edge.Caller(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	message := fault.Say("custom_field.deleted")
	if inactivated {
		message = fault.Say("custom_field.inactivated")
	}
	return contract.DeleteCustomFieldDefinition200JSONResponse{
		WasInactivated: inactivated, Message: edge.LocalizerOf(ctx).Say(message),
	}, nil
}
