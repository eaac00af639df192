package routing_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// resting returns a small problem with driving rules and several breaks.
func resting(seed int) *routing.Problem {
	rng := seeded(seed)
	p := routingtest.Small(rng, 3, 2)
	if seed%2 == 0 {
		routingtest.Visit(rng, p)
	}
	if seed%4 == 0 {
		routingtest.Maneuver(seeded(seed+1), p)
	}
	routingtest.Rest(rng, p)
	if seed%5 == 0 {
		routingtest.Limit(rng, p)
	}
	return p
}

func TestPlansWithDrivingRulesAreOptimal(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 400, resting)
}

// TestCheckAgreesOnDrivingRules compares Check, the search, and a driver who decides every second whether to
// drive on.
func TestCheckAgreesOnDrivingRules(t *testing.T) {
	t.Parallel()
	mustAgreeOnRests(t, resting)
}

func mustAgreeOnRests(t *testing.T, problem func(seed int) *routing.Problem) {
	t.Helper()
	held, refused, tried, rested := 0, 0, 0, 0
	for seed := range 8_000 {
		p, rng := problem(seed), seeded(seed)
		if seed%3 == 0 {
			routingtest.Owe(rng, p)
			drivable(p)
		}
		if len(p.Shifts) == 0 || len(p.Requests) == 0 {
			continue
		}
		require.NoError(t, p.Validate(), "seed %d", seed)
		k := rng.IntN(len(p.Shifts))
		visits := shuffled(rng, p, k)
		for _, r := range p.Shifts[k].OnBoard {
			visits = append(visits, routing.DeliveryOf(r))
		}
		nowhere := func(v routing.Visit) bool { return stopOf(p, v).Place == routing.Anywhere }
		if len(visits) == 0 || slices.ContainsFunc(visits, nowhere) {
			continue
		}
		holds, cost := routing.Measured(p, k, visits)
		accepted := routing.Drivable(p, k, visits)
		require.Equal(t, inOrder(p, k, visits) && routing.Allowed(p, k, visits) && holds, accepted, "seed %d", seed)
		at := p.Timetable(k, visits)
		s := &p.Shifts[k]
		if len(s.Frozen)+len(s.Owed) == 0 && routing.Rests(p, k) {
			tried++
			ends, toll, ok := bySeconds(p, k, visits)
			if ok = ok && ends <= s.End; !ok {
				require.False(t, accepted, "seed %d: no driver can do that", seed)
			}
			if accepted {
				require.Equal(t, ends, at.Ends, "seed %d: the first end %+v %v %+v %+v", seed, *s, visits, at, p)
				require.Equal(t, toll, tollOf(p, k, &at), "seed %d: the cheapest way", seed)
			}
			unlimited := s.MaxSeconds == 0 && s.MaxMeters == 0 && s.MaxStops == 0 && s.MaxDriving == 0
			if ok && unlimited && inOrder(p, k, visits) && routing.Allowed(p, k, visits) && !accepted {
				require.Contains(t, broken(p, k, visits), routing.Overloaded, "seed %d: only the load may be in the way", seed)
			}
		}
		if !accepted {
			refused++
			continue
		}
		held++
		require.Equal(t, routing.Clocked(p, k, visits), cost, "seed %d", seed)
		if len(at.Breaks) > 0 && routing.Rests(p, k) {
			rested++
			mustRest(t, seed, &at)
		}
	}
	t.Logf("%d held, %d refused, %d tried second by second, %d with breaks", held, refused, tried, rested)
	require.Greater(t, held, 800)
	require.Greater(t, refused, 1_500)
	require.Greater(t, tried, 1_500)
	require.Greater(t, rested, 300)
}

func broken(p *routing.Problem, k int, visits []routing.Visit) (codes []routing.Code) {
	plan := routing.Frozen(p)
	plan.Routes[k] = visits
	for _, v := range routing.Check(p, plan) {
		codes = append(codes, v.Code)
	}
	return codes
}

// moment is where a driver is in a second.
type moment struct {
	now, road, wheel int64
	part             bool
	pauses           int
	// bound is set on the way to the place of a break, and seconds and meters are the way so far.
	bound           bool
	seconds, meters int64
}

