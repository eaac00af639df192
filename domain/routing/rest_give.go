package routing

import (
	"errors"
	"fmt"
	"slices"
)

// mostBreaks is how many further breaks a shift may have.
const mostBreaks = 10

// validateRests checks the driving rule, and that the breaks at times of the day are apart.
func (s *Shift) validateRests(places int) error {
	rule := s.Rule
	driven := max(s.Rested.Driven, -s.Rested.Driven)
	for _, seconds := range []int64{rule.Most, rule.Break, rule.First, rule.Second, driven} {
		if seconds < 0 || seconds > MaxTime {
			return fmt.Errorf("%d seconds of driving or of a break are out of range", seconds)
		}
	}
	switch {
	case rule.Most > 0 && rule.Break == 0:
		return errors.New("the break of the driving rule lasts no time")
	case (rule.First == 0) != (rule.Second == 0), rule.First >= rule.Break && rule.First > 0,
		rule.Second >= rule.Break && rule.Second > 0, rule.First > 0 && rule.First+rule.Second < rule.Break:
		return errors.New("the parts of the break do not make up the break")
	case len(s.Breaks) > mostBreaks:
		return fmt.Errorf("%d breaks are too many", len(s.Breaks))
	}
	over := int64(0)
	for _, pause := range s.breaks() {
		for _, at := range []int64{pause.Earliest, pause.Latest, pause.Seconds} {
			if at < 0 || at > MaxTime {
				return fmt.Errorf("time %d is out of range", at)
			}
		}
		if pause.At < 0 || pause.At > places {
			return fmt.Errorf("the place %d of a break does not exist", pause.At)
		}
		if s.rests() && (pause.Seconds == 0 || pause.Earliest < over || pause.Latest < pause.Earliest) {
			return errors.New("the breaks overlap")
		}
		over = pause.Latest + pause.Seconds
	}
	return nil
}

// givenWayResting widens the limits of a shift with breaks of several kinds until the visits keep to
// them that are made in any case. The driver drives on until a break is due, and takes a whole one then.
func (p *Problem) givenWayResting(k int, l limits) limits {
	shift := &p.Shifts[k]
	d := drive{p: p, k: k, visits: slices.Concat(shift.Frozen, shift.Owed), limits: l, pauseLeg: noPause}
	rest := *l.rest
	rest.breaks = slices.Clone(rest.breaks)
	late := latecomer{rest: &rest, state: state{at: shift.Start, driven: rest.rested.Driven, first: rest.rested.First}}
	l.rest, l.until = &rest, map[Visit]int64{}
	ahead, run := d.ahead(), driven{}
	for i, v := range d.visits {
		setup, service := d.stands(i, ahead)
		run.add(d.leg(i), setup, service)
		late.ride(int64(d.leg(i).Seconds), d.within(i), d.place(i-1), d.place(i))
		late.state.at = p.stop(v).begin(late.state.at + setup)
		if i >= shift.Fixed() {
			l.until[v] = max(p.stop(v).Closes, late.state.at)
		}
		late.state.at += service
	}
	home := d.leg(len(d.visits))
	run.add(home, 0, 0)
	late.ride(int64(home.Seconds), false, d.place(len(d.visits)-1), d.place(len(d.visits)))
	late.home()
	l.end = max(l.end, late.state.at)
	run.driving, run.meters = run.driving+late.state.farther.seconds, run.meters+late.state.farther.meters
	l.maxSeconds, l.maxMeters = max(l.maxSeconds, late.state.at-shift.Start), max(l.maxMeters, run.meters)
	l.maxStops, l.maxDriving = max(l.maxStops, p.stopsOf(k, d.visits)), max(l.maxDriving, d.slowly(run.driving))
	return l
}

// latecomer takes each break as soon as it is due, and moves the times of those for which it is too late.
type latecomer struct {
	rest  *resting
	state state
}

func (c *latecomer) ride(leg int64, within bool, from, to int) {
	s := &c.state
	road := c.rest.road(from, to, leg)
	if within || c.rest.far(leg) {
		s.at = road.arrives(s.at)
		return
	}
	c.drive(c.detours(road, from, to))
}

// drive drives a leg to its end.
func (c *latecomer) drive(leg road) {
	s := &c.state
	for s.road, s.left = leg, leg.whole(); ; {
		whole := s.road.ends(s.at, s.left) - s.at
		most := whole
		if rule := &c.rest.rule; rule.Most > 0 {
			most = min(most, rule.Most-s.driven)
		}
		if s.taken < len(c.rest.breaks) && !c.rest.breaks[s.taken].placed() {
			if pause := &c.rest.breaks[s.taken]; pause.Earliest <= s.at+most {
				most = max(0, pause.Earliest-s.at)
				pause.Latest = max(pause.Latest, s.at+most)
				s.taken++
				c.pause(most, pause.Seconds)
				continue
			}
		}
		if most == whole {
			c.pause(most, 0)
			return
		}
		lasts := c.rest.rule.Break
		if s.first {
			lasts = c.rest.rule.Second
		}
		c.pause(most, lasts)
	}
}

// detours goes to the places of breaks that are due before the end of a leg, and returns the way on.
func (c *latecomer) detours(leg road, from, to int) road {
	s := &c.state
	for s.taken < len(c.rest.breaks) && c.rest.breaks[s.taken].placed() {
		pause := &c.rest.breaks[s.taken]
		there, longer, ok := c.rest.farther(from, pause.Place(), to)
		if !ok || pause.Earliest > leg.arrives(s.at) {
			break
		}
		s.farther.seconds, s.farther.meters = s.farther.seconds+longer.seconds, s.farther.meters+longer.meters
		c.drive(c.rest.road(from, pause.Place(), int64(there.Seconds)))
		pause.Latest = max(pause.Latest, s.at)
		s.at = max(s.at, pause.Earliest)
		s.taken++
		c.pause(0, pause.Seconds)
		from = pause.Place()
		leg = c.rest.road(from, to, int64(c.rest.travel.Leg(from, to).Seconds))
	}
	return leg
}

// pause drives so long, and then takes a break.
func (c *latecomer) pause(after, lasts int64) {
	s := &c.state
	s.left = s.road.rest(s.at, s.left, after)
	s.at += after + lasts
	if c.rest.rule.Most > 0 {
		s.driven += after
	}
	if lasts > 0 {
		c.rest.rule.count(s, lasts)
	}
}

// home lets the route be over before a break that it does not need.
func (c *latecomer) home() {
	if s := &c.state; s.taken < len(c.rest.breaks) {
		pause := &c.rest.breaks[s.taken]
		pause.Latest = max(pause.Latest, s.at)
	}
}
