package store

import (
	"context"

	"waybill/store/queries"
)

// CustomerSearch are the terms of a search. A customer must match all of them;
// absent terms are ignored.
type CustomerSearch struct {
	ExternalID, BusinessName, Text *string
}

// Customers returns one page of the matching customers, and their total number.
func (s *Store) Customers(ctx context.Context, org int64, terms CustomerSearch, page Page) ([]Document, int64, error) {
	rows, err := s.lists(org).PageCustomers(ctx, queries.PageCustomersParams{
		OrgID: org, ExternalID: terms.ExternalID, BusinessName: terms.BusinessName, FreeText: terms.Text,
		PageSize: page.Size, Skip: page.skip(),
	})
	if err == nil && len(rows) == 0 && page.Number > 1 {
		_, total, err := s.Customers(ctx, org, terms, countOnly)
		return nil, total, err
	}
	docs, total := make([]Document, len(rows)), int64(0)
	for i, r := range rows {
		docs[i], total = r.Document, r.Total
	}
	return docs, total, translate(err)
}
