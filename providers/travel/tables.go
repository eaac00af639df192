package travel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"waybill/domain/planning"
	"waybill/domain/routing"
)

// Cache keeps legs by who knows them and for which profile. What it has is
// recent enough.
type Cache interface {
	// LoadLegs returns what is known of the ways between cells, either way.
	LoadLegs(ctx context.Context, provider string, profile Profile, between []Cell) (map[Way]routing.Leg, error)
	// SaveLegs keeps legs; those that are there already are replaced.
	SaveLegs(ctx context.Context, provider string, profile Profile, legs map[Way]routing.Leg) error
}

// Tables makes tables of travel times out of what a provider and a cache know.
type Tables struct {
	provider Provider
	breaker  breaker
	lost     lost
}

// NewTables makes tables by what a provider knows; now is the clock.
func NewTables(p Provider, now func() time.Time) *Tables {
	return &Tables{provider: p, breaker: breaker{now: now}, lost: lost{now: now}}
}

// Provider is who is asked about ways.
func (t *Tables) Provider() Provider { return t.provider }

// Table is a matrix of legs, and where it comes from.
type Table struct {
	routing.Travel
	// Provider is who was asked.
	Provider string
	// Guessed counts the legs that are as the crow flies, because the provider
	// did not say them.
	Guessed int
	// Fault is the first that kept the provider from saying them, nil when there
	// was none. CacheFault is the same of the cache.
	Fault, CacheFault error
}

// Table returns the ways between points, each to each. It fails only when the
// context ends, or when a point is none.
func (t *Tables) Table(ctx context.Context, cache Cache, profile Profile, points []Point) (Table, error) {
	for i, p := range points {
		if !p.Valid() {
			return Table{}, fmt.Errorf("travel times: place %d is not on the earth", i)
		}
	}
	asked := t.provider
	if !asked.Serves(profile) {
		asked = Crow{}
	}
	s := newSurvey(profile, points)
	out := Table{Provider: asked.Name()}
	if _, flies := asked.(Crow); !flies {
		if err := t.survey(ctx, cache, s, &out); err != nil {
			return Table{}, err
		}
	}
	out.Travel, out.Guessed = s.travel(asked)
	return out, nil
}

// survey fills in what the cache and the provider know.
func (t *Tables) survey(ctx context.Context, cache Cache, s *survey, out *Table) error {
	known, err := cache.LoadLegs(ctx, t.provider.Name(), s.profile, s.cells)
	if err != nil {
		out.CacheFault = err
	}
	if known != nil {
		s.known = known
	}
	found := map[Way]routing.Leg{}
	s.lost = t.lost.of(s.profile)
	for _, block := range s.blocks(t.provider.Side()) {
		block, legs, err := t.askFor(ctx, s, block)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if out.Fault == nil {
				out.Fault = err
			}
			continue
		}
		for i, from := range block.from {
			for j, to := range block.to {
				found[Way{From: from, To: to}] = legs[i*len(block.to)+j]
			}
		}
	}
	if len(found) > 0 {
		if err := cache.SaveLegs(ctx, t.provider.Name(), s.profile, found); err != nil && out.CacheFault == nil {
			out.CacheFault = err
		}
	}
	for way, leg := range found {
		s.known[way] = leg
	}
	return ctx.Err()
}

func (t *Tables) ask(ctx context.Context, s *survey, b block) ([]routing.Leg, error) {
	if !t.breaker.closed() {
		return nil, errResting
	}
	legs, err := t.provider.Legs(ctx, s.profile, s.places(b.from), s.places(b.to))
	if err == nil && len(legs) != len(b.from)*len(b.to) {
		err = errors.New("travel times: the provider returned another number of legs")
	}
	t.breaker.heed(ctx, err)
	return legs, err
}

// survey is one table in the making.
type survey struct {
	profile Profile
	points  []Point
	// cells are those of the points, each once; at has the first point of each,
	// by which the provider is asked.
	cells []Cell
	at    map[Cell]Point
	known map[Way]routing.Leg
	// lost are cells from which nobody knows a way.
	lost map[Cell]bool
}

func newSurvey(profile Profile, points []Point) *survey {
	s := &survey{profile: profile, points: points, at: map[Cell]Point{}, known: map[Way]routing.Leg{}}
	for _, p := range points {
		cell := planning.CellOf(p)
		if _, again := s.at[cell]; !again {
			s.at[cell] = p
			s.cells = append(s.cells, cell)
		}
	}
	return s
}

func (s *survey) places(of []Cell) []Point {
	points := make([]Point, len(of))
	for i, cell := range of {
		points[i] = s.at[cell]
	}
	return points
}

// block is one question: the ways from each of some cells to each of others.
type block struct{ from, to []Cell }

// blocks are the questions that are left, none with more places on a side than
// the provider takes.
func (s *survey) blocks(side int) []block {
	var from, to []Cell
	missing := func(a, b Cell) bool {
		_, known := s.known[Way{From: a, To: b}]
		return a != b && !known && !s.lost[a] && !s.lost[b]
	}
	for _, a := range s.cells {
		if slices.ContainsFunc(s.cells, func(b Cell) bool { return missing(a, b) }) {
			from = append(from, a)
		}
		if slices.ContainsFunc(s.cells, func(b Cell) bool { return missing(b, a) }) {
			to = append(to, a)
		}
	}
	var blocks []block
	for rows := range slices.Chunk(from, side) {
		for columns := range slices.Chunk(to, side) {
			any := slices.ContainsFunc(rows, func(a Cell) bool {
				return slices.ContainsFunc(columns, func(b Cell) bool { return missing(a, b) })
			})
			if any {
				blocks = append(blocks, block{rows, columns})
			}
		}
	}
	return blocks
}

// travel makes the matrix, and counts what had to be guessed. Within a cell the
// crow is as good as anybody.
func (s *survey) travel(asked Provider) (routing.Travel, int) {
	_, flies := asked.(Crow)
	places, guessed := len(s.points), 0
	legs := make([]routing.Leg, 0, places*places)
	for _, a := range s.points {
		for _, b := range s.points {
			way := Way{From: planning.CellOf(a), To: planning.CellOf(b)}
			leg, known := s.known[way]
			switch {
			case way.From == way.To:
				leg = flight(s.profile, a, b)
			case known:
			case s.lost[way.From] || s.lost[way.To]:
				leg = routing.Leg{Seconds: routing.Unreachable}
			default:
				leg = flight(s.profile, a, b)
				if !flies {
					guessed++
				}
			}
			legs = append(legs, leg)
		}
	}
	return routing.Travel{Places: places, Legs: legs}, guessed
}
