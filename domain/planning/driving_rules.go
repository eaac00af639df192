package planning

import (
	"time"

	"waybill/domain/driver"
	"waybill/domain/routing"
)

// Rest is a break of a route.
type Rest struct {
	Starts time.Time `json:"starts"`
	Ends   time.Time `json:"ends"`
	// Place is where the driver has the break; zero is anywhere on the way.
	Place RestPlace `json:"place,omitzero"`
}

// DaysOfHistory is for how many days before a day it is known how long a driver drove: two weeks, from
// Monday on, end with that day at most, and the night before them may last until that Monday.
const DaysOfHistory = 14

// rule gives a shift the rule for driving time of its vehicle: the breaks, what the days before leave to
// drive, and the rest before and after the shift.
func (d *Draft) rule(shift *routing.Shift, of *Driver, passed *progress) {
	rule := of.Rule
	if rule == nil {
		return
	}
	route := d.routes[of.ID]
	if of.breaksByRule() {
		d.breaksByRule(shift, rule, passed, route)
	}
	left := max(int64((d.drivingLeft(of)-passed.driving())/time.Second), 1)
	if shift.MaxDriving == 0 || left < shift.MaxDriving {
		shift.MaxDriving = left
	}
	d.keepRest(shift, of, passed, route)
}

// breaksByRule gives a shift the breaks that the rule asks for.
func (d *Draft) breaksByRule(shift *routing.Shift, rule *driver.DrivingRule, passed *progress, route *Route) {
	shift.Rule = routing.DrivingRule{Most: 60 * int64(rule.Driving), Break: 60 * int64(rule.Break)}
	if len(rule.Parts) == 2 {
		shift.Rule.First, shift.Rule.Second = 60*int64(rule.Parts[0]), 60*int64(rule.Parts[1])
	}
	shift.Rested = passed.atWheel(shift.Rule, d.restsOver(route))
}

// keepRest begins and ends a shift so that the driver rests within 24 hours; two who drive in turns have longer.
func (d *Draft) keepRest(shift *routing.Shift, of *Driver, passed *progress, route *Route) {
	rest := of.Rule.RestNeeded(d.day.Date, of.Worked)
	day := 24*time.Hour - rest
	next, rested := of.Next, of.rested(d.day.Date, of.Worked)
	if of.inTurns() {
		rest, day = of.Rule.Two.RestOfTwo()
		rested = later(rested, of.rested(d.day.Date, of.CoDriver.Worked))
		if soon := of.CoDriver.Next; !soon.IsZero() && (next.IsZero() || soon.Before(next)) {
			next = soon
		}
	}
	if !next.IsZero() {
		shift.End = min(shift.End, d.second(next.Add(-rest)))
	}
	switch {
	case passed.begun && route != nil:
		shift.End = min(shift.End, d.second(route.Starts.Add(day)))
	case !rested.IsZero():
		shift.Start = max(shift.Start, d.second(rested))
		fallthrough
	default:
		shift.MaxSeconds = int64(day / time.Second)
	}
	d.keepWeeklyRest(shift, of, of.Worked)
	if of.inTurns() {
		d.keepWeeklyRest(shift, of, of.CoDriver.Worked)
	}
	shift.End = max(shift.End, 0)
}

// keepWeeklyRest ends a shift where the week of work of somebody in it ends, or else begins it after the weekly rest.
func (d *Draft) keepWeeklyRest(shift *routing.Shift, of *Driver, before []driver.Worked) {
	until, rested := of.Rule.WeekOfWork(before)
	switch {
	case until.IsZero() || d.second(rested) <= shift.Start:
	case d.second(until) > shift.Start:
		shift.End = min(shift.End, d.second(until))
	default:
		shift.Start = d.second(rested)
	}
}

// rested returns when somebody has rested after the days before; zero without any.
func (d *Driver) rested(day time.Time, before []driver.Worked) time.Time {
	if len(before) == 0 {
		return time.Time{}
	}
	return before[len(before)-1].Ends.Add(d.Rule.RestBefore(day, before))
}

// drivingLeft returns how long a driver with a rule may drive on the day. Two who drive in turns drive half each, so
// they drive until one of them may no longer.
func (d *Draft) drivingLeft(of *Driver) time.Duration {
	left := of.Rule.DrivingLeft(d.day.Date, of.Worked)
	if of.inTurns() {
		return 2 * min(left, of.Rule.DrivingLeft(d.day.Date, of.CoDriver.Worked))
	}
	return left
}

// restsOver returns the breaks of a route that have begun.
func (d *Draft) restsOver(route *Route) (over []Rest) {
	if route == nil {
		return nil
	}
	for _, rest := range route.Breaks {
		if !rest.Starts.After(d.day.Now) {
			over = append(over, rest)
		}
	}
	return over
}

