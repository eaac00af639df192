package routing

import (
	"cmp"
	"slices"
	"sync"
)

// walkers are kept between routes, with their memory.
var walkers = sync.Pool{New: func() any { return &walker{} }}

// walked returns when a measured route ends first that leaves at a time, and never if its breaks leave no
// time, with how much longer the way is because of their places; leave, if any, gets the earliest moment to
// leave each spot.
func (b *bounds) walked(r *route, start int64, leave func(i int, at int64)) (ends int64, farther way) {
	w := walkers.Get().(*walker)
	defer walkers.Put(w)
	w.of, w.until, w.recording = b.rest, b.end, false
	w.room = b.roomForDetours(r)
	w.begin(start)
	last := len(r.spots) - 1
	for i := 1; i < last; i++ {
		s, way := &r.spots[i], r.approach(i)
		w.from, w.to = b.placeOf(r, i-1), b.placeOf(r, i)
		w.ride(way.leg, way.setup, way.within)
		closes := never
		if i >= b.bounded {
			closes = int64(s.closes)
		}
		w.serve(func(t int64) int64 { return b.open(s, max(t, int64(s.opens))) }, closes, int64(s.service))
		if leave != nil {
			leave(i, w.earliest())
		}
		if len(w.now) == 0 {
			return never, farther
		}
	}
	w.from, w.to = b.placeOf(r, last-1), b.placeOf(r, last)
	w.ride(r.approach(last).leg, 0, false)
	if home := w.home(); home != nil {
		return home.at, home.farther
	}
	return never, farther
}

// earliest returns the earliest moment of all states, or never.
func (w *walker) earliest() int64 {
	at := never
	for i := range w.now {
		at = min(at, w.now[i].at)
	}
	return at
}

// forwardResting is forward for a shift with breaks of several kinds. Its times behind the first place
// that cannot be reached are never.
func (m *model) forwardResting(b *bounds, r *route, from, to int) bool {
	for i := from; i <= min(to+1, len(r.spots)-1); i++ {
		m.ride(b, r, i)
	}
	for i := 1; i < len(r.spots); i++ {
		r.spots[i].leave = never
	}
	r.ends, r.farther = b.walked(r, b.start, func(i int, at int64) { r.spots[i].leave = at })
	if r.visits() == 0 {
		r.ends, r.farther = b.start, way{}
	}
	r.spots[len(r.spots)-1].leave = r.ends
	return r.visits() == 0 || r.ends <= b.end
}

// leavesResting returns the latest moment to leave for a route to end as early as it does. A driver who
// leaves earlier can wait, so later departures are no better.
func (b *bounds) leavesResting(r *route, latest int64) int64 {
	if b.makesDetours() { // a way by the place of a break may be shorter
		latest = r.ends
	}
	if b.busy != nil { // who leaves later may drive less, so these need not be all
		return b.latestStart(r, b.start, r.ends+1)
	}
	low, high := b.start, max(min(latest, r.ends), b.start)
	if b.leavesAt(r, high) {
		return high
	}
	return b.latestStart(r, low, high)
}

