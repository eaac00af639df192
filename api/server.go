// Package api is the HTTP edge. openapi.yaml is its contract; each resource has
// a file of its own that decodes, calls and encodes. Rules about orders belong
// in domain, whatever takes time in workflows, and rows in store.
package api

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/client"

	"waybill/domain/attachment"
	"waybill/domain/fault"
	"waybill/domain/order/wire"
	"waybill/operations"
	"waybill/store"
)

// Config are the settings of the edge. A zero value means the default, except
// for RateLimit, where it means no limit.
type Config struct {
	Version string
	// RateLimit is how many requests a second a key may send over time,
	// RateBurst how many at once.
	RateLimit float64
	RateBurst int
	// RequestTimeout and MaxBody hold for every route but the import, which
	// has its own.
	RequestTimeout time.Duration
	MaxBody        int64
	ImportTimeout  time.Duration
	MaxImportBody  int64
	// ImportWait is how long an import is waited for before its caller is told
	// where to find the results later.
	ImportWait time.Duration
	// PublicURL is the service's address as the outside sees it; signatures of
	// reports are over it.
	PublicURL string
	Webhooks  WebhookSecrets
	// Documents are what documents must keep to.
	Documents attachment.Limits
	// TrackingRate is how many pages behind tracking links an address may ask
	// for a second over time, TrackingBurst how many at once. TrustedProxies are
	// the networks whose X-Forwarded-For is believed.
	TrackingRate   float64
	TrackingBurst  int
	TrustedProxies []string
}

// Defaults of Config.
const (
	DefaultRequestTimeout = time.Minute
	DefaultMaxBody        = 1 << 20
	DefaultImportTimeout  = 5 * time.Minute
	DefaultMaxImportBody  = wire.MaxBodyBytes
	DefaultImportWait     = time.Minute
)

// Dependencies are what the edge works with.
type Dependencies struct {
	// Logger is told of every request; nil keeps silent.
	Logger *slog.Logger
	Keys   KeyFinder
	// Store answers reads, Operations change things; Temporal runs what takes
	// time. A worker of the imports queue on the same client makes small imports
	// quick.
	Store      *store.Store
	Operations *operations.Operations
	Temporal   client.Client
	// Files keeps the bytes of documents and proofs.
	Files Files
	// KeyUse records when keys were last used; nil records nothing.
	KeyUse KeyToucher
	// Checks decide whether the service is ready.
	Checks []Check
	// Registry takes the edge's metrics and is what /metrics answers; nil
	// makes a new one.
	Registry *prometheus.Registry
	// Tracing makes spans of requests; nil makes none.
	Tracing trace.TracerProvider
	// Secret gives the secret that lies in an environment variable; nil reads the
	// environment.
	Secret func(name string) string
	// Now is the clock; nil is the machine's.
	Now func() time.Time
}

// Server answers the operations of the contract.
type Server struct {
	config      Config
	logger      *slog.Logger
	store       *store.Store
	operations  *operations.Operations
	temporal    client.Client
	now         func() time.Time
	secret      func(name string) string
	keys        *keyring
	limiter     *limiter[keyRef]
	files       Files
	tracking    *tracking
	checks      []Check
	metrics     *metrics
	tracer      trace.TracerProvider
	contract    *contract
	languages   *languages
	assets      assets
	operational map[string]bool
}

// New makes a server.
func New(config Config, deps Dependencies) (*Server, error) {
	deps = deps.withDefaults()
	contract, unreadable := readContract(contractYAML)
	languages, unspoken := newLanguages()
	assets, unloaded := newAssets()
	metrics, unregistered := newMetrics(deps.Registry, config.Version)
	tracking, unpainted := newTracking(config, deps.Now)
	if err := errors.Join(unreadable, unspoken, unloaded, unregistered, unpainted); err != nil {
		return nil, err
	}
	return &Server{
		config:      config.withDefaults(),
		logger:      deps.Logger,
		store:       deps.Store,
		operations:  deps.Operations,
		temporal:    deps.Temporal,
		now:         deps.Now,
		secret:      deps.Secret,
		keys:        newKeyring(deps.Keys, newKeyUse(deps.KeyUse, deps.Logger, deps.Now), deps.Now),
		limiter:     newLimiter[keyRef]("key", config.RateLimit, config.RateBurst, deps.Now),
		files:       deps.Files,
		tracking:    tracking,
		checks:      deps.Checks,
		metrics:     metrics,
		tracer:      deps.Tracing,
		contract:    contract,
		languages:   languages,
		assets:      assets,
		operational: operationalRoutes(),
	}, nil
}

func (d Dependencies) withDefaults() Dependencies {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Secret == nil {
		d.Secret = os.Getenv
	}
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
	if d.Registry == nil {
		d.Registry = prometheus.NewRegistry()
	}
	return d
}

