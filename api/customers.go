package api

import (
	"context"
	"net/http"

	"waybill/domain/fault"
	"waybill/store"
)

// VisitGetCustomerResponse answers with the document.
func (d document) VisitGetCustomerResponse(w http.ResponseWriter) error {
	return writeRaw(w, http.StatusOK, d)
}

// VisitListCustomersResponse answers with the page.
func (p orderPage) VisitListCustomersResponse(w http.ResponseWriter) error {
	return writeJSON(w, http.StatusOK, p)
}

// VisitSearchCustomersResponse answers with the page.
func (p orderPage) VisitSearchCustomersResponse(w http.ResponseWriter) error {
	return writeJSON(w, http.StatusOK, p)
}

// ListCustomers lists the customers.
func (s *Server) ListCustomers(ctx context.Context, request ListCustomersRequestObject) (ListCustomersResponseObject, error) {
	return s.customers(ctx, store.CustomerSearch{}, request.Params.Page, request.Params.Limit)
}

// SearchCustomers finds the customers that match all the given terms.
func (s *Server) SearchCustomers(ctx context.Context, request SearchCustomersRequestObject) (SearchCustomersResponseObject, error) {
	p := request.Params
	terms := store.CustomerSearch{ExternalID: p.ExternalID, BusinessName: p.BusinessName, Text: p.Query}
	if terms == (store.CustomerSearch{}) {
		return nil, fault.Field("query", fault.Say("search.no_terms"))
	}
	return s.customers(ctx, terms, p.Page, p.Limit)
}

func (s *Server) customers(ctx context.Context, terms store.CustomerSearch, number, limit *int32) (orderPage, error) {
	page, err := pageOf(number, limit)
	if err != nil {
		return orderPage{}, err
	}
	items, total, err := s.store.Customers(ctx, PrincipalOf(ctx).OrgID, terms, page)
	if err != nil {
		return orderPage{}, err
	}
	out := newOrderPage(items, total, page)
	out.Limit = page.Size
	return out, nil
}

// GetCustomer reads one customer.
func (s *Server) GetCustomer(ctx context.Context, request GetCustomerRequestObject) (GetCustomerResponseObject, error) {
	doc, err := s.store.Customer(ctx, PrincipalOf(ctx).OrgID, request.ID)
	return document(doc), err
}
