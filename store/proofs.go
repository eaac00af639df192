package store

import (
	"context"

	"waybill/store/queries"
)

// CompletionProof is one proof that an order is completed. Keys are places in the
// object storage; that of a picture is empty until its bytes arrive.
type CompletionProof = queries.CompletionProofsRow

// ProvedOrder is the order of a proof, in words.
type ProvedOrder = queries.ProvedOrderRow

// ProvedOrder reads the order of a proof.
func (s *Store) ProvedOrder(ctx context.Context, org, orderID int64) (ProvedOrder, error) {
	row, err := s.of(org).ProvedOrder(ctx, queries.ProvedOrderParams{OrgID: org, OrderID: orderID})
	return row, absent("order", orderID, err)
}

// ProvedGood is the result for one line of an order's goods.
type ProvedGood = queries.ProvedGoodsRow

// ProvedGoods reads the results for the goods of an order.
func (s *Store) ProvedGoods(ctx context.Context, org, orderID int64) ([]ProvedGood, error) {
	rows, err := s.of(org).ProvedGoods(ctx, queries.ProvedGoodsParams{OrgID: org, OrderID: orderID})
	return rows, translate(err)
}

// CompletionProofs reads the proofs of an order, newest first. It returns an
// empty list for an unknown order, too.
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

// OrderDocumentations returns drivers' documentation of an order as one JSON
// array, oldest first.
func (s *Store) OrderDocumentations(ctx context.Context, org, orderID int64) (Document, error) {
	doc, err := s.of(org).OrderDocumentations(ctx, queries.OrderDocumentationsParams{OrgID: org, OrderID: orderID})
	return doc, absent("order", orderID, err)
}
