// Package service serves what operators and newcomers ask of the service
// itself: whether it lives and is ready, and its metrics. None of it needs a caller.
package service

import (
	"log/slog"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"

	"waybill/api/edge"
)

// Dependencies are what the handlers work with.
type Dependencies struct {
	Edge *edge.Edge
	// Checks decide whether the service is ready.
	Checks []Check
	// Registry is what /metrics answers.
	Registry *prometheus.Registry
	Logger   *slog.Logger
	// Releases are the versions of the apps that are served, by app.
	Releases map[string]string
	// IsPublic leaves out what is for operators alone: they ask elsewhere.
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

// New makes handlers.
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
