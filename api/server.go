// Package api assembles the HTTP side: the operations of package contract,
// implemented by one package per area, behind package edge. Areas import edge
// and contract, and never one another. Rules belong in domain, whatever takes
// time in workflows, and rows in store.
package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/client"

	"waybill/api/activity"
	"waybill/api/chat"
	"waybill/api/contract"
	"waybill/api/documents"
	"waybill/api/driving"
	"waybill/api/edge"
	"waybill/api/exceptions"
	"waybill/api/exports"
	"waybill/api/handbook"
	"waybill/api/inbound"
	"waybill/api/live"
	"waybill/api/masterdata"
	"waybill/api/notifications"
	"waybill/api/orders"
	"waybill/api/pages"
	"waybill/api/people"
	"waybill/api/places"
	"waybill/api/planning"
	"waybill/api/privacy"
	"waybill/api/recurring"
	"waybill/api/sandbox"
	"waybill/api/service"
	"waybill/api/tracking"
	"waybill/api/webhooks"
	"waybill/domain/attachment"
	"waybill/domain/order/wire"
	"waybill/operations"
	"waybill/store"
	"waybill/web"
)

// Config are the settings of the edge. A zero value means the default, except
// for RateLimit, where it means no limit.
type Config struct {
	// RateLimit is how many requests per second a caller may send over time,
	// RateBurst how many at once.
	RateLimit float64
	RateBurst int
	// RequestTimeout and MaxBody apply to every route except the import, which
	// has its own.
	RequestTimeout time.Duration
	MaxBody        int64
	ImportTimeout  time.Duration
	MaxImportBody  int64
	// BodyBytes is how many bytes of bodies are in memory at a time, BodyShare how
	// many of them for one organization; BodyPatience is how long a body may keep us
	// waiting.
	BodyBytes, BodyShare int64
	BodyPatience         time.Duration
	// HeavyRequests is how many heavy requests are answered at a time, HeavyShare how
	// many of them of one organization; 0 is no bound. TurnPatience is how long
	// others wait.
	HeavyRequests, HeavyShare int
	TurnPatience              time.Duration
	// ImportWait is how long a request waits for its import before the response
	// says where to find the results later.
	ImportWait time.Duration
	// PublicURL is the service's address as the outside sees it; signatures of
	// reports are over it.
	PublicURL string
	// TemporalUI is the address of the web interface for the namespace's
	// workflows, or empty.
	TemporalUI, Namespace string
	// HasPrivateProbes is true if metrics and readiness have their own address
	// for operators.
	HasPrivateProbes bool
	Webhooks         inbound.WebhookSecrets
	// Documents are the limits on documents.
	Documents attachment.Limits
	// DriverUpdate has drivers' phones take the release of their app that is served.
	DriverUpdate bool
	// TrackingRate is how many pages of tracking links per second an address
	// may request over time, TrackingBurst how many at once. TrustedProxies are
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
	DefaultBodyBytes      = 4 * DefaultBodyShare
	DefaultBodyShare      = wire.MaxBodyBytes
)

// Dependencies are the dependencies of the edge.
type Dependencies struct {
	// Logger receives a record of every request; nil discards them.
	Logger *slog.Logger
	Keys   edge.KeyFinder
	// Sessions finds sessions of users and devices, SessionUse records when
	// they were last used.
	Sessions   edge.SessionFinder
	SessionUse edge.SessionToucher
	// Authenticators identify callers in other ways.
	Authenticators []edge.Authenticator
	// Store answers reads, Operations make changes, and Temporal runs what
	// takes time. A worker of the imports queue on the same client makes small
	// imports quick.
	Store      *store.Store
	Operations *operations.Operations
	Temporal   client.Client
	// Files stores the bytes of documents and proofs.
	Files documents.Files
	// KeyUse records when keys were last used; nil records nothing.
	KeyUse edge.KeyToucher
	// Checks decide whether the service is ready.
	Checks []service.Check
	// Web are the pages for browsers, or nil if the server has none.
	Web *web.Apps
	// Releases are the versions of the apps that are served, by app.
	Releases map[string]string
	// Map is the source of map tiles; the zero value is the console's own.
	Map planning.Map
	// Lifetime ends when the process is about to; nil never ends.
	Lifetime context.Context
	// Registry has the edge's metrics and is served at /metrics; nil creates a
	// new one.
	Registry *prometheus.Registry
	// Tracing creates spans of requests; nil creates none.
	Tracing trace.TracerProvider
	// Secret returns the secret in an environment variable; nil reads the
	// environment.
	Secret func(name string) string
	// Now is the clock; nil is the machine's.
	Now func() time.Time
}

