package travel

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"waybill/domain/routing"
)

const (
	// lostFor is how long a place that the server rejects is not requested
	// again.
	lostFor = time.Hour
	// mostLost is how many places are looked for in one table; where more are refused,
	// it is not the places.
	mostLost = 20
)

// lost are places that are too far from any road according to the server, by
// profile.
type lost struct {
	now func() time.Time

	mu    sync.Mutex
	until map[Profile]map[Cell]time.Time
}

// of returns the places that are lost now.
func (l *lost) of(p Profile) map[Cell]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	cells := map[Cell]bool{}
	for cell, until := range l.until[p] {
		if l.now().Before(until) {
			cells[cell] = true
			continue
		}
		delete(l.until[p], cell)
	}
	return cells
}

func (l *lost) add(p Profile, cell Cell) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.until == nil {
		l.until = map[Profile]map[Cell]time.Time{}
	}
	if l.until[p] == nil {
		l.until[p] = map[Cell]time.Time{}
	}
	l.until[p][cell] = l.now().Add(lostFor)
}

// askFor requests a block. If the server refuses it because of some places, these
// are found, and the rest of the block is requested.
func (t *Tables) askFor(ctx context.Context, s *survey, b block) (block, []routing.Leg, error) {
	b = s.without(b)
	if len(b.from) == 0 || len(b.to) == 0 {
		return b, nil, nil
	}
	legs, err := t.ask(ctx, s, b)
	if !refused(err) || len(s.lost) >= mostLost {
		return b, legs, err
	}
	cells := slices.Clone(b.from)
	for _, cell := range b.to {
		if !slices.Contains(cells, cell) {
			cells = append(cells, cell)
		}
	}
	found := t.find(ctx, s, cells, nil)
	if ctx.Err() != nil || len(found) == 0 || len(found) == len(cells) || len(found) > mostLost {
		return b, nil, err // it is not for its places
	}
	for _, cell := range found {
		s.lost[cell] = true
		t.lost.add(s.profile, cell)
	}
	if b = s.without(b); len(b.from) == 0 || len(b.to) == 0 {
		return b, nil, nil
	}
	legs, err = t.ask(ctx, s, b)
	return b, legs, err
}

// find bisects places until the rejected ones are isolated, and adds them to
// those found before.
func (t *Tables) find(ctx context.Context, s *survey, cells, found []Cell) []Cell {
	if len(found) > mostLost || ctx.Err() != nil {
		return found
	}
	if len(cells) <= t.provider.Side() {
		if _, err := t.ask(ctx, s, block{from: cells, to: cells}); !refused(err) {
			return found
		}
		if len(cells) == 1 {
			return append(found, cells[0])
		}
	}
	found = t.find(ctx, s, cells[:len(cells)/2], found)
	return t.find(ctx, s, cells[len(cells)/2:], found)
}

// refused reports whether a server found fault with the question itself.
func refused(err error) bool {
	var fault *Fault
	return errors.As(err, &fault) && fault.Asked
}

// without returns a block without the places that are lost.
func (s *survey) without(b block) block {
	isLost := func(cell Cell) bool { return s.lost[cell] }
	return block{
		from: slices.DeleteFunc(slices.Clone(b.from), isLost), to: slices.DeleteFunc(slices.Clone(b.to), isLost),
	}
}
