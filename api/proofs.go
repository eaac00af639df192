package api

import (
	"context"
	"net/http"

	"github.com/oapi-codegen/nullable"
)

// VisitListOrderDocumentationsResponse answers with the document.
func (d document) VisitListOrderDocumentationsResponse(w http.ResponseWriter) error {
	return writeRaw(w, http.StatusOK, d)
}

// ListOrderDocumentations reads what drivers recorded of an order.
func (s *Server) ListOrderDocumentations(
	ctx context.Context, request ListOrderDocumentationsRequestObject,
) (ListOrderDocumentationsResponseObject, error) {
	doc, err := s.store.OrderDocumentations(ctx, PrincipalOf(ctx).OrgID, request.OrderID)
	return document(doc), err
}

// GetCompletionProof reads how an order was proved to be completed.
func (s *Server) GetCompletionProof(ctx context.Context, request GetCompletionProofRequestObject) (GetCompletionProofResponseObject, error) {
	rows, err := s.store.CompletionProofs(ctx, PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	out := CompletionProof{ProofType: CompletionProofProofType(rows[0].Type)}
	out.InPersonProof.SetNull()
	out.ContactlessProof.SetNull()
	for _, row := range rows {
		proof, err := s.proof(ctx, row.SignatureKey, row.ImageKeys)
		if err != nil {
			return nil, err
		}
		proof.Signee, proof.Comment = orNull(row.Signee), orNull(row.Comment)
		if CompletionProofProofType(row.Type) == CompletionProofProofTypeInPerson {
			out.InPersonProof.Set(proof)
		} else {
			out.ContactlessProof.Set(proof)
		}
	}
	return plain{out}, nil
}

// proof signs the addresses of a signature and of pictures.
func (s *Server) proof(ctx context.Context, signature *string, images []string) (Proof, error) {
	p := Proof{ImageUrls: make([]string, len(images)), SignatureURL: nullable.NewNullNullable[string]()}
	if signature != nil {
		address, err := s.files.DownloadURL(ctx, *signature, downloadLifetime)
		if err != nil {
			return p, err
		}
		p.SignatureURL.Set(address)
	}
	for i, key := range images {
		var err error
		if p.ImageUrls[i], err = s.files.DownloadURL(ctx, key, downloadLifetime); err != nil {
			return p, err
		}
	}
	return p, nil
}
