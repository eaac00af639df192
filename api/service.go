package api

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
)

// Check is one thing that the service needs to do its work.
type Check struct {
	Name string
	// Run gives an error when the thing is out of reach. It is logged, never
	// answered.
	Run func(context.Context) error
}

// checkPatience is how long all the checks together may take.
const checkPatience = 2 * time.Second

const (
	checkOK          = "ok"
	checkUnavailable = "unavailable"
)

// serviceRoutes are the service's own, without authentication.
func (s *Server) serviceRoutes(r chi.Router) {
	r.Get("/healthz", s.handle(s.health))
	r.Get("/readyz", s.handle(s.readiness))
	r.Method(http.MethodGet, "/metrics", s.metrics.handler)
	r.Method(http.MethodGet, "/openapi.yaml", s.assets["openapi.yaml"])
	r.Method(http.MethodGet, "/docs", s.assets["index.html"])
	r.Method(http.MethodGet, "/docs/", s.assets["index.html"])
	r.Get("/docs/{file}", s.handle(s.docsFile))
}

// operationalRoutes are those that are asked for so often, or by so few, that
// their success is not worth a line in the log.
func operationalRoutes() map[string]bool {
	return map[string]bool{
		"/healthz": true, "/readyz": true, "/metrics": true,
		"/openapi.yaml": true, "/docs": true, "/docs/{file}": true,
	}
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, Health{Status: checkOK})
}

// readiness runs all checks at the same time.
func (s *Server) readiness(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), checkPatience)
	defer cancel()
	faults := make([]error, len(s.checks))
	var wg sync.WaitGroup
	for i, check := range s.checks {
		wg.Go(func() { faults[i] = check.Run(ctx) })
	}
	wg.Wait()
	answer := Readiness{Status: ReadinessStatusOk, Checks: make(map[string]string, len(s.checks))}
	status := http.StatusOK
	for i, check := range s.checks {
		answer.Checks[check.Name] = checkOK
		if err := faults[i]; err != nil {
			answer.Checks[check.Name] = checkUnavailable
			answer.Status, status = ReadinessStatusUnavailable, http.StatusServiceUnavailable
			s.logger.LogAttrs(ctx, slog.LevelWarn, "not ready",
				slog.String("check", check.Name), slog.Any("error", err))
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	return writeJSON(w, status, answer)
}
