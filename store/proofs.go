package store

import (
	"context"

	"waybill/store/queries"
)

// CompletionProof is one proof that an order is completed. Signature and
// images are places in the object storage.
type CompletionProof = queries.CompletionProofsRow

// CompletionProofs reads the proofs of an order, the newest first. Without a
// proof there is nothing to read, whether or not there is the order.
func (s *Store) CompletionProofs(ctx context.Context, org, orderID int64) ([]CompletionProof, error) {
	rows, err := s.of(org).CompletionProofs(ctx, queries.CompletionProofsParams{OrgID: org, OrderID: orderID})
	if err != nil {
		return nil, translate(err)
	}
	if len(rows) == 0 {
		return nil, absent("completion_proof", orderID, ErrNotFound)
	}
	return rows, nil
}

// OrderDocumentations reads what drivers recorded of an order as one JSON
// array, the oldest first.
func (s *Store) OrderDocumentations(ctx context.Context, org, orderID int64) (Document, error) {
	doc, err := s.of(org).OrderDocumentations(ctx, queries.OrderDocumentationsParams{OrgID: org, OrderID: orderID})
	return doc, absent("order", orderID, err)
}
