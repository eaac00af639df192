package routing

// DrivingRule is how long a driver may drive between breaks, in seconds; without Most there is none.
type DrivingRule struct {
	// Most is the longest driving without a break of Break seconds.
	Most, Break int64
	// First and Second may stand for the break, in this order; 0 if it cannot be divided.
	First, Second int64
}

// Rested is how a driver is in a driving rule when a shift begins.
type Rested struct {
	// Driven is how many seconds the driver has driven since the last break. Below zero, the last break was on
	// the leg with which the shift begins, behind so many seconds of it.
	Driven int64
	// First is set when the first part of a divided break is over.
	First bool
}

// resting are the breaks of a shift that has a rule, several breaks, or one at a place. A shift with at most
// one break, which is anywhere, and no rule has none: its break has arithmetic of its own.
type resting struct {
	rule   DrivingRule
	rested Rested
	// breaks are those at times of the day, in their order.
	breaks []Break
	// travel has the ways to the places of breaks, and rates are the prices of them; nil without such a break.
	travel *Travel
	rates  Rates
	// busy is the matrix of a shift in traffic, or nil.
	busy *Travel
}

// breaks returns the breaks at times of the day.
func (s *Shift) breaks() []Break {
	var all []Break
	if s.Break.Seconds > 0 {
		all = append(all, s.Break)
	}
	return append(all, s.Breaks...)
}

// rests reports whether the breaks of a shift need more than the arithmetic of one.
func (s *Shift) rests() bool { return s.Rule.Most > 0 || len(s.Breaks) > 0 || s.Break.placed() }

func (s *Shift) resting() *resting {
	if !s.rests() {
		return nil
	}
	rested := s.Rested
	rested.Driven = min(rested.Driven, s.Rule.Most)
	return &resting{rule: s.Rule, rested: rested, breaks: s.breaks()}
}

// farAway is a leg that nobody drives in a shift, in seconds, and manyBreaks the number of breaks on one.
// Breaks do not matter there.
const (
	farAway    = 1 << 22
	manyBreaks = 40
)

// far reports whether nobody drives a leg in a shift.
func (r *resting) far(leg int64) bool {
	return leg > farAway || r.rule.Most > 0 && leg > manyBreaks*r.rule.Most
}

// state is how a driver may be somewhere on a route. Each place has several, of which none is better
// than another: one has driven less since the last break, another is earlier.
type state struct {
	at, driven int64
	// first is set when the first part of a divided break is over, and taken counts the breaks at times
	// of the day that are.
	first bool
	taken int
	// awaits is set until the last break at a place is over. Its place may be a way that saves time.
	awaits bool
	// left are the seconds of the present leg that are still to be driven, and goal is the break to whose
	// place it leads, counted from 1 on; 0 is none.
	left int64
	goal int
	// road is the present leg in traffic, of which left is still to be driven, and slower by how many seconds longer
	// than at full speed the driver has driven. Without traffic, both are nothing.
	road   road
	slower int64
	// farther is by how much longer the way is because of breaks at places, and detour that of the goal; there
	// is the way to it.
	farther, detour way
	there           Leg
	// fine is what it costs so far that visits begin after they are due.
	fine int64
	// loaded is when the goods with a limit of the time on board were picked up that are on board now, in the sequence
	// of the walker, and spoiled is set when some were for too long.
	loaded  []int64
	spoiled bool
	// past is what happened until then, if somebody wants to know.
	past *event
}

// event is a break or a visit on the way.
type event struct {
	starts, ends, arrives int64
	isBreak               bool
	// slower is that of the state at a visit.
	slower int64
	// at is the place of a break, as in Break, and detour how much longer the way is because of it.
	at     int
	detour way
	there  Leg
	before *event
}

// atLeast reports whether a state is as good as another in each respect.
func (s *state) atLeast(other *state) bool {
	return s.at <= other.at && s.driven <= other.driven && (s.first || !other.first) &&
		(s.taken == other.taken || s.taken > other.taken && !other.awaits) &&
		s.fine <= other.fine && s.slower <= other.slower &&
		s.farther.seconds <= other.farther.seconds && s.farther.meters <= other.farther.meters &&
		(other.spoiled || !s.spoiled && s.loadedAfter(other))
}

// states are those in which a driver may be at one place.
type states []state

// add adds a state unless another is as good, and takes out those that it is as good as.
func (all states) add(s state) states {
	kept := all[:0]
	for i := range all {
		if all[i].atLeast(&s) {
			return all
		}
	}
	for i := range all {
		if !s.atLeast(&all[i]) {
			kept = append(kept, all[i])
		}
	}
	return append(kept, s)
}

// walker follows a route through all ways to take the breaks.
type walker struct {
	of *resting
	// until is when all must be over.
	until int64
	// recording keeps what happened.
	recording bool
	// from and to are the ends of the present leg, and room is how much longer the way may be because of
	// breaks at places.
	from, to int
	room     way
	// goods have a limit of the time on board, and visit is the number of the present one.
	goods []aboard
	visit int

	now, next states
	// seen are the states on the present leg.
	seen []state
}

// begin is the start of a shift.
func (w *walker) begin(at int64) {
	w.now = append(w.now[:0], state{
		at: at, driven: w.of.rested.Driven, first: w.of.rested.First, awaits: w.of.travel != nil,
	})
}

