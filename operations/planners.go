package operations

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// planners lets few searches of one process work at a time, so that the others have the
// machine as well. A search for something new gets the next free seat, and a search that
// improves what is known gives its seat up for it.
type planners struct {
	mu   sync.Mutex
	free int
	// urgent and patient are the searches that wait, the first one first. A channel is
	// closed when its search has a seat.
	urgent, patient []chan struct{}
}

func newPlanners(atOnce int) *planners { return &planners{free: max(1, atOnce)} }

// ErrEndedWaiting says that a search was ended before it had begun.
var ErrEndedWaiting = errors.New("the search was ended before its turn")

// take waits for a seat, and returns how it is given back.
func (p *planners) take(ctx context.Context, urgent bool, ended <-chan struct{}) (release func(), err error) {
	turn := p.queue(urgent)
	select {
	case <-turn:
		return p.next, nil
	case <-ended:
		err = ErrEndedWaiting
	case <-ctx.Done():
		err = ctx.Err()
	}
	p.leave(turn)
	return nil, err
}

// queue returns a channel that is closed when there is a seat.
func (p *planners) queue(urgent bool) chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	turn := make(chan struct{})
	switch {
	case p.free > 0: // then nobody waits
		p.free--
		close(turn)
	case urgent:
		p.urgent = append(p.urgent, turn)
	default:
		p.patient = append(p.patient, turn)
	}
	return turn
}

// next gives a seat to the search that is to have it.
func (p *planners) next() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, waiting := range []*[]chan struct{}{&p.urgent, &p.patient} {
		if len(*waiting) > 0 {
			close((*waiting)[0])
			*waiting = (*waiting)[1:]
			return
		}
	}
	p.free++
}

// leave waits no longer. A seat that came at the same moment goes to the next search.
func (p *planners) leave(turn chan struct{}) {
	p.mu.Lock()
	it := func(c chan struct{}) bool { return c == turn }
	waiting := len(p.urgent) + len(p.patient)
	p.urgent, p.patient = slices.DeleteFunc(p.urgent, it), slices.DeleteFunc(p.patient, it)
	seated := len(p.urgent)+len(p.patient) == waiting
	p.mu.Unlock()
	if seated {
		p.next()
	}
}

// wanted reports whether a search for something new waits.
func (p *planners) wanted() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.urgent) > 0
}