// bySeconds lets a driver decide every second whether to drive on or to take a break, and returns when the
// route can end first, and what its way costs at least.
func bySeconds(p *routing.Problem, k int, visits []routing.Visit) (ends, toll int64, ok bool) {
	s := &p.Shifts[k]
	pauses := s.Breaks
	if s.Break.Seconds > 0 {
		pauses = append([]routing.Break{s.Break}, s.Breaks...)
	}
	rule := s.Rule
	now := map[moment]bool{{now: s.Start, wheel: min(s.Rested.Driven, rule.Most), part: s.Rested.First}: true}
	place, site, loads := s.From, s.Site, s.Loading.Site != 0
	for i := 0; i <= len(visits); i++ {
		stop, setup, serves := routing.Stop{Place: s.To}, int64(0), true
		if i < len(visits) {
			stop = stopOf(p, visits[i])
			if stop.Site > 0 {
				setup = percent(p.Setups[stop.Site]+s.ExtraSetup, s.VisitPercent)
			}
			if loads = loads && !visits[i].Delivers() && stop.Site == s.Loading.Site; loads {
				setup, serves = s.Loading.Seconds, false
			}
		}
		same := stop.Site > 0 && stop.Site == site
		leg := p.Travel[s.Profile].Leg(place, stop.Place)
		there := map[moment]bool{}
		for m := range now {
			if same {
				m.now, m.road, setup = m.now+int64(leg.Seconds), 0, 0
				m.seconds, m.meters = m.seconds+int64(leg.Seconds), m.meters+int64(leg.Meters)
				there[m] = true
				continue
			}
			l := longLeg{travel: &p.Travel[s.Profile], rule: rule, pauses: pauses, end: s.End, to: stop.Place, there: there}
			l.leave(m, place)
		}
		now = map[moment]bool{}
		for m := range there {
			if i == len(visits) {
				if m.pauses == len(pauses) || m.now <= pauses[m.pauses].Latest {
					if costs := rates(p, k, m.seconds, m.meters); !ok || m.now < ends || m.now == ends && costs < toll {
						ends, toll, ok = m.now, costs, true
					}
				}
				continue
			}
			if m.now = max(m.now+setup, stop.Opens); m.now > stop.Closes {
				continue
			}
			if serves {
				m.now += percent(stop.ServiceSeconds, s.VisitPercent)
			}
			now[m] = true
		}
		place, site = stop.Place, stop.Site
	}
	return ends, toll, ok
}

// percent returns so many percent of some seconds, rounded; 0 percent are all of them.
func percent(seconds, share int64) int64 {
	if share == 0 {
		return seconds
	}
	return int64(math.Floor(float64(seconds)*float64(share)/100 + 0.5))
}

// rates returns what a way costs with a shift.
func rates(p *routing.Problem, k int, seconds, meters int64) int64 {
	of := p.Rates(k)
	return of.Second*seconds + of.Meter*meters
}

// tollOf returns what the way of a timetable costs.
func tollOf(p *routing.Problem, k int, at *routing.Timetable) int64 {
	return rates(p, k, at.Driving, at.Meters)
}

// longLeg is a leg that may lead by places of breaks.
type longLeg struct {
	travel *routing.Travel
	rule   routing.DrivingRule
	pauses []routing.Break
	end    int64
	to     int
	there  map[moment]bool
}

// far reports whether nobody drives a leg.
func (l *longLeg) far(leg routing.Leg) bool {
	return leg.Seconds == routing.Unreachable || l.rule.Most > 0 && int64(leg.Seconds) > 40*l.rule.Most
}

