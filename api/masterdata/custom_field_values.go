package masterdata

import (
	"context"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store"
)

// ListCustomFieldValues reads the values that an order has of its organization's own
// fields.
func (h *Handlers) ListCustomFieldValues(
	ctx context.Context, request contract.ListCustomFieldValuesRequestObject,
) (contract.ListCustomFieldValuesResponseObject, error) {
	has, err := h.store.CustomFieldValues(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	return contract.ListCustomFieldValues200JSONResponse(newCustomFields(request.OrderID, has)), err
}

// ListCustomFieldValuesByNumber reads those of the order that a number leads to.
func (h *Handlers) ListCustomFieldValuesByNumber(
	ctx context.Context, request contract.ListCustomFieldValuesByNumberRequestObject,
) (contract.ListCustomFieldValuesByNumberResponseObject, error) {
	id, err := h.orderOf(ctx, request.InternalOrderNumber)
	if err != nil {
		return nil, err
	}
	has, err := h.store.CustomFieldValues(ctx, edge.PrincipalOf(ctx).OrgID, id)
	return contract.ListCustomFieldValuesByNumber200JSONResponse(newCustomFields(id, has)), err
}

// orderOf is the order that a number leads to.
func (h *Handlers) orderOf(ctx context.Context, number string) (int64, error) {
	return h.store.OrderIDByNumber(ctx, edge.PrincipalOf(ctx).OrgID, number)
}

// SetCustomFieldValues sets values of custom fields on an order.
func (h *Handlers) SetCustomFieldValues(
	ctx context.Context, request contract.SetCustomFieldValuesRequestObject,
) (contract.SetCustomFieldValuesResponseObject, error) {
	out, err := h.setCustomFields(ctx, request.OrderID, request.Body)
	return contract.SetCustomFieldValues200JSONResponse(out), err
}

// SetCustomFieldValuesByNumber sets them on the order with a number.
func (h *Handlers) SetCustomFieldValuesByNumber(
	ctx context.Context, request contract.SetCustomFieldValuesByNumberRequestObject,
) (contract.SetCustomFieldValuesByNumberResponseObject, error) {
	id, err := h.orderOf(ctx, request.InternalOrderNumber)
	if err != nil {
		return nil, err
	}
	out, err := h.setCustomFields(ctx, id, request.Body)
	return contract.SetCustomFieldValuesByNumber200JSONResponse(out), err
}

func (h *Handlers) setCustomFields(
	ctx context.Context, orderID int64, body *contract.SetCustomFieldValuesRequest,
) (contract.OrderCustomFields, error) {
	if body.CustomFields == nil {
		return contract.OrderCustomFields{}, fault.Field("customFields", fault.Say("param.required"))
	}
	values := make([]order.CustomFieldValue, len(body.CustomFields))
	for i, v := range body.CustomFields {
		values[i] = order.CustomFieldValue{ExternalID: v.ExternalID, Value: jsontext.Value(v.Value)}
		if v.Stop != nil {
			values[i].Stop = order.StopKind(*v.Stop)
		}
	}
	has, err := h.operations.MasterData.SetCustomFieldValues(ctx, edge.Caller(ctx), orderID, values)
	return newCustomFields(orderID, has), err
}

func newCustomFields(orderID int64, has []store.CustomFieldValue) contract.OrderCustomFields {
	out := contract.OrderCustomFields{OrderID: orderID, CustomFields: make([]contract.OrderCustomField, len(has))}
	for i, v := range has {
		out.CustomFields[i] = contract.OrderCustomField{
			DefinitionID: v.DefinitionID, ExternalID: v.ExternalID, Label: v.Label, Value: v.Value, IsActive: v.IsActive,
			ShownOn: v.ShownOn,
		}
		if v.Stop != "" {
			out.CustomFields[i].Stop = new(contract.OrderCustomFieldStop(v.Stop))
		}
	}
	return out
}

// How many orders a page of a search holds.
const (
	usualValuesPage = 50
	maxValuesPage   = 200
)

// SearchCustomFieldValues finds orders by the value of a field.
func (h *Handlers) SearchCustomFieldValues(
	ctx context.Context, request contract.SearchCustomFieldValuesRequestObject,
) (contract.SearchCustomFieldValuesResponseObject, error) {
	const longestName, longestValue = 255, 10_000
	p := request.Params
	if err := edge.CheckTexts(
		edge.AtMost(longestName, "externalId", p.ExternalID), edge.AtMost(longestValue, "value", p.Value),
	); err != nil {
		return nil, err
	}
	size, before, err := valuesPage(p.PageSize, edge.OrEmpty(p.Token))
	if err != nil {
		return nil, err
	}
	org := edge.PrincipalOf(ctx).OrgID
	found, more, err := h.store.OrdersByCustomField(ctx, org, p.ExternalID, p.Value, before, size)
	if err != nil {
		return nil, err
	}
	page := contract.SearchCustomFieldValues200JSONResponse{
		Items: make([]contract.CustomFieldValueOfOrder, len(found)), HasMore: more,
	}
	for i, o := range found {
		page.Items[i] = contract.CustomFieldValueOfOrder{
			OrderID: o.ID, InternalOrderNumber: o.Number, OrderStatusID: contract.OrderStatusID(o.StatusID),
			Date: openapi_types.Date{Time: o.Date}, Value: o.Value, ShownOn: o.ShownOn,
		}
		if o.Stop != "" {
			page.Items[i].Stop = new(contract.CustomFieldValueOfOrderStop(o.Stop))
		}
	}
	if more {
		page.NextToken = strconv.FormatInt(found[len(found)-1].ID, 10)
	}
	return page, nil
}

// valuesPage is the size of a page, and the order before which it begins.
func valuesPage(asked *int32, token string) (size int32, before int64, err error) {
	if size = usualValuesPage; asked != nil {
		size = *asked
	}
	if size < 1 || size > maxValuesPage {
		return 0, 0, edge.OutOfRange("pageSize", 1, maxValuesPage)
	}
	if before = math.MaxInt64; token != "" {
		if before, err = strconv.ParseInt(token, 10, 64); err != nil || before < 1 {
			return 0, 0, fault.Field("token", fault.Say("feed.bad_token"))
		}
	}
	return size, before, nil
}
