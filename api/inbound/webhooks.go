package inbound

import (
	"cmp"
	"errors"
	"io"
	"net/http"

	"github.com/go-chi/chi/v5"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/notification"
	"waybill/store"
	"waybill/workflows"
)

// WebhookSecrets authenticate providers for organizations without their own
// secrets. Find looks up the names in a document.
type WebhookSecrets struct {
	TwilioToken   string
	SendgridKey   string
	PostmarkLogin string
	Find          func(variable string) string
}

// secretOr returns the secret of a variable, or the fallback if there is no
// variable.
func (s WebhookSecrets) secretOr(variable, fallback string) string {
	if variable == "" || s.Find == nil {
		return fallback
	}
	return s.Find(variable)
}

// reportReader understands the reports of one provider.
type reportReader struct {
	provider string
	channel  notification.Channel
	// secret selects the provider's secret.
	secret func(WebhookSecrets, store.MessagingSettings) string
	// authentic reports whether the request was signed with the secret.
	authentic func(h *Handlers, r *http.Request, body []byte, secret string) bool
	read      func(r *http.Request, org int64, body []byte) ([]notification.Report, error)
}

// webhook receives a provider's reports: they are stored with their effects,
// and the messages' workflows get a signal. A provider that gets an error
// sends them again, which does no harm.
func (h *Handlers) webhook(from reportReader) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		org, err := h.proveProvider(r, body, from)
		if err != nil {
			return err
		}
		by := caller.Caller{OrgID: org, Kind: caller.Provider, Name: from.provider, Cause: edge.RequestID(r.Context())}
		reports, err := from.read(r, org, body)
		if err != nil {
			unread := fault.Field("", fault.Say("request.unreadable"))
			unread.Cause = err
			return unread
		}
		taken, err := h.operations.Notifications.TakeReports(r.Context(), by, from.channel, reports)
		if err != nil {
			return err
		}
		h.reports.WithLabelValues(from.provider, "known").Add(float64(len(reports) - taken.Unknown))
		h.reports.WithLabelValues(from.provider, "unknown").Add(float64(taken.Unknown))
		for _, m := range taken.Messages {
			if m.Status.Final() {
				err = errors.Join(err, workflows.ReportNotification(r.Context(), h.temporal, m.WorkflowID, m.Status))
			}
		}
		if err != nil {
			return err
		}
		return edge.WriteJSON(w, http.StatusOK, contract.WebhookAnswer{
			Reports: int32(len(reports)), Unknown: int32(taken.Unknown),
		})
	}
}

// proveProvider returns the organization of a report. It does not reveal to
// others whether the organization exists.
func (h *Handlers) proveProvider(r *http.Request, body []byte, from reportReader) (int64, error) {
	if err := h.edge.AdmitAnonymous(r); err != nil {
		return 0, err
	}
	org, missing := h.store.OrganizationID(r.Context(), chi.URLParam(r, "org"))
	if missing != nil && !errors.Is(missing, store.ErrNotFound) {
		return 0, missing
	}
	// An unknown organization takes as long as an existing one.
	settings, err := h.store.MessagingSettings(r.Context(), org)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return 0, err
	}
	secret := from.secret(h.webhooks, settings)
	authentic := from.authentic(h, r, body, cmp.Or(secret, "none"))
	if missing != nil || secret == "" || !authentic {
		h.edge.NoteFailedAuthentication(r)
		return 0, &fault.Error{Kind: fault.Forbidden, Text: fault.Say("webhook.unproven")}
	}
	return org, nil
}
