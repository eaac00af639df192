package masterdata

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/load"
	"waybill/domain/masterdata"
	"waybill/domain/organization"
	"waybill/domain/pricing"
	"waybill/domain/proof"
	"waybill/domain/recipient"
	"waybill/domain/version"
	"waybill/store"
)

// organizationKept is the organization after a change.
type organizationKept document

// UpdateOrganization changes the settings of the organization.
func (h *Handlers) UpdateOrganization(
	ctx context.Context, request contract.UpdateOrganizationRequestObject,
) (contract.UpdateOrganizationResponseObject, error) {
	expected, err := edge.Expected(request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	wanted, err := rulesOf(request.Body)
	if err != nil {
		return nil, err
	}
	costs, err := costsOf(request.Body)
	if err != nil {
		return nil, err
	}
	rush, err := rushHoursOf(request.Body)
	if err != nil {
		return nil, err
	}
	page, err := recipientPageOf(request.Body)
	if err != nil {
		return nil, err
	}
	change := func(now *store.OrganizationSettings) {
		changeSettings(now, request.Body, wanted, costs)
		if request.Body.RecipientPage.IsSpecified() {
			now.RecipientPage = page
		}
		if request.Body.RushHours != nil {
			now.RushHours = rush
		}
	}
	doc, err := h.operations.MasterData.ChangeOrganization(ctx, edge.Caller(ctx), expected, change)
	if err != nil {
		return nil, err
	}
	edge.Versioned(ctx, version.Of(doc))
	return organizationKept(doc), nil
}

// changeSettings takes over the fields of a body that are there.
func changeSettings(
	now *store.OrganizationSettings, body *contract.UpdateOrganizationRequest, wanted *proof.Rules, costs *pricing.Costs,
) {
	changeIdentity(&now.Identity, body)
	if body.OfficePhone.IsSpecified() {
		now.OfficePhone = phoneOf(body)
	}
	if body.LoadingMinutes.IsSpecified() {
		now.LoadingMinutes = valueOrNil(body.LoadingMinutes)
	}
	if body.GoodsApart != nil {
		now.GoodsApart = goodsApartOf(*body.GoodsApart)
	}
	if body.LoadDimensions != nil {
		now.LoadDimensions = loadDimensionsOf(*body.LoadDimensions)
	}
	if body.MaxStops.IsSpecified() {
		now.MaxStops = valueOrNil(body.MaxStops)
	}
	if body.MaxDrivingMinutes.IsSpecified() {
		now.MaxDrivingMinutes = valueOrNil(body.MaxDrivingMinutes)
	}
	if body.Costs.IsSpecified() {
		now.Costs = costs
	}
	if body.Proof.IsSpecified() {
		now.Proof = wanted
	}
}

// changeIdentity takes over the name, time zone and language of a body that are there.
func changeIdentity(now *organization.Identity, body *contract.UpdateOrganizationRequest) {
	if body.Name != nil {
		now.Name = strings.TrimSpace(*body.Name)
	}
	if body.Timezone != nil {
		now.Timezone = strings.TrimSpace(*body.Timezone)
	}
	if body.Language != nil {
		now.Language = string(*body.Language)
	}
}

// phoneOf returns the phone number in a body, or nil.
func phoneOf(body *contract.UpdateOrganizationRequest) *string {
	number, err := body.OfficePhone.Get()
	if number = strings.TrimSpace(number); err != nil || number == "" {
		return nil
	}
	return &number
}

// goodsApartOf returns the pairs of kinds of goods in a body.
func goodsApartOf(sent []contract.GoodsApart) []masterdata.GoodsApart {
	pairs := make([]masterdata.GoodsApart, len(sent))
	for i, s := range sent {
		pairs[i] = masterdata.GoodsApart{One: s.One, Other: s.Other, SameTime: s.SameTime != nil && *s.SameTime}
	}
	return pairs
}

// loadDimensionsOf returns the load dimensions in a body.
func loadDimensionsOf(sent []contract.LoadDimension) load.Dimensions {
	all := make(load.Dimensions, len(sent))
	for i, s := range sent {
		all[i] = load.Dimension{Name: strings.TrimSpace(s.Name), Unit: strings.TrimSpace(edge.OrEmpty(s.Unit))}
	}
	return all
}

// costsOf returns the prices of plans in a body, or nil.
func costsOf(body *contract.UpdateOrganizationRequest) (*pricing.Costs, error) {
	costs, err := sentAs[pricing.Costs]("costs", body.Costs)
	if err != nil || costs == nil || costs.Empty() {
		return nil, err
	}
	return costs, nil
}

// rulesOf returns the rules of proof in a body, or nil.
func rulesOf(body *contract.UpdateOrganizationRequest) (*proof.Rules, error) {
	return sentAs[proof.Rules]("proof", body.Proof)
}

// recipientPageOf returns how the organization shows itself to recipients, or nil.
func recipientPageOf(body *contract.UpdateOrganizationRequest) (*recipient.Page, error) {
	page, err := sentAs[recipient.Page]("recipient_page", body.RecipientPage)
	if err != nil || page == nil || *page == (recipient.Page{}) {
		return nil, err
	}
	return page, nil
}

// sentAs returns a part of a body as the type of the domain that is written alike, or nil.
func sentAs[To, From any](field string, sent nullable.Nullable[From]) (*To, error) {
	if !sent.IsSpecified() || sent.IsNull() {
		return nil, nil
	}
	text, err := json.Marshal(sent.MustGet())
	if err != nil {
		return nil, err
	}
	var to To
	if err := json.Unmarshal(text, &to); err != nil {
		return nil, fault.Field(field, fault.Say("request.invalid"))
	}
	return &to, nil
}

// VisitUpdateOrganizationResponse responds with the organization.
func (o organizationKept) VisitUpdateOrganizationResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, o)
}
