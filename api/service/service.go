package service

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
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

func (h *Handlers) health(w http.ResponseWriter, _ *http.Request) error {
	return edge.WriteJSON(w, http.StatusOK, contract.Health{Status: checkOK})
}

// readiness runs all checks at the same time.
func (h *Handlers) readiness(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), checkPatience)
	defer cancel()
	faults := make([]error, len(h.checks))
	var wg sync.WaitGroup
	for i, check := range h.checks {
		wg.Go(func() { faults[i] = check.Run(ctx) })
	}
	wg.Wait()
	answer := contract.Readiness{Status: contract.ReadinessStatusOk, Checks: make(map[string]string, len(h.checks))}
	status := http.StatusOK
	for i, check := range h.checks {
		answer.Checks[check.Name] = checkOK
		if err := faults[i]; err != nil {
			answer.Checks[check.Name] = checkUnavailable
			answer.Status, status = contract.ReadinessStatusUnavailable, http.StatusServiceUnavailable
			h.logger.LogAttrs(ctx, slog.LevelWarn, "not ready",
				slog.String("check", check.Name), slog.Any("error", err))
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	return edge.WriteJSON(w, status, answer)
}
