package planning

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// planners lets few searches of one process work at a time, so that the others have the
// machine as well. A search for something new gets the next free seat, and a search that
// improves what is known gives its seat up for it. Among those that wait, the organization
// that has the fewest seats comes first, so that nobody waits behind all plans of another.
type planners struct {
	mu        sync.Mutex
	all, free int
	// urgent and patient are the searches that wait, the first one first.
	urgent, patient []*planSeat
	// taken counts the seats that each organization has.
	taken map[int64]int
	// spares counts the searches that wait but could be tried again later.
	spares int
}

// MostSpares is how many searches of a process wait at a time that could be tried again later. A worker that takes
// more than these has room for what is new while all days of an organization are improved.
const MostSpares = 4

// ErrSeatsTaken says that enough searches wait already. It is worth trying again in a moment.
var ErrSeatsTaken = errors.New("other plans are searched first")

// planSeat is that of a search of an organization; turn is closed when the search has it.
type planSeat struct {
	org  int64
	turn chan struct{}
}

func newPlanners(atOnce int) *planners {
	return &planners{all: max(1, atOnce), free: max(1, atOnce), taken: map[int64]int{}}
}

// seats is how many searches can work at a time.
func (p *planners) seats() int { return p.all }

// ErrEndedWaiting says that a search was ended before it had begun.
var ErrEndedWaiting = errors.New("the search was stopped before it started")

// take waits for a seat for a search of an organization, and returns how it is given back.
func (p *planners) take(
	ctx context.Context, org int64, urgent bool, ended <-chan struct{},
) (release func(), err error) {
	s := p.queue(org, urgent)
	select {
	case <-s.turn:
		return func() { p.next(s) }, nil
	case <-ended:
		err = ErrEndedWaiting
	case <-ctx.Done():
		err = ctx.Err()
	}
	p.leave(s)
	return nil, err
}

// takeSpare is take for a search that improves what is known. It is refused while MostSpares such searches wait.
func (p *planners) takeSpare(ctx context.Context, org int64, ended <-chan struct{}) (release func(), err error) {
	if !p.countSpare(1) {
		return nil, ErrSeatsTaken
	}
	defer p.countSpare(-1)
	return p.take(ctx, org, false, ended)
}

// countSpare counts a search that waits, or no longer does, unless there are enough.
func (p *planners) countSpare(more int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spares+more > MostSpares {
		return false
	}
	p.spares += more
	return true
}

// queue returns a seat whose turn it is when there is one.
func (p *planners) queue(org int64, urgent bool) *planSeat {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := &planSeat{org: org, turn: make(chan struct{})}
	switch {
	case p.free > 0: // then nobody waits
		p.free--
		p.seat(s)
	case urgent:
		p.urgent = append(p.urgent, s)
	default:
		p.patient = append(p.patient, s)
	}
	return s
}

func (p *planners) seat(s *planSeat) {
	p.taken[s.org]++
	close(s.turn)
}

// next gives a seat that is free again to the search that is to have it.
func (p *planners) next(left *planSeat) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[left.org]--; p.taken[left.org] == 0 {
		delete(p.taken, left.org)
	}
	for _, waiting := range []*[]*planSeat{&p.urgent, &p.patient} {
		if len(*waiting) > 0 {
			at := p.first(*waiting)
			p.seat((*waiting)[at])
			*waiting = slices.Delete(*waiting, at, at+1)
			return
		}
	}
	p.free++
}

// first returns the place of the search that is to have a seat next.
func (p *planners) first(waiting []*planSeat) int {
	first := 0
	for i, s := range waiting {
		if p.taken[s.org] < p.taken[waiting[first].org] {
			first = i
		}
	}
	return first
}

// leave waits no longer. A seat that came at the same moment goes to the next search.
func (p *planners) leave(s *planSeat) {
	p.mu.Lock()
	it := func(other *planSeat) bool { return other == s }
	waiting := len(p.urgent) + len(p.patient)
	p.urgent, p.patient = slices.DeleteFunc(p.urgent, it), slices.DeleteFunc(p.patient, it)
	seated := len(p.urgent)+len(p.patient) == waiting
	p.mu.Unlock()
	if seated {
		p.next(s)
	}
}

// wanted reports whether a search for something new waits.
func (p *planners) wanted() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.urgent) > 0
}
