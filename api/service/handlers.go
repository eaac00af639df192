// Package service serves probes and metrics to operators, without
// authentication.
package service

import (
	"log/slog"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"

	"waybill/api/edge"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Edge *edge.Edge
	// Checks decide whether the service is ready.
	Checks []Check
	// Registry is served at /metrics.
	Registry *prometheus.Registry
	Logger   *slog.Logger
	// Releases are the versions of the apps that are served, by app.
	Releases map[string]string
	// IsPublic omits what is only for operators, who use another address.
	IsPublic bool
}

// Handlers serve the service's own routes.
type Handlers struct {
	edge   *edge.Edge
	probes *Probes
	public bool
	logger *slog.Logger

	clientErrors *clientErrors
}

// New returns handlers.
func New(d Dependencies) (*Handlers, error) {
	counted, err := newClientErrors(d.Registry, d.Releases)
	if err != nil {
		return nil, err
	}
	return &Handlers{
		edge:   d.Edge,
		probes: NewProbes(d.Checks, d.Registry, d.Logger),
		public: d.IsPublic,
		logger: d.Logger,

		clientErrors: counted,
	}, nil
}

// Routes are the service's own.
func (h *Handlers) Routes(r chi.Router) {
	if h.public {
		r.Get("/healthz", h.probes.health)
	} else {
		h.probes.Routes(r)
	}
}
