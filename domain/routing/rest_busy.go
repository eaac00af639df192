package routing

import "slices"

// The walker in traffic. How long a leg takes depends on when it is driven, so a driver who is earlier somewhere need
// not be better off: the rule may ask for one break more. It goes through the states in a fixed sequence, and tries
// breaks at more moments than a walker without traffic.

// rideBusy is ride in traffic.
func (w *walker) rideBusy(leg, setup int64, within bool) {
	w.next, w.seen = w.next[:0], w.seen[:0]
	road := w.of.road(w.from, w.to, leg)
	for _, s := range w.now {
		if within || w.of.far(leg) {
			arrives := road.arrives(s.at)
			s.slower += arrives - s.at - leg
			s.at = arrives
			w.next = w.next.add(s)
			continue
		}
		w.setOff(s, w.from, leg)
	}
	for done := 0; done < len(w.seen); done++ {
		w.driveBusy(w.seen[done])
	}
	w.now, w.next = w.next, w.now
	for i := range w.now {
		w.now[i].at += setup
	}
}

// setOff begins a leg from a place, which takes so long at full speed, straight on and by the next place of a break.
func (w *walker) setOff(s state, from int, leg int64) {
	straight := s
	straight.goal = 0
	straight.take(w.of.road(from, w.to, leg))
	w.seen = append(w.seen, straight)
	if by, pause := w.byBreak(s, from); pause != nil {
		by.take(w.of.road(from, pause.Place(), int64(by.there.Seconds)))
		w.seen = append(w.seen, by)
	}
}

// take begins to drive a road. All driving on it makes the state slower, so its seconds at full speed are taken off.
func (s *state) take(r road) {
	s.road, s.left = r, r.whole()
	s.slower -= r.seconds
}

// driveBusy drives the rest of a leg: to its end, and to each moment at which a break can matter.
func (w *walker) driveBusy(s state) {
	whole := s.road.ends(s.at, s.left) - s.at
	most := whole
	if rule := &w.of.rule; rule.Most > 0 {
		most = min(most, rule.Most-s.driven)
	}
	if most == whole {
		w.arriveBusy(w.onward(s, most))
	}
	for _, x := range w.moments(&s, most) {
		w.restBusy(w.onward(s, x))
	}
}

// onward drives for so many seconds.
func (w *walker) onward(s state, seconds int64) state {
	s.left = s.road.rest(s.at, s.left, seconds)
	s.at, s.slower, s.driven = s.at+seconds, s.slower+seconds, s.driven+w.counted(seconds)
	return s
}

// moments are those in the next seconds of driving at which a break can matter: at once, as late as can be, and just in
// time for the next break at a time of the day, also behind one of the rule.
func (w *walker) moments(s *state, most int64) []int64 {
	all := []int64{0, most}
	if s.taken < len(w.of.breaks) {
		last := w.of.breaks[s.taken].Latest - s.at
		for _, before := range [3]int64{0, w.of.rule.Break, w.of.rule.Second} {
			if x := last - before; x > 0 && x < most {
				all = append(all, x)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// restBusy takes each break that may begin now.
func (w *walker) restBusy(s state) {
	rule := &w.of.rule
	if rule.Most > 0 {
		w.breakBusy(s, rule.Break, false)
		w.breakBusy(s, rule.First, false)
		if s.first {
			w.breakBusy(s, rule.Second, false)
		}
	}
	if s.taken < len(w.of.breaks) {
		if next := &w.of.breaks[s.taken]; s.at <= next.Latest && !next.placed() {
			s.at = max(s.at, next.Earliest)
			w.breakBusy(s, next.Seconds, true)
		}
	}
}

// breakBusy takes a break and drives on, unless a known state is as good.
func (w *walker) breakBusy(s state, lasts int64, timed bool) {
	if lasts <= 0 {
		return
	}
	starts := s.at
	if s.at += lasts; timed {
		s.taken++
	}
	w.of.rule.count(&s, lasts)
	for i := range w.seen {
		if o := &w.seen[i]; o.left == s.left && o.road == s.road && o.goal == s.goal && o.atLeast(&s) {
			return
		}
	}
	if w.recording {
		s.past = &event{starts: starts, ends: s.at, isBreak: true, before: s.past}
	}
	w.seen = append(w.seen, s)
}

// arriveBusy is arrive in traffic.
func (w *walker) arriveBusy(s state) {
	if s.goal == 0 {
		w.next = w.next.add(s)
		return
	}
	if after, place, ok := w.sit(s); ok {
		w.setOff(after, place, int64(w.of.travel.Leg(place, w.to).Seconds))
	}
}

// road returns a leg in the traffic of a shift that rests.
func (r *resting) road(from, to int, seconds int64) road {
	if r.busy == nil {
		return road{seconds: seconds}
	}
	return r.busy.roadOf(from, to, seconds)
}
