package service

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"waybill/api/contract"
	"waybill/api/edge"
)

// Check is one dependency of the service.
type Check struct {
	Name string
	// Spared is true if the process can serve without it, with limitations: it
	// is then degraded, but stays ready. Otherwise an outage of one server
	// would remove all processes from the load balancer at once.
	Spared bool
	// Run returns an error if the dependency is unavailable. It is logged, and
	// never part of a response.
	Run func(context.Context) error
}

// checkPatience is how long all the checks together may take.
const checkPatience = 2 * time.Second

// Probes serve a process's liveness, readiness and metrics, whether or not it
// serves the API.
type Probes struct {
	checks  []Check
	metrics http.Handler
	logger  *slog.Logger
}

// NewProbes returns probes that run the checks and show the registry.
func NewProbes(checks []Check, registry *prometheus.Registry, logger *slog.Logger) *Probes {
	return &Probes{checks: checks, metrics: promhttp.HandlerFor(registry, promhttp.HandlerOpts{}), logger: logger}
}

// Routes are /healthz, /readyz and /metrics.
func (p *Probes) Routes(r chi.Router) {
	r.Get("/healthz", p.health)
	r.Get("/readyz", p.readiness)
	r.Method(http.MethodGet, "/metrics", p.metrics)
}

func (p *Probes) health(w http.ResponseWriter, _ *http.Request) {
	_ = edge.WriteJSON(w, http.StatusOK, contract.Health{Status: contract.HealthStatusOk}) // otherwise the client is gone
}

// runAll runs checks at the same time.
func runAll(ctx context.Context, checks []Check) []error {
	faults := make([]error, len(checks))
	var wg sync.WaitGroup
	for i, check := range checks {
		wg.Go(func() { faults[i] = check.Run(ctx) })
	}
	wg.Wait()
	return faults
}

// readiness lists unavailable dependencies.
func (p *Probes) readiness(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), checkPatience)
	defer cancel()
	faults := runAll(ctx, p.checks)
	answer := contract.Readiness{
		Status: contract.ReadinessStatusOk, Checks: make(map[string]contract.CheckResult, len(p.checks)),
	}
	status := http.StatusOK
	for i, check := range p.checks {
		answer.Checks[check.Name] = contract.CheckResultOk
		if err := faults[i]; err != nil {
			answer.Checks[check.Name] = contract.CheckResultUnavailable
			what := "degraded"
			switch {
			case !check.Spared:
				what = "not ready"
				answer.Status, status = contract.ReadinessStatusUnavailable, http.StatusServiceUnavailable
			case status == http.StatusOK:
				answer.Status = contract.ReadinessStatusDegraded
			}
			p.logger.LogAttrs(ctx, slog.LevelWarn, what,
				slog.String("check", check.Name), slog.Any("error", err))
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	_ = edge.WriteJSON(w, status, answer) // otherwise the client is gone
}
