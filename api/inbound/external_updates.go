package inbound

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/organization"
	"waybill/domain/outward"
	"waybill/store"
)

// The headers with which a carrier signs a call.
const (
	headerTimestamp = "X-Waybill-Timestamp"
	headerSignature = "X-Waybill-Signature"
)

// signatureTolerance is how far a call's timestamp may differ from our clock.
const signatureTolerance = 5 * time.Minute

// ListExternalUpdates returns the carriers' updates of an order.
func (h *Handlers) ListExternalUpdates(
	ctx context.Context, request contract.ListExternalUpdatesRequestObject,
) (contract.ListExternalUpdatesResponseObject, error) {
	rows, err := h.store.ExternalUpdates(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	out := contract.ListExternalUpdates200JSONResponse{Updates: make([]contract.ExternalUpdate, len(rows))}
	for i := range rows {
		r := &rows[i]
		out.Updates[i] = contract.ExternalUpdate{
			EventType: contract.ExternalUpdateType(r.EventType), Label: edge.OrNull(r.Label), OccurredAt: r.OccurredAt.UTC(),
			ReceivedAt: r.ReceivedAt.UTC(),
			SigneeName: edge.OrNull(r.SigneeName), IsContactless: edge.OrNull(r.IsContactless), Success: r.Success,
			FailureReason: edge.OrNull(r.FailureReason), RawBody: r.RawBody,
		}
	}
	return out, nil
}

// receiveCarrierUpdate receives a carrier's update of an order. It checks
// the signature before anything else.
func (h *Handlers) receiveCarrierUpdate(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	org, carrier, err := h.carrierOf(r, body)
	if err != nil {
		if fault.KindOf(err) == fault.Forbidden {
			h.updates.WithLabelValues(updateUnsigned).Inc()
			h.logger.InfoContext(r.Context(), "carrier update without a valid signature",
				"org", chi.URLParam(r, "org"), "request_id", edge.RequestID(r.Context()))
		}
		return err
	}
	if err := h.takeCarrierUpdate(w, r, org, carrier, body); err != nil {
		h.noteRefusal(r, org, carrier, err)
		return err
	}
	h.updates.WithLabelValues(updateAccepted).Inc()
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// takeCarrierUpdate applies an authenticated carrier's update.
func (h *Handlers) takeCarrierUpdate(
	w http.ResponseWriter, r *http.Request, org int64, carrier string, body []byte,
) error {
	update, err := carrierUpdateOf(body)
	if err != nil {
		return err
	}
	by := caller.Caller{OrgID: org, Kind: caller.Carrier, Name: carrier, Cause: edge.RequestID(r.Context())}
	if err := h.operations.Exports.RecordCarrierUpdate(r.Context(), by, update); err != nil {
		return err
	}
	if counted := update.CountedAt; !counted.IsZero() && !counted.Equal(update.OccurredAt) {
		h.logger.InfoContext(r.Context(), "corrected time of carrier update", "org_id", org, "carrier", carrier,
			"occurredAt", update.OccurredAt, "countedAt", counted)
		w.Header().Set("Counted-At", counted.UTC().Format(outward.Instant))
	}
	return nil
}

// carrierOf finds the carrier that signed a call. A refusal does not reveal
// whether the organization exists.
func (h *Handlers) carrierOf(r *http.Request, body []byte) (org int64, carrier string, err error) {
	refused := &fault.Error{Kind: fault.Forbidden, Text: fault.Say("webhook.refused")}
	stamp := r.Header.Get(headerTimestamp)
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || h.now().Sub(time.Unix(seconds, 0)).Abs() > signatureTolerance {
		return 0, "", refused
	}
	sent, err := hex.DecodeString(strings.TrimPrefix(r.Header.Get(headerSignature), "sha256="))
	if err != nil {
		return 0, "", refused
	}
	if err := h.edge.AdmitAnonymous(r); err != nil {
		return 0, "", err
	}
	slug := chi.URLParam(r, "org")
	org, secrets, err := h.store.CarrierSecrets(r.Context(), slug)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return 0, "", err
	}
	if len(secrets) == 0 {
		secrets = []store.CarrierSecret{{}} // an immediate rejection would reveal that none exists
	}
	for _, of := range secrets {
		if h.signed(sent, of, stamp, slug, body) {
			return org, of.Carrier, nil
		}
	}
	h.edge.NoteFailedAuthentication(r)
	return 0, "", refused
}

// signed reports whether a carrier signed a call: with the organization, or as in
// the contract's first version, without. The latter is valid as long as no other
// organization uses the same secret. During a rotation two secrets are valid.
func (h *Handlers) signed(sent []byte, of store.CarrierSecret, stamp, slug string, body []byte) bool {
	good := false
	for _, variable := range []string{of.Environment, of.Environment + organization.OtherSecret} {
		secret := h.secret(variable)
		named := hmac.Equal(sent, signatureOf(secret, stamp, slug, string(body)))
		unnamed := hmac.Equal(sent, signatureOf(secret, stamp, string(body)))
		good = good || of.Environment != "" && secret != "" && (named || unnamed && !of.IsShared)
	}
	return good
}

// signatureOf signs the parts of a call, so that none can be changed or
// combined with others.
func signatureOf(secret string, parts ...string) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = io.WriteString(mac, strings.Join(parts, "."))
	return mac.Sum(nil)
}

