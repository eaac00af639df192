package travel

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"waybill/domain/driving"
	"waybill/domain/routing"
)

// asking looks up and requests what one table needs.
type asking struct {
	tables *Tables
	cache  Cache
	survey *survey
	wish   *Wish
	out    *Table
}

// read looks up the legs of places that are new in memory.
func (a *asking) read(ctx context.Context) {
	s := a.survey
	fresh := s.known.unread(s.cells)
	if len(fresh) == 0 {
		return
	}
	between := make([]Cell, len(s.cells))
	for i, n := range s.cells {
		between[i] = s.known.cell(n)
	}
	blocks, err := a.cache.LoadBlocks(ctx, s.source, fresh, between)
	if err != nil {
		a.out.CacheFault = err
		s.known.reread(fresh)
	}
	for i := range blocks {
		s.known.learn(&blocks[i], Real)
	}
}

func (k *known) cell(n int) Cell {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.cells[n]
}

// errChanged says that the server has other road data than before.
var errChanged = errors.New("travel times: the road data has changed")

// coldSide is how many places a request has on a side while most legs are missing: its answer
// does not take long, so near legs come early.
const coldSide = 250

// ask requests missing legs, the needed ones first, until the time of the wish is over or the server
// fails. Answers are saved as they come, so after an interruption only the rest is requested. It
// reports whether the road data changed.
func (a *asking) ask(ctx context.Context) (changed bool) {
	err := a.inTurn(ctx)
	if errors.Is(err, errChanged) {
		return true
	}
	if a.out.Fault == nil && !errors.Is(err, errOver) {
		a.out.Fault = err
	}
	return false
}

// errOver says that there is no more time.
var errOver = errors.New("travel times: the time is over")

