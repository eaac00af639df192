package routing

import (
	"cmp"
	"slices"
)

// never is later than all that can happen.
const never int64 = 1 << 60

// limits are the effective bounds of a shift: frozen or owed visits may violate
// the shift's own, which are then relaxed just enough.
type limits struct {
	end                   int64
	pause                 Break
	maxSeconds, maxMeters int64
	maxStops              int
	maxDriving            int64
	// until is how late the visits that are held or owed may begin; nil without any.
	until map[Visit]int64
	// rest are the breaks of a shift that has more than one; it has no pause then.
	rest *resting
	// begun shifts have left: they cannot leave later in order to wait less.
	begun bool
}

func (p *Problem) limits(k int) limits {
	shift := &p.Shifts[k]
	l := limits{
		end: shift.ends(), pause: shift.Break, maxSeconds: never, maxMeters: never, maxStops: shift.mostStops(),
		maxDriving: never,
	}
	if shift.MaxDriving > 0 {
		l.maxDriving = shift.MaxDriving
	}
	if shift.MaxSeconds > 0 {
		l.maxSeconds = shift.MaxSeconds
	}
	if shift.MaxMeters > 0 {
		l.maxMeters = shift.MaxMeters
	}
	if l.rest = shift.resting(); l.rest != nil {
		l.pause = Break{}
		l.rest.settleAt(p, k)
	}
	l.begun = shift.Fixed() > 0 || len(shift.OnBoard) > 0
	if len(shift.Frozen)+len(shift.Owed) == 0 {
		return l
	}
	if l.rest != nil {
		return p.givenWayResting(k, l)
	}
	return p.givenWay(k, l)
}

// givenWay widens limits until the visits that are made in any case keep to them.
func (p *Problem) givenWay(k int, l limits) limits {
	shift := &p.Shifts[k]
	open := l
	open.end, open.maxSeconds, open.maxMeters, open.maxStops, open.maxDriving = never, never, never, unlimitedStops, never
	giving := slices.Concat(shift.Frozen[shift.Fixed():], shift.Owed)
	if len(giving) > 0 {
		open.until, l.until = make(map[Visit]int64, len(giving)), make(map[Visit]int64, len(giving))
		for _, v := range giving {
			open.until[v] = never
		}
	}
	d := drive{p: p, k: k, visits: slices.Concat(shift.Frozen, shift.Owed), limits: open, pauseLeg: noPause}
	bare := d.run()
	if l.pause.Seconds > 0 {
		for d.pauseLeg = 0; d.pauseLeg <= len(d.visits); d.pauseLeg++ {
			if run := d.run(); d.mayPause() && d.lessLate(&run, &bare) {
				bare = run
			}
		}
	}
	last := len(d.visits) - 1
	if bare.late != "" { // there was no time for the break
		d.pauseLeg, d.limits.pause.Latest = len(d.visits), never
		bare = d.run()
		l.pause.Latest = bare.stops[last].Leaves
	}
	l.end = max(l.end, bare.ends)
	l.maxSeconds = max(l.maxSeconds, bare.ends-shift.Start)
	l.maxMeters = max(l.maxMeters, bare.meters)
	l.maxStops, l.maxDriving = max(l.maxStops, p.stopsOf(k, d.visits)), max(l.maxDriving, d.slowly(d.legs()))
	for _, at := range bare.stops[shift.Fixed():] {
		l.until[at.Visit] = max(p.stop(at.Visit).Closes, at.Starts)
	}
	return l
}

// lessLate reports whether owed visits are less late in one run than in another, or
// the run ends earlier.
func (d *drive) lessLate(run, than *driven) bool {
	if run.late != "" || than.late != "" {
		return run.before(*than)
	}
	return cmp.Or(cmp.Compare(d.lateness(run), d.lateness(than)), cmp.Compare(run.ends, than.ends)) < 0
}

// lateness adds up how late the visits begin that are held or owed.
func (d *drive) lateness(r *driven) (seconds int64) {
	for i := d.p.Shifts[d.k].Fixed(); i < len(r.stops); i++ {
		seconds += max(0, r.stops[i].Starts-d.p.stop(d.visits[i]).Closes)
	}
	return seconds
}

