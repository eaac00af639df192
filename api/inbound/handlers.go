// Package inbound receives reports from outside: delivery reports from message
// providers, and carriers' updates of orders. Each sender authenticates in its
// own way, without an API key.
package inbound

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/client"

	"waybill/api/edge"
	"waybill/operations"
	"waybill/store"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Edge       *edge.Edge
	Store      *store.Store
	Operations *operations.Operations
	Temporal   client.Client
	// PublicURL is the service's address as the outside sees it; signatures of
	// reports are over it.
	PublicURL string
	Webhooks  WebhookSecrets
	// Secret returns the value of an environment variable.
	Secret   func(name string) string
	Registry *prometheus.Registry
	Logger   *slog.Logger
	Now      func() time.Time
}

// Handlers serve reports of providers and carriers.
type Handlers struct {
	edge       *edge.Edge
	store      *store.Store
	operations *operations.Operations
	temporal   client.Client
	publicURL  string
	webhooks   WebhookSecrets
	secret     func(name string) string
	reports    *prometheus.CounterVec
	updates    *prometheus.CounterVec
	logger     *slog.Logger
	now        func() time.Time
}

// New returns handlers, and registers the metric of reports.
func New(d Dependencies) (*Handlers, error) {
	reports := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waybill_webhook_reports_total",
		Help: "Reports of providers, by whether the message is known.",
	}, []string{"provider", "message"})
	for _, provider := range []string{twilioReports.provider, sendgridReports.provider, postmarkReports.provider} {
		reports.WithLabelValues(provider, "known")
		reports.WithLabelValues(provider, "unknown")
	}
	updates := newUpdates()
	if err := errors.Join(d.Registry.Register(reports), d.Registry.Register(updates)); err != nil {
		return nil, fmt.Errorf("register report metrics: %w", err)
	}
	return &Handlers{
		edge:       d.Edge,
		store:      d.Store,
		operations: d.Operations,
		temporal:   d.Temporal,
		publicURL:  d.PublicURL,
		webhooks:   d.Webhooks,
		secret:     d.Secret,
		reports:    reports,
		updates:    updates,
		logger:     d.Logger,
		now:        d.Now,
	}, nil
}

// Routes mounts the routes for providers and carriers, which sign their
// requests.
func (h *Handlers) Routes(r chi.Router) {
	r.Method(http.MethodPost, "/webhooks/carriers/{org}", h.edge.Handle(h.receiveCarrierUpdate))
	r.Method(http.MethodPost, "/webhooks/sms/twilio/{org}", h.edge.Handle(h.webhook(twilioReports)))
	r.Method(http.MethodPost, "/webhooks/email/sendgrid/{org}", h.edge.Handle(h.webhook(sendgridReports)))
	r.Method(http.MethodPost, "/webhooks/email/postmark/{org}", h.edge.Handle(h.webhook(postmarkReports)))
}
