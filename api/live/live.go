// Package live notifies browsers of changed records as it happens, so that
// pages can read them again. A hint has no content: browsers read it with the
// usual operations, which check permissions.
package live

import (
	"context"
	"log/slog"
	"time"

	"github.com/go-chi/chi/v5"

	"waybill/api/edge"
	"waybill/store"
)

// Log is the source of hints.
type Log interface {
	// LogEnd returns the last position of the log.
	LogEnd(ctx context.Context) (int64, error)
	// Hints returns the hints added after a position, oldest first.
	Hints(ctx context.Context, after int64, atMost int32) ([]store.Hint, error)
	// RouteAhead returns the current route of a driver.
	RouteAhead(ctx context.Context, org, driverID int64, now, since time.Time) (store.RoadAhead, error)
}

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Edge   *edge.Edge
	Log    Log
	Logger *slog.Logger
	// Lifetime ends when the process is about to, and streams with it; nil never ends.
	Lifetime context.Context
}

// Handlers serve streams of hints.
type Handlers struct {
	edge *edge.Edge
	log  Log
	hub  *hub
}

// New returns handlers.
func New(d Dependencies) *Handlers {
	if d.Lifetime == nil {
		d.Lifetime = context.Background()
	}
	return &Handlers{edge: d.Edge, log: d.Log, hub: newHub(d.Lifetime, d.Log, d.Logger)}
}

// Routes mounts the streams, which are exempt from the bounds of other
// requests.
func (h *Handlers) Routes(r chi.Router) {
	r.Get("/v1/events/stream", h.edge.Handle(h.stream))
	r.Get("/v1/driver/events/stream", h.edge.Handle(h.stream))
}

// Bounds of streams.
const (
	maxListeners = 200                    // people of an organization, in one process
	maxDrivers   = 2000                   // its drivers, in one process
	maxOfOne     = 20                     // of one person
	pollEvery    = 250 * time.Millisecond // while there are listeners
	batch        = 1000                   // hints that are read at a time
	kept         = 10_000                 // hints for those whose connection broke
	queued       = 256                    // hints that a slow listener may lag behind
	checkEvery   = 2 * time.Second        // whether a listener may still listen
	beatEvery    = 15 * time.Second       // so that proxies don't close a quiet stream
	writeIn      = 10 * time.Second       // how long a listener may take for a write
)
