package orders

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/order/wire"
	"waybill/store"
)

// ListDrafts lists drafts after a token, which is the id of the last one.
func (h *Handlers) ListDrafts(
	ctx context.Context, request contract.ListDraftsRequestObject,
) (contract.ListDraftsResponseObject, error) {
	p := request.Params
	after, size, err := edge.FeedPage(p.Token, p.PageSize)
	if err != nil {
		return nil, err
	}
	filter := store.DraftFilter{State: (*string)(p.State), ExternalID: p.ExternalID, UpdatedSince: p.UpdatedSince}
	if p.State != nil && !slices.Contains(order.DraftStates, order.DraftState(*p.State)) {
		return nil, fault.Field("state", fault.Say("request.not_one_of", "allowed", draftStates()))
	}
	if p.Reason != nil && !p.Reason.Valid() {
		return nil, fault.Field("reason", fault.Say("param.format"))
	}
	if filter.Reason = (*string)(p.Reason); p.Date != nil {
		day := p.Date.Format(time.DateOnly)
		filter.Day = &day
	}
	drafts, err := h.store.Drafts(ctx, edge.PrincipalOf(ctx).OrgID, filter, after, size+1)
	if err != nil {
		return nil, err
	}
	out := contract.ListDrafts200JSONResponse{Drafts: []contract.DraftSummary{}, HasMore: len(drafts) > int(size)}
	for i := range drafts[:min(len(drafts), int(size))] {
		after = drafts[i].ID
		out.Drafts = append(out.Drafts, newDraftSummary(&drafts[i], edge.LocalizerOf(ctx)))
	}
	out.NextToken = strconv.FormatInt(after, 10)
	return out, nil
}

func draftStates() string {
	names := make([]string, len(order.DraftStates))
	for i, state := range order.DraftStates {
		names[i] = string(state)
	}
	return strings.Join(names, ", ")
}

func newDraftSummary(d *store.Draft, say edge.Localizer) contract.DraftSummary {
	out := contract.DraftSummary{
		OrderDraftID: d.ID, ExternalID: d.ExternalID, State: contract.DraftState(d.State), Reasons: []contract.ImportReason{},
		OrderID: edge.IDOrNone(d.OrderID), CreatedAt: d.CreatedAt.UTC(), UpdatedAt: d.UpdatedAt.UTC(),
	}
	if d.State != order.DraftPromoted {
		out.Reasons = newReasons(d.Reasons, say)
	}
	return out
}

// draftDocument is a draft with its order as stored: numbers keep their
// digits.
type draftDocument struct {
	contract.DraftSummary
	Order               json.RawMessage `json:"order"`
	FallbackCustomer    *order.Ref      `json:"fallbackCustomer,omitempty"`
	FallbackVehicleType *order.Ref      `json:"fallbackVehicleType,omitempty"`
	FallbackOrderType   *order.Ref      `json:"fallbackOrderType,omitempty"`

	UpdateConfig order.UpdateSettings      `json:"updateConfig"`
	Documents    json.RawMessage           `json:"documents"`
	Booking      *contract.DetailedBooking `json:"booking,omitempty"`
}

// VisitGetDraftResponse responds with the draft.
func (d draftDocument) VisitGetDraftResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, d)
}

func newDraftDocument(d *store.Draft, say edge.Localizer) draftDocument {
	out := draftDocument{
		DraftSummary: newDraftSummary(d, say), Order: d.Request, FallbackCustomer: d.Defaults.FallbackCustomer,
		FallbackVehicleType: d.Defaults.FallbackVehicleType, FallbackOrderType: d.Defaults.FallbackOrderType,
		UpdateConfig: d.Defaults.UpdateConfig, Documents: d.Documents,
	}
	if d.Booking != nil {
		seat := newDetailedBooking(*d.Booking)
		out.Booking = &seat
	}
	return out
}

// GetDraft returns one draft with its imported content.
func (h *Handlers) GetDraft(
	ctx context.Context, request contract.GetDraftRequestObject,
) (contract.GetDraftResponseObject, error) {
	d, err := h.store.Draft(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderDraftID)
	if err != nil {
		return nil, err
	}
	return newDraftDocument(&d, edge.LocalizerOf(ctx)), nil
}

// completeDraft validates a request that is to make an order of a draft. Its body
// is read as an import's is.
func (h *Handlers) completeDraft(w http.ResponseWriter, r *http.Request) error {
	const name = "orderDraftId"
	id, err := strconv.ParseInt(chi.URLParam(r, name), 10, 64)
	if err != nil {
		return &contract.InvalidParamFormatError{ParamName: name, Err: err}
	}
	request, err := wire.DecodeRequest(r.Body)
	if err != nil {
		return err
	}
	d, err := h.operations.Orders.CompleteDraft(r.Context(), edge.Caller(r.Context()), id, request)
	if err != nil {
		return err
	}
	return edge.WriteJSON(w, http.StatusOK, newDraftDocument(&d, edge.LocalizerOf(r.Context())))
}

// DiscardDraft discards a draft.
func (h *Handlers) DiscardDraft(
	ctx context.Context, request contract.DiscardDraftRequestObject,
) (contract.DiscardDraftResponseObject, error) {
	err := h.operations.Orders.DiscardDraft(ctx, edge.Caller(ctx), request.OrderDraftID)
	return contract.DiscardDraft204Response{}, err
}