// carrierUpdateOf validates a carrier's update.
func carrierUpdateOf(body []byte) (*store.CarrierUpdate, error) {
	if !edge.IsText(string(body)) {
		return nil, fault.Field("body", fault.Say("request.not_text"))
	}
	var said contract.CarrierUpdate
	if err := json.Unmarshal(body, &said); err != nil {
		return nil, edge.BodyFault(err)
	}
	u := &store.CarrierUpdate{
		EventType: string(said.EventType), Label: edge.TextOf(said.Label), OccurredAt: said.OccurredAt,
		SigneeName: edge.TextOf(said.SigneeName),
		Success:    true, FailureReason: edge.TextOf(said.FailureReason), RawBody: body,
	}
	if contactless, err := said.IsContactless.Get(); err == nil {
		u.IsContactless = &contactless
	}
	if success, err := said.Success.Get(); err == nil {
		u.Success = success
	}
	if err := takeOrderName(u, &said); err != nil {
		return nil, err
	}
	switch {
	case !said.EventType.Valid():
		return nil, fault.Field("eventType", fault.Say("request.not_one_of", "allowed", carrierEvents))
	case u.OccurredAt.Year() < 1970 || u.OccurredAt.Year() > 2199:
		return nil, fault.Field("occurredAt", fault.Say("param.timestamp"))
	}
	return u, edge.CheckTexts(
		edge.AtMost(edge.MaxNameLength, "externalId", u.ExternalID),
		edge.AtMost(edge.MaxNameLength, "exportToken", u.ExportToken),
		edge.AtMost(edge.MaxTextLength, "label", u.Label), edge.AtMost(edge.MaxNameLength, "signeeName", u.SigneeName),
		edge.AtMost(edge.MaxTextLength, "failureReason", u.FailureReason),
	)
}

// takeOrderName copies how a carrier identifies the order, in one of several
// ways.
func takeOrderName(u *store.CarrierUpdate, said *contract.CarrierUpdate) error {
	ways := 0
	if said.OrderID != nil {
		u.OrderID = *said.OrderID
		ways++
	}
	if said.ExternalID != nil && *said.ExternalID != "" {
		u.ExternalID = *said.ExternalID
		ways++
	}
	if said.ExportToken != nil && *said.ExportToken != "" {
		u.ExportToken = *said.ExportToken
		ways++
	}
	if ways != 1 {
		return fault.Field("orderId", fault.Say("webhook.name_one"))
	}
	return nil
}

// carrierEvents are the event types that carriers may send.
var carrierEvents = strings.Join([]string{
	store.UpdatePickupCompleted, store.UpdateDelivered, store.UpdateTerminalScan, store.UpdateStatusComment,
	store.UpdateUnspecified,
}, ", ")