// The handlers of each area, under names that are distinct in one struct.
type (
	orderHandlers        = orders.Handlers
	planningHandlers     = planning.Handlers
	drivingHandlers      = driving.Handlers
	sandboxHandlers      = sandbox.Handlers
	exceptionsHandlers   = exceptions.Handlers
	chatHandlers         = chat.Handlers
	recurringHandlers    = recurring.Handlers
	exportHandlers       = exports.Handlers
	notificationHandlers = notifications.Handlers
	documentHandlers     = documents.Handlers
	trackingHandlers     = tracking.Handlers
	masterdataHandlers   = masterdata.Handlers
	placeHandlers        = places.Handlers
	activityHandlers     = activity.Handlers
	peopleHandlers       = people.Handlers
	privacyHandlers      = privacy.Handlers
	inboundHandlers      = inbound.Handlers
	webhookHandlers      = webhooks.Handlers
	serviceHandlers      = service.Handlers
)

// Server implements the operations of the contract: each with the handlers of
// its area, all behind one edge.
type Server struct {
	*orderHandlers
	*planningHandlers
	*drivingHandlers
	*sandboxHandlers
	*exceptionsHandlers
	*chatHandlers
	*recurringHandlers
	*exportHandlers
	*notificationHandlers
	*documentHandlers
	*trackingHandlers
	*masterdataHandlers
	*placeHandlers
	*activityHandlers
	*peopleHandlers
	*privacyHandlers
	*inboundHandlers
	*webhookHandlers
	*serviceHandlers

	live     *live.Handlers
	pages    *pages.Pages
	handbook *handbook.Handlers
	web      *web.Apps
	// Edge handles every request.
	Edge *edge.Edge

	config     Config
	operations contract.Operations
}

var _ contract.StrictServerInterface = (*Server)(nil)

// New returns a server.
func New(config Config, deps Dependencies) (*Server, error) {
	config, deps = config.withDefaults(), deps.withDefaults()
	ops, err := contract.Read()
	if err != nil {
		return nil, err
	}
	e, err := edge.New(edge.Config{
		RateLimit: config.RateLimit, RateBurst: config.RateBurst,
		MaxBody: config.MaxBody, RequestTimeout: config.RequestTimeout, PublicURL: config.PublicURL,
		BodyBytes: config.BodyBytes, BodyShare: config.BodyShare, BodyPatience: config.BodyPatience,
		HeavyRequests: config.HeavyRequests, HeavyShare: config.HeavyShare, TurnPatience: config.TurnPatience,
		TrustedProxies: config.TrustedProxies,
	}, edge.Dependencies{
		Logger: deps.Logger, Keys: deps.Keys, KeyUse: deps.KeyUse, Authenticators: deps.Authenticators,
		Sessions: deps.Sessions, SessionUse: deps.SessionUse, Store: deps.Store,
		Registry: deps.Registry, Tracing: deps.Tracing, Now: deps.Now,
	}, ops)
	if err != nil {
		return nil, err
	}
	s := &Server{Edge: e, config: config, operations: ops, web: deps.Web}
	return s, s.serveAreas(deps)
}

