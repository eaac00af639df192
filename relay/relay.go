// Package relay distributes the log: it assigns committed events their final
// position and delivers them to the log's followers. The followers are in
// relay/followers; the SQL is in store.
package relay

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"waybill/internal/wait"
	"waybill/store"
)

// Timing of the coordination between processes. The shards of a stopped process
// become free within the lease and a beat of its last heartbeat, which is less
// than five seconds.
const (
	lease       = 3 * time.Second        // how long a sign of life counts
	beatEvery   = 500 * time.Millisecond // between heartbeats, and so between checks for free shards
	beatTimeout = 1500 * time.Millisecond
	leaveIn     = time.Second // time limit for sign-off
)

// Relay assigns committed events their final position in the log, and hands them
// to its followers. Any number of processes run one. One of them leads: it
// assigns the positions; the organizations, in shards, are spread over all of
// them, and each process serves the followers for its own shards. Ownership is
// held by leases.
type Relay struct {
	store     *store.Store
	logger    *slog.Logger
	followers []Follower
	metrics   metrics
	outage    outage
	// tracer creates spans for followers' work; nil creates none.
	tracer trace.Tracer
}

// New returns a relay over a store. Its metrics are registered with the
// registry, which may be nil.
func New(s *store.Store, logger *slog.Logger, registry prometheus.Registerer, followers ...Follower) *Relay {
	r := &Relay{store: s, logger: logger, followers: followers, metrics: newMetrics()}
	for _, f := range followers {
		r.metrics.begin(f.Name)
	}
	if registry != nil {
		r.metrics.register(registry)
	}
	return r
}

// Run takes part in the work until ctx ends. It outlives a database that is away for
// a while.
func (r *Relay) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := r.takePart(ctx); err != nil && ctx.Err() == nil {
			r.trouble(ctx, "relay interrupted", err)
		}
		wait.For(ctx, beatEvery)
	}
	return nil
}

// takePart does this process's share of the work while its lease lasts.
func (r *Relay) takePart(ctx context.Context) error {
	member := r.store.NewRelayMember(memberName(), lease)
	defer r.leave(context.WithoutCancel(ctx), member)
	delivery := r.newDelivery(ctx, member)
	defer delivery.end(context.WithoutCancel(ctx))
	lead := &lead{relay: r, member: member, wake: delivery.wake}
	defer lead.end()
	var givenUp []int16
	for renewed := time.Now(); ctx.Err() == nil; wait.For(ctx, beatEvery) {
		began := time.Now()
		standing, err := beat(ctx, member, givenUp)
		switch {
		case err == nil:
			renewed = began
			r.well(ctx)
			lead.set(ctx, standing.Leads)
			givenUp = delivery.hold(ctx, standing)
		case time.Since(renewed) > lease:
			return err
		}
	}
	return nil
}

func beat(ctx context.Context, member *store.RelayMember, givenUp []int16) (store.Standing, error) {
	ctx, cancel := context.WithTimeout(ctx, beatTimeout)
	defer cancel()
	return member.Beat(ctx, givenUp)
}

// leave releases the process's holdings, so that others can take over at once.
// If it fails, the lease expires.
func (r *Relay) leave(ctx context.Context, member *store.RelayMember) {
	ctx, cancel := context.WithTimeout(ctx, leaveIn)
	defer cancel()
	if err := member.Leave(ctx); err != nil {
		r.logger.DebugContext(ctx, "cannot leave relay", "error", err)
	}
}

// memberName returns the name that identifies this process to operators.
func memberName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s:%d", host, os.Getpid())
}
