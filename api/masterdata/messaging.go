package masterdata

import (
	"context"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
)

// GetMessaging returns the senders of the organization's messages.
func (h *Handlers) GetMessaging(
	ctx context.Context, _ contract.GetMessagingRequestObject,
) (contract.GetMessagingResponseObject, error) {
	doc, err := h.store.Messaging(ctx, edge.PrincipalOf(ctx).OrgID)
	return document(doc), err
}

// VisitGetMessagingResponse responds with the document.
func (d document) VisitGetMessagingResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// carriers responds with those that may report about orders.
type carriers contract.CarrierList

// ListCarriers lists the carriers that may report of orders.
func (h *Handlers) ListCarriers(
	ctx context.Context, _ contract.ListCarriersRequestObject,
) (contract.ListCarriersResponseObject, error) {
	known, err := h.store.Carriers(ctx, edge.PrincipalOf(ctx).OrgID)
	if err != nil {
		return nil, err
	}
	all := carriers{Items: make([]contract.Carrier, len(known))}
	for i, c := range known {
		all.Items[i] = contract.Carrier{Name: c.Carrier, SecretVariable: c.Environment, IsShared: c.IsShared}
	}
	return all, nil
}

// VisitListCarriersResponse responds with the carriers.
func (c carriers) VisitListCarriersResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, c)
}

// refusedUpdates responds with updates of carriers that were refused.
type refusedUpdates contract.RefusedCarrierUpdateList

// ListRefusedCarrierUpdates lists recently refused updates of carriers.
func (h *Handlers) ListRefusedCarrierUpdates(
	ctx context.Context, _ contract.ListRefusedCarrierUpdatesRequestObject,
) (contract.ListRefusedCarrierUpdatesResponseObject, error) {
	refused, err := h.store.RefusedUpdates(ctx, edge.PrincipalOf(ctx).OrgID)
	if err != nil {
		return nil, err
	}
	all := refusedUpdates{Items: make([]contract.RefusedCarrierUpdate, len(refused))}
	for i, u := range refused {
		all.Items[i] = contract.RefusedCarrierUpdate{
			Carrier: u.Carrier, RefusedAt: u.RefusedAt.UTC(), Reason: u.Reason, Field: u.Field, RequestID: u.RequestID,
		}
	}
	return all, nil
}

// VisitListRefusedCarrierUpdatesResponse responds with the updates.
func (r refusedUpdates) VisitListRefusedCarrierUpdatesResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, r)
}