// serveAreas creates the handlers of the areas.
func (s *Server) serveAreas(d Dependencies) error {
	s.orderHandlers = orders.New(orders.Dependencies{
		Edge: s.Edge, Store: d.Store, Operations: d.Operations, Temporal: d.Temporal, ImportWait: s.config.ImportWait,
		Logger: d.Logger, Now: d.Now,
	})
	s.planningHandlers = planning.New(planning.Dependencies{
		Store: d.Store, Operations: d.Operations, Map: d.Map, Now: d.Now,
	})
	s.exceptionsHandlers = exceptions.New(exceptions.Dependencies{Store: d.Store, Operations: d.Operations, Now: d.Now})
	s.chatHandlers = chat.New(chat.Dependencies{Store: d.Store, Operations: d.Operations, Now: d.Now})
	s.drivingHandlers = driving.New(driving.Dependencies{
		Edge: s.Edge, Store: d.Store, Operations: d.Operations, Files: d.Files, Now: d.Now,
		Release: d.Releases["driver"], MustUpdate: s.config.DriverUpdate,
	})
	s.webhookHandlers = webhooks.New(webhooks.Dependencies{Store: d.Store, Operations: d.Operations})
	s.sandboxHandlers = sandbox.New(sandbox.Dependencies{Operations: d.Operations, Temporal: d.Temporal})
	s.recurringHandlers = recurring.New(recurring.Dependencies{
		Edge: s.Edge, Store: d.Store, Operations: d.Operations, Temporal: d.Temporal, Logger: d.Logger, Now: d.Now,
	})
	s.exportHandlers = exports.New(d.Operations)
	s.notificationHandlers = notifications.New(notifications.Dependencies{
		Store: d.Store, Operations: d.Operations, Temporal: d.Temporal,
	})
	s.documentHandlers = documents.New(documents.Dependencies{
		Edge: s.Edge, Store: d.Store, Operations: d.Operations, Files: d.Files, Limits: s.config.Documents,
		Logger: d.Logger, Now: d.Now,
	})
	s.masterdataHandlers = masterdata.New(masterdata.Dependencies{Store: d.Store, Operations: d.Operations, Now: d.Now})
	s.placeHandlers = places.New(places.Dependencies{Store: d.Store, Operations: d.Operations, Now: d.Now})
	s.activityHandlers = activity.New(activity.Dependencies{
		Store: d.Store, TemporalUI: s.config.TemporalUI, Namespace: s.config.Namespace, Now: d.Now,
	})
	s.live = live.New(live.Dependencies{Edge: s.Edge, Log: d.Store, Logger: d.Logger, Lifetime: d.Lifetime})
	s.peopleHandlers = people.New(people.Dependencies{
		Edge: s.Edge, Store: d.Store, Operations: d.Operations, Contract: s.operations, PublicURL: s.config.PublicURL,
		Now: d.Now,
	})
	s.privacyHandlers = privacy.New(privacy.Dependencies{
		Operations: d.Operations, Temporal: d.Temporal, Logger: d.Logger,
	})
	return s.serveAnonymous(d)
}

// serveAnonymous mounts the handlers that need no key.
func (s *Server) serveAnonymous(d Dependencies) error {
	var inboundErr, trackingErr, serviceErr, handbookErr, pagesErr error
	s.inboundHandlers, inboundErr = inbound.New(inbound.Dependencies{
		Edge: s.Edge, Store: d.Store, Operations: d.Operations, Temporal: d.Temporal, PublicURL: s.config.PublicURL,
		Webhooks: s.config.Webhooks, Secret: d.Secret, Registry: d.Registry, Logger: d.Logger, Now: d.Now,
	})
	s.trackingHandlers, trackingErr = tracking.New(tracking.Dependencies{
		Edge: s.Edge, Store: d.Store, Operations: d.Operations, PublicURL: s.config.PublicURL,
		Rate: s.config.TrackingRate, Burst: s.config.TrackingBurst, Now: d.Now,
		Streets: tracking.Streets{Regions: d.Map.Regions, URL: d.Map.Streets},
	})
	s.serviceHandlers, serviceErr = service.New(service.Dependencies{
		Edge: s.Edge, Checks: d.Checks, Registry: d.Registry, Logger: d.Logger, Releases: d.Releases,
		IsPublic: s.config.HasPrivateProbes,
	})
	s.handbook, handbookErr = handbook.New(handbook.Dependencies{
		Edge: s.Edge, HasConsole: d.Web != nil && d.Web.IsBuilt, HasPrivateProbes: s.config.HasPrivateProbes,
	})
	s.pages, pagesErr = pages.New(pages.Dependencies{
		Edge: s.Edge, Store: d.Store, Operations: d.Operations, PublicURL: s.config.PublicURL,
		HasConsole: d.Web != nil && d.Web.IsBuilt, HasDriverApp: d.Web != nil && d.Web.HasDriver, Now: d.Now,
	})
	return errors.Join(inboundErr, trackingErr, serviceErr, handbookErr, pagesErr)
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
	if c.BodyBytes == 0 {
		c.BodyBytes = DefaultBodyBytes
	}
	if c.BodyShare == 0 {
		c.BodyShare = DefaultBodyShare
	}
	if c.ImportWait == 0 {
		c.ImportWait = DefaultImportWait
	}
	return c
}

