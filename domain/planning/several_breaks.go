package planning

import (
	"slices"
	"time"

	"waybill/domain/routing"
)

// breaksOften reports whether a driver has several breaks, or one at a place.
func (d *Driver) breaksOften() bool {
	all := d.Hours.Breaks()
	return len(all) > 1 || len(all) > 0 && d.breakPlace(all[0].LocationID) != nil
}

// breakOften gives a shift the breaks that its driver still has to take, if they are several on the day, or one at
// a place. One whose window has passed is due soon, as a single one is, and those after it wait until it is over.
func (d *Draft) breakOften(shift *routing.Shift, of *Driver, passed *progress, from time.Time) {
	if !of.breaksOften() {
		return
	}
	shift.Break, shift.Breaks = routing.Break{}, nil
	taken, free := d.restsTaken(d.routes[of.ID], passed), time.Time{}
	if of.breaksByRule() {
		taken = d.restsOver(d.routes[of.ID])
	}
	var left []routing.Break
	for _, b := range of.Hours.Breaks() {
		earliest, latest := d.day.breakOf(of.Hours, b)
		lasts := time.Duration(b.Minutes) * time.Minute
		at := slices.IndexFunc(taken, func(rest Rest) bool {
			return !rest.Starts.Before(earliest) && rest.Ends.Sub(rest.Starts) >= lasts
		})
		if at >= 0 {
			taken = taken[at+1:]
			continue
		}
		begins := later(earliest, from)
		if latest.Before(from) {
			if passed.rested(d.orders, earliest, from, lasts) {
				continue
			}
			begins, latest = later(from, d.day.Now), latest.Add(overdue)
			if len(left) == 0 {
				latest = d.putOff(of.ID, latest.Add(-overdue))
			}
		}
		begins = later(begins, free)
		latest = later(latest, begins)
		free = latest.Add(lasts)
		left = append(left, routing.Break{
			Earliest: max(d.second(begins), 0), Latest: max(d.second(latest), 0), Seconds: int64(lasts / time.Second),
			At: d.breakAt(of, b.LocationID),
		})
	}
	if len(left) > 0 {
		shift.Break, shift.Breaks = left[0], left[1:]
	}
}

// restsTaken returns the breaks of a route that the driver has had or is in: those that have begun, unless the
// driver was at a stop all that time, and those before the stops that are taken for over.
func (d *Draft) restsTaken(route *Route, passed *progress) (taken []Rest) {
	if route == nil {
		return nil
	}
	until := d.day.Now
	if last := len(passed.over) - 1; !passed.reports && last >= 0 {
		until = later(until, passed.over[last].Starts)
	}
	rests := route.Breaks
	if len(rests) == 0 && !route.BreakStarts.IsZero() {
		rests = []Rest{{Starts: route.BreakStarts, Ends: route.BreakEnds}}
	}
	for _, rest := range rests {
		if rest.Starts.After(until) {
			continue
		}
		if !passed.detained(rest, d.orders) {
			taken = append(taken, rest)
		}
	}
	return taken
}

// restsUntil returns until when a driver who is not on the way has a break that has begun; zero without one.
func (p *progress) restsUntil(d *Day, r *Route, orders map[int64]*Order) (until time.Time) {
	if p.paused {
		until = r.BreakEnds
	}
	for _, rest := range r.Breaks {
		if !rest.Starts.After(d.Now) && !p.detained(rest, orders) {
			until = later(until, rest.Ends)
		}
	}
	return until
}

// passedBy returns how far a driver of the draft is.
func (d *Draft) passedBy(driver int64) *progress {
	if k := slices.Index(d.Drivers, driver); k >= 0 {
		return &d.passed[k]
	}
	return &progress{}
}
