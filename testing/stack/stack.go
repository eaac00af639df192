// Package stack starts the servers that Waybill depends on, for `make run`, the
// tests and the benchmarks: a private Postgres cluster, a Temporal server and a
// mailbox. Each can be stopped, killed and restarted on the same port and data,
// so that a test can cause outages.
//
// It knows nothing about Waybill; the devstack program does.
package stack

import (
	"context"
	"errors"
	"sync"
)

// Part is one member of a Group: something that runs until it is stopped.
type Part interface {
	// Done is closed when the part has ended, for whatever reason.
	Done() <-chan struct{}
	// Failure explains why the part ended by itself.
	Failure() error
	// Stop stops the part and returns when it is gone.
	Stop() error
	// Kill kills the part.
	Kill()
}

// Group is a set of running parts that live and end together.
type Group struct {
	mu    sync.Mutex
	parts []Part
	ended chan Part
	quit  chan struct{}
}

// NewGroup returns a group with no parts.
func NewGroup() *Group {
	return &Group{ended: make(chan Part), quit: make(chan struct{})}
}

// Add takes a part that has been started into the group.
func (g *Group) Add(part Part) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.parts = append(g.parts, part)
	go func() {
		select {
		case <-part.Done():
		case <-g.quit:
			return
		}
		select {
		case g.ended <- part:
		case <-g.quit:
		}
	}()
}

// Wait returns nil when ctx ends, or an error when a part ends by itself.
func (g *Group) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case part := <-g.ended:
		return part.Failure()
	}
}

// Stop ends the parts, the youngest first. The group takes no part after that.
func (g *Group) Stop() error {
	close(g.quit)
	parts := g.members()
	var errs []error
	for i := len(parts) - 1; i >= 0; i-- {
		errs = append(errs, parts[i].Stop())
	}
	return errors.Join(errs...)
}

// Kill kills every part, even during Stop.
func (g *Group) Kill() {
	for _, part := range g.members() {
		part.Kill()
	}
}

func (g *Group) members() []Part {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]Part(nil), g.parts...)
}
