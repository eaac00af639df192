package api

import (
	"context"
	"net/http"
)

// VisitGetLocationResponse answers with the document.
func (d document) VisitGetLocationResponse(w http.ResponseWriter) error {
	return writeRaw(w, http.StatusOK, d)
}

// VisitListLocationsResponse answers with the page.
func (p orderPage) VisitListLocationsResponse(w http.ResponseWriter) error {
	return writeJSON(w, http.StatusOK, p)
}

// ListLocations lists the locations.
func (s *Server) ListLocations(ctx context.Context, request ListLocationsRequestObject) (ListLocationsResponseObject, error) {
	page, err := pageOf(request.Params.Page, request.Params.Limit)
	if err != nil {
		return nil, err
	}
	items, total, err := s.store.Locations(ctx, PrincipalOf(ctx).OrgID, page)
	if err != nil {
		return nil, err
	}
	out := newOrderPage(items, total, page)
	out.Limit = page.Size
	return out, nil
}

// GetLocation reads one location.
func (s *Server) GetLocation(ctx context.Context, request GetLocationRequestObject) (GetLocationResponseObject, error) {
	doc, err := s.store.Location(ctx, PrincipalOf(ctx).OrgID, request.ID)
	return document(doc), err
}

// DeleteLocation takes a location out of use that no active template needs.
func (s *Server) DeleteLocation(ctx context.Context, request DeleteLocationRequestObject) (DeleteLocationResponseObject, error) {
	if err := s.operations.DeleteLocation(ctx, CallerOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return DeleteLocation204Response{}, nil
}
