package routing

import (
	"math"
	"slices"
)

// model is a problem laid out for speed: what each visit requires of a route,
// which shifts may serve which requests, and rows of the matrix in both
// directions.
type model struct {
	p *Problem
	// spots has a template for each visit, amounts how much it brings on board.
	spots   []spot
	amounts []Load
	shifts  []bounds
	begun   begun
	before  []int32
	allowed table
	// closed are the spans of each visit, or nil when no stop has any.
	closed [][]Span
	// strict are the rules that spots don't know, or nil.
	strict *strict
	// profiles has those of the shifts that may serve a request.
	profiles table
	// ownVisits is true if some shift's vehicle is loaded before it begins, or makes visits in a manner of its own.
	ownVisits bool
	// out and in are rows of legs from and to a place, by profile; an extra last
	// place represents Anywhere. They are empty in a model for one request.
	out, in [][]Leg
	stride  int
	// tariffs are those of the shifts, and asks has what each request requires, by tariff. It is empty
	// without rows.
	tariffs []tariff
	asks    [][]ask
	// fees is true if a shift has one.
	fees bool
}

// bounds is a shift as the search sees it.
type bounds struct {
	limits
	k       int
	loading Loading
	manner  manner
	profile int
	tariff  int
	rates   Rates
	start   int64
	// regular is when overtime begins.
	regular  int64
	overtime Overtime
	balance  Balance
	// first is the place in a route before which nothing may be inserted, and
	// bounded the one from which on visits have a latest start.
	first    int
	bounded  int
	capacity Load
	// onBoard is its load at the start.
	onBoard Load
	// watched shifts have limits of their whole route.
	watched bool
	// busy is the matrix of a shift in traffic, or nil.
	busy *Travel
	// closed are the spans of each visit, or nil when no stop has any.
	closed [][]Span
	empty  *route
}

// spot is a place in a route, with the way to it.
type spot struct {
	place, visit int32
	// setup is how long it takes to set up at the site.
	site, setup int32
	// leave is as early as can be, latest is the latest start.
	leave, latest  int64
	opens, service int32
	closes, meters int32
	// seconds is the way to it, with the setup.
	seconds uint32
	load    Load
}

// terminal is the visit of the spots at both ends of a route.
const terminal = -1

func newModel(p *Problem) *model {
	m := layOutVisits(p)
	m.allow()
	return m
}

// layOutVisits returns a model without the permitted shifts of requests.
func layOutVisits(p *Problem) *model {
	m := &model{p: p, begun: p.begun(), before: make([]int32, len(p.Requests)), stride: p.stride()}
	for r, k := range p.Before.ShiftOf(len(p.Requests)) {
		m.before[r] = -1
		if k < len(p.Shifts) {
			m.before[r] = int32(k)
		}
	}
	m.spots = make([]spot, 2*len(p.Requests))
	for v := range m.spots {
		m.spots[v] = m.template(Visit(v))
	}
	m.amounts = make([]Load, len(m.spots))
	for v := range m.amounts {
		m.amounts[v] = m.spots[v].load
	}
	m.shifts, m.closed, m.strict = make([]bounds, len(p.Shifts)), p.closedSpans(), p.strict()
	m.ownVisits = slices.ContainsFunc(p.Shifts, func(s Shift) bool {
		return s.Loading.Site != 0 || s.manner() != manner{}
	})
	m.fees = slices.ContainsFunc(p.Shifts, func(s Shift) bool { return s.Fee > 0 })
	for k := range m.shifts {
		m.shifts[k] = m.boundsOf(k)
		for v, until := range m.shifts[k].until {
			m.spots[v].closes = int32(min(until, math.MaxInt32))
		}
		m.shifts[k].empty = m.frozenRoute(k)
	}
	return m
}

