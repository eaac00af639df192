// Package live tells browsers which things have changed, as it happens, so that pages
// ask for them anew. A hint says nothing of what became of a thing: that is read by the
// operations for it, which check who asks.
package live

import (
	"context"
	"log/slog"
	"time"

	"github.com/go-chi/chi/v5"

	"waybill/api/edge"
	"waybill/store"
)

// Log is where hints come from.
type Log interface {
	// LogEnd returns the last position of the log.
	LogEnd(ctx context.Context) (int64, error)
	// Hints returns what was added behind a position, oldest first.
	Hints(ctx context.Context, after int64, atMost int32) ([]store.Hint, error)
}

// Dependencies are what the handlers work with.
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
	hub  *hub
}

// New makes handlers.
func New(d Dependencies) *Handlers {
	if d.Lifetime == nil {
		d.Lifetime = context.Background()
	}
	return &Handlers{edge: d.Edge, hub: newHub(d.Lifetime, d.Log, d.Logger)}
}

// Routes are those that answer for as long as somebody listens, so that no bounds of
// other requests hold for them.
func (h *Handlers) Routes(r chi.Router) {
	r.Get("/v1/events/stream", h.edge.Handle(h.stream))
}

// Bounds of streams.
const (
	maxListeners = 200                    // of an organization, in one process
	maxOfOne     = 20                     // of one person
	pollEvery    = 250 * time.Millisecond // while somebody listens
	batch        = 1000                   // hints that are read at a time
	kept         = 10_000                 // hints for those whose connection broke
	queued       = 256                    // hints that a slow listener may be behind
	checkEvery   = 2 * time.Second        // whether a listener may still listen
	beatEvery    = 15 * time.Second       // so that nothing between takes a quiet stream for a dead one
	writeIn      = 10 * time.Second       // how long a listener may take for a write
)
