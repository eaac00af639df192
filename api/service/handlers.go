// Package service serves what operators and newcomers ask of the service
// itself: whether it lives and is ready, its metrics, its contract and the page
// that shows the contract. None of it needs a caller.
package service

import (
	"log/slog"
	"net/http"

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
	assets assets
	logger *slog.Logger

	clientErrors *clientErrors
}

// New makes handlers.
func New(d Dependencies) (*Handlers, error) {
	assets, err := newAssets()
	if err != nil {
		return nil, err
	}
	counted, err := newClientErrors(d.Registry, d.Releases)
	if err != nil {
		return nil, err
	}
	return &Handlers{
		edge:   d.Edge,
		probes: NewProbes(d.Checks, d.Registry, d.Logger),
		public: d.IsPublic,
		assets: assets,
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
	r = r.With(h.edge.Compress)
	r.Method(http.MethodGet, "/openapi.yaml", h.assets["openapi.yaml"])
	r.Method(http.MethodGet, "/docs", h.assets["index.html"])
	r.Method(http.MethodGet, "/docs/", h.assets["index.html"])
	r.Method(http.MethodGet, "/docs/try", h.assets["try.html"])
	r.Get("/docs/"+postmanFile, h.edge.Handle(h.postman))
	r.Get("/docs/"+shownFile, h.edge.Handle(h.shown))
	r.Get("/docs/{file}", h.edge.Handle(h.docsFile))
}
