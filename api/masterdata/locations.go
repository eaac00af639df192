package masterdata

import (
	"context"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
)

// VisitGetLocationResponse answers with the document.
func (d document) VisitGetLocationResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// VisitListLocationsResponse answers with the page.
func (l list) VisitListLocationsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// ListLocations lists the locations.
func (h *Handlers) ListLocations(
	ctx context.Context, request contract.ListLocationsRequestObject,
) (contract.ListLocationsResponseObject, error) {
	page, err := edge.PageOf(request.Params.Page, request.Params.Limit)
	if err != nil {
		return nil, err
	}
	items, total, err := h.store.Locations(ctx, edge.PrincipalOf(ctx).OrgID, page)
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

// DeleteLocation takes a location out of use that no active template needs.
func (h *Handlers) DeleteLocation(
	ctx context.Context, request contract.DeleteLocationRequestObject,
) (contract.DeleteLocationResponseObject, error) {
	if err := h.operations.DeleteLocation(ctx, edge.Caller(ctx), request.ID); err != nil {
		return nil, err
	}
	return contract.DeleteLocation204Response{}, nil
}
