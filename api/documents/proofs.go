package documents

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
)

// document is JSON that a view has shaped.
type document json.RawMessage

// VisitListOrderDocumentationsResponse answers with the document.
func (d document) VisitListOrderDocumentationsResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// ListOrderDocumentations reads what drivers recorded of an order.
func (h *Handlers) ListOrderDocumentations(
	ctx context.Context, request contract.ListOrderDocumentationsRequestObject,
) (contract.ListOrderDocumentationsResponseObject, error) {
	doc, err := h.store.OrderDocumentations(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	return document(doc), err
}

// GetCompletionProof reads how an order was proved to be completed.
func (h *Handlers) GetCompletionProof(
	ctx context.Context, request contract.GetCompletionProofRequestObject,
) (contract.GetCompletionProofResponseObject, error) {
	rows, err := h.store.CompletionProofs(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	out := contract.CompletionProof{ProofType: contract.CompletionProofProofType(rows[0].Type)}
	out.InPersonProof.SetNull()
	out.ContactlessProof.SetNull()
	for _, row := range rows {
		proof, err := h.newProof(ctx, row.SignatureKey, row.ImageKeys)
		if err != nil {
			return nil, err
		}
		proof.Signee, proof.Comment = edge.OrNull(row.Signee), edge.OrNull(row.Comment)
		if contract.CompletionProofProofType(row.Type) == contract.CompletionProofProofTypeInPerson {
			out.InPersonProof.Set(proof)
		} else {
			out.ContactlessProof.Set(proof)
		}
	}
	return unescapedJSON{out}, nil
}

// newProof signs the addresses of a signature and of pictures.
func (h *Handlers) newProof(ctx context.Context, signature *string, images []string) (contract.Proof, error) {
	p := contract.Proof{ImageUrls: make([]string, len(images)), SignatureURL: nullable.NewNullNullable[string]()}
	if signature != nil {
		address, err := h.files.DownloadURL(ctx, *signature, downloadLifetime)
		if err != nil {
			return p, err
		}
		p.SignatureURL.Set(address)
	}
	for i, key := range images {
		var err error
		if p.ImageUrls[i], err = h.files.DownloadURL(ctx, key, downloadLifetime); err != nil {
			return p, err
		}
	}
	return p, nil
}
