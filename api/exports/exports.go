package exports

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/store"
)

// exportFeed is a page of the export feed.
type exportFeed struct {
	Shipments  []json.RawMessage `json:"shipments"`
	Total      int64             `json:"total"`
	TotalPages int64             `json:"totalPages"`
	Page       int32             `json:"page"`
}

// VisitGetExportFeedResponse responds with the page.
func (f exportFeed) VisitGetExportFeedResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, f)
}

// GetExportFeed fetches one page of the shipments that wait for the carrier.
func (h *Handlers) GetExportFeed(
	ctx context.Context, request contract.GetExportFeedRequestObject,
) (contract.GetExportFeedResponseObject, error) {
	if size := request.Params.PerPage; size != nil && (*size < 1 || *size > edge.MaxLimit) {
		return nil, edge.OutOfRange("perPage", 1, edge.MaxLimit)
	}
	page, err := edge.PageOf(request.Params.Page, request.Params.PerPage)
	if err != nil {
		return nil, err
	}
	found, err := h.operations.Exports.ExportFeed(ctx, edge.Caller(ctx), page)
	if err != nil {
		return nil, err
	}
	out := exportFeed{
		Shipments: make([]json.RawMessage, len(found.Shipments)), Total: found.Total, TotalPages: found.TotalPages,
		Page: page.Number,
	}
	for i := range found.Shipments {
		if out.Shipments[i], err = withOffer(&found.Shipments[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// withOffer puts the fields of the offer in front of the shipment's.
func withOffer(s *store.FeedShipment) (json.RawMessage, error) {
	head, err := json.Marshal(struct {
		Token    string                    `json:"exportToken"`
		IsUpdate bool                      `json:"isUpdate"`
		Carrier  nullable.Nullable[string] `json:"carrier"`
	}{s.Token, s.IsUpdate, edge.TextOrNull(s.Carrier)})
	if err != nil || len(s.Payload) < 2 {
		return nil, errors.Join(err, errors.New("shipment has no payload"))
	}
	head[len(head)-1] = ','
	return append(head, s.Payload[1:]...), nil
}

// AcknowledgeExport records the carrier's result for a shipment, and responds
// when it has taken effect.
func (h *Handlers) AcknowledgeExport(
	ctx context.Context, request contract.AcknowledgeExportRequestObject,
) (contract.AcknowledgeExportResponseObject, error) {
	said, err := acknowledgementOf(request)
	if err != nil {
		return nil, err
	}
	done, err := h.operations.Exports.AcknowledgeExport(ctx, edge.Caller(ctx), said)
	if err != nil {
		return nil, err
	}
	return contract.AcknowledgeExport200JSONResponse{
		OrderID: done.OrderID, ExternalID: done.OrderNumber, State: contract.OrderExportState(done.State),
		Acknowledgements: int32(done.Number), AcknowledgementsLeft: int32(export.Limit - done.Number),
	}, nil
}

// acknowledgementOf checks an acknowledgement.
func acknowledgementOf(request contract.AcknowledgeExportRequestObject) (store.Acknowledgement, error) {
	body := request.Body
	said := store.Acknowledgement{
		Token: body.ExportToken, Status: export.Status(body.Status),
		FailureReason: edge.TextOf(body.FailureReason), CarrierShipmentID: edge.TextOf(body.CarrierShipmentID),
	}
	if key := request.Params.IdempotencyKey; key != nil {
		said.IdempotencyKey = *key
		if *key == "" {
			return said, fault.Field("Idempotency-Key", fault.Say("param.required"))
		}
	}
	if said.Token == "" {
		return said, fault.Field("exportToken", fault.Say("param.required"))
	}
	if !body.Status.Valid() {
		return said, fault.Field("status", fault.Say("request.not_one_of", "allowed", "EXPORTED, FAILED"))
	}
	if said.FailureReason != "" && said.Status != export.StatusFailed {
		return said, fault.Field("failureReason", fault.Say("export.reason_of_success"))
	}
	return said, edge.CheckTexts(
		edge.AtMost(edge.MaxNameLength, "exportToken", said.Token),
		edge.AtMost(edge.MaxTextLength, "failureReason", said.FailureReason),
		edge.AtMost(edge.MaxNameLength, "carrierShipmentId", said.CarrierShipmentID),
		edge.AtMost(edge.MaxKeyLength, "Idempotency-Key", said.IdempotencyKey),
	)
}

// GetOrderExport returns the state of an order's export.
func (h *Handlers) GetOrderExport(
	ctx context.Context, request contract.GetOrderExportRequestObject,
) (contract.GetOrderExportResponseObject, error) {
	found, err := h.operations.Exports.OrderExport(ctx, edge.Caller(ctx), request.OrderID)
	if err != nil {
		return nil, err
	}
	out := contract.GetOrderExport200JSONResponse{
		OrderID: request.OrderID, ExternalID: found.Number, Carrier: edge.TextOrNull(found.Carrier),
		CarrierShipmentID: edge.TextOrNull(found.CarrierShipmentID),
		State:             contract.OrderExportState(found.State),
		Reason:            edge.TextOrNull(contract.OrderExportReason(found.Reason)),
		InFeed:            found.InFeed, IsUpdate: found.IsUpdate(),
		Acknowledgements: int32(found.Used), AcknowledgementsLeft: int32(found.Left()),
		LastExportedAt: edge.TimeOrNull(found.SucceededAt), ClosesAt: edge.TimeOrNull(found.ClosesAt),
		Changes: []contract.OrderExportChange{},
	}
	for _, c := range found.Changes {
		change := contract.OrderExportChange{Field: c.Field}
		if c.Was != nil {
			change.Was = json.RawMessage(c.Was)
		}
		if c.Now != nil {
			change.Now = json.RawMessage(c.Now)
		}
		out.Changes = append(out.Changes, change)
	}
	return out, nil
}