// atWheel returns how long a driver has driven since the last break. Of a leg with a break on it, what was
// driven before the break counts before.
func (p *progress) atWheel(rule routing.DrivingRule, over []Rest) (r routing.Rested) {
	next := 0
	rest := func(driven int64) {
		r.Driven = min(r.Driven+over[next].Place.DrivingSeconds, rule.Most)
		lasts := int64(over[next].Ends.Sub(over[next].Starts) / time.Second)
		switch next++; {
		case lasts >= rule.Break, r.First && lasts >= rule.Second:
			r = routing.Rested{Driven: driven}
		case rule.First > 0 && lasts >= rule.First:
			r.First = true
		}
	}
	since := func(until time.Time) {
		for next < len(over) && !over[next].Starts.After(until) {
			rest(0)
		}
	}
	for i := range p.over {
		s := &p.over[i]
		driven, was := int64(s.Driving/time.Second), next
		since(s.Arrives)
		if next > was {
			behind := int64(s.Arrives.Sub(over[next-1].Ends) / time.Second)
			driven = min(driven, max(behind, 0))
		}
		r.Driven = min(r.Driven+driven, rule.Most)
	}
	since(p.at)
	for next < len(over) { // on the present leg, all of which is ahead from p.at on
		rest(-max(int64(over[next].Ends.Sub(p.at)/time.Second), 0))
	}
	return r
}

// departed returns when a driver leaves for the next stop whose way there has breaks, and when they would
// have left if those that have begun had been before. The others are planned again.
func (r *Route) departed(next *Placed, left, now, leaves, at time.Time) (as, free time.Time) {
	var begun, ahead time.Duration
	for _, rest := range r.Breaks {
		switch lasts := rest.Ends.Sub(rest.Starts); {
		case rest.Starts.Before(left) || !rest.Starts.Before(next.Arrives):
		case rest.Starts.After(now):
			ahead += lasts
		default:
			begun += lasts
		}
	}
	switch {
	case begun > 0:
		return left, next.Arrives.Add(-next.Driving - ahead)
	case ahead > 0:
		return left, left
	}
	return leaves, at
}

// hadBreak reports whether the break of a driver's hours is over, where the rule for driving time brings
// others: one of those that have begun is as long, and not before its time.
func (d *Draft) hadBreak(of *Driver, over []Rest) bool {
	earliest, _ := d.day.Break(of.Hours)
	lasts := time.Duration(of.Hours.Break.Minutes) * time.Minute
	for _, rest := range over {
		if !rest.Starts.Before(earliest) && rest.Ends.Sub(rest.Starts) >= lasts {
			return true
		}
	}
	return false
}

// breaks writes the breaks of a route down whose driver has a rule, several of them or one at a place: those that
// have begun, and those of the plan. The next one is the break of the route.
func (d *Draft) breaks(r *Route, of *Driver, was *Route, t *routing.Timetable) {
	switch {
	case of.breaksByRule():
		r.Breaks = d.restsOver(was)
	case of.breaksOften():
		r.Breaks = d.restsTaken(was, d.passedBy(of.ID))
	default:
		return
	}
	for _, rest := range t.Breaks {
		r.Breaks = append(r.Breaks, Rest{
			Starts: d.moment(rest.Starts), Ends: d.moment(rest.Ends), Place: d.restPlace(of, &rest),
		})
	}
	r.BreakStarts, r.BreakEnds = time.Time{}, time.Time{}
	for _, rest := range r.Breaks {
		if r.BreakStarts, r.BreakEnds = rest.Starts, rest.Ends; rest.Ends.After(d.day.Now) {
			break
		}
	}
}

// remain notes how long the driver may still drive after a route, if a rule says so.
func (d *Draft) remain(r *Route, of *Driver) {
	if of.Rule != nil {
		left := max(0, d.drivingLeft(of)-r.Driving)
		r.DrivingLeft = &left
	}
}

// resting returns how long the breaks of a route last.
func (r *Route) resting() time.Duration {
	if len(r.Breaks) == 0 {
		return r.BreakEnds.Sub(r.BreakStarts)
	}
	var sum time.Duration
	for _, rest := range r.Breaks {
		sum += rest.Ends.Sub(rest.Starts)
	}
	return sum
}

// alike reports whether two routes have the same breaks and driving time left, except for irrelevant
// differences.
func (r *Route) alike(as *Route) bool {
	if len(r.Breaks) != len(as.Breaks) || (r.DrivingLeft == nil) != (as.DrivingLeft == nil) {
		return false
	}
	for i := range r.Breaks {
		a, b := r.Breaks[i], as.Breaks[i]
		if a.Starts.Sub(b.Starts).Abs() > unminded || a.Ends.Sub(b.Ends).Abs() > unminded || a.Place != b.Place {
			return false
		}
	}
	return r.DrivingLeft == nil || (*r.DrivingLeft-*as.DrivingLeft).Abs() <= unminded
}