// latestStart looks for a moment to leave between two, the first of which is one.
func (b *bounds) latestStart(r *route, low, high int64) int64 {
	for high-low > 1 {
		if middle := (low + high) / 2; b.leavesAt(r, middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// rested walks a route through all ways to take the breaks, from a moment on, and returns the run that
// ends first. Without any, the run says where it fails: there it goes on without breaks.
func (d *drive) rested(start int64) driven {
	w := &walker{of: d.limits.rest, until: never, recording: true, room: d.roomForDetours(), goods: d.limitedAboard()}
	w.begin(start)
	r := driven{leaves: start, stops: make([]Timed, 0, len(d.visits))}
	ahead := d.ahead()
	for i, v := range d.visits {
		setup, service := d.stands(i, ahead)
		leg := d.leg(i)
		r.add(leg, setup, service)
		w.from, w.to, w.visit = d.place(i-1), d.place(i), i
		w.ride(int64(leg.Seconds), setup, d.within(i))
		before := slices.Clone(w.now)
		late := w.serve(d.p.stop(v).begin, d.closes(i), service)
		w.fine(d.p.stop(v), service)
		if len(w.now) > 0 {
			continue
		}
		if w.now = before; late < never {
			r.fail(lateness(v), late, i)
		} else {
			r.fail(NoTimeForBreak, w.missedBy(before, d.p.stop(v).begin, service), i)
		}
		free := *d.limits.rest // whoever is late goes on
		free.breaks, free.travel, w.of = nil, nil, &free
		w.serve(d.p.stop(v).begin, never, service)
	}
	home := d.leg(len(d.visits))
	r.add(home, 0, 0)
	w.from, w.to = d.place(len(d.visits)-1), d.place(len(d.visits))
	w.ride(int64(home.Seconds), 0, false)
	best := w.ends(&r, len(d.visits))
	r.ends = best.at
	r.driving += best.farther.seconds + best.slower
	r.meters, r.farther = r.meters+best.farther.meters, best.farther
	d.recall(&r, best.past)
	r.slowDown(best.slower)
	for _, g := range w.goods { // with breaks, no pickup waits for its delivery
		if over := r.stops[g.to].Starts - r.stops[g.from].Leaves - g.most; over > 0 {
			r.fail(TooLongAboard, over, g.to)
		}
	}
	d.judgeWhole(&r)
	return r
}

// ends returns the state in which a run ends, even if a break is missing, or is too far away.
func (w *walker) ends(r *driven, home int) *state {
	best := w.home()
	if best == nil { // the way may be too long
		w.room = anyRoom
		best = w.home()
	}
	if best == nil {
		r.fail(NoTimeForBreak, w.earliest()-w.of.breaks[w.now[0].taken].Latest, home)
		best = slices.MinFunc(states.pointers(w.now), func(a, b *state) int { return cmp.Compare(a.at, b.at) })
	}
	return best
}

// fine adds what it costs that a visit began after it was due.
func (w *walker) fine(stop *Stop, service int64) {
	if stop.LatePrice == 0 {
		return
	}
	for i := range w.now {
		w.now[i].fine += stop.LatePrice * max(0, w.now[i].at-service-stop.Due)
	}
}

// missedBy returns by how little a break is missed after a visit.
func (w *walker) missedBy(before states, begin func(int64) int64, service int64) (seconds int64) {
	seconds = never
	for i := range before {
		if s := &before[i]; s.taken < len(w.of.breaks) {
			seconds = min(seconds, begin(s.at)+service-w.of.breaks[s.taken].Latest)
		}
	}
	return seconds
}

func (all states) pointers() (each []*state) {
	for i := range all {
		each = append(each, &all[i])
	}
	return each
}

// add adds a leg and what follows it to the sums.
func (r *driven) add(leg Leg, setup, service int64) {
	r.driving, r.meters = r.driving+int64(leg.Seconds), r.meters+int64(leg.Meters)
	r.setup, r.service = r.setup+setup, r.service+service
}

// recall writes down what happened on a route: its visits and its breaks.
func (d *drive) recall(r *driven, past *event) {
	ahead := d.ahead()
	for ; past != nil; past = past.before {
		if past.isBreak {
			r.rests = append(r.rests, Rest{
				Starts: past.starts, Ends: past.ends, At: past.at, Arrives: past.arrives, Way: past.there,
				Detour: past.detour.seconds,
			})
			continue
		}
		i := len(d.visits) - 1 - len(r.stops)
		setup, _ := d.stands(i, ahead)
		r.stops = append(r.stops, Timed{
			Visit: d.visits[i], Arrives: past.arrives - setup, Starts: past.starts, Leaves: past.ends, Setup: setup,
			Slower: past.slower,
		})
	}
	slices.Reverse(r.stops)
	slices.Reverse(r.rests)
}

// slowDown says by how much longer each way takes in traffic, given that of all: the visits have what there was until
// then.
func (r *driven) slowDown(all int64) {
	r.slower = all
	if n := len(r.stops); n > 0 {
		r.slower -= r.stops[n-1].Slower
	}
	for i := len(r.stops) - 1; i > 0; i-- {
		r.stops[i].Slower -= r.stops[i-1].Slower
	}
}

// settleResting is settle for a shift with breaks of several kinds.
func (p *Problem) settleResting(k int, visits []Visit, l limits, leaveLast bool) (drive, driven) {
	d := drive{p: p, k: k, visits: visits, limits: l, pauseLeg: noPause}
	if len(visits) == 0 {
		return d, d.run()
	}
	run := d.rested(p.Shifts[k].Start)
	if run.late != "" {
		d.blame(&run)
		return d, run
	}
	if leaveLast && !d.limits.begun {
		_, high := d.latest(run.ends, nil)
		if d.limits.rest.travel != nil || d.busy() { // a way by the place of a break, or later, may be shorter
			high = run.ends
		}
		run = d.leavesRested(run, high)
	}
	if leaveLast {
		d.judgeLast(&run)
	}
	return d, run
}

// leavesRested leaves as late as the end of a run allows.
func (d *drive) leavesRested(run driven, high int64) driven {
	low, price, toll := run.leaves, d.priceOfLateness(&run), d.toll(&run)
	for high = max(high, low) + 1; high-low > 1; {
		middle := (low + high) / 2
		later := d.rested(middle)
		if later.late == "" && later.ends == run.ends && d.priceOfLateness(&later) <= price && d.toll(&later) <= toll {
			low, run = middle, later
		} else {
			high = middle
		}
	}
	return run
}

// toll returns what the way of a run costs because of breaks at places.
func (d *drive) toll(run *driven) int64 {
	return d.limits.rest.rates.way(run.farther.seconds, run.farther.meters)
}

// blame finds out whether a run fails only because of the breaks.
func (d *drive) blame(run *driven) {
	free := *d
	free.limits.rest = &resting{}
	if without := free.rested(run.leaves); without.late == "" && run.late != DrivingTooLong && run.late != TooManyStops {
		run.late = NoTimeForBreak
	}
}
