package tracking

import (
	"context"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/store"
)

// orderRecipient is what a recipient has said, as the database shapes it.
type orderRecipient store.Document

// VisitGetOrderRecipientResponse responds with it.
func (o orderRecipient) VisitGetOrderRecipientResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, o)
}

// GetOrderRecipient returns what the recipient of an order has said.
func (h *Handlers) GetOrderRecipient(
	ctx context.Context, request contract.GetOrderRecipientRequestObject,
) (contract.GetOrderRecipientResponseObject, error) {
	doc, err := h.store.OrderRecipient(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	return orderRecipient(doc), err
}
