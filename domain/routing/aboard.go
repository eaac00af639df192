package routing

import "slices"

// aboard is goods with a limit of the time on board: the numbers of their pickup and delivery
// in a route, and how many seconds may pass in between.
type aboard struct {
	from, to int
	most     int64
}

// limitedAboard returns the goods of a route with a limit of the time on board. What a shift
// has begun, or makes in any case, has none.
func (d *drive) limitedAboard() (all []aboard) {
	shift := &d.p.Shifts[d.k]
	for i, v := range d.visits {
		most := d.p.Requests[v.Request()].MaxAboard
		if most == 0 || v.Delivers() || i < len(shift.Frozen) || slices.Contains(shift.Owed, v) {
			continue
		}
		if n := slices.Index(d.visits[i:], v+1); n > 0 {
			all = append(all, aboard{from: i, to: i + n, most: most})
		}
	}
	return all
}

// rounds is how often the times of a route are corrected at most, until the goods are no
// longer on board than they may be: once for each of them and each span that a correction
// can meet on the way. In traffic, a later pickup does not make the delivery as much later, so it takes more of them.
func (d *drive) rounds(goods []aboard) int {
	if d.busy() {
		return 10_000
	}
	spans := 1
	for _, v := range d.visits {
		spans += len(d.p.stop(v).Closed)
	}
	return 2 + len(goods)*spans
}

// runFrom drives as early as possible after a start, but picks up goods so late that they are
// not on board for too long.
func (d *drive) runFrom(start int64) driven {
	d.notBefore = nil
	run := d.runOnce(start)
	goods := d.limitedAboard()
	if len(goods) == 0 || run.late != "" {
		return run
	}
	first, by := -1, int64(0)
	for round := d.rounds(goods); ; round-- {
		late := -1
		for n, g := range goods {
			over := run.stops[g.to].Starts - run.stops[g.from].Leaves - g.most
			if over <= 0 {
				continue
			}
			if first < 0 {
				first, by = n, over
			}
			if late = n; d.notBefore == nil {
				d.notBefore = make([]int64, len(d.visits))
			}
			d.notBefore[g.from] = run.stops[g.from].Starts + over
		}
		if late < 0 {
			return run
		}
		if round == 0 {
			run.fail(TooLongAboard, by, goods[first].to)
			return run
		}
		if run = d.runOnce(start); run.late != "" { // waiting for them makes something else late
			run.late, run.lateBy, run.lateAt = TooLongAboard, by, goods[first].to
			return run
		}
	}
}

// latest returns the latest starts of all visits that keep every window and every limit of
// the time on board, with the last leg over by end, and the latest moment to leave. No visit
// with a price of lateness becomes later than it is in a run, if any is given.
func (d *drive) latest(end int64, run *driven) (starts []int64, leave int64) {
	d.notAfter = nil
	capped := func(i int, at int64) {
		if d.notAfter == nil {
			d.notAfter = make([]int64, len(d.visits))
			for n := range d.notAfter {
				d.notAfter[n] = never
			}
		}
		d.notAfter[i] = min(d.notAfter[i], at)
	}
	for i, v := range d.visits {
		if stop := d.p.stop(v); run != nil && stop.LatePrice > 0 {
			capped(i, max(stop.Due, run.stops[i].Starts))
		}
	}
	goods, ahead := d.limitedAboard(), d.ahead()
	for round := d.rounds(goods); ; round-- {
		starts, leave = d.latestOnce(end)
		late := false
		for _, g := range goods {
			_, service := d.stands(g.from, ahead)
			if until := starts[g.from] + service + g.most; starts[g.to] > until {
				capped(g.to, until)
				late = true
			}
		}
		if !late || round == 0 {
			return starts, leave
		}
	}
}

// begin returns the first moment from t on at which visit i may begin.
func (d *drive) begin(i int, t int64) int64 {
	if d.notBefore != nil {
		t = max(t, d.notBefore[i])
	}
	return d.p.stop(d.visits[i]).begin(t)
}

// lastBegin returns the last moment until t at which visit i may begin.
func (d *drive) lastBegin(i int, t int64) int64 {
	t = min(t, d.closes(i))
	if d.notAfter != nil {
		t = min(t, d.notAfter[i])
	}
	return lastOutside(d.p.stop(d.visits[i]).Closed, t)
}

// priceOfLateness returns what it costs how late the visits of a run begin.
func (d *drive) priceOfLateness(run *driven) (price int64) {
	for i := range run.stops {
		if stop := d.p.stop(d.visits[i]); stop.LatePrice > 0 {
			price += stop.LatePrice * max(0, run.stops[i].Starts-stop.Due)
		}
	}
	return price
}

// load notes goods with a limit of the time on board in a state behind a visit that began at a time.
func (w *walker) load(s *state, starts int64) {
	for n, g := range w.goods {
		if g.from != w.visit && g.to != w.visit {
			continue
		}
		if s.loaded = slices.Clone(s.loaded); s.loaded == nil {
			s.loaded = make([]int64, len(w.goods))
		}
		if g.from == w.visit {
			s.loaded[n] = s.at
			continue
		}
		s.spoiled = s.spoiled || starts-s.loaded[n] > g.most
		s.loaded[n] = 0
	}
}

// loadedAfter reports whether all goods on board were picked up when they were in another state, or later.
func (s *state) loadedAfter(other *state) bool {
	for n := range s.loaded {
		if s.loaded[n] < other.loaded[n] {
			return false
		}
	}
	return true
}
