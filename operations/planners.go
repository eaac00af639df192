package operations

import (
	"context"
	"errors"
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

// ErrEndedWaiting says that a search was ended before it had begun.
var ErrEndedWaiting = errors.New("the search was ended before its turn")

// take waits for a seat, and returns how it is given back.
func (p *planners) take(ctx context.Context, urgent bool, ended <-chan struct{}) (release func(), err error) {
	if urgent {
		p.urgent.Add(1)
		defer p.urgent.Add(-1)
	}
	select {
	case p.seats <- struct{}{}:
		return func() { <-p.seats }, nil
	case <-ended:
		return nil, ErrEndedWaiting
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// wanted reports whether somebody waits who has something new.
func (p *planners) wanted() bool { return p.urgent.Load() > 0 }
