package routing

// approach is the way to a spot where the break matters: it may be on the leg, but
// not in the setup behind the leg, and not within a visit.
type approach struct {
	leg, setup int64
	within     bool
	from, to   *spot
}

// approach returns the way to a spot from the one before it, given the leg.
func (s *spot) approach(from *spot, leg int64) approach {
	return approach{leg: leg, setup: s.entry(from), within: s.joins(from), from: from, to: s}
}

// approach returns the way to a spot of the route.
func (r *route) approach(i int) approach {
	s, from := &r.spots[i], &r.spots[i-1]
	setup := s.entry(from)
	return approach{leg: int64(s.seconds) - setup, setup: setup, within: s.joins(from), from: from, to: s}
}

// arrive returns the earliest starts before and after the break at the end of a way,
// from the earliest moments to leave; never is none.
func (b *bounds) arrive(before, after int64, way approach) (int64, int64) {
	if b.busy != nil {
		return b.arriveBusy(before, after, &way)
	}
	seconds := way.leg + way.setup
	after += seconds
	if before <= b.pause.Latest && !way.within {
		after = min(after, max(before+way.leg, b.pause.Earliest)+b.pause.Seconds+way.setup)
	}
	return min(before+seconds, never), min(after, never)
}

// forwardPaused is forward for a shift with a break.
func (m *model) forwardPaused(b *bounds, r *route, from, to int) bool {
	r.pause()
	for i := from; i < len(r.spots); i++ {
		s, behind := &r.spots[i], &r.paused[i]
		if i <= to+1 {
			m.ride(b, r, i)
		}
		before, after := b.arrive(r.spots[i-1].leave, r.paused[i-1].leave, r.approach(i))
		bounded := s.visit != terminal && i >= b.bounded
		leave, late := s.serve(b.open(s, before), bounded), s.serve(b.open(s, after), bounded)
		if i > to+1 && leave == s.leave && late == behind.leave {
			break // so are all behind it
		}
		s.leave, behind.leave = leave, late
	}
	last := len(r.spots) - 1
	r.ends = r.paused[last].leave
	if before := r.spots[last].leave; before <= b.pause.Latest {
		r.ends = min(r.ends, before)
	}
	return r.visits() == 0 || r.ends <= b.end
}

// pause makes room for the times behind the break.
func (r *route) pause() {
	if cap(r.paused) < len(r.spots) {
		r.paused = make([]paused, len(r.spots), len(r.spots)+8)
	}
	r.paused = r.paused[:len(r.spots)]
	r.paused[0] = paused{leave: never, latest: r.paused[0].latest}
}

// serve returns when a visit ends after an arrival; never when it is too late.
func (s *spot) serve(arrives int64, bounded bool) (leave int64) {
	start := max(arrives, int64(s.opens))
	if start >= never || bounded && start > int64(s.closes) {
		return never
	}
	return start + int64(s.service)
}

// depart returns the latest moments to leave before and after the break, from
// the latest starts at the end of a way.
func (b *bounds) depart(before, after int64, way approach) (int64, int64) {
	if b.busy != nil {
		return b.departBusy(before, after, &way)
	}
	seconds := way.leg + way.setup
	before -= seconds
	if b.pause.Earliest+b.pause.Seconds+way.setup <= after && !way.within {
		before = max(before, min(after-b.pause.Seconds-seconds, b.pause.Latest))
	}
	return before, after - seconds
}

// backwardPaused is backward for a shift with a break.
func (m *model) backwardPaused(b *bounds, r *route, from, to int) {
	last := len(r.spots) - 1
	r.spots[last].latest, r.paused[last].latest = min(b.end, b.pause.Latest), b.end
	for i := to; i >= 0; i-- {
		s, behind := &r.spots[i], &r.paused[i]
		before, after := b.depart(r.spots[i+1].latest, r.paused[i+1].latest, r.approach(i+1))
		before = s.bounded(b.openBy(s, before-int64(s.service)), i >= b.bounded)
		after = s.bounded(b.openBy(s, after-int64(s.service)), i >= b.bounded)
		if i < from-1 && before == s.latest && after == behind.latest {
			return // so are all before it
		}
		s.latest, behind.latest = before, after
	}
}

// bounded returns the latest start that keeps to the window as well; a start
// before it opens is none, and must not look like one further up the route.
func (s *spot) bounded(latest int64, closes bool) int64 {
	if closes {
		latest = min(latest, int64(s.closes))
	}
	if latest < int64(s.opens) {
		return -never
	}
	return latest
}

// leavesPaused returns the latest moment to leave for a route whose break falls
// into it to end as early as it does.
func (r *route) leavesPaused(b *bounds) int64 {
	before, after := min(r.ends, b.pause.Latest), r.ends
	for i := len(r.spots) - 2; i >= 0; i-- {
		s := &r.spots[i]
		before, after = b.depart(before, after, r.approach(i+1))
		before = s.bounded(b.openBy(s, before-int64(s.service)), i >= b.bounded)
		after = s.bounded(b.openBy(s, after-int64(s.service)), i >= b.bounded)
	}
	return before
}

// unpaused reports whether the route ends before its break is due, and no
// later than with it.
func (r *route) unpaused(b *bounds) bool {
	before := r.spots[len(r.spots)-1].leave
	return before <= b.pause.Latest && before <= r.ends
}