// lessHeldUp reports whether frozen visits begin less late in one run than in another, or equally
// late and others at a lower price.
func (d *drive) lessHeldUp(run, than *driven) bool {
	sum := int64(0)
	shift := &d.p.Shifts[d.k]
	for i, v := range shift.Frozen[:shift.Fixed()] {
		closes := d.p.stop(v).Closes
		sum += max(0, run.stops[i].Starts-closes) - max(0, than.stops[i].Starts-closes)
	}
	if sum == 0 {
		return d.priceOfLateness(run) < d.priceOfLateness(than)
	}
	return sum < 0
}

// closes returns how late visit i may begin.
func (d *drive) closes(i int) int64 {
	if i < d.p.Shifts[d.k].Fixed() {
		return never
	}
	if until, owed := d.limits.until[d.visits[i]]; owed {
		return until
	}
	return d.p.stop(d.visits[i]).Closes
}

// noPause is the leg of the break in a route without one.
const noPause = -1

// drive is a shift that makes some visits, with its break on one leg: leg i
// leads to visit i, the last one home.
type drive struct {
	p        *Problem
	k        int
	visits   []Visit
	limits   limits
	pauseLeg int
	// notBefore and notAfter are further bounds of when visits begin, or nil.
	notBefore, notAfter []int64
}

// driven is the result.
type driven struct {
	stops           []Timed
	leaves, ends    int64
	driving, meters int64
	// setup and service are the seconds of all visits.
	setup, service int64
	// late is the first violation: its kind, its amount, and its visit.
	late   Code
	lateBy int64
	lateAt int
	pause  Timed
	// rests are the breaks of a shift with more than one, or one at a place, and farther is by how much longer
	// the way is because of their places: driving and meters have it, too.
	rests   []Rest
	farther way
	// slower is by how much longer the way home takes in traffic.
	slower int64
}

// Timed is a visit in time. Setup is how long it takes to set up between the arrival
// and the start of service: 0 within a visit of the vehicle. Slack is how much later it
// may begin so that the rest of the route still holds.
type Timed struct {
	Visit                   Visit
	Arrives, Starts, Leaves int64
	Setup                   int64
	Slack                   int64
	// Slower is by how much longer the way to it takes in traffic.
	Slower int64
}

// site returns the site of visit i; the shift begins at that of visit -1.
func (d *drive) site(i int) int {
	switch {
	case i < 0:
		return d.p.Shifts[d.k].Site
	case i >= len(d.visits):
		return 0
	}
	return d.p.stop(d.visits[i]).Site
}

// within reports whether leg i is within a visit.
func (d *drive) within(i int) bool { return d.site(i) != 0 && d.site(i) == d.site(i-1) }

// mayPause reports whether the break may be on its leg: it may not be within a visit.
func (d *drive) mayPause() bool { return d.pauseLeg == noPause || !d.within(d.pauseLeg) }

// ahead returns with how many pickups the vehicle is loaded before the shift.
func (d *drive) ahead() int {
	loading := d.p.Shifts[d.k].Loading
	for i, v := range d.visits {
		if loading.Site == 0 || v.Delivers() || d.p.stop(v).Site != loading.Site {
			return i
		}
	}
	return len(d.visits)
}

// stands returns how long it takes to set up before visit i, and to serve it, if the
// first so many are ahead of the shift.
func (d *drive) stands(i, ahead int) (setup, service int64) {
	if i == len(d.visits) {
		return 0, 0
	}
	stop := d.p.stop(d.visits[i])
	setup, service = d.p.setupOf(d.k, stop.Site), d.p.Shifts[d.k].manner().takes(stop.ServiceSeconds)
	if i < ahead {
		setup, service = d.p.Shifts[d.k].Loading.Seconds, 0
	}
	if d.within(i) {
		setup = 0
	}
	return setup, service
}