// leave drives from a place to the end of the leg, or to where the next break at a place is.
func (l *longLeg) leave(m moment, from int) {
	drive := func(m moment, to int, there map[moment]bool) {
		leg := l.travel.Leg(from, to)
		if l.far(leg) {
			return
		}
		m.road = int64(leg.Seconds)
		m.seconds, m.meters = m.seconds+int64(leg.Seconds), m.meters+int64(leg.Meters)
		secondBySecond(m, l.rule, l.pauses, l.end, there)
	}
	if l.far(l.travel.Leg(from, l.to)) {
		return
	}
	drive(m, l.to, l.there)
	next := slices.IndexFunc(l.pauses[m.pauses:], func(b routing.Break) bool { return b.At > 0 })
	if next < 0 {
		return
	}
	next += m.pauses
	at, place := map[moment]bool{}, l.pauses[next].At-1
	m.bound = true
	drive(m, place, at)
	for m := range at {
		if m.bound = false; m.pauses == next && m.now <= l.pauses[next].Latest {
			l.leave(m.rest(l.rule, max(m.now, l.pauses[next].Earliest), l.pauses[next].Seconds, 1), place)
		}
	}
}

// secondBySecond drives a leg. At each second it keeps the drivers for whom no other one is earlier, has
// driven less, and has as many breaks behind.
func secondBySecond(from moment, rule routing.DrivingRule, pauses []routing.Break, end int64, there map[moment]bool) {
	here := []moment{from}
	for road := from.road; road >= 0; road-- {
		var kept []moment
		for len(here) > 0 {
			m := here[len(here)-1]
			here = here[:len(here)-1]
			if m.now > end || slices.ContainsFunc(kept, m.isWorse) {
				continue
			}
			kept = append(slices.DeleteFunc(kept, func(o moment) bool { return o.isWorse(m) }), m)
			here = append(here, m.breaks(rule, pauses)...)
		}
		if road == 0 {
			for _, m := range kept {
				there[m] = true
			}
			return
		}
		for _, m := range kept {
			if m.road--; rule.Most > 0 {
				m.wheel++
			}
			if m.now++; rule.Most == 0 || m.wheel <= rule.Most {
				here = append(here, m)
			}
		}
	}
}

// isWorse reports whether another driver at the same place is no worse in anything.
func (m moment) isWorse(other moment) bool {
	return other.now <= m.now && other.wheel <= m.wheel && (other.part || !m.part) && other.pauses == m.pauses &&
		other.seconds <= m.seconds && other.meters <= m.meters
}

// breaks are the breaks that can begin now.
func (m moment) breaks(rule routing.DrivingRule, pauses []routing.Break) (after []moment) {
	rest := func(at, seconds int64, by int) { after = append(after, m.rest(rule, at, seconds, by)) }
	if rule.Most > 0 {
		rest(m.now, rule.Break, 0)
		if rule.First > 0 {
			rest(m.now, rule.First, 0)
			rest(m.now, rule.Second, 0)
		}
	}
	if m.pauses < len(pauses) && m.now <= pauses[m.pauses].Latest && pauses[m.pauses].At == 0 {
		rest(max(m.now, pauses[m.pauses].Earliest), pauses[m.pauses].Seconds, 1)
	}
	return after
}

// rest has one break.
func (m moment) rest(rule routing.DrivingRule, at, seconds int64, by int) moment {
	m.now, m.pauses = at+seconds, m.pauses+by
	switch {
	case rule.Most == 0:
	case seconds >= rule.Break || m.part && seconds >= rule.Second:
		m.wheel, m.part = 0, false
	case rule.First > 0 && seconds >= rule.First:
		m.part = true
	}
	return m
}

// mustRest goes through a timetable as an inspector would: no break overlaps a visit, and none is missing.
func mustRest(t *testing.T, seed int, at *routing.Timetable) {
	t.Helper()
	for i, rest := range at.Breaks {
		require.Less(t, rest.Starts, rest.Ends, "seed %d", seed)
		if i > 0 {
			require.GreaterOrEqual(t, rest.Starts, at.Breaks[i-1].Ends, "seed %d", seed)
		}
		for _, stop := range at.Stops {
			overlaps := rest.Starts < stop.Leaves && stop.Starts < rest.Ends
			require.False(t, overlaps, "seed %d: a break within a visit", seed)
		}
	}
	idle := at.Ends - at.Leaves - at.Driving - at.Setup - at.Waiting
	for _, stop := range at.Stops {
		idle -= stop.Leaves - stop.Starts
	}
	for _, rest := range at.Breaks {
		idle -= rest.Ends - rest.Starts
	}
	require.Zero(t, idle, "seed %d", seed)
}
