package travel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/internal/rest"
)

// Cache stores legs by provider and profile. It returns only recent ones.
type Cache interface {
	// LoadLegs returns the stored legs between cells, in both directions, that begin
	// or end at a fresh one.
	LoadLegs(ctx context.Context, provider string, profile Profile, fresh, between []Cell) (map[Way]routing.Leg, error)
	// SaveLegs stores legs; existing ones are replaced.
	SaveLegs(ctx context.Context, provider string, profile Profile, legs map[Way]routing.Leg) error
}

// Tables builds tables of travel times from a provider and a cache.
type Tables struct {
	provider Provider
	breaker  *rest.Breaker
	now      func() time.Time
	lost     lost
	classes  classes
}

// NewTables returns tables for a provider; now is the clock.
func NewTables(p Provider, now func() time.Time) *Tables {
	return &Tables{provider: p, breaker: rest.New(now, pause), now: now, lost: lost{now: now}, classes: classes{now: now}}
}

// Provider returns the provider.
func (t *Tables) Provider() Provider { return t.provider }

// Asked returns the provider for a profile between places, or anywhere if there are none.
func (t *Tables) Asked(profile Profile, points ...Point) Provider {
	if !servesAt(t.provider, t.Served(profile, points...), points) {
		return Crow{}
	}
	return t.provider
}

// Table is a matrix of legs, and its source.
type Table struct {
	routing.Travel
	// Provider is the provider that was called, and Profile the one whose legs these are: the
	// plain one if the provider has no data for a class.
	Provider string
	Profile  Profile
	// Guessed counts the straight-line estimates, used where the provider has
	// no value.
	Guessed int
	// Fault is the provider's first fault, or nil. CacheFault is the cache's.
	Fault, CacheFault error
}

// Table returns the legs between all points, in both directions. It fails only
// if the context ends, or if a point is invalid.
func (t *Tables) Table(ctx context.Context, cache Cache, profile Profile, points []Point) (Table, error) {
	return t.TableOf(ctx, cache, &Memory{}, profile, points)
}

// TableOf does the same for an area whose legs are kept in memory. It only
// reads and requests new places.
func (t *Tables) TableOf(
	ctx context.Context, cache Cache, memory *Memory, profile Profile, points []Point,
) (Table, error) {
	for i, p := range points {
		if !p.Valid() {
			return Table{}, fmt.Errorf("travel times: place %d has invalid coordinates", i)
		}
	}
	profile = t.Served(profile, points...)
	table, err := t.tableOf(ctx, cache, memory, profile, points)
	if err == nil && classed(profile) && unknown(table.Fault) {
		t.lack(profile)
		mode, _ := profile.Class()
		return t.tableOf(ctx, cache, memory, mode, points)
	}
	return table, err
}

func (t *Tables) tableOf(
	ctx context.Context, cache Cache, memory *Memory, profile Profile, points []Point,
) (Table, error) {
	asked := t.Asked(profile, points...)
	out := Table{Provider: asked.Name(), Profile: profile}
	if _, flies := asked.(Crow); flies {
		out.Travel = routing.Travel{Places: len(points), Legs: memory.fly(profile, points)}
		return out, nil
	}
	s := newSurvey(profile, points)
	if err := t.survey(ctx, cache, memory, s, &out); err != nil {
		return Table{}, err
	}
	out.Travel, out.Guessed = s.travel()
	return out, nil
}

// survey fills in the values from the memory, the cache and the provider. The
// provider's are saved block by block, so after an interruption only the rest is
// requested.
func (t *Tables) survey(ctx context.Context, cache Cache, memory *Memory, s *survey, out *Table) error {
	of := providedFor{t.provider.Name(), s.profile}
	var fresh []Cell
	s.legs, s.have, fresh = memory.read(of, s.cells, t.now())
	if len(fresh) > 0 {
		known, err := cache.LoadLegs(ctx, of.provider, s.profile, fresh, s.cells)
		if err != nil {
			out.CacheFault = err
		}
		s.learn(known)
	}
	defer func() {
		if out.CacheFault == nil { // otherwise the stored legs must be read again
			memory.write(of, s.cells, s.legs, s.have, t.now())
		}
	}()
	s.lost = t.lost.of(s.profile)
	for _, block := range s.blocks(t.provider.Side()) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := t.surveyBlock(ctx, cache, s, block, out); err != nil && out.Fault == nil {
			out.Fault = err
		}
		if classed(s.profile) && unknown(out.Fault) {
			return nil // the other blocks would be refused likewise
		}
	}
	return ctx.Err()
}

