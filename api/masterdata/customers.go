package masterdata

import (
	"context"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/masterdata"
	"waybill/store"
)

// VisitGetCustomerResponse responds with the document.
func (d document) VisitGetCustomerResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// VisitListCustomersResponse responds with the page.
func (l list) VisitListCustomersResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// VisitSearchCustomersResponse responds with the page.
func (l list) VisitSearchCustomersResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// ListCustomers lists the customers.
func (h *Handlers) ListCustomers(
	ctx context.Context, request contract.ListCustomersRequestObject,
) (contract.ListCustomersResponseObject, error) {
	return h.customers(ctx, store.CustomerSearch{}, request.Params.Page, request.Params.Limit)
}

// SearchCustomers returns the customers that match all the given terms.
func (h *Handlers) SearchCustomers(
	ctx context.Context, request contract.SearchCustomersRequestObject,
) (contract.SearchCustomersResponseObject, error) {
	p := request.Params
	terms := store.CustomerSearch{ExternalID: p.ExternalID, BusinessName: p.BusinessName, Text: p.Query}
	if terms == (store.CustomerSearch{}) {
		return nil, fault.Field("query", fault.Say("search.no_terms"))
	}
	return h.customers(ctx, terms, p.Page, p.Limit)
}

func (h *Handlers) customers(ctx context.Context, terms store.CustomerSearch, number, limit *int32) (list, error) {
	page, err := edge.PageOf(number, limit)
	if err != nil {
		return list{}, err
	}
	items, total, err := h.store.Customers(ctx, edge.PrincipalOf(ctx).OrgID, terms, page)
	if err != nil {
		return list{}, err
	}
	return newList(items, total, page), nil
}

// GetCustomer reads one customer.
func (h *Handlers) GetCustomer(
	ctx context.Context, request contract.GetCustomerRequestObject,
) (contract.GetCustomerResponseObject, error) {
	return h.one(ctx, masterdata.Customers, request.ID)
}