func (c Config) withDefaults() Config {
	if c.RequestTimeout == 0 {
		c.RequestTimeout = DefaultRequestTimeout
	}
	if c.MaxBody == 0 {
		c.MaxBody = DefaultMaxBody
	}
	if c.ImportTimeout == 0 {
		c.ImportTimeout = DefaultImportTimeout
	}
	if c.MaxImportBody == 0 {
		c.MaxImportBody = DefaultMaxImportBody
	}
	if c.ImportWait == 0 {
		c.ImportWait = DefaultImportWait
	}
	return c
}

// Routes gives the handler of everything that the service answers.
func (s *Server) Routes() http.Handler {
	r := chi.NewRouter()
	r.Use(s.edge()...)
	r.NotFound(s.handle(routeNotFound))
	r.MethodNotAllowed(s.handle(methodNotAllowed))
	r.Group(func(r chi.Router) {
		r.Use(bounds(s.config.MaxBody, s.config.RequestTimeout))
		s.serviceRoutes(r)
		r.Method(http.MethodPost, "/webhooks/carriers/{org}", s.handle(s.receiveCarrierUpdate))
		s.webhookRoutes(r)
	})
	r.Group(func(r chi.Router) {
		r.Use(bounds(s.config.MaxBody, s.config.RequestTimeout), s.authenticate, s.limitRate, s.authorize, s.once)
		s.contractRoutes(r)
		s.recurringRoutes(r)
		s.peopleRoutes(r)
	})
	r.Group(func(r chi.Router) {
		r.Use(bounds(s.config.MaxImportBody, s.config.ImportTimeout), s.authenticate, s.limitRate, s.authorize)
		r.Method(http.MethodPost, "/v3/orders/import", s.handle(s.importOrders))
		r.Method(http.MethodPut, "/v2/drafts/{orderDraftId}", s.handle(s.completeDraft))
		r.Method(http.MethodPut, legacyImportV1, s.handle(s.importOrdersV1))
		r.Method(http.MethodPut, "/v2/import/orders", s.handle(s.importOrdersV2))
	})
	s.linkRoutes(r)
	return r
}

// linkRoutes are those whose address is the permission: there is no caller to
// ask for.
func (s *Server) linkRoutes(r chi.Router) {
	r.Group(func(r chi.Router) {
		r.Use(bounds(s.config.MaxBody, s.config.RequestTimeout), s.tracking.address)
		r.Get("/t/{code}", s.trackingPage)
	})
	r.Group(func(r chi.Router) {
		r.Use(bounds(s.config.Documents.MaxBytes, s.config.ImportTimeout))
		r.Put("/v1/files", s.handle(s.uploadFile))
		r.Get("/v1/files", s.handle(s.downloadFile))
	})
}

// edge is what every request passes through, whatever its route.
func (s *Server) edge() chi.Middlewares {
	return chi.Middlewares{s.observe, s.tracing(s.tracer), s.recoverPanic, s.legible, middleware.GetHead}
}

// contractRoutes are those whose decoding and encoding is generated.
func (s *Server) contractRoutes(r chi.Router) {
	strict := NewStrictHandlerWithOptions(s, nil, StrictHTTPServerOptions{
		RequestErrorHandlerFunc:  s.failDecoding,
		ResponseErrorHandlerFunc: s.fail,
	})
	HandlerWithOptions(strict, ChiServerOptions{BaseRouter: r, ErrorHandlerFunc: s.fail})
}

// peopleRoutes are those of people's roles. Their tokens are not issued yet, so
// authorization refuses whoever comes this far.
func (s *Server) peopleRoutes(r chi.Router) {
	for _, op := range s.contract.operations {
		if op.forPeople() {
			r.Method(op.route.method, op.route.pattern, s.handle(func(http.ResponseWriter, *http.Request) error {
				return fmt.Errorf("%s has no handler", op.ID)
			}))
		}
	}
}

func routeNotFound(http.ResponseWriter, *http.Request) error {
	return &fault.Error{Kind: fault.NotFound, Text: fault.Say("route.not_found")}
}

// notAllowed is the error of a method that the path does not have.
type notAllowed struct {
	allowed string // the methods it has
}

// Error names the methods that would do.
func (e *notAllowed) Error() string { return "only " + e.allowed + " are allowed" }

func methodNotAllowed(_ http.ResponseWriter, r *http.Request) error {
	routes := chi.RouteContext(r.Context()).Routes
	path := r.URL.RawPath
	if path == "" {
		path = r.URL.Path
	}
	var allowed []string
	for _, method := range []string{
		http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	} {
		if routes.Match(chi.NewRouteContext(), method, path) {
			allowed = append(allowed, method)
		}
	}
	return &notAllowed{allowed: strings.Join(allowed, ", ")}
}
