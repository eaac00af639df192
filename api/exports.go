package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/oapi-codegen/nullable"

	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/store"
	"waybill/workflows"
)

// The longest texts that are kept, in bytes.
const (
	longestKey  = 255
	longestName = 255
	longestText = 10_000
)

// exportFeed is a page of the export feed.
type exportFeed struct {
	Shipments  []json.RawMessage `json:"shipments"`
	Total      int64             `json:"total"`
	TotalPages int64             `json:"totalPages"`
	Page       int32             `json:"page"`
}

// VisitGetExportFeedResponse answers with the page.
func (f exportFeed) VisitGetExportFeedResponse(w http.ResponseWriter) error {
	return writeJSON(w, http.StatusOK, f)
}

// GetExportFeed fetches one page of the shipments that wait for the carrier.
func (s *Server) GetExportFeed(ctx context.Context, request GetExportFeedRequestObject) (GetExportFeedResponseObject, error) {
	if size := request.Params.PerPage; size != nil && (*size < 1 || *size > maxLimit) {
		return nil, outOfRange("perPage", 1, maxLimit)
	}
	page, err := pageOf(request.Params.Page, request.Params.PerPage)
	if err != nil {
		return nil, err
	}
	caller := PrincipalOf(ctx)
	found, err := s.store.ExportFeed(ctx, CallerOf(ctx), caller.KeyID, page)
	if err != nil {
		return nil, err
	}
	out := exportFeed{Shipments: make([]json.RawMessage, len(found.Shipments)), Total: found.Total, TotalPages: found.TotalPages, Page: page.Number}
	for i := range found.Shipments {
		if out.Shipments[i], err = envelope(&found.Shipments[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// envelope puts what belongs to the offer in front of the shipment.
func envelope(s *store.FeedShipment) (json.RawMessage, error) {
	head, err := json.Marshal(struct {
		Token    string                    `json:"exportToken"`
		IsUpdate bool                      `json:"isUpdate"`
		Carrier  nullable.Nullable[string] `json:"carrier"`
	}{s.Token, s.IsUpdate, textOrNull(s.Carrier)})
	if err != nil || len(s.Payload) < 2 {
		return nil, errors.Join(err, errors.New("a shipment without a payload"))
	}
	head[len(head)-1] = ','
	return append(head, s.Payload[1:]...), nil
}

// timeOrNull is null on the wire where there is no time.
func timeOrNull(t time.Time) nullable.Nullable[time.Time] {
	if t.IsZero() {
		return nullable.NewNullNullable[time.Time]()
	}
	return nullable.NewNullableWithValue(t.UTC())
}

// AcknowledgeExport takes in what became of a shipment, and answers when it has
// taken effect.
func (s *Server) AcknowledgeExport(ctx context.Context, request AcknowledgeExportRequestObject) (AcknowledgeExportResponseObject, error) {
	said, err := acknowledgementOf(request)
	if err != nil {
		return nil, err
	}
	org := PrincipalOf(ctx).OrgID
	received, err := s.store.ReceiveAcknowledgement(ctx, org, said)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, fault.Missing("export_token", said.Token)
	case errors.Is(err, export.ErrSpent):
		return nil, spent(received.Number)
	case errors.Is(err, store.ErrKeyReused):
		return nil, &fault.Error{
			Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"),
			Violations: []fault.Violation{{Field: "Idempotency-Key", Text: fault.Say("export.key_reused")}},
		}
	case err != nil:
		return nil, err
	}
	order := workflows.ExportedOrder{OrgID: org, OrderID: received.OrderID, ExternalID: received.Number}
	taken, err := workflows.AcknowledgeExport(ctx, s.temporal, order, received.ID, RequestID(ctx))
	if err != nil {
		return nil, fmt.Errorf("acknowledge export: %w", err)
	}
	if !taken.Counted {
		return nil, spent(received.Number)
	}
	return AcknowledgeExport200JSONResponse{
		OrderID: received.OrderID, ExternalID: received.Number, State: OrderExportState(taken.State),
		Acknowledgements: int32(taken.Number), AcknowledgementsLeft: int32(export.Limit - taken.Number),
	}, nil
}

func spent(number string) error {
	return illegalState("export.spent", number)
}

// acknowledgementOf checks an acknowledgement.
func acknowledgementOf(request AcknowledgeExportRequestObject) (store.Acknowledgement, error) {
	body := request.Body
	said := store.Acknowledgement{
		Token: body.ExportToken, Status: export.Status(body.Status),
		FailureReason: textOf(body.FailureReason), CarrierShipmentID: textOf(body.CarrierShipmentID),
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
	return said, fits(
		bounded{"exportToken", said.Token, longestName}, bounded{"failureReason", said.FailureReason, longestText},
		bounded{"carrierShipmentId", said.CarrierShipmentID, longestName}, bounded{"Idempotency-Key", said.IdempotencyKey, longestKey},
	)
}

// textOf is the text of a field, empty when it is absent or null.
func textOf(value nullable.Nullable[string]) string {
	text, err := value.Get()
	if err != nil {
		return ""
	}
	return text
}

// bounded is a text that has a longest length.
type bounded struct {
	field, value string
	longest      int
}

// fits refuses texts that cannot be kept.
func fits(texts ...bounded) error {
	for _, t := range texts {
		switch {
		case len(t.value) > t.longest:
			return fault.Field(t.field, fault.Say("field.too_long", "max", strconv.Itoa(t.longest)))
		case !text(t.value):
			return fault.Field(t.field, fault.Say("request.not_text"))
		}
	}
	return nil
}

// GetOrderExport reads where the export of an order stands.
func (s *Server) GetOrderExport(ctx context.Context, request GetOrderExportRequestObject) (GetOrderExportResponseObject, error) {
	found, err := s.store.OrderExport(ctx, PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	out := GetOrderExport200JSONResponse{
		OrderID: request.OrderID, ExternalID: found.Number, Carrier: textOrNull(found.Carrier), State: OrderExportState(found.State),
		Reason: textOrNull(string(found.Reason)), InFeed: found.InFeed, IsUpdate: found.IsUpdate(),
		Acknowledgements: int32(found.Used), AcknowledgementsLeft: int32(found.Left()),
		LastExportedAt: timeOrNull(found.SucceededAt), ClosesAt: timeOrNull(found.ClosesAt), Changes: []OrderExportChange{},
	}
	for _, c := range found.Changes {
		change := OrderExportChange{Field: c.Field}
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