func (a *asking) inTurn(ctx context.Context) error {
	s := a.survey
	for _, route := range a.wish.First {
		cells := s.numbers(route)
		if err := a.between(ctx, cells, cells); err != nil {
			return err
		}
		if err := a.farLegs(ctx, cells); err != nil {
			return err
		}
	}
	hubs := s.numbers(a.wish.Hubs)
	fresh, old := s.unlike()
	side := min(a.tables.provider.Side(), coldSide)
	young, settled := clusters(s.known, fresh, side), clusters(s.known, old, side)
	for _, step := range []func() error{
		func() error { return a.between(ctx, hubs, s.cells) },
		func() error { return a.between(ctx, s.cells, hubs) },
		func() error { return a.nearFirst(ctx, young) },
		func() error { return a.neighbors(ctx, young, settled) },
		func() error { return a.between(ctx, fresh, old) },
		func() error { return a.between(ctx, old, fresh) },
		func() error { return a.nearFirst(ctx, settled) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// numbers returns the distinct cells of places, in their sequence.
func (s *survey) numbers(places []int) (cells []int) {
	for _, place := range places {
		if place >= 0 && place < len(s.at) && !slices.Contains(cells, s.at[place]) {
			cells = append(cells, s.at[place])
		}
	}
	return cells
}

// unlike splits the cells into those that most legs are missing for, and others.
func (s *survey) unlike() (fresh, old []int) {
	k := s.known
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, a := range s.cells {
		have := 0
		for _, b := range s.cells {
			if k.kinds[a*k.side+b] != Bound {
				have++
			}
		}
		if 2*have < len(s.cells) {
			fresh = append(fresh, a)
		} else {
			old = append(old, a)
		}
	}
	return fresh, old
}

// nearFirst requests the legs between all of some clusters, those that are near each other first.
func (a *asking) nearFirst(ctx context.Context, of []cluster) error {
	type pair struct{ from, to *cluster }
	pairs := make([]pair, 0, len(of)*len(of))
	for i := range of {
		for j := range of {
			pairs = append(pairs, pair{&of[i], &of[j]})
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int {
		return cmp.Compare(x.from.far(x.to), y.from.far(y.to))
	})
	for _, p := range pairs {
		if err := a.between(ctx, p.from.cells, p.to.cells); err != nil {
			return err
		}
	}
	return nil
}

// neighbors requests the legs between each cluster and the nearest of others, in both directions.
func (a *asking) neighbors(ctx context.Context, of, others []cluster) error {
	if len(others) == 0 {
		return nil
	}
	for i := range of {
		near := slices.MinFunc(others, func(x, y cluster) int { return cmp.Compare(of[i].far(&x), of[i].far(&y)) })
		if err := a.between(ctx, of[i].cells, near.cells); err != nil {
			return err
		}
		if err := a.between(ctx, near.cells, of[i].cells); err != nil {
			return err
		}
	}
	return nil
}

// between requests the missing legs from each of some cells to each of others, in as few requests
// as the provider takes.
func (a *asking) between(ctx context.Context, from, to []int) error {
	from, to = a.survey.missing(from, to)
	side := a.tables.provider.Side()
	if len(from) > len(to) {
		for columns := range slices.Chunk(to, side) {
			for rows := range slices.Chunk(from, max(side, 2*side-len(columns))) {
				if err := a.block(ctx, rows, columns); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for rows := range slices.Chunk(from, side) {
		for columns := range slices.Chunk(to, max(side, 2*side-len(rows))) {
			if err := a.block(ctx, rows, columns); err != nil {
				return err
			}
		}
	}
	return nil
}

// missing returns those of two lists of cells for which any leg is missing.
func (s *survey) missing(from, to []int) (rows, columns []int) {
	k := s.known
	k.mu.Lock()
	defer k.mu.Unlock()
	lost := make(map[int]bool)
	for _, cells := range [][]int{from, to} {
		for _, n := range cells {
			if len(s.lost) > 0 && s.isLost(n) {
				lost[n] = true
			}
		}
	}
	needed := make([]bool, len(to))
	for _, a := range from {
		if lost[a] {
			continue
		}
		row, any := k.kinds[a*k.side:(a+1)*k.side], false
		for j, b := range to {
			if row[b] == Bound && a != b && !lost[b] {
				needed[j], any = true, true
			}
		}
		if any {
			rows = append(rows, a)
		}
	}
	for j, b := range to {
		if needed[j] {
			columns = append(columns, b)
		}
	}
	return rows, columns
}

// block requests the missing legs of one block and saves the answer. If the server refuses it
// because of some places, these are isolated, and the rest is requested.
func (a *asking) block(ctx context.Context, from, to []int) error {
	from, to = a.survey.missing(from, to)
	switch near := a.within(from, to); {
	case len(from) == 0 || len(to) == 0:
		return nil
	case a.wish.over():
		return errOver
	case near == 0:
		return nil // each leg is requested alone if a plan needs it
	case near < len(from)*len(to):
		return a.halves(ctx, from, to)
	}
	answer, err := a.request(ctx, from, to)
	if placed(err) && a.isolate(ctx, from, to, err) {
		if from, to = a.survey.missing(from, to); len(from) == 0 || len(to) == 0 {
			return nil
		}
		answer, err = a.request(ctx, from, to)
	}
	switch {
	case apart(err) && len(from) == 1 && len(to) == 1:
		a.survey.estimate(from[0], to[0])
		return nil
	case apart(err):
		return a.halves(ctx, from, to)
	case refused(err): // the others need not be
		if a.out.Fault == nil {
			a.out.Fault = err
		}
		return nil
	case err != nil:
		return err
	}
	return a.keep(ctx, from, to, &answer)
}

// halves requests a block in two parts.
func (a *asking) halves(ctx context.Context, from, to []int) error {
	if n := len(from) / 2; len(from) >= len(to) {
		if err := a.block(ctx, from[:n], to); err != nil {
			return err
		}
		return a.block(ctx, from[n:], to)
	}
	n := len(to) / 2
	if err := a.block(ctx, from, to[:n]); err != nil {
		return err
	}
	return a.block(ctx, from, to[n:])
}

// keep learns an answer and saves it.
func (a *asking) keep(ctx context.Context, from, to []int, answer *Answer) error {
	s := a.survey
	block := Block{
		From: s.known.named(from), To: s.known.named(to), Legs: answer.Legs,
		FromMeters: answer.FromMeters, ToMeters: answer.ToMeters,
	}
	s.known.learn(&block, Real)
	if err := a.cache.SaveBlock(context.WithoutCancel(ctx), s.source, &block); err != nil && a.out.CacheFault == nil {
		a.out.CacheFault = err
	}
	return ctx.Err()
}

func (k *known) named(numbers []int) []Cell {
	k.mu.Lock()
	defer k.mu.Unlock()
	cells := make([]Cell, len(numbers))
	for i, n := range numbers {
		cells[i] = k.cells[n]
	}
	return cells
}

// estimate has the leg between two cells estimated for good.
func (s *survey) estimate(from, to int) {
	k := s.known
	k.mu.Lock()
	defer k.mu.Unlock()
	k.legs[from*k.side+to] = flight(s.source.Profile, k.points[from], k.points[to])
	k.kinds[from*k.side+to] = Estimate
}

// request sends one request.
func (a *asking) request(ctx context.Context, from, to []int) (Answer, error) {
	t, s := a.tables, a.survey
	if t.breaker.Left() > 0 {
		return Answer{}, errResting
	}
	answer, err := t.provider.Legs(ctx, s.source.Profile, s.known.placed(from), s.known.placed(to))
	if err == nil && len(answer.Legs) != len(from)*len(to) {
		err = errors.New("travel times: the provider returned a wrong number of legs")
	}
	if !classed(s.source.Profile) || !unknown(err) { // a server without a class serves others
		t.heed(ctx, err)
	}
	if err == nil && answer.Version != "" && answer.Version != s.source.Version {
		t.versions.saw(s.source.Profile, answer.Version)
		return Answer{}, errChanged
	}
	return answer, err
}

func (k *known) placed(numbers []int) []Point {
	k.mu.Lock()
	defer k.mu.Unlock()
	points := make([]Point, len(numbers))
	for i, n := range numbers {
		points[i] = k.points[n]
	}
	return points
}

// Reaching is a provider that refuses tables with places that are far from each other.
type Reaching interface {
	// Reach is how many meters the places of a table may be apart.
	Reach(Profile) float64
}

// within counts the legs of a block that the provider answers in a table.
func (a *asking) within(from, to []int) int {
	reach, near := a.survey.reach, 0
	if reach == 0 {
		return len(from) * len(to)
	}
	for _, p := range a.survey.known.placed(from) {
		for _, q := range a.survey.known.placed(to) {
			if metersBetween(p, q) <= reach {
				near++
			}
		}
	}
	return near
}

// farLegs requests the legs of a route that are too long for a table, one by one.
func (a *asking) farLegs(ctx context.Context, cells []int) error {
	for n := 1; n < len(cells); n++ {
		from, to := a.survey.missing(cells[n-1:n], cells[n:n+1])
		if len(from) == 0 || a.within(from, to) > 0 {
			continue
		}
		if a.wish.over() {
			return errOver
		}
		p, q := a.survey.known.placed(from)[0], a.survey.known.placed(to)[0]
		route, drawn, err := a.tables.Route(ctx, a.survey.source.Profile, p, q)
		if err != nil || !drawn {
			return err
		}
		if err := a.keep(ctx, from, to, &Answer{Legs: []routing.Leg{route.Leg}}); err != nil {
			return err
		}
	}
	return nil
}

func metersBetween(a, b Point) float64 {
	return driving.Distance(a.Latitude, a.Longitude, b.Latitude, b.Longitude)
}

// cluster is cells that are near each other, and where they are.
type cluster struct {
	cells  []int
	center Point
}

// far is a measure of how far two clusters are apart.
func (c *cluster) far(other *cluster) float64 {
	return math.Hypot(
		c.center.Latitude-other.center.Latitude,
		(c.center.Longitude-other.center.Longitude)*math.Cos(c.center.Latitude*math.Pi/180))
}

// clusters splits cells into as few parts of a size at most as there can be, by where they are.
func clusters(k *known, cells []int, size int) []cluster {
	if len(cells) == 0 {
		return nil
	}
	points := map[int]Point{}
	for i, p := range k.placed(cells) {
		points[cells[i]] = p
	}
	var parts []cluster
	split(slices.Clone(cells), points, size, &parts)
	return parts
}

func split(cells []int, points map[int]Point, size int, parts *[]cluster) {
	south, north, west, east := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, n := range cells {
		p := points[n]
		south, north = min(south, p.Latitude), max(north, p.Latitude)
		west, east = min(west, p.Longitude), max(east, p.Longitude)
	}
	center := Point{Latitude: (south + north) / 2, Longitude: (west + east) / 2}
	count := (len(cells) + size - 1) / size
	if count == 1 {
		*parts = append(*parts, cluster{cells, center})
		return
	}
	isWide := (east-west)*math.Cos(center.Latitude*math.Pi/180) > north-south
	slices.SortStableFunc(cells, func(x, y int) int {
		if isWide {
			return cmp.Compare(points[x].Longitude, points[y].Longitude)
		}
		return cmp.Compare(points[x].Latitude, points[y].Latitude)
	})
	at := len(cells) * (count / 2) / count
	split(cells[:at], points, size, parts)
	split(cells[at:], points, size, parts)
}