func (d *drive) place(i int) int {
	switch {
	case i < 0:
		return d.p.Shifts[d.k].From
	case i >= len(d.visits):
		return d.p.Shifts[d.k].To
	}
	return d.p.stop(d.visits[i]).Place
}

// leg returns the way to visit i; a shift without visits stays where it is.
func (d *drive) leg(i int) Leg {
	if len(d.visits) == 0 {
		return Leg{}
	}
	return d.p.Travel[d.p.Shifts[d.k].Profile].Leg(d.place(i-1), d.place(i))
}

// road returns the same way in traffic.
func (d *drive) road(i int) road {
	leg := d.leg(i)
	return d.p.Travel[d.p.Shifts[d.k].Profile].roadOf(d.place(i-1), d.place(i), int64(leg.Seconds))
}

// run drives as early as possible.
func (d *drive) run() driven { return d.runFrom(d.p.Shifts[d.k].Start) }

// runOnce drives as early as possible after a start, however long goods are on board.
func (d *drive) runOnce(start int64) driven {
	r := driven{leaves: start, stops: make([]Timed, 0, len(d.visits))}
	t, ahead := start, d.ahead()
	for i, v := range d.visits {
		setup, service := d.stands(i, ahead)
		driving := r.driving
		t = d.ride(i, t, &r)
		at := Timed{Visit: v, Arrives: t, Setup: setup, Starts: d.begin(i, t+setup)}
		at.Slower = r.driving - driving - int64(d.leg(i).Seconds)
		if closes := d.closes(i); at.Starts > closes {
			r.fail(lateness(v), at.Starts-closes, i)
		}
		at.Leaves = at.Starts + service
		r.setup, r.service, t = r.setup+setup, r.service+service, at.Leaves
		r.stops = append(r.stops, at)
	}
	driving := r.driving
	r.ends = d.ride(len(d.visits), t, &r)
	r.slower = r.driving - driving - int64(d.leg(len(d.visits)).Seconds)
	d.judgeWhole(&r)
	return r
}

// judgeWhole notes the limits that a whole route exceeds.
func (d *drive) judgeWhole(r *driven) {
	if len(d.visits) > 0 && r.ends > d.limits.end {
		r.fail(HomeTooLate, r.ends-d.limits.end, len(d.visits))
	}
	pause := d.limits.pause
	if d.pauseLeg == noPause && pause.Seconds > 0 && len(d.visits) > 0 && r.ends > pause.Latest {
		r.fail(NoTimeForBreak, r.ends-pause.Latest, len(d.visits))
	}
	if over := r.meters - d.limits.maxMeters; over > 0 {
		r.fail(RouteTooFar, over, len(d.visits))
	}
	if over := d.p.stopsOf(d.k, d.visits) - d.limits.maxStops; over > 0 {
		r.fail(TooManyStops, int64(over), len(d.visits))
	}
	if over := r.driving - d.limits.maxDriving; over > 0 && !d.busy() {
		r.fail(DrivingTooLong, over, len(d.visits))
	}
}

func lateness(v Visit) Code {
	if v.Delivers() {
		return DeliveryTooLate
	}
	return PickupTooLate
}

// ride returns when leg i ends if it begins at t.
func (d *drive) ride(i int, t int64, r *driven) int64 {
	road := d.road(i)
	r.meters += int64(d.leg(i).Meters)
	arrives := road.arrives(t)
	if i != d.pauseLeg {
		r.driving += arrives - t
		return arrives
	}
	pause := d.limits.pause
	if t > pause.Latest {
		r.fail(NoTimeForBreak, t-pause.Latest, i)
	}
	if d.busy() {
		return d.ridePaused(&road, t, r)
	}
	r.driving += arrives - t
	r.pause.Starts = max(t, pause.Earliest)
	r.pause.Leaves = r.pause.Starts + pause.Seconds
	return max(arrives, pause.Earliest) + pause.Seconds
}

func (r *driven) fail(code Code, by int64, at int) {
	if r.late == "" {
		r.late, r.lateBy, r.lateAt = code, by, at
	}
}