func (m *model) template(v Visit) spot {
	stop := m.p.stop(v)
	s := spot{
		place: m.index(stop.Place), visit: int32(v), site: int32(stop.Site), setup: int32(m.p.setup(stop.Site)),
		opens: int32(stop.Opens), closes: int32(stop.Closes), service: int32(stop.ServiceSeconds),
		load: m.p.Requests[v.Request()].Load,
	}
	if v.Delivers() {
		for d := range s.load {
			s.load[d] = -s.load[d]
		}
	}
	return s
}

func (m *model) index(place int) int32 {
	if place == Anywhere {
		return int32(m.stride - 1)
	}
	return int32(place)
}

func (m *model) boundsOf(k int) bounds {
	shift := &m.p.Shifts[k]
	var onBoard Load
	for _, r := range shift.OnBoard {
		for d, amount := range m.p.Requests[r].Load {
			onBoard[d] += amount
		}
	}
	return bounds{
		k: k, busy: m.p.busy(k), onBoard: onBoard, loading: shift.Loading, manner: shift.manner(), closed: m.closed,
		limits: m.p.limits(k), profile: shift.Profile, start: shift.Start, first: 1 + len(shift.Frozen),
		tariff: m.tariff(k), rates: m.p.Rates(k), regular: shift.End, overtime: shift.Overtime,
		balance: shift.Balance, bounded: 1 + shift.Fixed(),
		capacity: shift.Capacity, watched: shift.bounded(),
	}
}

// allow computes which shift may serve which request. A request without a
// position has none.
func (m *model) allow() {
	m.allowed = newTable(len(m.p.Requests), len(m.p.Shifts))
	m.profiles = newTable(len(m.p.Requests), len(m.p.Travel))
	for r := range m.p.Requests {
		m.allowOne(r)
		for k := range m.p.Shifts {
			if m.allowed.has(r, k) {
				m.profiles.set(r, m.p.Shifts[k].Profile)
			}
		}
	}
}

func (m *model) allowOne(r int) {
	if m.nowhere(r) || m.begun.frozen[r] {
		return
	}
	for k := range m.p.Shifts {
		if owed := m.begun.owed[r]; owed >= 0 && owed != k {
			continue
		}
		if code, _ := m.p.refusal(k, r, m.begun.shift[r]); code == "" {
			m.allowed.set(r, k)
		}
	}
}

// nowhere reports whether a stop that is still to be visited has no place.
func (m *model) nowhere(r int) bool {
	request := &m.p.Requests[r]
	return request.Delivery.Place == Anywhere || (m.begun.shift[r] < 0 && request.Pickup.Place == Anywhere)
}

// halved reports whether only the delivery of a request must be placed.
func (m *model) halved(r int32) bool { return m.begun.shift[r] >= 0 }

func (m *model) leg(profile int, from, to int32) Leg {
	if int(from) == m.stride-1 || int(to) == m.stride-1 {
		return Leg{}
	}
	travel := &m.p.Travel[profile]
	return travel.Legs[int(from)*travel.row()+int(to)]
}

// begins returns the spot at which a shift's routes begin.
func (m *model) begins(k int) spot {
	shift := &m.p.Shifts[k]
	return spot{place: m.index(shift.From), visit: terminal, site: int32(shift.Site)}
}

// ends returns the spot at which they end.
func (m *model) ends(k int) spot { return spot{place: m.index(m.p.Shifts[k].To), visit: terminal} }

// frozenRoute returns the fixed part of a shift's route.
func (m *model) frozenRoute(k int) *route {
	shift := &m.p.Shifts[k]
	r := &route{}
	r.spots = append(r.spots, m.begins(k))
	for _, v := range shift.Frozen {
		r.spots = append(r.spots, m.spots[v])
	}
	r.spots = append(r.spots, m.ends(k))
	m.measure(k, r)
	r.version = 1
	return r
}