// Routes returns the handler of everything that the service answers.
func (s *Server) Routes() http.Handler {
	r := chi.NewRouter()
	r.Use(s.Edge.Middlewares()...)
	r.NotFound(s.Edge.NotFound())
	r.MethodNotAllowed(s.Edge.MethodNotAllowed())
	r.Group(func(r chi.Router) {
		r.Use(s.Edge.UsualBounds(), s.Edge.ShareBodies)
		s.serviceHandlers.Routes(r)
		s.handbook.Routes(r)
		s.inboundHandlers.Routes(r)
		s.trackingHandlers.Routes(r)
		s.OpenRoutes(r)
		s.pages.Routes(r)
		if s.web != nil {
			s.web.Routes(r)
		}
	})
	r.Group(func(r chi.Router) {
		r.Use(s.Edge.UsualBounds())
		r.Use(s.Edge.Compress)
		r.Use(s.Edge.ForCallers()...)
		r.Use(s.Edge.Idempotent, s.Edge.Tag)
		s.contractRoutes(r)
		s.recurringHandlers.Routes(r)
		s.orderHandlers.Routes(r)
		s.peopleHandlers.Routes(r)
	})
	s.boundRoutes(r)
	return r
}

// boundRoutes are those with their own bounds: streams, imports, pictures and
// files.
func (s *Server) boundRoutes(r chi.Router) {
	r.Group(func(r chi.Router) {
		r.Use(s.Edge.ForUploads()...)
		s.live.Routes(r)
	})
	r.Group(func(r chi.Router) {
		r.Use(s.Edge.Bounds(s.config.MaxImportBody, s.config.ImportTimeout), s.Edge.Compress)
		r.Use(s.Edge.ForImports()...)
		s.ImportRoutes(r)
	})
	r.Group(func(r chi.Router) {
		r.Use(s.Edge.Bounds(s.config.Documents.MaxBytes, s.config.ImportTimeout))
		r.Use(s.Edge.ForUploads()...)
		s.PictureRoutes(r)
	})
	r.Group(func(r chi.Router) {
		r.Use(s.Edge.Bounds(s.config.Documents.MaxBytes, s.config.ImportTimeout))
		s.FileRoutes(r)
	})
}

// contractRoutes are those whose decoding and encoding is generated.
func (s *Server) contractRoutes(r chi.Router) {
	checks := []contract.StrictMiddlewareFunc{edge.TextsOnly[contract.StrictHandlerFunc]}
	strict := contract.NewStrictHandlerWithOptions(s, checks, contract.StrictHTTPServerOptions{
		RequestErrorHandlerFunc:  s.Edge.FailDecoding,
		ResponseErrorHandlerFunc: s.Edge.Fail,
	})
	contract.HandlerWithOptions(strict, contract.ChiServerOptions{BaseRouter: r, ErrorHandlerFunc: s.Edge.Fail})
}