// latestOnce returns the latest starts of all visits that keep every window, with
// the last leg over by end, and the latest moment to leave.
func (d *drive) latestOnce(end int64) (starts []int64, leave int64) {
	starts = make([]int64, len(d.visits))
	next, ahead, setup := end, d.ahead(), int64(0)
	if d.pauseLeg == noPause && d.limits.pause.Seconds > 0 {
		next = min(end, max(d.limits.pause.Latest, 0))
	}
	for i := len(d.visits); ; i-- {
		road := d.road(i)
		leave = road.departs(next - setup)
		if i == d.pauseLeg {
			leave = road.departsPaused(next-setup, &d.limits.pause)
		}
		if i == 0 {
			return starts, leave
		}
		var service int64
		setup, service = d.stands(i-1, ahead)
		next = d.lastBegin(i-1, leave-service)
		starts[i-1] = next
	}
}

// settle tries the break on every leg, or none if no break is due, and returns
// the run that ends first; among several, the one in which frozen visits are
// least late, and among those the one that leaves last. If none is valid, it
// returns an invalid one.
func (p *Problem) settle(k int, visits []Visit) (drive, driven) {
	return p.settleWithin(k, visits, p.limits(k))
}

// settleWithin is settle for a shift whose limits are known.
func (p *Problem) settleWithin(k int, visits []Visit, l limits) (drive, driven) {
	if p.Shifts[k].rests() {
		return p.settleResting(k, visits, l, true)
	}
	best, run := p.soonest(k, visits, l)
	if run.late != "" || len(visits) == 0 {
		return best, run
	}
	return p.leaveLast(best, run)
}

// soonest does the same for a shift that leaves as early as it can.
func (p *Problem) soonest(k int, visits []Visit, l limits) (drive, driven) {
	if p.Shifts[k].rests() {
		return p.settleResting(k, visits, l, false)
	}
	d := drive{p: p, k: k, visits: visits, limits: l, pauseLeg: noPause}
	best, bestRun := d, d.run()
	if d.limits.pause.Seconds > 0 && len(visits) > 0 {
		for leg := 0; leg <= len(visits); leg++ {
			d.pauseLeg = leg
			if !d.mayPause() {
				continue
			}
			run := d.run()
			if run.before(bestRun) || run.late == bestRun.late && run.ends == bestRun.ends && d.lessHeldUp(&run, &bestRun) {
				best, bestRun = d, run
			}
		}
	}
	return best, bestRun
}

// before reports whether r holds where other does not, or ends before it.
func (r driven) before(other driven) bool {
	if (r.late == "") != (other.late == "") {
		return r.late == ""
	}
	if r.late != "" {
		return r.lateAt > other.lateAt || (r.lateAt == other.lateAt && r.lateBy < other.lateBy)
	}
	return r.ends < other.ends
}

// leaveLast leaves as late as the end allows, with the break on the leg that
// allows most of it.
func (p *Problem) leaveLast(d drive, run driven) (drive, driven) {
	ends := run.ends
	if !d.limits.begun {
		chosen, leaves, price := d, run.leaves, d.priceOfLateness(&run)
		for leg := noPause; leg <= len(d.visits); leg++ {
			d.pauseLeg = leg
			if early := d.run(); !d.mayPause() || early.late != "" || early.ends != ends || d.priceOfLateness(&early) > price {
				continue
			} else if _, leave := d.latest(ends, &early); leave > leaves {
				chosen, leaves = d, leave
			}
			if chosen.pauseLeg == noPause { // the route is over before a break is due
				break
			}
		}
		d, run = chosen, chosen.runFrom(leaves)
	}
	d.judgeLast(&run)
	return d, run
}

// judgeLast notes the limits that are only known when it is known when the driver leaves: in traffic, that is also how
// long the driver drives.
func (d *drive) judgeLast(run *driven) {
	if over := run.ends - run.leaves - d.limits.maxSeconds; over > 0 {
		run.fail(RouteTooLong, over, len(d.visits))
	}
	if over := run.driving - d.limits.maxDriving; over > 0 && d.busy() {
		run.fail(DrivingTooLong, over, len(d.visits))
	}
}
