package documents

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/attachment"
	"waybill/domain/fault"
)

// How many documents one call may declare, and attach.
const (
	maxDeclared = 100
	maxAttached = 1000
)

// unescapedJSON writes JSON whose addresses can be copied unchanged.
type unescapedJSON struct{ body any }

// VisitCreateDocumentsResponse responds with the addresses of uploads.
func (p unescapedJSON) VisitCreateDocumentsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, p.body)
}

// VisitGetDocumentResponse responds with the address of a download.
func (p unescapedJSON) VisitGetDocumentResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, p.body)
}

// VisitGetCompletionProofResponse responds with the addresses of a proof.
func (p unescapedJSON) VisitGetCompletionProofResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, p.body)
}

// CreateDocuments declares documents and signs the addresses that their bytes
// are sent to.
func (h *Handlers) CreateDocuments(
	ctx context.Context, request contract.CreateDocumentsRequestObject,
) (contract.CreateDocumentsResponseObject, error) {
	files, err := h.checkDeclarations(request.Body.Documents)
	if err != nil {
		return nil, err
	}
	org := edge.PrincipalOf(ctx).OrgID
	ids, err := h.operations.Documents.DeclareDocuments(ctx, edge.Caller(ctx), files)
	if err != nil {
		return nil, err
	}
	expires := h.now().Add(uploadLifetime).UTC()
	out := contract.CreateDocumentsResponse{Documents: make([]contract.DocumentUpload, len(files))}
	for i, f := range files {
		address, err := h.files.UploadURL(ctx, uploadKey(org, ids[i]), f.ContentType, uploadLifetime)
		if err != nil {
			return nil, err
		}
		out.Documents[i] = contract.DocumentUpload{DocumentID: ids[i], Name: f.Name, UploadURL: address, ExpiresAt: expires}
	}
	return unescapedJSON{out}, nil
}

// checkDeclarations checks all declarations. One that is invalid rejects them
// all.
func (h *Handlers) checkDeclarations(declarations []contract.DocumentDeclaration) ([]attachment.File, error) {
	if len(declarations) == 0 || len(declarations) > maxDeclared {
		return nil, fault.Field("documents", fault.Say("documents.count", "max", strconv.Itoa(maxDeclared)))
	}
	files := make([]attachment.File, len(declarations))
	refusal := fault.Error{Kind: fault.Invalid, Text: fault.Say("request.invalid")}
	for i, d := range declarations {
		var wrong []fault.Violation
		files[i], wrong = h.limits.Accept(attachment.File{Name: d.Name, ContentType: d.ContentType, Size: d.Size})
		for _, v := range wrong {
			v.Field = fmt.Sprintf("documents[%d].%s", i, v.Field)
			refusal.Violations = append(refusal.Violations, v)
		}
	}
	if len(refusal.Violations) > 0 {
		return nil, &refusal
	}
	return files, nil
}

// GetDocument returns the description of a document.
func (h *Handlers) GetDocument(
	ctx context.Context, request contract.GetDocumentRequestObject,
) (contract.GetDocumentResponseObject, error) {
	d, err := h.store.Document(ctx, edge.PrincipalOf(ctx).OrgID, request.DocumentID)
	if err != nil {
		return nil, err
	}
	out, err := h.newStoredDocument(ctx, &d)
	if err != nil {
		return nil, err
	}
	return unescapedJSON{out}, nil
}

// AttachDocuments attaches documents to the order or draft of a number.
func (h *Handlers) AttachDocuments(
	ctx context.Context, request contract.AttachDocumentsRequestObject,
) (contract.AttachDocumentsResponseObject, error) {
	number, ids := request.Body.ExternalID, request.Body.DocumentIds
	behavior := contract.AttachBehaviorAppend
	if b := request.Body.AttachBehavior; b != nil {
		behavior = *b
	}
	if err := checkAttach(number, ids, behavior); err != nil {
		return nil, err
	}
	to, failure, err := h.operations.Documents.AttachDocuments(
		ctx, edge.Caller(ctx), number, ids, attachment.Behavior(behavior))
	if err != nil {
		return nil, err
	}
	var out contract.AttachDocuments200JSONResponse
	out.Success.SetNull()
	if failure != "" {
		out.Failure.Reason.Set(contract.AttachDocumentsFailureReason(failure))
		return out, nil
	}
	out.Failure.Reason.SetNull()
	out.Success.Set(contract.AttachDocumentsSuccess{
		OrderID: edge.OrNull(to.OrderID), OrderDraftID: edge.OrNull(to.DraftID),
	})
	return out, nil
}

func checkAttach(number string, ids []int64, behavior contract.AttachBehavior) error {
	if err := edge.CheckOrderNumber(number); err != nil {
		return err
	}
	if !behavior.Valid() {
		return fault.Field("attachBehavior", fault.Say("attach.bad_behavior"))
	}
	if len(ids) > maxAttached || len(ids) == 0 && (ids == nil || behavior != contract.AttachBehaviorReplaceAll) {
		return fault.Field("documentIds", fault.Say("attach.count", "max", strconv.Itoa(maxAttached)))
	}
	return nil
}
