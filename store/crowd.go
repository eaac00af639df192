package store

import (
	"context"
	"sync"
)

// crowds lets a few at a time do what all others would have to wait for in the
// database, each with a connection: whoever wants the same waits here, and
// leaves the connections to those who want something else.
type crowds[K comparable] struct {
	mu  sync.Mutex
	few int
	all map[K]*crowd
}

type crowd struct {
	inside chan struct{}
	people int // inside or waiting
}

func newCrowds[K comparable](few int) *crowds[K] {
	return &crowds[K]{few: few, all: map[K]*crowd{}}
}

// enter waits for its turn, or until ctx ends. Leave must be called when it
// gives no error.
func (c *crowds[K]) enter(ctx context.Context, key K) (leave func(), err error) {
	c.mu.Lock()
	at := c.all[key]
	if at == nil {
		at = &crowd{inside: make(chan struct{}, c.few)}
		c.all[key] = at
	}
	at.people++
	c.mu.Unlock()
	select {
	case at.inside <- struct{}{}:
		return func() {
			<-at.inside
			c.forget(key, at)
		}, nil
	case <-ctx.Done():
		c.forget(key, at)
		return nil, ctx.Err()
	}
}

// forget lets one person go, and the crowd with the last one.
func (c *crowds[K]) forget(key K, at *crowd) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.people--; at.people == 0 {
		delete(c.all, key)
	}
}
