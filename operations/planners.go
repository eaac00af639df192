package operations

import (
	"context"
	"sync/atomic"
)

// planners lets few searches of one process work at a time, so that the others
// have the machine as well. Who improves what is known already gives way to who
// has something new.
type planners struct {
	seats  chan struct{}
	urgent atomic.Int32
}

func newPlanners(atOnce int) *planners { return &planners{seats: make(chan struct{}, max(1, atOnce))} }

// take waits for a seat, and returns how it is given back.
func (p *planners) take(ctx context.Context, urgent bool) (release func(), err error) {
	if urgent {
		p.urgent.Add(1)
		defer p.urgent.Add(-1)
	}
	select {
	case p.seats <- struct{}{}:
		return func() { <-p.seats }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// wanted reports whether somebody waits who has something new.
func (p *planners) wanted() bool { return p.urgent.Load() > 0 }