// surveyBlock requests one block and stores the answer.
func (t *Tables) surveyBlock(ctx context.Context, cache Cache, s *survey, block block, out *Table) error {
	block, legs, err := t.askFor(ctx, s, block)
	if err != nil || len(legs) == 0 {
		return err
	}
	found := make(map[Way]routing.Leg, len(legs))
	for i, from := range block.from {
		for j, to := range block.to {
			found[Way{From: from, To: to}] = legs[i*len(block.to)+j]
		}
	}
	s.learn(found)
	err = cache.SaveLegs(context.WithoutCancel(ctx), t.provider.Name(), s.profile, found)
	if err != nil && out.CacheFault == nil {
		out.CacheFault = err
	}
	return nil
}

func (t *Tables) ask(ctx context.Context, s *survey, b block) ([]routing.Leg, error) {
	if t.breaker.Left() > 0 {
		return nil, errResting
	}
	legs, err := t.provider.Legs(ctx, s.profile, s.places(b.from), s.places(b.to))
	if err == nil && len(legs) != len(b.from)*len(b.to) {
		err = errors.New("travel times: the provider returned a wrong number of legs")
	}
	if !classed(s.profile) || !unknown(err) { // a server without a class serves others
		t.heed(ctx, err)
	}
	return legs, err
}

// survey is one table in the making.
type survey struct {
	profile Profile
	points  []Point
	// cells are the distinct cells of the points; at has the first point of
	// each, which is used in requests.
	cells []Cell
	at    map[Cell]Point
	index map[Cell]int
	// legs are the legs between cells, and have marks the known ones.
	legs []routing.Leg
	have []bool
	// lost are cells without known legs.
	lost map[Cell]bool
}

func newSurvey(profile Profile, points []Point) *survey {
	s := &survey{profile: profile, points: points, at: map[Cell]Point{}, index: map[Cell]int{}}
	for _, p := range points {
		cell := planning.CellOf(p)
		if _, again := s.at[cell]; !again {
			s.at[cell], s.index[cell] = p, len(s.cells)
			s.cells = append(s.cells, cell)
		}
	}
	return s
}

// learn fills in legs.
func (s *survey) learn(known map[Way]routing.Leg) {
	for way, leg := range known {
		n := s.index[way.From]*len(s.cells) + s.index[way.To]
		s.legs[n], s.have[n] = leg, true
	}
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

// blocks are the remaining requests, none with more places on a side than the
// provider accepts.
func (s *survey) blocks(side int) []block {
	n := len(s.cells)
	missing := func(i, j int) bool {
		return i != j && !s.have[i*n+j] && !s.lost[s.cells[i]] && !s.lost[s.cells[j]]
	}
	begins, ends := make([]bool, n), make([]bool, n)
	for i := range n {
		for j := range n {
			if missing(i, j) {
				begins[i], ends[j] = true, true
			}
		}
	}
	var from, to []Cell
	for i, cell := range s.cells {
		if begins[i] {
			from = append(from, cell)
		}
		if ends[i] {
			to = append(to, cell)
		}
	}
	var blocks []block
	for rows := range slices.Chunk(from, side) {
		for columns := range slices.Chunk(to, side) {
			any := slices.ContainsFunc(rows, func(a Cell) bool {
				return slices.ContainsFunc(columns, func(b Cell) bool { return missing(s.index[a], s.index[b]) })
			})
			if any {
				blocks = append(blocks, block{rows, columns})
			}
		}
	}
	return blocks
}

// travel builds the matrix, and counts the estimates. Within a cell,
// straight-line estimates are good enough.
func (s *survey) travel() (routing.Travel, int) {
	places, guessed := len(s.points), 0
	legs, at := make([]routing.Leg, 0, places*places), make([]int, places)
	for i, p := range s.points {
		at[i] = s.index[planning.CellOf(p)]
	}
	for i, a := range s.points {
		for j, b := range s.points {
			n := at[i]*len(s.cells) + at[j]
			leg := s.legs[n]
			switch {
			case at[i] == at[j]:
				leg = flight(s.profile, a, b)
			case s.have[n]:
			case s.lost[s.cells[at[i]]] || s.lost[s.cells[at[j]]]:
				leg = routing.Leg{Seconds: routing.Unreachable}
			default:
				leg = flight(s.profile, a, b)
				guessed++
			}
			legs = append(legs, leg)
		}
	}
	return routing.Travel{Places: places, Legs: legs}, guessed
}
