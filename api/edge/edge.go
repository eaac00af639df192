// Package edge handles what all requests have in common: authentication, rate
// limits, idempotency, the wording and language of errors, and logs, metrics
// and traces. It also has the helpers shared by the areas, such as those for
// pages. The operations themselves belong to the packages of their areas.
package edge

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"waybill/api/contract"
	"waybill/store"
)

// Config are the settings of the edge.
type Config struct {
	// RateLimit is how many requests per second a caller may send over time,
	// RateBurst how many at once; 0 means unlimited.
	RateLimit float64
	RateBurst int
	// MaxBody and RequestTimeout apply to every route that does not set its own
	// bounds.
	MaxBody        int64
	RequestTimeout time.Duration
	// BodyBytes is how many bytes of bodies are in memory at a time, BodyShare how
	// many of them for one organization. Small bodies do not count.
	BodyBytes, BodyShare int64
	// BodyPatience is how long a body may keep us waiting for its next bytes.
	BodyPatience time.Duration
	// HeavyRequests is how many heavy requests are served at a time, HeavyShare how
	// many of them for one organization; 0 means unlimited. TurnPatience is how long
	// others wait.
	HeavyRequests, HeavyShare int
	TurnPatience              time.Duration
	// TrustedProxies are the networks whose X-Forwarded-For is believed.
	TrustedProxies []string
	// PublicURL is the service's address as browsers see it; it decides how they
	// keep sessions.
	PublicURL string
}

// Dependencies are the dependencies of the edge.
type Dependencies struct {
	// Logger receives a record of every request.
	Logger *slog.Logger
	Keys   KeyFinder
	// Sessions finds the credentials of people and devices, SessionUse records
	// their last use; without the first they cannot authenticate.
	Sessions   SessionFinder
	SessionUse SessionToucher
	// Authenticators identify callers in other ways; the first that succeeds
	// counts.
	Authenticators []Authenticator
	// KeyUse records when keys were last used; nil records nothing.
	KeyUse KeyToucher
	// Store keeps responses to requests with an Idempotency-Key.
	Store *store.Store
	// Registry receives the metrics.
	Registry *prometheus.Registry
	// Tracing creates spans of requests; nil creates none.
	Tracing trace.TracerProvider
	Now     func() time.Time
}

// Edge has what all operations share.
type Edge struct {
	config         Config
	logger         *slog.Logger
	store          *store.Store
	now            func() time.Time
	keys           *keyring
	sessions       *keyring
	cookies        cookies
	keyLimiter     *Limiter[actor]
	limiter        *Limiter[actor] // of people and devices
	authenticators []Authenticator
	metrics        *metrics
	bodies         *bodyShares
	turns          *turns
	guesses        guesses // failed authentications
	tracer         trace.TracerProvider
	compress       func(http.Handler) http.HandlerFunc
	operations     contract.Operations
	languages      *languages
	operational    map[string]bool
}

// New returns an edge for the operations of the contract.
func New(config Config, deps Dependencies, operations contract.Operations) (*Edge, error) {
	config.BodyPatience = cmp.Or(config.BodyPatience, bodyPatience)
	config.TurnPatience = cmp.Or(config.TurnPatience, turnPatience)
	languages, unspoken := newLanguages()
	metrics, uncounted := newMetrics(deps.Registry, deps.Now)
	bodies, unmeasured := newBodyShares(config, deps.Registry)
	compress, uncompressed := newCompression()
	if err := errors.Join(unspoken, uncounted, unmeasured, uncompressed); err != nil {
		return nil, err
	}
	return &Edge{
		config:         config,
		logger:         deps.Logger,
		store:          deps.Store,
		now:            deps.Now,
		keys:           newKeys(deps),
		sessions:       newSessions(deps),
		guesses:        newGuesses(config, deps),
		cookies:        newCookies(config.PublicURL),
		keyLimiter:     NewLimiter[actor]("key", config.RateLimit, config.RateBurst, deps.Now),
		limiter:        NewLimiter[actor]("caller", config.RateLimit, config.RateBurst, deps.Now),
		authenticators: deps.Authenticators,
		metrics:        metrics,
		bodies:         bodies,
		turns:          newTurns(config.HeavyRequests, config.HeavyShare, config.TurnPatience),
		tracer:         deps.Tracing,
		compress:       compress,
		operations:     operations,
		languages:      languages,
		operational:    operationalRoutes(),
	}, nil
}

// Middlewares are the middlewares of every request.
func (e *Edge) Middlewares() chi.Middlewares {
	return chi.Middlewares{
		NotesAddress(e.config.TrustedProxies), e.recordExchange, e.tracing(e.tracer), e.recoverPanic, e.requireText,
		middleware.GetHead,
	}
}

// UsualBounds are those of every route without its own. The contract may
// allow an operation a larger body.
func (e *Edge) UsualBounds() func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		usual := e.Bounds(e.config.MaxBody, e.config.RequestTimeout)(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if op := e.operationOf(r); op != nil && op.MaxBodyMiB > 0 {
				e.Bounds(op.MaxBodyMiB<<20, e.config.RequestTimeout)(next).ServeHTTP(w, r)
				return
			}
			usual.ServeHTTP(w, r)
		})
	}
}

// ForCallers are the middlewares of requests that need a caller:
// authentication, rate limit, authorization, turns of heavy requests, and room
// for bodies.
func (e *Edge) ForCallers() chi.Middlewares {
	return append(e.ForUploads(), e.takeTurns, e.ShareBodies)
}

// ForImports are ForCallers whose bodies may be compressed.
func (e *Edge) ForImports() chi.Middlewares {
	return append(e.ForUploads(), e.takeTurns, e.decompress, e.ShareBodies)
}

// ForUploads are ForCallers of bytes that are streamed, and so need no memory.
func (e *Edge) ForUploads() chi.Middlewares {
	return chi.Middlewares{e.authenticate, e.limitRate, e.authorize, e.refuseEmptyDates}
}

// NotFound answers requests that no route matches.
func (e *Edge) NotFound() http.HandlerFunc { return e.Handle(routeNotFound) }

// MethodNotAllowed answers requests for a path that lacks their method. Where the
// path's operations need a caller, so does this answer.
func (e *Edge) MethodNotAllowed() http.HandlerFunc {
	refuse := e.Handle(methodNotAllowed)
	toCallers := e.authenticate(e.limitRate(refuse))
	return func(w http.ResponseWriter, r *http.Request) {
		if e.forKnownCallers(r) {
			toCallers.ServeHTTP(w, r)
			return
		}
		refuse(w, r)
	}
}
