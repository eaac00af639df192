package masterdata

import (
	"context"
	"fmt"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/location"
	"waybill/operations/masterdata"
	"waybill/store"
)

// VisitGetLocationResponse responds with the document.
func (d document) VisitGetLocationResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// VisitGetLocationByExternalIDResponse responds with the document.
func (d document) VisitGetLocationByExternalIDResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// VisitUpdateLocationResponse responds with the document.
func (d document) VisitUpdateLocationResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// VisitUpdateLocationByExternalIDResponse responds with the document.
func (d document) VisitUpdateLocationByExternalIDResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// VisitListLocationsResponse responds with the page.
func (l list) VisitListLocationsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// createdLocation sets the address of the new location.
type createdLocation masterdata.CreatedLocation

// VisitCreateLocationResponse responds with the document.
func (c createdLocation) VisitCreateLocationResponse(w http.ResponseWriter) error {
	w.Header().Set("Location", fmt.Sprintf("/v1/locations/%d", c.ID))
	return edge.WriteRaw(w, http.StatusCreated, c.Document)
}

// ListLocations lists the locations that are looked for.
func (h *Handlers) ListLocations(
	ctx context.Context, request contract.ListLocationsRequestObject,
) (contract.ListLocationsResponseObject, error) {
	p := request.Params
	page, err := edge.PageOf(p.Page, p.Limit)
	if err != nil {
		return nil, err
	}
	search := store.LocationSearch{ExternalID: p.ExternalID, Text: p.Query}
	items, total, err := h.store.Locations(ctx, edge.PrincipalOf(ctx).OrgID, search, page)
	if err != nil {
		return nil, err
	}
	return newList(items, total, page), nil
}

// GetLocation reads one location.
func (h *Handlers) GetLocation(
	ctx context.Context, request contract.GetLocationRequestObject,
) (contract.GetLocationResponseObject, error) {
	doc, err := h.store.Location(ctx, edge.PrincipalOf(ctx).OrgID, request.ID)
	return document(doc), err
}

// GetLocationByExternalID reads the location that has an external id.
func (h *Handlers) GetLocationByExternalID(
	ctx context.Context, request contract.GetLocationByExternalIDRequestObject,
) (contract.GetLocationByExternalIDResponseObject, error) {
	org := edge.PrincipalOf(ctx).OrgID
	id, err := h.store.LocationID(ctx, org, request.ExternalID)
	if err != nil {
		return nil, err
	}
	doc, err := h.store.Location(ctx, org, id)
	return document(doc), err
}

// CreateLocation adds a location.
func (h *Handlers) CreateLocation(
	ctx context.Context, request contract.CreateLocationRequestObject,
) (contract.CreateLocationResponseObject, error) {
	b := request.Body
	input := locationInput{
		externalID: b.ExternalID, name: b.Name, address: &b.Address, opens: b.Opens, closes: b.Closes,
		asDefault: b.UseOpeningHoursAsDefault, windows: b.TimeWindows, time: b.EstimatedTimeOnLocation,
		times: b.ServiceTime, pauses: b.Pauses, curbside: b.Curbside, calendar: b.CalendarID,
	}
	details, err := input.apply(ctx, location.Details{})
	if err != nil {
		return nil, err
	}
	created, err := h.operations.MasterData.CreateLocation(ctx, edge.Caller(ctx), details)
	if err != nil {
		return nil, err
	}
	return createdLocation(created), nil
}

// UpdateLocation changes the given fields of a location.
func (h *Handlers) UpdateLocation(
	ctx context.Context, request contract.UpdateLocationRequestObject,
) (contract.UpdateLocationResponseObject, error) {
	doc, err := h.changeLocation(ctx, request.ID, request.Body)
	return document(doc), err
}

// UpdateLocationByExternalID changes the fields of the location that has an
// external id.
func (h *Handlers) UpdateLocationByExternalID(
	ctx context.Context, request contract.UpdateLocationByExternalIDRequestObject,
) (contract.UpdateLocationByExternalIDResponseObject, error) {
	id, err := h.store.LocationID(ctx, edge.PrincipalOf(ctx).OrgID, request.ExternalID)
	if err != nil {
		return nil, err
	}
	doc, err := h.changeLocation(ctx, id, request.Body)
	return document(doc), err
}

func (h *Handlers) changeLocation(
	ctx context.Context, id int64, b *contract.UpdateLocationRequest,
) (store.Document, error) {
	input := locationInput{
		externalID: b.ExternalID, name: b.Name, address: b.Address, opens: b.Opens, closes: b.Closes,
		asDefault: b.UseOpeningHoursAsDefault, windows: b.TimeWindows, time: b.EstimatedTimeOnLocation,
		times: b.ServiceTime, pauses: b.Pauses, curbside: b.Curbside, calendar: b.CalendarID,
	}
	return h.operations.MasterData.ChangeLocation(ctx, edge.Caller(ctx), id,
		func(present location.Details) (location.Details, error) { return input.apply(ctx, present) })
}

// DeleteLocation deactivates a location that no active template needs.
func (h *Handlers) DeleteLocation(
	ctx context.Context, request contract.DeleteLocationRequestObject,
) (contract.DeleteLocationResponseObject, error) {
	if err := h.operations.MasterData.DeleteLocation(ctx, edge.Caller(ctx), request.ID); err != nil {
		return nil, err
	}
	return contract.DeleteLocation204Response{}, nil
}