// ride drives a leg, with all breaks that may be on it, and sets up behind it.
func (w *walker) ride(leg, setup int64, within bool) {
	if w.of.busy != nil {
		w.rideBusy(leg, setup, within)
		return
	}
	w.next = w.next[:0]
	for _, s := range w.now {
		if s.left = leg; within || w.of.far(leg) {
			s.at, s.left = s.at+leg, 0
			w.next = w.next.add(s)
			continue
		}
		w.seen = w.seen[:0]
		w.depart(s, w.from)
	}
	w.now, w.next = w.next, w.now
	for i := range w.now {
		w.now[i].at += setup
	}
}

// drive drives the rest of a leg: to its end, or to a break that is as late as it can be.
func (w *walker) drive(s state) {
	if s.at > w.until || w.passed(&s) {
		return
	}
	most := s.left
	if rule := &w.of.rule; rule.Most > 0 {
		most = min(most, rule.Most-s.driven)
	}
	if most == s.left {
		end := s
		end.at, end.driven, end.left = end.at+s.left, end.driven+w.counted(s.left), 0
		w.arrive(end)
	}
	if w.of.rule.Most > 0 {
		w.byRule(&s, most)
	}
	if s.taken < len(w.of.breaks) && !w.of.breaks[s.taken].placed() {
		pause := &w.of.breaks[s.taken]
		if x := min(most, pause.Latest-s.at); x >= 0 {
			w.rest(s, x, max(s.at+x, pause.Earliest), pause.Seconds, true)
		}
	}
}

// counted are the seconds of a leg that a rule counts.
func (w *walker) counted(seconds int64) int64 {
	if w.of.rule.Most == 0 {
		return 0
	}
	return seconds
}

// byRule takes a break, or a part of one, because of the rule.
func (w *walker) byRule(s *state, most int64) {
	rule := &w.of.rule
	for _, lasts := range [2]int64{rule.Break, rule.Second} {
		if lasts == rule.Second && !s.first {
			continue
		}
		if s.driven+most > 0 {
			w.rest(*s, most, s.at+most, lasts, false)
		}
		if s.taken >= len(w.of.breaks) || w.of.breaks[s.taken].placed() {
			continue
		}
		if x := w.of.breaks[s.taken].Latest - s.at - lasts; x >= 0 && x < most && s.driven+x > 0 { // in time for the next one
			w.rest(*s, x, s.at+x, lasts, false)
		}
	}
	if rule.First > 0 && !s.first {
		w.rest(*s, 0, s.at, rule.First, false)
	}
}

// rest takes a break after some more seconds of driving, and drives on.
func (w *walker) rest(s state, after, starts, lasts int64, timed bool) {
	s.driven, s.left, s.at = s.driven+w.counted(after), s.left-after, starts+lasts
	if timed {
		s.taken++
	}
	if w.recording {
		s.past = &event{starts: starts, ends: s.at, isBreak: true, before: s.past}
	}
	w.of.rule.count(&s, lasts)
	w.drive(s)
}

// count notes a break in the driving since the last one.
func (r *DrivingRule) count(s *state, lasts int64) {
	switch {
	case r.Most == 0:
	case lasts >= r.Break, s.first && r.Second > 0 && lasts >= r.Second:
		s.driven, s.first = 0, false
	case r.First > 0 && lasts >= r.First:
		s.first = true
	}
}

// passed reports whether a state is no better than one at the same place of the leg, and notes it.
func (w *walker) passed(s *state) bool {
	for i := range w.seen {
		if w.seen[i].left == s.left && w.seen[i].goal == s.goal && w.seen[i].atLeast(s) {
			return true
		}
	}
	w.seen = append(w.seen, *s)
	return false
}

// serve makes a visit at the first moment that it may begin, which must be in time, and returns how late the
// earliest is if none is in time.
func (w *walker) serve(begin func(int64) int64, closes, service int64) (late int64) {
	w.next, late = w.next[:0], never
	for _, s := range w.now {
		arrives := s.at
		if s.at = begin(s.at); s.at > closes {
			late = min(late, s.at-closes)
			continue
		}
		if w.recording {
			s.past = &event{arrives: arrives, starts: s.at, ends: s.at + service, slower: s.slower, before: s.past}
		}
		starts := s.at
		if s.at += service; w.missed(&s) {
			continue
		}
		w.load(&s, starts)
		w.next = w.next.add(s)
	}
	w.now, w.next = w.next, w.now
	return late
}

// missed reports whether there is no time any more for a break at a time of the day.
func (w *walker) missed(s *state) bool {
	return s.taken < len(w.of.breaks) && s.at > w.of.breaks[s.taken].Latest
}

// home returns the state in which a route ends first, or nil if a break is missing in all, or is too far.
func (w *walker) home() (best *state) {
	for i := range w.now {
		if s := &w.now[i]; !w.missed(s) && w.affords(s) && (best == nil || w.of.before(s, best)) {
			best = s
		}
	}
	return best
}

// before reports whether a route ends earlier in one state than in another, or at a lower price. One in which no goods
// were on board for too long is the better one.
func (r *resting) before(s, other *state) bool {
	if s.spoiled != other.spoiled {
		return other.spoiled
	}
	if s.at != other.at || s.fine != other.fine {
		return s.at < other.at || s.at == other.at && s.fine < other.fine
	}
	if r.travel != nil && s.farther != other.farther {
		return r.shorter(&s.farther, &other.farther)
	}
	return s.slower < other.slower
}
