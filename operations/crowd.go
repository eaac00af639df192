package operations

import (
	"context"
	"sync"
)

// crowds let a few at a time do what the database lets only one do after the
// other. The rest wait here and not in the database, where each would hold a
// connection that somebody with another errand needs.
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

// enter waits for a turn, or until ctx ends. Whoever got in calls leave.
func (c *crowds[K]) enter(ctx context.Context, key K) (leave func(), err error) {
	at := c.join(key)
	select {
	case at.inside <- struct{}{}:
		return func() {
			<-at.inside
			c.part(key, at)
		}, nil
	case <-ctx.Done():
		c.part(key, at)
		return nil, ctx.Err()
	}
}

func (c *crowds[K]) join(key K) *crowd {
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
func (c *crowds[K]) part(key K, at *crowd) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.people--; at.people == 0 {
		delete(c.all, key)
	}
}
