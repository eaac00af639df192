package travel

import (
	"sync"
	"time"
	"unsafe"

	"waybill/domain/routing"
)

// Memory caches the legs of the places of one area in the process, so that the
// next table only reads and requests new places. Its zero value is empty.
type Memory struct {
	mu    sync.Mutex
	flown map[Profile]*matrix[Point]
	known map[providedFor]*matrix[Cell]
}

// providedFor is a provider's profile.
type providedFor struct {
	provider string
	profile  Profile
}

// remembered is how long legs are believed without reading them again.
const remembered = 12 * time.Hour

// spareNames is how many more places than a table a matrix keeps: those of past
// orders.
const spareNames = 64

// Bytes is about how much the memory holds.
func (m *Memory) Bytes() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	sum := int64(0)
	for _, x := range m.flown {
		sum += x.bytes()
	}
	for _, x := range m.known {
		sum += x.bytes()
	}
	return sum
}

// fly returns the straight-line estimates between points. It computes only new
// ones.
func (m *Memory) fly(profile Profile, points []Point) []routing.Leg {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.flown == nil {
		m.flown = map[Profile]*matrix[Point]{}
	}
	x := m.flown[profile]
	if x == nil || x.oversized(len(points)) {
		x = newMatrix[Point](time.Time{})
		m.flown[profile] = x
	}
	at := x.name(points)
	n := len(points)
	legs := make([]routing.Leg, n*n)
	for i, from := range at {
		known, have, row := x.legs[from*x.side:(from+1)*x.side], x.have[from*x.side:(from+1)*x.side], legs[i*n:(i+1)*n]
		for j, to := range at {
			if !have[to] {
				known[to], have[to] = flight(profile, points[i], points[j]), true
			}
			row[j] = known[to]
		}
	}
	return legs
}

// read returns the known legs between cells, and which of the cells are new.
func (m *Memory) read(of providedFor, cells []Cell, now time.Time) (legs []routing.Leg, have []bool, fresh []Cell) {
	m.mu.Lock()
	defer m.mu.Unlock()
	x := m.known[of]
	if x == nil || x.oversized(len(cells)) || now.Sub(x.since) > remembered {
		x = newMatrix[Cell](now)
		delete(m.known, of)
	}
	legs, have = x.read(cells)
	for _, cell := range cells {
		if _, there := x.index[cell]; !there {
			fresh = append(fresh, cell)
		}
	}
	return legs, have, fresh
}

// write stores the known legs between cells.
func (m *Memory) write(of providedFor, cells []Cell, legs []routing.Leg, have []bool, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[providedFor]*matrix[Cell]{}
	}
	if m.known[of] == nil {
		m.known[of] = newMatrix[Cell](now)
	}
	m.known[of].write(cells, legs, have)
}

// matrix has legs between named places. Not every leg is known.
type matrix[K comparable] struct {
	index map[K]int
	side  int
	legs  []routing.Leg
	have  []bool
	since time.Time
}

func newMatrix[K comparable](now time.Time) *matrix[K] {
	return &matrix[K]{index: map[K]int{}, since: now}
}

func (x *matrix[K]) bytes() int64 {
	return int64(len(x.legs)) * int64(unsafe.Sizeof(routing.Leg{})+unsafe.Sizeof(false))
}

// oversized reports whether most of the places are no longer used.
func (x *matrix[K]) oversized(places int) bool { return len(x.index) > 2*places+spareNames }

// read copies the known legs between places.
func (x *matrix[K]) read(places []K) (legs []routing.Leg, have []bool) {
	n := len(places)
	legs, have = make([]routing.Leg, n*n), make([]bool, n*n)
	at := x.places(places)
	for i, from := range at {
		for j, to := range at {
			if from >= 0 && to >= 0 {
				legs[i*n+j], have[i*n+j] = x.legs[from*x.side+to], x.have[from*x.side+to]
			}
		}
	}
	return legs, have
}

func (x *matrix[K]) places(of []K) []int {
	at := make([]int, len(of))
	for i, place := range of {
		n, known := x.index[place]
		if !known {
			n = -1
		}
		at[i] = n
	}
	return at
}

// name returns the numbers of places, and assigns numbers to new ones.
func (x *matrix[K]) name(places []K) []int {
	for _, place := range places {
		if _, known := x.index[place]; !known {
			x.index[place] = len(x.index)
		}
	}
	x.grow()
	return x.places(places)
}

// write stores the legs between places for which have is true; nil means all.
func (x *matrix[K]) write(places []K, legs []routing.Leg, have []bool) {
	n := len(places)
	at := x.name(places)
	for i, from := range at {
		for j, to := range at {
			if have == nil || have[i*n+j] {
				x.legs[from*x.side+to], x.have[from*x.side+to] = legs[i*n+j], true
			}
		}
	}
}

// grow makes room for all places, and some more.
func (x *matrix[K]) grow() {
	if len(x.index) <= x.side {
		return
	}
	side := len(x.index) + len(x.index)/8
	legs, have := make([]routing.Leg, side*side), make([]bool, side*side)
	for i := range x.side {
		copy(legs[i*side:], x.legs[i*x.side:(i+1)*x.side])
		copy(have[i*side:], x.have[i*x.side:(i+1)*x.side])
	}
	x.side, x.legs, x.have = side, legs, have
}
