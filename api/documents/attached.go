package documents

import (
	"context"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/store"
)

// VisitListOrderDocumentsResponse responds with the addresses of downloads.
func (p unescapedJSON) VisitListOrderDocumentsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, p.body)
}

// ListOrderDocuments lists the documents of an order.
func (h *Handlers) ListOrderDocuments(
	ctx context.Context, request contract.ListOrderDocumentsRequestObject,
) (contract.ListOrderDocumentsResponseObject, error) {
	found, err := h.store.DocumentsOfOrder(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID, maxAttached)
	if err != nil {
		return nil, err
	}
	list := contract.StoredDocumentList{Items: make([]contract.StoredDocument, len(found))}
	for i := range found {
		if list.Items[i], err = h.newStoredDocument(ctx, &found[i]); err != nil {
			return nil, err
		}
	}
	return unescapedJSON{list}, nil
}

// newStoredDocument describes a document, with a download address once it is
// uploaded.
func (h *Handlers) newStoredDocument(ctx context.Context, d *store.StoredDocument) (contract.StoredDocument, error) {
	out := contract.StoredDocument{
		DocumentID: d.ID, Name: d.Name, ContentType: d.ContentType, Size: d.Size, CreatedAt: d.CreatedAt.UTC(),
	}
	out.UploadedAt.SetNull()
	out.DownloadURL.SetNull()
	out.ExpiresAt.SetNull()
	if d.UploadedAt == nil {
		return out, nil
	}
	expires := h.now().Add(downloadLifetime)
	address, err := h.files.DownloadURL(ctx, d.StorageKey, downloadLifetime)
	if err != nil {
		return out, err
	}
	out.UploadedAt.Set(d.UploadedAt.UTC())
	out.DownloadURL.Set(address)
	out.ExpiresAt.Set(expires.UTC())
	return out, nil
}

// DetachDocument detaches a document from an order.
func (h *Handlers) DetachDocument(
	ctx context.Context, request contract.DetachDocumentRequestObject,
) (contract.DetachDocumentResponseObject, error) {
	err := h.operations.Documents.DetachDocument(ctx, edge.Caller(ctx), request.OrderID, request.DocumentID)
	if err != nil {
		return nil, err
	}
	return contract.DetachDocument204Response{}, nil
}

// DeleteDocument deletes a document that is attached to nothing.
func (h *Handlers) DeleteDocument(
	ctx context.Context, request contract.DeleteDocumentRequestObject,
) (contract.DeleteDocumentResponseObject, error) {
	if err := h.operations.Documents.DeleteDocument(ctx, edge.Caller(ctx), request.DocumentID); err != nil {
		return nil, err
	}
	return contract.DeleteDocument204Response{}, nil
}
