package api

import (
	"errors"
	"io"
	"net/http"

	"github.com/go-chi/chi/v5"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/notification"
	"waybill/store"
	"waybill/workflows"
)

// WebhookSecrets are how providers prove who they are to organizations that
// have nothing of their own. Find looks up what a document names.
type WebhookSecrets struct {
	TwilioToken   string
	SendgridKey   string
	PostmarkLogin string
	Find          func(variable string) string
}

// named gives the secret of a variable, or the fallback where none is named.
func (s WebhookSecrets) named(variable, fallback string) string {
	if variable == "" || s.Find == nil {
		return fallback
	}
	return s.Find(variable)
}

// reader understands the reports of one provider.
type reader struct {
	provider string
	channel  notification.Channel
	// secret picks what the provider proves itself with.
	secret func(WebhookSecrets, store.MessagingSettings) string
	// proven checks that the request comes from who knows the secret.
	proven func(s *Server, r *http.Request, body []byte, secret string) bool
	read   func(r *http.Request, org int64, body []byte) ([]store.Report, error)
}

// webhookRoutes are those of providers. They need no key, because each proves
// itself in its own way.
func (s *Server) webhookRoutes(r chi.Router) {
	r.Method(http.MethodPost, "/webhooks/sms/twilio/{org}", s.handle(s.webhook(twilioReports)))
	r.Method(http.MethodPost, "/webhooks/email/sendgrid/{org}", s.handle(s.webhook(sendgridReports)))
	r.Method(http.MethodPost, "/webhooks/email/postmark/{org}", s.handle(s.webhook(postmarkReports)))
}

// webhook takes a provider's reports: they are written with what they move,
// and the workflows of the messages are told. A provider that hears of a fault
// sends them again, which does no harm.
func (s *Server) webhook(from reader) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		org, err := s.proveProvider(r, body, from)
		if err != nil {
			return err
		}
		by := caller.Caller{OrgID: org, Kind: caller.Provider, Name: from.provider, Cause: RequestID(r.Context())}
		reports, err := from.read(r, org, body)
		if err != nil {
			unread := fault.Field("", fault.Say("request.unreadable"))
			unread.Cause = err
			return unread
		}
		messages, unknown, err := s.store.TakeReports(r.Context(), by, from.channel, from.provider, reports)
		if err != nil {
			return err
		}
		s.metrics.reports.WithLabelValues(from.provider, "known").Add(float64(len(reports) - unknown))
		s.metrics.reports.WithLabelValues(from.provider, "unknown").Add(float64(unknown))
		for _, m := range messages {
			if m.Status.Final() {
				err = errors.Join(err, workflows.ReportNotification(r.Context(), s.temporal, m.WorkflowID, m.Status))
			}
		}
		if err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, WebhookAnswer{Reports: int32(len(reports)), Unknown: int32(unknown)})
	}
}

// proveProvider gives the organization that a report is for. A stranger does
// not learn whether there is such an organization.
func (s *Server) proveProvider(r *http.Request, body []byte, from reader) (int64, error) {
	unproven := &fault.Error{Kind: fault.Forbidden, Text: fault.Say("webhook.unproven")}
	org, err := s.store.OrganizationID(r.Context(), chi.URLParam(r, "org"))
	if errors.Is(err, store.ErrNotFound) {
		return 0, unproven
	}
	if err != nil {
		return 0, err
	}
	settings, err := s.store.MessagingSettings(r.Context(), org)
	if err != nil {
		return 0, err
	}
	secret := from.secret(s.config.Webhooks, settings)
	if secret == "" || !from.proven(s, r, body, secret) {
		return 0, unproven
	}
	return org, nil
}
