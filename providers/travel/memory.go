package travel

import (
	"sync"
	"time"
	"unsafe"

	"waybill/domain/planning"
	"waybill/domain/routing"
)

// Memory keeps the legs between the places of one area in the process, so that the
// next table only reads and requests new places. Its zero value is empty.
type Memory struct {
	mu    sync.Mutex
	known map[Source]*known
}

const (
	// remembered is how long legs are believed without reading them again.
	remembered = 12 * time.Hour
	// spareNames is how many more places than twice those of a table are kept: those of past orders.
	spareNames = 64
)

// Bytes is about how much the memory holds.
func (m *Memory) Bytes() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	sum := int64(0)
	for _, k := range m.known {
		sum += k.bytes()
	}
	return sum
}

// of returns what is known of a source. Legs of other versions of the same roads go.
func (m *Memory) of(source Source, cells int, now time.Time) *known {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[Source]*known{}
	}
	for other := range m.known {
		if other.Provider == source.Provider && other.Profile == source.Profile && other.Version != source.Version {
			delete(m.known, other)
		}
	}
	k := m.known[source]
	if k == nil || k.oversized(cells) || now.Sub(k.since) > remembered {
		k = &known{index: map[Cell]int{}, since: now}
		m.known[source] = k
	}
	return k
}

// Forget has the legs of all places read and requested again.
func (m *Memory) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.known)
}

// known has the legs of one source between cells, which have numbers. Not every leg is known.
type known struct {
	mu    sync.Mutex
	index map[Cell]int
	cells []Cell
	// points has a point of each cell, which is used in requests.
	points []Point
	// meters are how far the cells are from a road.
	meters []int32
	// read marks the cells whose legs were looked up in the cache.
	read []bool

	side   int
	legs   []routing.Leg
	kinds  []Kind
	bounds calibration
	since  time.Time
}

// Kind is what is known of a leg.
type Kind uint8

// A leg is a lower bound until the server is asked for it. Some legs are estimates for good, because
// the server has no roads there.
const (
	Bound Kind = iota
	Real
	Estimate
)

func (k *known) bytes() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return int64(len(k.legs)) * int64(unsafe.Sizeof(routing.Leg{})+unsafe.Sizeof(Bound))
}

// oversized reports whether most of the cells are no longer used.
func (k *known) oversized(cells int) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.cells) > 2*cells+spareNames
}

// number returns the numbers of points, and gives those of new cells one.
func (k *known) number(points []Point) []int {
	k.mu.Lock()
	defer k.mu.Unlock()
	numbers := make([]int, len(points))
	for i, p := range points {
		cell := planning.CellOf(p)
		n, old := k.index[cell]
		if !old {
			n = len(k.cells)
			k.index[cell] = n
			k.cells, k.points = append(k.cells, cell), append(k.points, p)
			k.meters, k.read = append(k.meters, planning.UnknownMeters), append(k.read, false)
		}
		numbers[i] = n
	}
	k.grow()
	return numbers
}

// grow makes room for all cells, and some more.
func (k *known) grow() {
	if len(k.cells) <= k.side {
		return
	}
	side := len(k.cells) + len(k.cells)/8
	legs, kinds := make([]routing.Leg, side*side), make([]Kind, side*side)
	for i := range k.side {
		copy(legs[i*side:], k.legs[i*k.side:(i+1)*k.side])
		copy(kinds[i*side:], k.kinds[i*k.side:(i+1)*k.side])
	}
	k.side, k.legs, k.kinds = side, legs, kinds
}

// unread returns those of some cells whose legs were never looked up in the cache, and marks them.
func (k *known) unread(numbers []int) (fresh []Cell) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, n := range numbers {
		if !k.read[n] {
			k.read[n] = true
			fresh = append(fresh, k.cells[n])
		}
	}
	return fresh
}

// reread has cells looked up again the next time, because the cache failed.
func (k *known) reread(cells []Cell) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, cell := range cells {
		k.read[k.index[cell]] = false
	}
}

// learn takes over the legs of a block between cells that it has. Those of others are ignored.
func (k *known) learn(b *Block, kind Kind) {
	k.mu.Lock()
	defer k.mu.Unlock()
	from, to := k.find(b.From, b.FromMeters), k.find(b.To, b.ToMeters)
	for i, a := range from {
		if a < 0 {
			continue
		}
		row := b.Legs[i*len(to) : (i+1)*len(to)]
		for j, leg := range row {
			if n := to[j]; n >= 0 && n != a {
				k.legs[a*k.side+n], k.kinds[a*k.side+n] = leg, kind
			}
		}
	}
	if kind == Real {
		k.bounds.learn(k, from, to, b.Legs)
	}
}

// find returns the numbers of cells, or -1, and notes how far they are from a road.
func (k *known) find(cells []Cell, meters []int32) []int {
	numbers := make([]int, len(cells))
	for i, cell := range cells {
		n, has := k.index[cell]
		if !has {
			n = -1
		} else if i < len(meters) && meters[i] >= 0 {
			k.meters[n] = meters[i]
		}
		numbers[i] = n
	}
	return numbers
}
