// Package limit bounds how many callers per key use something at once: a locked
// row, connections, processors.
package limit

import (
	"context"
	"sync"
)

// PerKey is a semaphore for each key. Callers beyond the limit wait here, where they
// hold nothing that callers with another key need.
type PerKey[K comparable] struct {
	mu    sync.Mutex
	limit int
	keys  map[K]*semaphore
}

type semaphore struct {
	slots   chan struct{}
	callers int // with a slot or waiting for one
}

// New returns a limiter of that many callers per key, at least one.
func New[K comparable](atOnce int) *PerKey[K] {
	return &PerKey[K]{limit: max(atOnce, 1), keys: map[K]*semaphore{}}
}

// Acquire waits for a slot of the key, or until ctx ends, and then returns its error.
// The caller must call release; calling it again does nothing.
func (p *PerKey[K]) Acquire(ctx context.Context, key K) (release func(), err error) {
	s := p.join(key)
	select {
	case s.slots <- struct{}{}:
		return sync.OnceFunc(func() {
			<-s.slots
			p.leave(key, s)
		}), nil
	case <-ctx.Done():
		p.leave(key, s)
		return nil, ctx.Err()
	}
}

func (p *PerKey[K]) join(key K) *semaphore {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.keys[key]
	if s == nil {
		s = &semaphore{slots: make(chan struct{}, p.limit)}
		p.keys[key] = s
	}
	s.callers++
	return s
}

// leave forgets the key with its last caller.
func (p *PerKey[K]) leave(key K, s *semaphore) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.callers--; s.callers == 0 {
		delete(p.keys, key)
	}
}
