package inbound

import (
	"context"
	"errors"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"

	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/store"
)

// Results of carrier updates.
const (
	updateAccepted = "accepted"
	updateRefused  = "refused"  // signed, and of no use
	updateUnsigned = "unsigned" // without a valid signature
)

func newUpdates() *prometheus.CounterVec {
	updates := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waybill_carrier_updates_total", Help: "Updates that carriers sent, by outcome.",
	}, []string{"outcome"})
	for _, outcome := range []string{updateAccepted, updateRefused, updateUnsigned} {
		updates.WithLabelValues(outcome)
	}
	return updates
}

// noteRefusal counts, logs and stores the rejection of a carrier's update. An
// internal fault is not the carrier's.
func (h *Handlers) noteRefusal(r *http.Request, org int64, carrier string, err error) {
	switch fault.KindOf(err) {
	case fault.Internal, fault.Unavailable:
		return
	default:
	}
	ctx := context.WithoutCancel(r.Context())
	reason, field := reasonAndField(err)
	refused := store.RefusedUpdate{Carrier: carrier, Reason: reason, Field: field, RequestID: edge.RequestID(ctx)}
	h.updates.WithLabelValues(updateRefused).Inc()
	h.logger.WarnContext(ctx, "carrier update refused", "org_id", org, "carrier", carrier,
		"reason", refused.Reason, "field", refused.Field, "error", err, "request_id", refused.RequestID)
	if err := h.store.KeepRefusedUpdate(ctx, org, refused); err != nil {
		h.logger.WarnContext(ctx, "cannot save refused carrier update",
			"org_id", org, "carrier", carrier, "error", err)
	}
}

// reasonAndField are the reason of an error for programs, and the field that it is about; of
// several, the first.
func reasonAndField(err error) (reason, field string) {
	var f *fault.Error
	if !errors.As(err, &f) {
		return fault.Say("service.internal").Reason(), ""
	}
	if len(f.Violations) > 0 {
		return f.Violations[0].Text.Reason(), f.Violations[0].Field
	}
	return f.Text.Reason(), ""
}