// layOut lays out the matrices in rows of both directions. Roads have them already.
func (m *model) layOut() {
	n, laidOut := m.p.places(), m.p.laidOut() > 0
	for i := range m.p.Travel {
		travel := &m.p.Travel[i]
		if laidOut {
			m.out, m.in = append(m.out, travel.Legs), append(m.in, travel.back)
			continue
		}
		out := make([]Leg, m.stride*m.stride)
		in := make([]Leg, m.stride*m.stride)
		for a := range n {
			copy(out[a*m.stride:], travel.Legs[a*travel.row():][:n])
		}
		m.turn(in, travel, n)
		m.out, m.in = append(m.out, out), append(m.in, in)
	}
	for tariff := range m.tariffs {
		asks := make([]ask, len(m.p.Requests))
		for r := range asks {
			asks[r] = m.newAsk(int32(r), tariff)
		}
		m.asks = append(m.asks, asks)
	}
}

// tile is the side of the squares by which a matrix is turned: rows of two of them fit into
// the cache.
const tile = 32

// turn writes the columns of a matrix as rows.
func (m *model) turn(in []Leg, travel *Travel, n int) {
	legs, row := travel.Legs, travel.row()
	for top := 0; top < n; top += tile {
		for left := 0; left < n; left += tile {
			for a := top; a < min(top+tile, n); a++ {
				for b := left; b < min(left+tile, n); b++ {
					in[b*m.stride+a] = legs[a*row+b]
				}
			}
		}
	}
}

// ask is a request that looks for a place in a route of one tariff.
type ask struct {
	request      int32
	pickup, drop *spot
	load         Load
	halved       bool
	between      way
	// direct is the price of the leg between, and of the service of both.
	direct         int64
	toPickup       []Leg
	fromPickup     []Leg
	toDrop         []Leg
	fromDrop       []Leg
	second, meters int64
	// pickupCost and dropCost are what their service costs.
	pickupCost, dropCost int64
}

// ask returns a request's data for the routes of a shift.
func (m *model) ask(r int32, k int) *ask { return &m.asks[m.shifts[k].tariff][r] }

func (m *model) newAsk(r int32, tariff int) ask {
	a, profile := m.bareAsk(r, tariff), m.tariffs[tariff].profile
	row := func(rows []Leg, s *spot) []Leg { return rows[int(s.place)*m.stride : (int(s.place)+1)*m.stride] }
	a.toPickup, a.fromPickup = row(m.in[profile], a.pickup), row(m.out[profile], a.pickup)
	a.toDrop, a.fromDrop = row(m.in[profile], a.drop), row(m.out[profile], a.drop)
	return a
}

func (m *model) bareAsk(r int32, tariff int) ask {
	profile, rates := m.tariffs[tariff].profile, &m.tariffs[tariff].rates
	by := m.tariffs[tariff].manner
	a := ask{
		request: r, pickup: m.spot(2*r, by), drop: m.spot(2*r+1, by), load: m.p.Requests[r].Load,
		halved: m.halved(r), second: rates.Second, meters: rates.Meter,
	}
	a.pickupCost, a.dropCost = rates.Service*int64(a.pickup.service), rates.Service*int64(a.drop.service)
	a.between = m.way(profile, a.pickup, a.drop)
	a.direct = a.price(a.between.seconds, a.between.meters) + a.pickupCost + a.dropCost
	return a
}

func (a *ask) price(seconds, meters int64) int64 { return a.second*seconds + a.meters*meters }

// table has a bit for each pair of requests and shifts.
type table struct {
	words int
	rows  []uint64
}

func newTable(rows, columns int) table {
	words := (columns + 63) / 64
	return table{words: words, rows: make([]uint64, rows*words)}
}

func (b table) row(r int) []uint64 { return b.rows[r*b.words : (r+1)*b.words] }
func (b table) set(r, k int)       { b.rows[r*b.words+k>>6] |= 1 << (k & 63) }
func (b table) has(r, k int) bool  { return b.rows[r*b.words+k>>6]&(1<<(k&63)) != 0 }
