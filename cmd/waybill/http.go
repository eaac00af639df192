package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"

	serviceapi "waybill/api/service"
	"waybill/store/schema"
)

// Limits of a connection. The api limits each request in addition.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 6 * time.Minute // 64 MiB over a slow line
	writeTimeout  = 10 * time.Minute
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
)

// httpServer serves until it is stopped, and then finishes its requests.
type httpServer struct {
	address  string
	handler  http.Handler
	logger   *slog.Logger
	patience time.Duration
	// stopping is set first of all, so that /readyz sends new callers
	// elsewhere.
	stopping *atomic.Bool
}

// Run listens until ctx ends. It returns an error when the address is taken.
func (h *httpServer) Run(ctx context.Context) error {
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", h.address)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{
		Handler:           h.handler,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout,
		WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeader,
		ErrorLog:       slog.NewLogLogger(h.logger.Handler(), slog.LevelDebug),
	}
	h.logger.InfoContext(ctx, "listening", "address", listener.Addr().String())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve HTTP: %w", err)
	case <-ctx.Done():
	}
	return h.stop(ctx, server)
}

func (h *httpServer) stop(ctx context.Context, server *http.Server) error {
	h.stopping.Store(true)
	h.logger.InfoContext(ctx, "finishing requests")
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), h.patience)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		h.logger.WarnContext(ctx, "requests aborted", "error", err)
		return server.Close()
	}
	return nil
}

// readinessChecks are the dependencies of a process.
func (s *service) readinessChecks() []serviceapi.Check {
	running := serviceapi.Check{Name: "running", Run: func(context.Context) error {
		if s.stopping.Load() {
			return errors.New("the process is stopping")
		}
		return nil
	}}
	return append([]serviceapi.Check{running}, s.dependencies()...)
}

// dependencies are the servers that a process needs. serve can handle nearly
// everything without Temporal; work does nothing without it. lookups may be
// nil.
func (s *service) dependencies() []serviceapi.Check {
	pool, lookups := s.pool, s.lookups
	return []serviceapi.Check{
		{Name: "postgres", Run: func(ctx context.Context) error {
			if lookups == nil {
				return pool.Ping(ctx)
			}
			return errors.Join(pool.Ping(ctx), lookups.Ping(ctx))
		}},
		{Name: "schema", Run: func(ctx context.Context) error { return schema.Check(ctx, pool) }},
		{Name: "temporal", Spared: s.name == serveSession, Run: func(ctx context.Context) error {
			return checkTemporal(ctx, s.temporal)
		}},
	}
}

// newProbes answers operators at an address.
func (s *service) newProbes(address string) *httpServer {
	return &httpServer{
		address:  address,
		handler:  newProbesHandler(s.readinessChecks(), s.registry, s.logger, newLevelSwitch(s.level, s.logger)),
		logger:   s.logger,
		patience: s.config.ShutdownTimeout, stopping: &s.stopping,
	}
}

// newProbesHandler serves probes and metrics of a process without an API.
func newProbesHandler(
	checks []serviceapi.Check, registry *prometheus.Registry, logger *slog.Logger, level *levelSwitch,
) http.Handler {
	r := chi.NewRouter()
	serviceapi.NewProbes(checks, registry, logger).Routes(r)
	debugRoutes(r, level)
	return r
}
