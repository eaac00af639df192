package travel

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"waybill/domain/planning"
)

const (
	// lostFor is how long a place that the server rejects is not requested
	// again.
	lostFor = time.Hour
	// mostLost is how many places are looked for in one block if the server does not say that it is
	// for its places; where more are refused, it is not. If it says so, it is mostPlaced.
	mostLost, mostPlaced = 20, 500
)

// lostPlace is a place that the server rejects.
type lostPlace struct {
	until time.Time
	// outside places are where the server has no roads.
	outside bool
	// nearest is the nearest point of a road, if the server says one.
	nearest planning.Nearest
}

// lost are places that are too far from any road according to the server, by source.
type lost struct {
	now func() time.Time

	mu    sync.Mutex
	until map[Source]map[Cell]lostPlace
}

// of returns the places that are lost now.
func (l *lost) of(source Source) map[Cell]lostPlace {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.until[source], func(_ Cell, p lostPlace) bool { return !l.now().Before(p.until) })
	cells := make(map[Cell]lostPlace, len(l.until[source]))
	maps.Copy(cells, l.until[source])
	return cells
}

// add notes a place. Places of other versions of the same roads go.
func (l *lost) add(source Source, cell Cell, p lostPlace) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.until == nil {
		l.until = map[Source]map[Cell]lostPlace{}
	}
	for other := range l.until {
		if other.Provider == source.Provider && other.Profile == source.Profile && other.Version != source.Version {
			delete(l.until, other)
		}
	}
	if l.until[source] == nil {
		l.until[source] = map[Cell]lostPlace{}
	}
	l.until[source][cell] = p
}

// isolate finds the places for which the server refuses a block, and reports whether there are any.
// They are not asked for again for a while.
func (a *asking) isolate(ctx context.Context, from, to []int, why error) (found bool) {
	cells := slices.Clone(from)
	for _, n := range to {
		if !slices.Contains(from, n) {
			cells = append(cells, n)
		}
	}
	most := mostLost
	if saysPlaces(why) {
		most = mostPlaced
	}
	bad := map[int]bool{} // whether it is outside
	a.find(ctx, cells, most, bad)
	isOutside := slices.Contains(slices.Collect(maps.Values(bad)), true)
	if ctx.Err() != nil || len(bad) == 0 || !isOutside && (len(bad) == len(cells) || len(bad) > most) {
		return false // it is not for its places
	}
	s := a.survey
	for n, outside := range bad {
		p := lostPlace{until: a.tables.now().Add(lostFor), outside: outside}
		if !outside {
			p.nearest = a.tables.nearest(ctx, s.source.Profile, s.known.placed([]int{n})[0])
		}
		s.lost[s.known.cell(n)] = p
		a.tables.lost.add(s.source, s.known.cell(n), p)
	}
	return true
}

// find bisects cells until the rejected ones are alone.
func (a *asking) find(ctx context.Context, cells []int, most int, bad map[int]bool) {
	if len(cells) == 0 || len(bad) > most || ctx.Err() != nil {
		return
	}
	if len(cells) < 2*a.tables.provider.Side() {
		_, err := a.request(ctx, cells[:1], cells)
		if !refused(err) {
			return
		}
		if len(cells) == 1 {
			bad[cells[0]] = outside(err)
			return
		}
	}
	a.find(ctx, cells[:len(cells)/2], most, bad)
	a.find(ctx, cells[len(cells)/2:], most, bad)
}

// nearest returns the nearest point of a road, or nothing if the server does not say it.
func (t *Tables) nearest(ctx context.Context, profile Profile, p Point) planning.Nearest {
	locator, locates := t.Asked(profile).(Locator)
	if !locates || t.breaker.Left() > 0 {
		return planning.Nearest{}
	}
	nearest, err := locator.Nearest(ctx, profile, p)
	t.heed(ctx, err)
	if err != nil {
		return planning.Nearest{}
	}
	return nearest
}

// refused reports whether a server found fault with the question itself.
func refused(err error) bool {
	var fault *Fault
	return errors.As(err, &fault) && fault.Asked
}

// placed reports whether a server may have refused a question for its places.
func placed(err error) bool { return refused(err) && !apart(err) }

// saysPlaces reports whether a server says that it is for its places.
func saysPlaces(err error) bool {
	var fault *Fault
	return errors.As(err, &fault) && (fault.Code == noSegment || fault.Outside)
}

// apart reports whether a server has no way between some of the places.
func apart(err error) bool {
	var fault *Fault
	return errors.As(err, &fault) && fault.Apart
}

// outside reports whether a server has no roads near a place.
func outside(err error) bool {
	var fault *Fault
	return errors.As(err, &fault) && fault.Outside
}
