package routing

// NoStops is the most stops of a shift that goes nowhere any more, where 0 is unlimited.
const NoStops = -1

// unlimitedStops is more than any route has.
const unlimitedStops = 4 * maxRequests

// stopsOf returns to how many places a shift goes for visits: those of one site in a row are one stop,
// and none if the shift is there at the start.
func (p *Problem) stopsOf(k int, visits []Visit) (stops int) {
	site := p.Shifts[k].Site
	for _, v := range visits {
		next := p.stop(v).Site
		if next == 0 || next != site {
			stops++
		}
		site = next
	}
	return stops
}

// mostStops returns how many stops a shift makes at most.
func (s *Shift) mostStops() int {
	switch {
	case s.MaxStops < 0:
		return 0
	case s.MaxStops == 0:
		return unlimitedStops
	}
	return s.MaxStops
}

// bounded reports whether a shift has a limit that is only known when its whole route is.
func (s *Shift) bounded() bool {
	return s.MaxSeconds > 0 || s.MaxMeters > 0 || s.MaxStops != 0 || s.MaxDriving > 0 || s.rests()
}

// within reports whether a measured route keeps to the limits of stops and driving.
func (r *route) within(b *bounds) bool {
	if b.maxStops >= unlimitedStops && b.maxDriving >= never {
		return true
	}
	return r.stops() <= b.maxStops && r.driving()+r.farther.seconds <= b.maxDriving
}

// stops counts the stops of a route.
func (r *route) stops() (count int) {
	for i := 1; i < len(r.spots)-1; i++ {
		count += stopAt(&r.spots[i], &r.spots[i-1])
	}
	return count
}

// stopAt is 1 for a spot that is a stop of its own behind another one.
func stopAt(s, behind *spot) int {
	if s.joins(behind) {
		return 0
	}
	return 1
}

// count notes how many stops there are in the route without the request, if their number is limited.
func (f *finder) count() {
	f.stops = 0
	if f.b.maxStops < unlimitedStops {
		f.stops = f.r.stops()
	}
}

// fills reports whether the shift would have too many stops with the request at i and j.
func (f *finder) fills(i, j int) bool {
	if f.b.maxStops >= unlimitedStops {
		return false
	}
	before, drop := &f.r.spots[j-1], f.a.drop
	stops := f.stops
	if !f.a.halved {
		if i == j {
			before = f.a.pickup
			stops += stopAt(before, &f.r.spots[i-1])
		} else {
			stops += f.added(f.a.pickup, i)
		}
	}
	stops += stopAt(drop, before)
	if j < len(f.r.spots)-1 {
		to := &f.r.spots[j]
		stops += stopAt(to, drop) - stopAt(to, &f.r.spots[j-1])
	}
	return stops > f.b.maxStops
}

// added is by how many stops there are more with another spot before the spot i, which is not the last one.
func (f *finder) added(s *spot, i int) int {
	from, to := &f.r.spots[i-1], &f.r.spots[i]
	return stopAt(s, from) + stopAt(to, s) - stopAt(to, from)
}

// driving returns the seconds of the legs of a measured route, without setups and breaks at places.
func (r *route) driving() int64 {
	seconds := r.seconds
	for i := 1; i < len(r.spots)-1; i++ {
		seconds -= r.spots[i].entry(&r.spots[i-1])
	}
	return seconds
}

// limitInTheWay returns the limit of a shift without which a request would have a place in its
// route, or Late.
func (e *Explainer) limitInTheWay(k, r int) Code {
	b := &e.m.shifts[k]
	was := *b
	defer func() { *b = was }()
	if b.maxStops = unlimitedStops; was.maxStops < unlimitedStops && e.fits(k, r, e.routes[k]) {
		return TooManyStops
	}
	b.maxStops = was.maxStops
	if b.maxDriving = never; was.maxDriving < never && e.fits(k, r, e.routes[k]) {
		return DrivingTooLong
	}
	return Late
}
