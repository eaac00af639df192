// Package crowd has many wait for their turn outside of what only a few can use at a
// time: a row that is locked, connections, processors.
package crowd

import (
	"context"
	"sync"
)

// Crowds let a few at a time do something, for each key. The rest wait here and not
// where it is done, and hold nothing meanwhile that somebody with another errand needs.
type Crowds[K comparable] struct {
	mu  sync.Mutex
	few int
	all map[K]*crowd
}

type crowd struct {
	inside chan struct{}
	people int // inside or waiting
}

// New makes crowds of which so many may do it at a time, at least one.
func New[K comparable](few int) *Crowds[K] {
	return &Crowds[K]{few: max(few, 1), all: map[K]*crowd{}}
}

// Enter waits for a turn, or until ctx ends, whose error it returns then. Whoever got in
// calls leave, which may be called again.
func (c *Crowds[K]) Enter(ctx context.Context, key K) (leave func(), err error) {
	at := c.join(key)
	select {
	case at.inside <- struct{}{}:
		return sync.OnceFunc(func() {
			<-at.inside
			c.part(key, at)
		}), nil
	case <-ctx.Done():
		c.part(key, at)
		return nil, ctx.Err()
	}
}

func (c *Crowds[K]) join(key K) *crowd {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.all[key]
	if at == nil {
		at = &crowd{inside: make(chan struct{}, c.few)}
		c.all[key] = at
	}
	at.people++
	return at
}

// part takes one out of a crowd; the last one takes the crowd along.
func (c *Crowds[K]) part(key K, at *crowd) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.people--; at.people == 0 {
		delete(c.all, key)
	}
}
